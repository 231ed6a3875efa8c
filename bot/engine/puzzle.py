"""Puzzles: positions in which the player must find the best sequence of moves."""

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
"""The maximum number of answers to a puzzle, because a Discord menu has at most 25 options."""


@frozen
class PuzzleLine:
    """A possible answer to a puzzle: a sequence of moves.

    Attributes:
        moves: The moves in the game's notation. If the puzzle asks only for the first move, the best
            answer contains all moves to the end. The other answers may contain fewer.
        chance: The probability of success.
    """

    moves: tuple[str, ...]
    chance: Fraction


@frozen
class Puzzle(Generic[S]):
    """A puzzle: a position in which it is seat 0's turn, and the possible answers.

    Attributes:
        state: The position.
        ways: All possible answers, in the order of the menu.
    """

    state: S
    ways: tuple[PuzzleLine, ...]

    @property
    def ranking(self) -> tuple[int, ...]:
        """The indices of the answers, best first. The best answer is unique."""
        return tuple(sorted(range(len(self.ways)), key=lambda number: -self.ways[number].chance))


@dataclass(frozen=True, kw_only=True)
class Puzzles(Generic[S]):
    """A game's puzzles.

    Attributes:
        name: The name of this type of puzzle.
        question: The question shown with each puzzle.
        choice: The placeholder of the menu that lists the answers.
        find: Returns the puzzle for a grade of difficulty and a number. The result is always the same.
            The search is pure and may take a while, so it runs in a worker process.
        answer_text: Returns a short description of an answer, in the current language.
        verdict: Explains why the best answer is the best, in the current language. Its second argument
            is the index of the answer that the player picked.
        version: The version of the puzzles. Increase it when ``find`` returns different puzzles, so that
            answers to old puzzles are not checked against new ones.
    """

    name: str
    question: str
    choice: str
    find: Callable[[int, int], Puzzle[S]]
    answer_text: Callable[[S, PuzzleLine], str]
    verdict: Callable[[Puzzle[S], int], str]
    version: int = 1


AnyPuzzles: TypeAlias = Puzzles[Any]


@frozen
class FindPuzzle(Task[Puzzle[Any]]):
    """A worker task that finds a puzzle by grade and number.

    It is defined in this module so that workers need not import Discord code.
    """

    game: str
    find: Callable[[int, int], Puzzle[Any]]
    grade: int
    number: int
    label = "puzzle"
    is_kept = True

    def compute(self) -> Puzzle[Any]:
        return self.find(self.grade, self.number)
