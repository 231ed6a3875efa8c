"""The rules of a game, a page at a time: the picture first, then what it shows, then the other pages."""

from __future__ import annotations

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Picture, Text, layout, row
from bot.messages.custom_ids import rules_id
from bot.messages.lessons import offer


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
            rules_id(game.info.key, access),
            page.title,
            Tone.MAIN if access == shown else Tone.PLAIN,
            disabled=access == shown,
        )
        for access, page in enumerate(pages)
    ]
    lesson = [offer(game)] if offers_lesson else []
    return layout(gallery, Text(look.told(pages[shown].text)), row(*turn), *lesson)
