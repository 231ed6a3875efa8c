"""``/leaderboard`` and ``/profile``."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.delivery.answers import answering
from bot.delivery.leaderboards import board_message, profile_message
from bot.delivery.services import Services
from bot.engine.words import _, speaking
from bot.games import default_of
from bot.messages.daily_deal import DAILY, daily_game
from bot.sessions.errors import TableError

Command: TypeAlias = app_commands.Command[Any, ..., None]


def leaderboard_command(services: Services) -> Command:
    """Return the command that shows who has done how well in a server, at each game there is."""
    first, daily = default_of(services.games).info, daily_game(services.games)
    boards = [
        app_commands.Choice(name=game.info.name, value=key) for key, game in services.games.items()
    ]
    if daily:
        name = f"{daily.info.command.capitalize()}: the deal of the day"
        boards.append(app_commands.Choice(name=name, value=DAILY))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(board=f"Which leaderboard ({first.name}'s if you don't say)")
    @app_commands.choices(board=boards)
    async def leaderboard(interaction: discord.Interaction, board: str = first.key) -> None:
        """Show who has won most in this server, or today's deal."""
        async with answering(interaction, public=True) as answer:
            with speaking(await services.display.language_in(interaction.guild_id)):
                made = await board_message(services, interaction, board)
            if made is None:
                raise TableError(_("Only servers have leaderboards. Use this command in one."))
            await answer.post(made)

    return leaderboard


def profile_command(services: Services) -> Command:
    """Return the command that shows what a player has done."""

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(player="Whose profile (your own if you don't say)")
    async def profile(interaction: discord.Interaction, player: discord.Member | None = None) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            with speaking(await services.display.language_in(interaction.guild_id)):
                made = await profile_message(services, interaction, player or interaction.user)
            await answer.post(made)

    return profile
