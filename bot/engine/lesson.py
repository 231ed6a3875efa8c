"""The rules of a game as pages, and a lesson with a coach.

A game's ``RULES.md`` begins with its name and author. Each second-level heading begins a page.
``RULES.de.md`` and similar files hold the same pages in other languages.

A lesson is a real match, against a tadpole if the game has computer players. The coach comments on any
position that the pupil reaches, and knows only what the pupil's seat was shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.frozen import frozen
from bot.engine.scene import Scene
from bot.engine.translation import _, language

V = TypeVar("V")
M = TypeVar("M")

_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


@frozen
class Page:
    """A page of a game's rules.

    Attributes:
        title: The heading.
        text: The text as Discord markdown.
        picture: Returns the scene to show with the text.
    """

    title: str
    text: str
    picture: Callable[[], Scene]


def rules_pages(package: str, pictures: Sequence[Callable[[], Scene]]) -> tuple[Page, ...]:
    """Return the pages of a package's rules in the current language.

    Args:
        package: The package that contains the ``RULES`` files.
        pictures: One picture for each page, in order.
    """
    folder = files(package)
    translated = folder.joinpath(f"RULES.{language()}.md")
    written = (translated if translated.is_file() else folder.joinpath("RULES.md")).read_text("utf-8")
    heads = list(_HEADING.finditer(written))
    starts = [0, *(head.start() for head in heads[1:]), len(written)]
    texts = [written[start:end].strip() for start, end in pairwise(starts)]
    return tuple(
        Page(head["title"], text, picture)
        for head, text, picture in zip(heads, texts, pictures, strict=True)
    )


PUPIL = 0
"""The pupil's seat."""

SEATS = 2
"""The seats of a lesson: the pupil and a tadpole. A solitaire game has the pupil only."""


@frozen
class Tip(Generic[M]):
    """The coach's advice before a decision: a reason and the recommended move."""

    why: str
    move: M


@dataclass(frozen=True, kw_only=True)
class Lesson(Generic[V, M]):
    """The lesson of a game. V is the game's view and M its move. All functions are pure.

    Attributes:
        options: The options of the deal.
        seed: The seed of the deal, which is the same for all pupils.
        came_up: Returns the rules that applied between two views of the pupil. The first call has None
            as the earlier view.
        rules: The sentence that explains each rule.
        always: Rules that are explained each time they apply, not only the first time.
        tip: Returns advice for the pupil, who is to move, from the view and the rules met so far.
        standing: Returns a sentence about the pupil's position, used if no rule applied.
        needs: Groups of rules. The lesson is complete when one rule of each group has been met.
        untold: The sentences for rules that were not met, shown at the end.
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
        return not any(met.isdisjoint(each) for each in self.needs)

    def rest(self, met: frozenset[str]) -> tuple[str, ...]:
        return tuple(_(words) for rule, words in self.untold.items() if rule not in met)


AnyLesson: TypeAlias = Lesson[Any, Any]


@frozen
class Progress:
    """A pupil's progress at the latest view.

    Attributes:
        view: The latest view.
        since: The rules that applied since the pupil's last move.
        before: The rules that applied earlier.
    """

    view: Any
    since: tuple[str, ...]
    before: frozenset[str] = frozenset()

    @property
    def met(self) -> frozenset[str]:
        return self.before | set(self.since)


def progress(lesson: AnyLesson, last: Progress | None, view: Any, *, is_own: bool = False) -> Progress:
    """Return the progress after one more view.

    Args:
        lesson: The lesson.
        last: The progress before, or None at the start.
        view: The new view of the pupil's seat.
        is_own: Whether the view follows a move of the pupil.
    """
    if last is None:
        return Progress(view, lesson.came_up(None, view))
    came_up = lesson.came_up(last.view, view)
    if is_own:
        return Progress(view, came_up, last.met)
    return Progress(view, (*last.since, *came_up), last.before)


def remarks(lesson: AnyLesson, far: Progress) -> tuple[str, ...]:
    """Return the coach's remarks since the pupil's last move, at least one line."""
    explained = tuple(
        _(lesson.rules[rule])
        for rule in dict.fromkeys(far.since)
        if rule not in far.before or rule in lesson.always
    )
    return explained or (lesson.standing(far.view),)
