"""``/solitaire``: American Toad Solitaire, and the deal of the day."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.dealing import deal_for, post_table
from bot.delivery.desk import Desk
from bot.engine.words import _
from bot.messages.daily import DAILY_GAME, MOST_DEALS, deal_of_the_day, today
from bot.messages.sheets import give_up_sheet, rules_sheet
from bot.sessions.errors import TableError
from bot.sessions.table import Table


@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class SolitaireCommands(
    commands.GroupCog, group_name="solitaire", group_description="American Toad Solitaire, for one"
):
    """The commands of American Toad Solitaire. Several people may play side by side in a channel."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.describe(deal="The number of a deal, so that friends can play the same")
    async def start(
        self,
        interaction: discord.Interaction,
        deal: app_commands.Range[int, 1, MOST_DEALS] | None = None,
    ) -> None:
        """Deal a game of solitaire in this channel."""
        async with answering(interaction, public=True) as answer:
            if deal == deal_of_the_day(today()):
                raise TableError(_("That is the deal of the day: `/solitaire daily` plays it."))
            await post_table(
                self._desk, answer, await deal_for(self._desk, interaction, DAILY_GAME, deal)
            )

    @app_commands.command()
    async def daily(self, interaction: discord.Interaction) -> None:
        """Play the deal of the day: the same for everybody, and one try that counts."""
        async with answering(interaction, public=True) as answer:
            day = today()
            before = await self._desk.tables.tried(DAILY_GAME, interaction.user.id, day)
            if before is not None:
                link = await self._desk.display.link(before)
                words = (
                    _("You are playing today's deal already: {link}")
                    if before.is_playing
                    else _("You have played today's deal; the next one comes at midnight UTC. {link}")
                )
                raise TableError(words.format(link=link or "").strip())
            number = deal_of_the_day(day)
            table = await deal_for(self._desk, interaction, DAILY_GAME, number, daily=day)
            await post_table(self._desk, answer, table)

    @app_commands.command()
    async def table(self, interaction: discord.Interaction) -> None:
        """Bring my deal down to the end of the channel."""
        async with answering(interaction, public=True) as answer:
            await post_table(self._desk, answer, await self._deal_here(interaction))

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """Give up my deal in this channel."""
        async with answering(interaction) as answer:
            table = await self._deal_here(interaction)
            await answer.whisper(give_up_sheet(table.match.id))

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction) -> None:
        """Explain how the game is played."""
        async with answering(interaction) as answer:
            await answer.whisper(rules_sheet(self._desk.games[DAILY_GAME]))

    async def _deal_here(self, interaction: discord.Interaction) -> Table:
        table = await self._desk.tables.deal_of(interaction.channel_id or 0, interaction.user.id)
        if table is None:
            raise TableError(_("You have no deal in this channel. `/solitaire start` deals one."))
        return table
