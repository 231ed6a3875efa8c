"""``/privacy``."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.messages.privacy import privacy_content
from bot.requests.answers import answering
from bot.requests.user_install import is_guest
from bot.services.start_checks import is_admin

Command: TypeAlias = app_commands.Command[Any, ..., None]

LEARNS = "learns"
"""The key of whether a command learns what who gives it is called; without it, it does."""


def privacy_command(policy: str | None) -> Command:
    """Return the command that says what is kept of who asks, wherever the bot can be asked.

    ``policy`` is the address of the host's policy, or None.
    """

    @app_commands.command(extras={LEARNS: False})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(interaction: discord.Interaction) -> None:
        """Say what is kept of you; have it as a file, or be forgotten."""
        async with answering(interaction) as answer:
            manages = not is_guest(interaction) and is_admin(interaction)
            await answer.whisper(privacy_content(policy, manages=manages))

    return privacy
