"""How a game is learned: its rules page by page, and a deal that brings them up, with a coach's words.

A game's ``RULES.md`` begins with its name and who made it; each heading of the second level begins a
page. ``RULES.de.md`` and such are the same pages in other languages.

A lesson is a real match, against a tadpole where the game has opponents. The coach speaks of the
position, whatever the pupil does in it, and knows what the pupil's seat was shown and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.immutable import frozen
from bot.engine.scene import Scene
from bot.engine.words import _, language

V = TypeVar("V")
M = TypeVar("M")

_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


@frozen
class Page:
    """A page of a game's rules: its heading, its text as Discord markdown, and what it shows."""

    title: str
    text: str
    picture: Callable[[], Scene]


def rules_pages(package: str, pictures: Sequence[Callable[[], Scene]]) -> tuple[Page, ...]:
    """Return the pages in a package's folder, in the language spoken; there is a picture for each."""
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
"""The seat of who learns."""

SEATS = 2
"""The pupil, and a tadpole; in a game for one there is the pupil alone."""


@frozen
class Tip(Generic[M]):
    """What the coach says before a decision: why, and which move it has in mind."""

    why: str
    move: M


@dataclass(frozen=True, kw_only=True)
class Lesson(Generic[V, M]):
    """How a game is taught. V is the game's view, M its move; all functions are pure.

    The match is dealt with ``options`` and ``seed``, the same for everybody. ``came_up`` names the
    rules that came up from one view of the pupil's to the next, the first time from None; ``rules`` has
    the sentence that explains each, and those in ``always`` are explained each time.

    ``tip`` says what the pupil, who is to move, could do, by the rules that were met; ``standing`` says
    how the pupil stands, where no rule has come up. All that is to be learned has been met with one rule
    of each of the ``needs``; ``untold`` is told at the end of the rules that were not met.
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
    """How far a pupil has come, at the latest view.

    ``since`` are the rules that came up since the pupil's last move, ``before`` those of before.
    """

    view: Any
    since: tuple[str, ...]
    before: frozenset[str] = frozenset()

    @property
    def met(self) -> frozenset[str]:
        return self.before | set(self.since)


def progress(lesson: AnyLesson, last: Progress | None, view: Any, *, is_own: bool = False) -> Progress:
    """Return how far the pupil has come with one more view; ``is_own``: after a move of the pupil's."""
    if last is None:
        return Progress(view, lesson.came_up(None, view))
    came_up = lesson.came_up(last.view, view)
    if is_own:
        return Progress(view, came_up, last.met)
    return Progress(view, (*last.since, *came_up), last.before)


def remarks(lesson: AnyLesson, far: Progress) -> tuple[str, ...]:
    """Return what the coach says of what happened since the pupil's last move: one line at least."""
    explained = tuple(
        _(lesson.rules[rule])
        for rule in dict.fromkeys(far.since)
        if rule not in far.before or rule in lesson.always
    )
    return explained or (lesson.standing(far.view),)
