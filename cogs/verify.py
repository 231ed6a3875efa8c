"""``/verify``, and how a match was dealt: asked at its table, and taken away as a file."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked
from bot.delivery.clicks import action, handles
from bot.features import Feature
from bot.messages.components import File, layout
from bot.messages.verification import DownloadRecord
from bot.requests.answers import answering
from bot.services import Services
from bot.services.verification import how_dealt, last_match_here, record_file, verification_of
from bot.sessions.table import Table

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


@action("dealt", in_private=True)
async def tell_how_dealt(clicked: Clicked, table: Table) -> None:
    """Tell it, with the whole commitment."""
    await clicked.answer.whisper(await how_dealt(clicked.services, clicked.interaction, table.match))


@handles(DownloadRecord, in_private=True)
async def download(clicked: Clicked, asked: DownloadRecord) -> None:
    """Send the file that the match can be verified by."""
    file = await record_file(clicked.services, clicked.interaction, asked.match_id)
    await clicked.answer.whisper(layout(File(f"ribit-{asked.match_id}.json", file)))


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    await bot.add_feature(Feature(commands=[verify_command(bot.services)]))
