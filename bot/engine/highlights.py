"""Highlights of a finished match, and the functions that a game provides for its replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.engine.frozen import frozen
from bot.engine.opponent import new_events

S = TypeVar("S")


V = TypeVar("V")


@frozen
class Highlight:
    """A notable event in a match that its replay mentions.

    Attributes:
        words: The untranslated description. It may contain ``{name}`` for the player and ``{n}``.
        seat: The player's seat.
        n: The number that replaces ``{n}``.
        is_first: Whether only the first such event in a match is a highlight.
        weight: The importance. If space is short, the highlights with the highest weight are kept.
    """

    words: str
    seat: int = 0
    n: int = 0
    is_first: bool = False
    weight: int = 1


def _fresh_events(before: Any, after: Any) -> Sequence[Any]:
    return new_events(before.events, after.events)


@dataclass(frozen=True, kw_only=True)
class Lookback(Generic[S, V]):
    """A game's functions for the replay of a finished match.

    They reveal hidden cards, so they must never be used for a live match.

    Attributes:
        opened: Returns a view of the table in which all hands are open.
        moments: Returns the key moments between two consecutive states.
        step: Returns a value that changes when a step of the replay, such as a turn, ends.
        happened: Returns the events between two consecutive states, including those that only one player
            saw.
        round: Returns the round number. Games without rounds use the default, which returns 0.
    """

    opened: Callable[[S], V]
    moments: Callable[[S, S], tuple[Highlight, ...]]
    step: Callable[[S], object]
    happened: Callable[[S, S], Sequence[Any]] = _fresh_events
    round: Callable[[S], int] = lambda _state: 0
