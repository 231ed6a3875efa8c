"""The rules as players read them: pages of prose beside a game's modules, each with a picture.

A game's ``RULES.md`` begins with its name and who made it; each heading of the second level begins a
page. ``RULES.de.md`` and such are the same pages in other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from itertools import pairwise

from bot.engine.scene import Scene
from bot.engine.values import frozen
from bot.engine.words import language

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
