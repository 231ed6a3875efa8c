"""Reviews of finished matches. A review finds turns that a player could have played better."""

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
class MissedMove:
    """A turn that a player could have played better.

    Attributes:
        n: The number of moves in the match before the turn.
        kind: The game's identifier for this type of mistake.
        better: The better moves, in the game's notation.
        cost: The severity of the mistake. It can be compared only within the same game.
        facts: Further values for the sentence about the mistake.
    """

    n: int
    kind: str
    better: tuple[str, ...]
    cost: float
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Review(Generic[S, M]):
    """A game's functions for finding a player's mistakes. S is the game's state and M its move.

    Attributes:
        moments: Returns a seat's mistakes. Its arguments are the states of the match in order, the move
            made in each state (None if a player gave up), the seat, and the random seed of each move.
            The seeds reproduce the hints that the player could have got. A turn that follows the hints
            is never a mistake. The function is pure and may take seconds, so it runs in a worker
            process.
        miss_text: Returns a sentence about a mistake in the current language. Its arguments are the
            state and the mistake.
    """

    moments: Callable[[Sequence[S], Sequence[M | None], int, Sequence[bytes]], Iterable[MissedMove]]
    miss_text: Callable[[S, MissedMove], str]


def worst_moments(moments: Iterable[MissedMove]) -> tuple[MissedMove, ...]:
    dearest = sorted(moments, key=lambda moment: -moment.cost)[:MOST_MOMENTS]
    return tuple(sorted(dearest, key=lambda moment: moment.n))
