"""Buttons and menus of tables."""

from __future__ import annotations

from bot.app import Ribit
from cogs.clicks import hand, lobby, match_end, moves, story


async def setup(bot: Ribit) -> None:
    """Have the bot carry these out."""
    for module in (hand, lobby, match_end, moves, story):
        bot.clicks.add(module)
