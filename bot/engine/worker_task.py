"""A task for a worker process: plain data, and the function that is the same in every process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.errors import RibitError
from bot.engine.immutable import frozen
from bot.engine.words import _

T_co = TypeVar("T_co", covariant=True)

Read: TypeAlias = Callable[[], Awaitable[Sequence[Any]]]
"""Reads what a task is made of where that is more than its fields: not for an answer that is there."""


class NoAnswerError(RibitError):
    """No worker could say in time."""

    def __init__(self) -> None:
        super().__init__(_("I couldn't work that out just now. Please try again in a moment."))


@frozen
class Unfinished:
    """A long task at the end of a slice: ``progress`` is pickled, and given to ``resumed``."""

    progress: Any


class Lane(Enum):
    """What a thought is for: play that cannot go on without it, or a question."""

    PLAY = "play"
    QUESTIONS = "questions"


class Task(Generic[T_co]):
    """What a worker is asked for, by frozen fields: of equal tasks one is done, for all who ask.

    ``made`` is given what was read for it. Where it returns None the worker could not say. A long task
    returns Unfinished, and goes on in ``resumed``, in any worker, with its progress and a function that
    says whether its slice of time is over.
    """

    lane = Lane.QUESTIONS
    is_question = True
    """Whether a person waits for one of them at a time."""
    is_kept = False
    """Whether its answer is kept for a while, as it cannot change."""
    waits_long = False
    """Whether it is given up only where a worker hangs."""

    game: str
    made: Callable[..., T_co | Unfinished | Awaitable[T_co | None] | None]
    resumed: Callable[[Any, Callable[[], bool]], T_co | Unfinished]

    @property
    def label(self) -> str:
        """What figures call a thought about a game; nothing where it is not timed."""
        return ""

    def otherwise(self) -> T_co:
        raise NoAnswerError


@frozen
class OfMatch(Task[T_co]):
    """What is made of a match and all its moves, which are read for it."""

    game: str
    match_id: str
    is_kept = True
    label = "whole"
