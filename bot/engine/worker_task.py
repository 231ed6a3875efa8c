"""Base classes of the tasks that worker processes run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.engine.translation import _

T_co = TypeVar("T_co", covariant=True)

Read: TypeAlias = Callable[[], Awaitable[Sequence[Any]]]
"""Reads the data that a worker task needs. It is passed to ``compute``.

The function is not called if the task's answer is cached.
"""


class NoAnswerError(RibitError):
    """Raised when no worker process answered in time."""

    def __init__(self) -> None:
        super().__init__(_("I couldn't work that out just now. Please try again in a moment."))


@frozen
class Unfinished:
    """The intermediate state of a long worker task whose time slice has ended.

    ``progress`` is pickled and later passed to the task's ``resume``.
    """

    progress: Any


class Lane(Enum):
    """The queue of a worker task.

    PLAY is for tasks that a live match waits for. QUESTIONS is for all other tasks.
    """

    PLAY = "play"
    QUESTIONS = "questions"


class Task(Generic[T_co]):
    """A task that runs in a worker process. Instances are immutable.

    If several callers submit equal tasks, the task runs once.

    Attributes:
        game: The key of the game.
        compute: Computes the answer from the data read for the task. Returns None if there is no answer,
            or Unfinished if the time slice has ended.
        resume: Continues an unfinished task, possibly in another worker. Its arguments are the progress
            and a function that returns whether the time slice has ended.
    """

    lane = Lane.QUESTIONS
    is_question = True
    """True if a user waits for the answer. Each user can ask one question at a time."""
    is_kept = False
    """True if the answer never changes. The answer is then cached for a while."""
    waits_long = False
    """True if the task may take long. The task is then cancelled only if the worker hangs."""

    game: str
    compute: Callable[..., T_co | Unfinished | Awaitable[T_co | None] | None]
    resume: Callable[[Any, Callable[[], bool]], T_co | Unfinished]

    @property
    def label(self) -> str:
        """The task's label in the duration metric, or empty if the duration is not measured."""
        return ""

    def otherwise(self) -> T_co:
        raise NoAnswerError


@frozen
class MatchTask(Task[T_co]):
    """A worker task that needs a whole match with all its moves."""

    game: str
    match_id: str
    is_kept = True
    label = "whole"
