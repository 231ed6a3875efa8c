"""``/settings`` and ``/doctor``."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.desk import Desk
from bot.delivery.health import examined
from bot.delivery.permits import check_is_admin, server_of
from bot.messages.health import health_sheet
from bot.messages.settings import settings_sheet


class Admin(commands.Cog):
    """What is set in a server, and what is wrong in a channel. Both are answered in private."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: discord.Interaction) -> None:
        """Set turn time, who may close tables, channels, reminders and language for this server."""
        async with answering(interaction) as answer:
            guild = check_is_admin(interaction)
            settings = await self._desk.servers.get(guild.id)
            await answer.whisper(settings_sheet(settings, server_of(guild)))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Say what works in this channel, which permission is missing, and what fails without it."""
        async with answering(interaction) as answer:
            await answer.whisper(health_sheet(await examined(self._desk, interaction)))
