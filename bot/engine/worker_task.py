"""Tasks for worker processes, with plain data and a function that is the same in each process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.engine.translation import _

T_co = TypeVar("T_co", covariant=True)

Read: TypeAlias = Callable[[], Awaitable[Sequence[Any]]]
"""Reads the data that a task needs beyond its fields. Not called if the answer is cached."""


class NoAnswerError(RibitError):
    """No worker answered in time."""

    def __init__(self) -> None:
        super().__init__(_("I couldn't work that out just now. Please try again in a moment."))


@frozen
class Unfinished:
    """A long task at the end of a time slice. ``progress`` is pickled and passed to ``resume``."""

    progress: Any


class Lane(Enum):
    """The queue for a task. PLAY is for work that a match is waiting for."""

    PLAY = "play"
    QUESTIONS = "questions"


class Task(Generic[T_co]):
    """A request to a worker, as frozen fields. Equal tasks are run once for all callers.

    Attributes:
        game: The key of the game.
        compute: Returns the answer from the data read for the task. Returns None if it has no answer, or
            Unfinished at the end of a time slice.
        resume: Continues a long task in any worker. Its arguments are the progress and a function that
            returns whether the time slice has ended.
    """

    lane = Lane.QUESTIONS
    is_question = True
    """True if a user waits for the answer. A user can ask one question at a time."""
    is_kept = False
    """True if the answer never changes, so that it is cached for a while."""
    waits_long = False
    """True if the task may take long, and is given up only if a worker hangs."""

    game: str
    compute: Callable[..., T_co | Unfinished | Awaitable[T_co | None] | None]
    resume: Callable[[Any, Callable[[], bool]], T_co | Unfinished]

    @property
    def label(self) -> str:
        """The label of the task's duration in metrics, or empty if it is not measured."""
        return ""

    def otherwise(self) -> T_co:
        raise NoAnswerError


@frozen
class OfMatch(Task[T_co]):
    """A task on a match and all its moves, which are read for it."""

    game: str
    match_id: str
    is_kept = True
    label = "whole"
