"""The rules of a game, a page at a time: the picture first, then what it shows, then the other pages."""

from __future__ import annotations

import re

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Picture, Text, layout, row
from bot.messages.custom_ids import GAME, Control
from bot.messages.lessons import offer


@frozen
class RulesPage(Control):
    """A page of a game's rules, counted from 0."""

    pattern = re.compile(rf"r:{GAME}:(?P<page>\d{{1,2}})")
    kind = "rules page"

    game: str
    page: int

    @property
    def custom_id(self) -> str:
        """The custom_id."""
        return f"r:{self.game}:{self.page}"


def rules_content(
    game: AnyGame, number: int = 0, look: Appearance = PLAIN, *, offers_lesson: bool = False
) -> Content:
    """Return a page of a game's rules, counted from 0; a number that there is not is the last page.

    ``offers_lesson`` adds a button that begins one.
    """
    pages = game.pages()
    shown = min(number, len(pages) - 1)
    gallery = Picture(look.coloured(pages[shown].picture()))
    turn = [
        Button(
            RulesPage(game.info.key, position).custom_id,
            page.title,
            Tone.MAIN if position == shown else Tone.PLAIN,
            disabled=position == shown,
        )
        for position, page in enumerate(pages)
    ]
    lesson = [offer(game)] if offers_lesson else []
    return layout(gallery, Text(look.told(pages[shown].text)), row(*turn), *lesson)
