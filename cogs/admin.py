"""``/settings`` and ``/doctor``."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.channel_diagnostics import examined
from bot.delivery.services import Services
from bot.delivery.start_checks import settings_for
from bot.messages.channel_diagnostics import health_content


class Admin(commands.Cog):
    """What is set in a server or by a player, and what is wrong in a channel; answered in private."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def settings(self, interaction: discord.Interaction) -> None:
        """Choose how your cards look; who manages the server also sets what holds at its tables."""
        async with answering(interaction) as answer:
            await answer.whisper(await settings_for(self._services, interaction))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Say what works in this channel, which permission is missing, and what fails without it."""
        async with answering(interaction) as answer:
            await answer.whisper(health_content(await examined(self._services, interaction)))
