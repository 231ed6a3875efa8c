"""Pages of a game's rules, each with a text and a picture.

A game's ``RULES.md`` starts with the game's name and author. Each second-level heading starts a page.
``RULES.de.md`` and similar files contain the same pages in other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from itertools import pairwise

from bot.engine.frozen import frozen
from bot.engine.scene import Scene
from bot.engine.translation import language

_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


@frozen
class Page:
    """A page of a game's rules.

    Attributes:
        title: The heading.
        text: The text, in Discord markdown.
        picture: Returns the scene shown with the text.
    """

    title: str
    text: str
    picture: Callable[[], Scene]


def rules_pages(package: str, pictures: Sequence[Callable[[], Scene]]) -> tuple[Page, ...]:
    """Return the pages of a game's rules in the current language, or in English if not translated.

    Args:
        package: The package that contains the ``RULES`` files.
        pictures: A function for each page that returns the page's scene.
    """
    folder = files(package)
    translated = folder.joinpath(f"RULES.{language()}.md")
    markdown = (translated if translated.is_file() else folder.joinpath("RULES.md")).read_text("utf-8")
    heads = list(_HEADING.finditer(markdown))
    starts = [0, *(head.start() for head in heads[1:]), len(markdown)]
    texts = [markdown[start:end].strip() for start, end in pairwise(starts)]
    return tuple(
        Page(head["title"], text, picture)
        for head, text, picture in zip(heads, texts, pictures, strict=True)
    )
