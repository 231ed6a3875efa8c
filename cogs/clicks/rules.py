"""Turning the pages of a game's rules."""

from __future__ import annotations

from bot.messages.rules import RulesPage
from bot.services.click import Clicked, unknown_button
from cogs.clicks.handlers import handles


@handles(RulesPage, in_private=True)
async def turn_page(clicked: Clicked, asked: RulesPage) -> None:
    """Show a page of the rules in place of the one that was read."""
    game = clicked.services.games.get(asked.game)
    if game is None:
        raise unknown_button()
    await clicked.answer.update(
        await clicked.services.display.appearances.rules(
            game, clicked.interaction, asked.page, asked.match_id
        )
    )
