"""Minimal bot that answers each click with the same picture, as a baseline for benchmarks.

With the extra ``bench``, it also offers a published game, 2048 from discord-games, which draws a picture
for each click. ``benchmarks.clicks`` starts it as ``python -m benchmarks.bare_bot ADDRESS``, where
``ADDRESS`` is the address of the simulated Discord.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import sys
from importlib import import_module
from typing import Any

import discord
import uvloop
import yarl
from discord import app_commands, ui
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

PICTURE_BYTES = 40_000
BUTTONS = 5
PREFIX = "bare:"
PEER = "discord_games.button_games.twenty_48_buttons"
_PICTURE = random.Random(0).randbytes(PICTURE_BYTES)  # noqa: S311 — bytes that stand for a PNG


def _table_view() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
    gallery.add_item(media="attachment://table.png", description="The table.")
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    for number in range(BUTTONS):
        row.add_item(ui.Button(label=f"Choice {number}", custom_id=f"{PREFIX}{number}"))
    view.add_item(ui.Container(ui.TextDisplay("### A table"), gallery, row))
    view.stop()
    return view


def _picture_file() -> discord.File:
    return discord.File(io.BytesIO(_PICTURE), "table.png")


class Bare(commands.AutoShardedBot):
    """A bot with the same discord.py settings as Ribit, but without games."""

    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )

    async def setup_hook(self) -> None:
        """Register and sync the bot's two commands."""

        @app_commands.command()
        async def bare(interaction: discord.Interaction) -> None:
            """Show the picture."""
            await interaction.response.send_message(view=_table_view(), file=_picture_file())

        @app_commands.command()
        async def peer(interaction: discord.Interaction) -> None:
            """Start a game of 2048 with pictures."""
            game = import_module(PEER).BetaTwenty48({}, render_image=True)
            started: discord.Interaction[Any] = interaction
            await game.start(await commands.Context.from_interaction(started))

        self.tree.add_command(bare)
        self.tree.add_command(peer)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a click on one of this bot's own messages.

        Clicks in the published game are left to the game's own view.
        """
        data: Any = interaction.data or {}
        if str(data.get("custom_id")).startswith(PREFIX):
            await interaction.response.edit_message(view=_table_view(), attachments=[_picture_file()])


async def _run_bot() -> None:
    async with Bare() as bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    Route.BASE = f"http://{sys.argv[1]}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{sys.argv[1]}/gateway")
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(_run_bot())
