"""The rules of a game, a page at a time: the picture first, then what it shows, then the other pages."""

from __future__ import annotations

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.messages.ids import rules_id
from bot.messages.lessons import offer
from bot.messages.look import PLAIN, Look
from bot.messages.parts import Button, Picture, Sheet, Text, row, sheet


def rules_sheet(
    game: AnyGame, number: int = 0, look: Look = PLAIN, *, offers_lesson: bool = False
) -> Sheet:
    """Return a page of a game's rules, counted from 0; a number that there is not is the last page.

    ``offers_lesson`` adds a button that begins one.
    """
    pages = game.pages()
    shown = min(number, len(pages) - 1)
    gallery = Picture(look.coloured(pages[shown].picture()))
    turn = [
        Button(
            rules_id(game.info.key, place),
            page.title,
            Tone.MAIN if place == shown else Tone.PLAIN,
            disabled=place == shown,
        )
        for place, page in enumerate(pages)
    ]
    lesson = [offer(game)] if offers_lesson else []
    return sheet(gallery, Text(look.told(pages[shown].text)), row(*turn), *lesson)
