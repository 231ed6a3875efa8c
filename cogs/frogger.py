"""``/frogger``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.messages.turns import choosing_turn
from cogs._commands import TableCommands


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class FroggerCommands(
    TableCommands, group_name="frogger", group_description="Frogger, a race with the Decktet for 2 to 5"
):
    """The commands of Frogger."""

    game = "frogger"

    @app_commands.command()
    @choosing_turn
    @app_commands.describe(seats="How many may sit down (5 if you do not say)")
    async def start(
        self,
        interaction: discord.Interaction,
        seats: app_commands.Range[int, 2, 5] = 5,
        turn: int | None = None,
    ) -> None:
        """Open a table in this channel for 2 to 5 players."""
        await self.open_table(interaction, seats=seats, options={}, turn=turn)
