"""The rules of a game, a page at a time: the picture first, then what it shows, then the other pages."""

from __future__ import annotations

import re

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Picture, Text, layout, row
from bot.messages.custom_ids import GAME, MATCH, Control


@frozen
class RulesPage(Control):
    """A page of a game's rules, counted from 0; ``match_id`` is of the table where it was opened."""

    pattern = re.compile(rf"r:{GAME}:(?P<page>\d{{1,2}})(:{MATCH})?")
    kind = "rules page"

    game: str
    page: int
    match_id: str | None = None

    @property
    def custom_id(self) -> str:
        """The custom_id."""
        return ":".join(filter(None, (f"r:{self.game}:{self.page}", self.match_id)))


def rules_content(
    game: AnyGame, number: int = 0, look: Appearance = PLAIN, *, match_id: str | None = None
) -> Content:
    """Return a page of a game's rules, counted from 0; a number that there is not is the last page.

    ``match_id`` is of the table where it is opened.
    """
    pages = game.pages()
    shown = min(number, len(pages) - 1)
    gallery = Picture(look.coloured(pages[shown].picture()))
    turn = [
        Button(
            RulesPage(game.info.key, position, match_id).custom_id,
            page.title,
            Tone.MAIN if position == shown else Tone.PLAIN,
            disabled=position == shown,
        )
        for position, page in enumerate(pages)
    ]
    return layout(gallery, Text(look.told(pages[shown].text)), row(*turn))
