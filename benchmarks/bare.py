"""The floor that clicks are measured against: a bot that answers each with the same picture.

Started by ``benchmarks.clicks`` as ``python -m benchmarks.bare ADDRESS``, with Discord at that address.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import sys

import discord
import uvloop
import yarl
from discord import app_commands, ui
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

PICTURE_BYTES = 40_000
BUTTONS = 5
_PICTURE = random.Random(0).randbytes(PICTURE_BYTES)  # noqa: S311 — bytes that stand for a PNG


def _view() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
    gallery.add_item(media="attachment://table.png", description="The table.")
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    for number in range(BUTTONS):
        row.add_item(ui.Button(label=f"Choice {number}", custom_id=f"bare:{number}"))
    view.add_item(ui.Container(ui.TextDisplay("### A table"), gallery, row))
    view.stop()
    return view


def _file() -> discord.File:
    return discord.File(io.BytesIO(_PICTURE), "table.png")


class Bare(commands.AutoShardedBot):
    """A bot as Ribit is one, without a game."""

    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )

    async def setup_hook(self) -> None:
        """Offer the one command."""

        @app_commands.command()
        async def bare(interaction: discord.Interaction) -> None:
            """Show the picture."""
            await interaction.response.send_message(view=_view(), file=_file())

        self.tree.add_command(bare)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a click."""
        if interaction.type is discord.InteractionType.component:
            await interaction.response.edit_message(view=_view(), attachments=[_file()])


async def _run() -> None:
    async with Bare() as bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    Route.BASE = f"http://{sys.argv[1]}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{sys.argv[1]}/gateway")
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(_run())
