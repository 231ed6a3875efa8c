"""What the player of a game for one can ask, and how a match that was given up is gone back to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

UNTOLD = "; "
"""Parts what a player was told from what was only thought out with it, in a move in writing."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[S, M, V]):
    """What the player of a game for one can ask in the middle of it or after it, by a button.

    ``key`` is a short word for it, ``label`` stands on the button. It may be asked where it ``fits``
    what is seen. ``answer`` is pure and may take seconds, so it is run in a worker. It returns a legal
    move that tells the answer: the journal has that, and no replay has to think again. What fits after
    the end is told to the player alone, and not stored.
    """

    key: str
    label: str
    fits: Callable[[V], bool]
    answer: Callable[[S], M]


@dataclass(frozen=True, kw_only=True)
class Retry(Generic[S, M]):
    """How a match for one that was given up is gone back to, and how it could have been won.

    ``moment`` returns after how many moves that was possible, by the answer to a question, or None where
    the answer says no such thing. ``back`` returns the moves that lead there from the state before it
    was given up; it raises IllegalMoveError for a moment that never was. ``line`` returns moves that win
    from there, or none; it is pure and may take seconds, so it is run in a worker. ``shown`` returns the
    state after so many moves of such a line, in writing, with the next one told.
    """

    moment: Callable[[M], int | None]
    back: Callable[[S, int], tuple[M, ...]]
    line: Callable[[S, int], tuple[M, ...]]
    shown: Callable[[S, int, Sequence[str], int], S]
