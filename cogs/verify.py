"""``/verify``."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.requests.answers import answering
from bot.services import Services
from bot.services.verification import last_match_here, verification_of

Command: TypeAlias = app_commands.Command[Any, ..., None]


def verify_command(services: Services) -> Command:
    """Return the command that checks how a match was dealt, wherever one can be played."""

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(match="The id of a match (the last one that ended here if you don't say)")
    async def verify(interaction: discord.Interaction, match: str | None = None) -> None:
        """Check that a match was dealt as it was committed to."""
        async with answering(interaction) as answer:
            match_id = match or await last_match_here(services, interaction)
            await answer.whisper(await verification_of(services, interaction, match_id))

    return verify
