"""What other branches move into folders of their own: to be deleted with them."""

from __future__ import annotations

import sys

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, post_table
from bot.delivery.clicks import handles
from bot.engine.game import AnyGame
from bot.engine.words import _
from bot.features import Feature
from bot.messages.components import Row
from bot.messages.daily_deal import TakeUp, as_date, day_of, day_of_text, has_daily
from bot.messages.lessons import offer
from bot.messages.puzzles import GRADE_WORDS
from bot.requests.answers import answering
from bot.services import Services
from bot.services.daily_try import deal_of_past, lead_to_try
from bot.sessions.errors import TriedError
from cogs.clicks import lessons, puzzles, reviews
from cogs.clicks.lessons import open_lesson
from cogs.clicks.puzzles import posed_content


class Rest(app_commands.Group):
    """Commands of games."""

    def __init__(self, services: Services, game: AnyGame) -> None:
        super().__init__(name=game.info.command, description=game.info.about)
        self._services = services
        self._game = game
        if game.lesson is None:
            self.remove_command("learn")
        if game.puzzles is None or game.info.is_solo:
            self.remove_command("puzzle")
        if not has_daily(game):
            self.remove_command("daily")
            self.remove_command("archive")

    @app_commands.command()
    async def learn(self, interaction: discord.Interaction) -> None:
        """Learn the game by playing against a tadpole, with a coach; only you see it."""
        async with answering(interaction) as answer:
            await open_lesson(self._services, answer, self._game)

    @app_commands.command()
    @app_commands.describe(grade="Any one of this grade (the puzzle of the day if you don't say)")
    @app_commands.choices(
        grade=[app_commands.Choice(name=_(words), value=grade) for grade, words in GRADE_WORDS.items()]
    )
    async def puzzle(self, interaction: discord.Interaction, grade: int | None = None) -> None:
        """Find the best turn in a position; only you see it. There is one a day for everybody."""
        async with answering(interaction) as answer:
            await answer.whisper(await posed_content(self._services, interaction, self._game, grade))

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
    for module in (lessons, puzzles, reviews, sys.modules[__name__]):
        bot.clicks.add(module)

    async def in_rules(game: AnyGame, player_id: int, _match_id: str | None) -> Row | None:
        known = game.lesson is None or await bot.services.players.has_learned(player_id, game.info.key)
        return None if known else offer(game)

    await bot.add_feature(
        Feature(of_game=lambda game: Rest(bot.services, game).commands, in_rules=in_rules)
    )
