"""Reviews of finished matches, which find turns that a seat could have played better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.engine.frozen import frozen

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

MOST_MOMENTS = 3


@frozen
class Moment:
    """A turn that a seat could have played better.

    Attributes:
        n: The number of moves of the match before the turn.
        kind: The game's identifier for the type of miss.
        better: Better moves, in the notation.
        cost: The size of the loss, comparable within one game.
        facts: Further values for the words.
    """

    n: int
    kind: str
    better: tuple[str, ...]
    cost: float
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Review(Generic[S, M]):
    """A game's search for missed opportunities. S is its state and M its move.

    Attributes:
        moments: Returns the misses of a seat. Its arguments are all states of the match in order, the
            move made in each (None if a player gave up), the seat, and the random seed of each move,
            with which a hint would have been the same. A turn that follows the hints is never a miss.
            Pure, and may take seconds, so it runs in a worker.
        told: Returns a sentence about a miss in a state, in the current language.
    """

    moments: Callable[[Sequence[S], Sequence[M | None], int, Sequence[bytes]], Iterable[Moment]]
    told: Callable[[S, Moment], str]


def worst(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    dearest = sorted(moments, key=lambda moment: -moment.cost)[:MOST_MOMENTS]
    return tuple(sorted(dearest, key=lambda moment: moment.n))
