"""``/leaderboard`` and ``/profile``."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.words import _, language, speaking
from bot.games import default_of
from bot.messages.components import Content
from bot.messages.daily_deal import DAILY, daily_game
from bot.requests.answers import Answer, answering
from bot.requests.user_install import is_guest
from bot.services import Services
from bot.services.leaderboards import board_message, profile_message
from bot.services.start_checks import plays_here
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
            in_public = await plays_here(services, interaction)
            with speaking(await _spoken(services, interaction, in_public=in_public)):
                made = await board_message(services, interaction, board)
            if made is None:
                raise TableError(_("Only servers have leaderboards. Use this command in one."))
            await _show(answer, made, in_public=in_public)

    return leaderboard


def profile_command(services: Services) -> Command:
    """Return the command that shows what a player has done, wherever a game for one can be played."""

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player="Whose profile (your own if you don't say)")
    async def profile(interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(services, interaction)
            is_elsewhere = interaction.guild_id is None or is_guest(interaction)
            if is_elsewhere and player not in {None, interaction.user}:
                raise TableError(_("Here I only show you your own profile. Ask in a server we share."))
            with speaking(await _spoken(services, interaction, in_public=in_public)):
                made = await profile_message(services, interaction, player or interaction.user)
            await _show(answer, made, in_public=in_public)

    return profile


async def _spoken(
    services: Services, interaction: discord.Interaction, *, in_public: bool
) -> str | None:
    """Return the language of those who see the answer."""
    return await services.display.plans.language_in(interaction.guild_id) if in_public else language()


async def _show(answer: Answer, made: Content, *, in_public: bool) -> None:
    """Show it to all, or in private where the server wants no games in the channel."""
    await (answer.post(made) if in_public else answer.whisper(made))
