"""A review of a match that is over: the turns that a seat could have used better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.engine.immutable import frozen

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

MOST_MOMENTS = 3


@frozen
class Moment:
    """A turn that a seat could have used better: it began after ``n`` moves of the match.

    ``kind`` is the game's word for what was missed, ``better`` are moves in writing that were better.
    ``cost`` says by how much, to be compared within a game. ``facts`` are what else its words need.
    """

    n: int
    kind: str
    better: tuple[str, ...]
    cost: float
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Review(Generic[S, M]):
    """How a game finds what was missed. S is its state, M its move.

    ``moments`` is given all states of a match, in order, the move that was made in each (None where
    somebody gave up), a seat, and the lot of each move, by which a hint would have said the same. A turn
    played as hints say is no miss. It is pure and may take seconds, so it is run in a worker. ``told``
    says in a sentence, in the language spoken just now, what was missed in a state.
    """

    moments: Callable[[Sequence[S], Sequence[M | None], int, Sequence[bytes]], Iterable[Moment]]
    told: Callable[[S, Moment], str]


def worst(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    dearest = sorted(moments, key=lambda moment: -moment.cost)[:MOST_MOMENTS]
    return tuple(sorted(dearest, key=lambda moment: moment.n))
