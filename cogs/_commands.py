"""The commands that every game of the table shares; a game's cog adds its own ``start``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.dealing import own_seat, player_of, post_table
from bot.delivery.desk import Desk
from bot.delivery.permits import check_may_start
from bot.engine.words import _
from bot.messages.sheets import confirm_sheet, rules_sheet
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.table import Table


class TableCommands(commands.GroupCog):
    """``table``, ``hand``, ``leave``, ``stop`` and ``rules`` of one game, and what ``start`` does."""

    game: ClassVar[str]

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def open_table(
        self,
        interaction: discord.Interaction,
        *,
        seats: int,
        options: Mapping[str, int],
        turn: int | None = None,
    ) -> None:
        """Open a lobby in this channel, or say where the channel's table is.

        ``turn`` is how many seconds a turn may take, 0 for no limit, None for the server's setting.
        """
        async with answering(interaction, public=True) as answer:
            assert interaction.channel_id is not None, "the command is for servers"
            await check_may_start(self._desk, interaction)
            await self._desk.players.speaks(interaction.user.id, str(interaction.locale))
            if turn is None:
                turn = (await self._desk.servers.get(interaction.guild_id)).turn_seconds
            try:
                table = await self._desk.seating.open(
                    game=self.game,
                    guild_id=interaction.guild_id,
                    channel_id=interaction.channel_id,
                    host=player_of(interaction),
                    limit=seats,
                    options=options,
                    turn_seconds=turn,
                )
            except TableTakenError as taken:
                table = await self._desk.tables.look(taken.match_id)
                link = await self._desk.display.link(table)
                if link is not None:
                    hint = _(
                        "Here it is: {link}\n`/{game} table` brings it down to the end of the channel."
                    )
                    raise TableError(
                        f"{taken.sentence} {hint.format(link=link, game=table.game.info.key)}"
                    ) from None
            await post_table(self._desk, answer, table)

    @app_commands.command()
    async def table(self, interaction: discord.Interaction) -> None:
        """Bring this channel's table down to the end of the channel."""
        async with answering(interaction, public=True) as answer:
            await post_table(self._desk, answer, await self._table_here(interaction))

    @app_commands.command()
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show me my cards; nobody else sees them."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            seat = own_seat(table, interaction.user.id)
            record = await self._desk.players.get(interaction.user.id)
            message_id = await answer.whisper(
                self._desk.display.hand(table, seat, offer_dms=record.dms_closed)
            )
            await self._desk.display.private.opened(table, interaction, message_id, is_followup=False)
            await self._desk.display.told_of_hand(table, seat)

    @app_commands.command()
    async def leave(self, interaction: discord.Interaction) -> None:
        """Give up my seat at this channel's table."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            match_id = table.match.id
            if table.is_playing and table.match.seat_of(interaction.user.id) is not None:
                question = _("Give up your seat? You are out of this match for good.")
                await answer.whisper(confirm_sheet(question, match_id, "quit", _("Give up")))
                return
            await self._desk.seating.leave(match_id, interaction.user.id)
            self._desk.display.refresh(match_id)
            await answer.tell(_("You left the table."))

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """End this channel's table for everybody; who may is set by the server's admins."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            may_manage = interaction.permissions.manage_messages
            await self._desk.seating.check_may_stop(table, interaction.user.id, may_manage=may_manage)
            question = _("End this table for everybody? The match will not count.")
            await answer.whisper(confirm_sheet(question, table.match.id, "stop", _("End the table")))

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction) -> None:
        """Explain how the game is played."""
        async with answering(interaction) as answer:
            await answer.whisper(rules_sheet(self._desk.games[self.game]))

    async def _table_here(self, interaction: discord.Interaction) -> Table:
        table = await self._desk.tables.at(interaction.channel_id or 0)
        if table is None:
            raise TableError(
                _("There is no table in this channel. `/{game} start` opens one.").format(game=self.game)
            )
        return table
