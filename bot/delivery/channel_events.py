"""Deletions, changes and returns of the channels, threads and servers of tables."""

from __future__ import annotations

import discord
import structlog
from discord.ext import commands

from bot.delivery.display import Display
from bot.requests.budget import Priority
from bot.requests.membership import Membership

log = structlog.get_logger(__name__)


class ChannelEvents(commands.Cog):
    """A cog that ends, pauses or refreshes tables after events of the ``guilds`` intent.

    Without a privileged intent, Discord does not report players who leave a server. Their turns time out
    like those of any inactive player, and refused DMs are reported at the table.
    """

    def __init__(self, display: Display, membership: Membership) -> None:
        self._display = display
        self._tables = display.tables
        self._membership = membership

    # ---- gone ----------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._end(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """End the tables of a thread.

        discord.py also calls this for each thread of a deleted channel.
        """
        await self._end(thread.guild_id, thread.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Notify the players by DM that their table is paused, because the bot was removed."""
        log.info("taken out of a server", guild=guild.id)
        for match_id in await self._tables.live_of(guild.id):
            self._display.refresh(match_id, Priority.UPKEEP)
            self._tables.look_soon(match_id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the turn clocks of a server that has an outage."""
        await self._look(guild.id)

    # ---- changed -------------------------------------------------------------------------------

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Refresh the tables of a server that is available again."""
        self._display.access_changed(guild.id)

    @commands.Cog.listener()
    async def on_shard_ready(self, _shard_id: int) -> None:
        """Refresh tables to which the bot may have regained access while it was disconnected."""
        self._display.access_changed(None)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """Refresh tables that changed permissions may make visible again, threads included."""
        self._refresh_access(channel.guild.id, channel.id)
        if before.overwrites != channel.overwrites:
            await self._look(channel.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        self._refresh_access(thread.guild_id, thread.thread_id)
        for match_id in await self._tables.live_in(thread.thread_id):
            self._tables.look_soon(match_id)

    @commands.Cog.listener("on_guild_role_update")
    @commands.Cog.listener("on_guild_role_delete")
    @commands.Cog.listener("on_member_update")
    async def on_roles_update(self, *changed: discord.Role | discord.Member) -> None:
        """Refresh tables that changed roles make visible again or hide.

        Without the members intent, Discord sends updates of the bot's own member only.
        """
        self._refresh_access(changed[-1].guild.id)
        await self._look(changed[-1].guild.id)

    async def _look(self, guild_id: int) -> None:
        """Check soon whether a server's tables can still be played, and adjust their clocks."""
        for match_id in await self._tables.live_of(guild_id):
            self._tables.look_soon(match_id)

    def _refresh_access(self, guild_id: int, channel_id: int | None = None) -> None:
        """Evict cached permissions, and refresh the tables that could not be shown."""
        self._membership.changed()
        self._display.access_changed(guild_id, channel_id)

    async def _end(self, guild_id: int, channel_id: int) -> None:
        self._refresh_access(guild_id, channel_id)
        for match_id in await self._tables.live_in(channel_id):
            table = await self._tables.look(match_id)
            await self._display.of(match_id).end_without_channel(table.match)
