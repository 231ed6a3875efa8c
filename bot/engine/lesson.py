"""Interactive lessons.

A lesson is a real match. If the game has computer players, the opponent is a tadpole, the weakest one. A
coach explains each rule when it first applies. The coach knows only what the pupil can see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.frozen import frozen
from bot.engine.translation import _

V = TypeVar("V")
M = TypeVar("M")


PUPIL = 0
"""The pupil's seat."""

SEATS = 2
"""The number of seats in a lesson: the pupil and a tadpole. In a solitaire game, the pupil is alone."""


@frozen
class Tip(Generic[M]):
    """The coach's advice for the next move.

    Attributes:
        why: The reason.
        move: The recommended move.
    """

    why: str
    move: M


@dataclass(frozen=True, kw_only=True)
class Lesson(Generic[V, M]):
    """An interactive lesson that teaches a game. V is the game's view and M its move.

    All functions are pure.

    Attributes:
        options: The match options.
        seed: The random seed of the deal. It is the same for all pupils.
        came_up: Returns the rules that applied between two consecutive views of the pupil. In the first
            call, the earlier view is None.
        rules: The explanation of each rule.
        always: The rules that the coach explains each time they apply, not only the first time.
        tip: Returns advice for the pupil's next move. Its arguments are the view and the rules that have
            applied so far.
        standing: Returns a comment on the pupil's position. The coach makes it if no rule applied.
        needs: Groups of rules. The lesson is complete when a rule of each group has applied.
        untold: Explanations for the end of the lesson. Only rules that never applied are explained.
    """

    options: Mapping[str, int]
    seed: bytes
    came_up: Callable[[V | None, V], tuple[str, ...]]
    rules: Mapping[str, str]
    always: frozenset[str]
    tip: Callable[[V, frozenset[str]], Tip[M]]
    standing: Callable[[V], str]
    needs: tuple[frozenset[str], ...]
    untold: Mapping[str, str]

    def is_done(self, met: frozenset[str]) -> bool:
        return not any(met.isdisjoint(group) for group in self.needs)

    def rest(self, met: frozenset[str]) -> tuple[str, ...]:
        return tuple(_(words) for rule, words in self.untold.items() if rule not in met)


AnyLesson: TypeAlias = Lesson[Any, Any]


@frozen
class Progress:
    """A pupil's progress in a lesson.

    Attributes:
        view: The pupil's latest view.
        since: The rules that have applied since the pupil's last move.
        before: The rules that applied before that move.
    """

    view: Any
    since: tuple[str, ...]
    before: frozenset[str] = frozenset()

    @property
    def met(self) -> frozenset[str]:
        return self.before | set(self.since)


def progress(lesson: AnyLesson, last: Progress | None, view: Any, *, is_own: bool = False) -> Progress:
    """Update a pupil's progress with a new view.

    Args:
        lesson: The lesson.
        last: The previous progress, or None at the start.
        view: The pupil's new view.
        is_own: Whether the pupil made the move that led to this view.
    """
    if last is None:
        return Progress(view, lesson.came_up(None, view))
    came_up = lesson.came_up(last.view, view)
    if is_own:
        return Progress(view, came_up, last.met)
    return Progress(view, (*last.since, *came_up), last.before)


def remarks(lesson: AnyLesson, far: Progress) -> tuple[str, ...]:
    """Return the coach's remarks on the moves since the pupil's last move. The tuple is never empty."""
    explained = tuple(
        _(lesson.rules[rule])
        for rule in dict.fromkeys(far.since)
        if rule not in far.before or rule in lesson.always
    )
    return explained or (lesson.standing(far.view),)
