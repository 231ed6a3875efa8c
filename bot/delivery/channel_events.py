"""Listeners for Discord events that affect where the bot can show its card tables."""

from __future__ import annotations

import discord
import structlog
from discord.ext import commands

from bot.delivery.display import Display
from bot.requests.budget import Priority
from bot.requests.membership import Membership

log = structlog.get_logger(__name__)


class ChannelEvents(commands.Cog):
    """A cog that ends, pauses or refreshes card tables when their channel or server changes.

    It listens to events of the ``guilds`` intent. The bot has no privileged intents, so Discord does not
    report that a player has left a server. Such a player's turns time out like those of any inactive
    player. If Discord refuses a DM to the player, the bot reports this at the table.
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
        """End the tables in a deleted thread.

        When a channel is deleted, discord.py also calls this for each of its threads.
        """
        await self._end(thread.guild_id, thread.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause a server's tables when the bot is removed from it, and notify the players by DM."""
        log.info("bot removed from a server", guild=guild.id)
        for match_id in await self._tables.journal.live_of(guild.id):
            self._display.refresh(match_id, Priority.UPKEEP)
            self._tables.check_soon(match_id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the turn clocks of a server's tables during an outage."""
        await self._refresh_access(guild.id)

    # ---- changed -------------------------------------------------------------------------------

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Refresh a server's tables when the bot joins the server or the server's outage ends."""
        self._display.access_changed(guild.id)

    @commands.Cog.listener()
    async def on_shard_ready(self, _shard_id: int) -> None:
        """Refresh the tables that could not be shown before the bot reconnected to Discord.

        The bot may have regained access to their channels while it was disconnected.
        """
        self._display.access_changed(None)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """Refresh the tables in a changed channel and its threads.

        The bot may have gained or lost access to them.
        """
        await self._refresh_access(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        await self._refresh_access(thread.guild_id, thread.thread_id)

    @commands.Cog.listener("on_guild_role_update")
    @commands.Cog.listener("on_guild_role_delete")
    @commands.Cog.listener("on_member_update")
    async def on_roles_update(self, *changed: discord.Role | discord.Member) -> None:
        """Refresh a server's tables when its roles change. The bot may have gained or lost access.

        The bot has no members intent, so Discord sends member updates only for the bot itself.
        """
        await self._refresh_access(changed[-1].guild.id)

    async def _refresh_access(self, guild_id: int, channel_id: int | None = None) -> None:
        """Clear cached permissions, and refresh the tables that the bot could not show before.

        The turn clocks of all tables in the server that cannot be played now are stopped.
        """
        self._membership.record_change()
        self._display.access_changed(guild_id, channel_id)
        for match_id in await self._tables.journal.live_of(guild_id):
            self._tables.check_soon(match_id)

    async def _end(self, guild_id: int, channel_id: int) -> None:
        self._membership.record_change()
        self._display.access_changed(guild_id, channel_id)
        for match_id in await self._tables.journal.live_in(channel_id):
            table = await self._tables.read(match_id)
            await self._display.messages_of_match(match_id).end_without_channel(table.match)
