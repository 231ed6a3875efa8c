"""The story of a match turn by turn, and the key moments of a finished match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.engine.frozen import frozen
from bot.engine.opponent import fresh
from bot.engine.scene import FROG

S = TypeVar("S")
E = TypeVar("E")
V = TypeVar("V")


@frozen
class Passage(Generic[E]):
    """The events of one turn.

    Attributes:
        seat: The seat whose turn it is, or None for events between turns.
    """

    seat: int | None
    events: tuple[E, ...]


@frozen
class StoryPage:
    """One round of turns at the table, with a title and a line for each turn."""

    title: str
    lines: tuple[str, ...]


def with_frog(names: Sequence[str], seat: int) -> list[str]:
    return [f"{FROG} {name}" if place == seat else name for place, name in enumerate(names)]


def passages(
    events: Iterable[E], whose: Callable[[E, int | None], int | None], ends: Callable[[E], bool]
) -> list[Passage[E]]:
    """Return events grouped into turns.

    Args:
        events: The events in order.
        whose: Returns the seat whose turn an event belongs to, given the seat of the turn before, or
            None.
        ends: Returns whether an event ends its turn.
    """
    told = list[tuple[int | None, list[E]]]()
    mover: int | None = None
    turn = list[E]()  # the latest turn
    for event in events:
        seat = whose(event, mover)
        if seat is not None and seat == mover and (told[-1][1] is turn or not ends(turn[-1])):
            turn.append(event)
            continue
        told.append((seat, [event]))
        if seat is not None:
            mover, turn = seat, told[-1][1]
    return [Passage(seat, tuple(part)) for seat, part in told]


def since_own(told: Sequence[Passage[E]], seat: int) -> Sequence[Passage[E]]:
    """Return the passages since the last turn of the seat to move, not counting a turn in progress."""
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    own = [place for place in turns if told[place].seat == seat]
    if own[-1:] == turns[-1:]:
        own = own[:-1]
    return told[own[-1] + 1 :] if own else told


def last_lap(told: Sequence[Passage[E]], seats: int) -> Sequence[Passage[E]]:
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    return told[turns[-seats] :] if len(turns) >= seats else told


def laps(told: Iterable[Passage[E]], begins: Callable[[E], bool]) -> list[list[Passage[E]]]:
    """Return turns grouped into laps, in each of which a seat has at most one turn.

    Args:
        told: All passages.
        begins: Returns whether an event opens a new lap.
    """
    found = list[list[Passage[E]]]()
    seats = set[int | None]()
    for passage in told:
        if not found or passage.seat in seats or begins(passage.events[0]):
            found.append([])
            seats = set()
        found[-1].append(passage)
        seats |= {passage.seat} - {None}
    return found


@frozen
class Moment:
    """An event of a match that is worth seeing again.

    Attributes:
        words: The description, to be translated, with ``{name}`` for the seat's player and ``{n}``.
        n: The number for the words.
        is_first: Whether only the first such event of a match counts.
        weight: The importance. Rare events and ends of rounds weigh more, and are kept if space is
            short.
    """

    words: str
    seat: int = 0
    n: int = 0
    is_first: bool = False
    weight: int = 1


def _fresh_events(before: Any, after: Any) -> Sequence[Any]:
    return fresh(before.events, after.events)


@dataclass(frozen=True, kw_only=True)
class Lookback(Generic[S, V]):
    """The presentation of a finished match.

    It reveals hidden cards, so it is never used for a live match.

    Attributes:
        opened: Returns the view of the table with all hands open.
        moments: Returns the key moments between a state and the next.
        step: Returns a value that changes when a step of the replay ends, such as a turn.
        happened: Returns the events between a state and the next, including those that only one player
            saw.
        round: Returns the number of the round, for a game with rounds.
    """

    opened: Callable[[S], V]
    moments: Callable[[S, S], tuple[Moment, ...]]
    step: Callable[[S], object]
    happened: Callable[[S, S], Sequence[Any]] = _fresh_events
    round: Callable[[S], int] = lambda _state: 0
