"""Buttons and menus of tables."""

from __future__ import annotations

from bot.app import Ribit
from cogs.clicks import hand, lessons, lobby, match_end, moves, puzzles, story


async def setup(bot: Ribit) -> None:
    """Have the bot carry these out."""
    for module in (hand, lessons, lobby, match_end, moves, puzzles, story):
        bot.clicks.add(module)
