"""The try of a day, taken up where its player is now."""

from __future__ import annotations

from bot.messages.daily_deal import TakeUp
from bot.services.click import Clicked
from bot.services.daily_try import take_up_here
from cogs.clicks.handlers import handles


@handles(TakeUp, in_private=True)
async def take_up(clicked: Clicked, asked: TakeUp) -> None:
    """Have the player's try go on here."""
    table = await clicked.services.tables.look(asked.match_id)
    await take_up_here(clicked.services, clicked.answer, table)
