"""``/toad``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.messages.turns import choosing_turn
from cogs._commands import TableCommands


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class ToadCommands(TableCommands, group_name="toad", group_description="Toad, a card game for 2 to 6"):
    """The commands of Toad."""

    game = "toad"

    @app_commands.command()
    @choosing_turn
    @app_commands.describe(
        lives="How many lives each player starts with (3 if you do not say)",
        seats="How many may sit down (6 if you do not say)",
    )
    async def start(
        self,
        interaction: discord.Interaction,
        lives: app_commands.Range[int, 1, 5] = 3,
        seats: app_commands.Range[int, 2, 6] = 6,
        turn: int | None = None,
    ) -> None:
        """Open a table in this channel for 2 to 6 players."""
        await self.open_table(interaction, seats=seats, options={"lives": lives}, turn=turn)
