"""A puzzle: a position with one best way to go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.immutable import frozen
from bot.engine.worker_task import Task

S = TypeVar("S")

EASY, MIDDLE, HARD = GRADES = (1, 2, 3)
MOST_WAYS = 25
"""As many as one menu of Discord's takes."""


@frozen
class Way:
    """A way to go on, as moves in writing, and how likely it is to succeed.

    Where only the first move is asked for, the best way goes on to the end, the others need not.
    """

    moves: tuple[str, ...]
    chance: Fraction


@frozen
class Puzzle(Generic[S]):
    """A position whose seat 0 is to move, and all its ways, in the order in which they are offered."""

    state: S
    ways: tuple[Way, ...]

    @property
    def ranking(self) -> tuple[int, ...]:
        """The numbers of the ways, the likeliest first: none is as likely as that one."""
        return tuple(sorted(range(len(self.ways)), key=lambda number: -self.ways[number].chance))


@dataclass(frozen=True, kw_only=True)
class Puzzles(Generic[S]):
    """The puzzles of a game: ``find`` returns that of a grade and a number, always the same one.

    It is pure and may take a while, so it is run in a worker. ``version`` goes up with every change
    after which it returns another one: an answer to the former is not held against that. ``name``,
    ``question`` and ``choice`` say what is asked for. In the language spoken just now, ``told`` says
    what is done in a way, in a few words, and ``verdict``, to the number of the way that was picked, why
    the best one is that.
    """

    name: str
    question: str
    choice: str
    find: Callable[[int, int], Puzzle[S]]
    told: Callable[[S, Way], str]
    verdict: Callable[[Puzzle[S], int], str]
    version: int = 1


AnyPuzzles: TypeAlias = Puzzles[Any]


@frozen
class FindPuzzle(Task[Puzzle[Any]]):
    """The search for the puzzle of a grade and a number, by the function that a game has for it.

    It lies here so that a worker that is asked for it loads the game, and nothing of Discord.
    """

    game: str
    find: Callable[[int, int], Puzzle[Any]]
    grade: int
    number: int
    label = "puzzle"
    is_kept = True

    def made(self) -> Puzzle[Any]:
        return self.find(self.grade, self.number)
