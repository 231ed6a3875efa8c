"""``/leaderboard`` and ``/profile``."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.boards import board_message, profile_message
from bot.delivery.desk import Desk
from bot.engine.words import _, speaking
from bot.games import games
from bot.messages.daily import DAILY
from bot.sessions.errors import TableError

_BOARDS = [
    *(app_commands.Choice(name=game.info.name, value=key) for key, game in games().items()),
    app_commands.Choice(name="Solitaire: the deal of the day", value=DAILY),
]


class Standings(commands.Cog):
    """Who has done how well in this server."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(board="Which leaderboard (Toad's if you do not say)")
    @app_commands.choices(board=_BOARDS)
    async def leaderboard(self, interaction: discord.Interaction, board: str = "toad") -> None:
        """Show who has won most in this server, or today's deal."""
        async with answering(interaction, public=True) as answer:
            with speaking(await self._desk.display.language_in(interaction.guild_id)):
                made = await board_message(self._desk, interaction, board)
            if made is None:
                raise TableError(_("Leaderboards belong to servers; ask in one."))
            await answer.post(made)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(player="Whose profile (your own if you do not say)")
    async def profile(
        self, interaction: discord.Interaction, player: discord.Member | None = None
    ) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            with speaking(await self._desk.display.language_in(interaction.guild_id)):
                made = await profile_message(
                    self._desk, player or interaction.user, interaction.guild_id
                )
            await answer.post(made)
