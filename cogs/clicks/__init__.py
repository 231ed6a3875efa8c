"""What other branches move into folders of their own: to be deleted with them."""

from __future__ import annotations

import sys

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, post_table
from bot.delivery.clicks import handles
from bot.engine.game import AnyGame
from bot.features import Feature
from bot.messages.daily_deal import TakeUp, as_date, day_of, day_of_text, has_daily
from bot.requests.answers import answering
from bot.services import Services
from bot.services.daily_try import deal_of_past, lead_to_try
from bot.sessions.errors import TriedError


class Rest(app_commands.Group):
    """Commands of games."""

    def __init__(self, services: Services, game: AnyGame) -> None:
        super().__init__(name=game.info.command, description=game.info.about)
        self._services = services
        self._game = game
        if not has_daily(game):
            self.remove_command("daily")
            self.remove_command("archive")

    @app_commands.command()
    async def daily(self, interaction: discord.Interaction) -> None:
        """Play the deal of the day: the same for everybody, and one try that counts."""
        async with answering(interaction, public=True) as answer:
            day = day_of(interaction.created_at)
            key = self._game.info.key
            services, tables = self._services, self._services.tables
            before = await tables.tried(key, interaction.user.id, day)
            if before is None:
                options = await services.opening.options_of_day(interaction, self._game, day)
                try:
                    table = await services.opening.deal_for(interaction, self._game, options)
                except TriedError:  # in another channel, in the same moment
                    before = await tables.tried(key, interaction.user.id, day)
                else:
                    await post_table(services.display, answer, table)
            if before is not None:
                await lead_to_try(services, answer, before)

    @app_commands.command()
    @app_commands.describe(day="A day that is over, such as 2026-11-21")
    async def archive(self, interaction: discord.Interaction, day: str) -> None:
        """Play the deal of a past day, for fun: it never counts."""
        async with answering(interaction, public=True) as answer:
            table = await deal_of_past(self._services, interaction, self._game, day_of_text(day) or 0)
            await post_table(self._services.display, answer, table)

    @archive.autocomplete("day")
    async def _days(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Offer the days that have a deal, latest first."""
        today = day_of(interaction.created_at)
        deals = await self._services.days.before(self._game.info.key, today, 400)
        days = [as_date(deal.day).isoformat() for deal in deals]
        return [app_commands.Choice(name=day, value=day) for day in days if typed in day][:25]


@handles(TakeUp, in_private=True)
async def take_up(clicked: Clicked, asked: TakeUp) -> None:
    """Have the player's try go on here."""
    table = await clicked.services.tables.look(asked.match_id)
    await clicked.services.opening.take_up(clicked.answer, table)


async def setup(bot: Ribit) -> None:
    """Add them to the bot."""
    bot.clicks.add(sys.modules[__name__])

    await bot.add_feature(Feature(of_game=lambda game: Rest(bot.services, game).commands))
