"""What happened in a match, told turn by turn; and what is worth seeing again when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.engine.immutable import frozen
from bot.engine.scene import FROG
from bot.engine.thinking import fresh

S = TypeVar("S")
E = TypeVar("E")
V = TypeVar("V")


@frozen
class Passage(Generic[E]):
    """What happened in one turn of a seat; of no seat: something between two turns."""

    seat: int | None
    events: tuple[E, ...]


@frozen
class StoryPage:
    """A turn of the whole table: its title, and a line for each turn in it."""

    title: str
    lines: tuple[str, ...]


def with_frog(names: Sequence[str], seat: int) -> list[str]:
    return [f"{FROG} {name}" if place == seat else name for place, name in enumerate(names)]


def passages(
    events: Iterable[E], whose: Callable[[E, int | None], int | None], ends: Callable[[E], bool]
) -> list[Passage[E]]:
    """Return events turn by turn; ``whose`` says whose turn one is in, ``ends`` if it ends it."""
    told = list[tuple[int | None, list[E]]]()
    mover: int | None = None
    turn = list[E]()  # the latest one
    for event in events:
        seat = whose(event, mover)
        if seat is not None and seat == mover and (told[-1][1] is turn or not ends(turn[-1])):
            turn.append(event)
            continue
        told.append((seat, [event]))
        if seat is not None:
            mover, turn = seat, told[-1][1]
    return [Passage(seat, tuple(part)) for seat, part in told]


def since_own(told: Sequence[Passage[E]], seat: int, *, on_turn: bool) -> Sequence[Passage[E]]:
    """Return what happened since the last turn of a seat, but for the one that it is at now."""
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    own = [place for place in turns if told[place].seat == seat]
    if on_turn and own[-1:] == turns[-1:]:
        own = own[:-1]
    return told[own[-1] + 1 :] if own else told


def last_lap(told: Sequence[Passage[E]], seats: int) -> Sequence[Passage[E]]:
    turns = [place for place, passage in enumerate(told) if passage.seat is not None]
    return told[turns[-seats] :] if len(turns) >= seats else told


def laps(told: Iterable[Passage[E]], begins: Callable[[E], bool]) -> list[list[Passage[E]]]:
    """Return turns of the table, in each of which a seat has one turn; ``begins`` opens a new one."""
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
    """Something worth seeing again, as words to be translated that name the seat ``{name}`` and ``{n}``.

    ``is_first``: only the first such moment of a match is one. The ``weight`` is of what is rare, or
    ends a round, and stays where not all moments have room.
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
    """What a game shows of a match that is over, and of none that lives: it tells what was hidden.

    ``opened`` is the table with every hand open. ``moments`` are those that came about between a state
    and the next, and ``happened`` is what its history tells of that, with what only its player saw.
    ``round`` numbers the rounds of a game that has them. Whenever its ``step`` is another one, a step
    of the match is over: a turn, or whatever is seen at once.
    """

    opened: Callable[[S], V]
    moments: Callable[[S, S], tuple[Moment, ...]]
    step: Callable[[S], object]
    happened: Callable[[S, S], Sequence[Any]] = _fresh_events
    round: Callable[[S], int] = lambda _state: 0
