"""Grouping of a match's events into turns and rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from bot.engine.frozen import frozen
from bot.engine.scene import FROG

S = TypeVar("S")
E = TypeVar("E")
V = TypeVar("V")


@frozen
class Passage(Generic[E]):
    """The events of one turn, or the events between two turns.

    Attributes:
        seat: The seat whose turn it was, or None for events between turns.
    """

    seat: int | None
    events: tuple[E, ...]


@frozen
class StoryPage:
    """A page of a match's story. It covers one round of turns, with a line of text for each turn."""

    title: str
    lines: tuple[str, ...]


def mark_computer_player(names: Sequence[str], seat: int) -> list[str]:
    return [f"{FROG} {name}" if place == seat else name for place, name in enumerate(names)]


def passages(
    events: Iterable[E], whose: Callable[[E, int | None], int | None], ends: Callable[[E], bool]
) -> list[Passage[E]]:
    """Group a match's events into turns.

    Args:
        events: The events in order.
        whose: Returns the seat whose turn the event belongs to, or None for an event between turns. Its
            arguments are the event and the seat of the latest turn (None at the start).
        ends: Returns whether the event ends its turn.
    """
    turns = list[tuple[int | None, list[E]]]()
    mover: int | None = None
    turn = list[E]()  # the latest turn
    for event in events:
        seat = whose(event, mover)
        if seat is not None and seat == mover and (turns[-1][1] is turn or not ends(turn[-1])):
            turn.append(event)
            continue
        turns.append((seat, [event]))
        if seat is not None:
            mover, turn = seat, turns[-1][1]
    return [Passage(seat, tuple(part)) for seat, part in turns]


def since_own(told: Sequence[Passage[E]], seat: int) -> Sequence[Passage[E]]:
    """Return everything that happened since a seat's last turn.

    If the latest turn is the seat's own turn, return everything since the seat's previous turn.
    """
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    own = [place for place in turns if told[place].seat == seat]
    if own[-1:] == turns[-1:]:
        own = own[:-1]
    return told[own[-1] + 1 :] if own else told


def last_lap(told: Sequence[Passage[E]], seats: int) -> Sequence[Passage[E]]:
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    return told[turns[-seats] :] if len(turns) >= seats else told


def laps(told: Iterable[Passage[E]], begins: Callable[[E], bool]) -> list[list[Passage[E]]]:
    """Group a match's turns into laps. In a lap, each seat has at most one turn.

    Args:
        told: All passages.
        begins: Returns whether a turn that starts with this event also starts a new lap.
    """
    result = list[list[Passage[E]]]()
    seats = set[int | None]()
    for passage in told:
        if not result or passage.seat in seats or begins(passage.events[0]):
            result.append([])
            seats = set()
        result[-1].append(passage)
        seats |= {passage.seat} - {None}
    return result
