"""Puzzles, which are positions with one best continuation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.frozen import frozen
from bot.engine.worker_task import Task

S = TypeVar("S")

EASY, MIDDLE, HARD = GRADES = (1, 2, 3)
MOST_WAYS = 25
"""The number of choices in one Discord menu."""


@frozen
class Way:
    """A continuation of a puzzle.

    Attributes:
        moves: The moves in the notation. If the puzzle asks for the first move only, the best way
            continues to the end, but the others need not.
        chance: The probability of success.
    """

    moves: tuple[str, ...]
    chance: Fraction


@frozen
class Puzzle(Generic[S]):
    """A position in which seat 0 is to move, with all its ways in the order offered."""

    state: S
    ways: tuple[Way, ...]

    @property
    def ranking(self) -> tuple[int, ...]:
        """The indices of the ways by falling chance. The best way has no equal."""
        return tuple(sorted(range(len(self.ways)), key=lambda number: -self.ways[number].chance))


@dataclass(frozen=True, kw_only=True)
class Puzzles(Generic[S]):
    """The puzzles of a game.

    Attributes:
        name: The name of this type of puzzle.
        question: The question that a puzzle asks.
        choice: The prompt of the menu of ways.
        find: Returns the puzzle for a grade and a number, always the same one. Pure, and may take a
            while, so it runs in a worker.
        told: Returns a short description of a way, in the current language.
        verdict: Returns why the best way is best, given the index of the way that was picked, in the
            current language.
        version: Increases with each change after which ``find`` returns other puzzles, so that answers
            to earlier puzzles are not judged by new ones.
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
    """The search for a puzzle by grade and number.

    It is defined here so that a worker loads only the game and no Discord code.
    """

    game: str
    find: Callable[[int, int], Puzzle[Any]]
    grade: int
    number: int
    label = "puzzle"
    is_kept = True

    def compute(self) -> Puzzle[Any]:
        return self.find(self.grade, self.number)
