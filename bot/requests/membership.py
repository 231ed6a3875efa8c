"""Checks that a user who plays or watches outside a match's channel may still see that channel.

Without the members intent, Discord does not report members who leave, are banned, are timed out or lose
a role. Therefore the bot requests the member when such a user plays or watches, for example from a DM,
and caches the result for a minute. If Discord does not reply, players may continue to play, but other
users are not shown the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import discord
import structlog
from cachetools import TTLCache

from bot.matches.match import Match
from bot.requests.discord_errors import NOT_SENT

log = structlog.get_logger(__name__)

KNOWN_SECONDS = 60
_MOST_KNOWN = 10_000

ASKING_SECONDS = 1.5
"""Timeout of the request in seconds. It is short because an interaction expires after three."""


class PlayerAccess(Enum):
    """A user's access to a match's channel."""

    NONE = "none"  # cannot see the channel
    READS = "reads"  # sees the channel, but is timed out or muted
    WHOLE = "whole"  # may play


@dataclass(eq=False)
class Membership:
    """Asks Discord about users' access to the channels of matches, and caches the results."""

    _client: discord.Client
    _clock: Callable[[], int]

    def __post_init__(self) -> None:
        self._known = TTLCache[tuple[int, int, bool], PlayerAccess | None](
            _MOST_KNOWN, KNOWN_SECONDS, self._clock
        )

    async def sight(self, match: Match, player_id: int, *, is_open: bool = False) -> PlayerAccess | None:
        """Return a user's access to a match's channel.

        Args:
            match: The match.
            player_id: The user's ID.
            is_open: True if a user who is not a member of the server has the access of ``@everyone``.

        Returns:
            None if Discord did not reply, if the match takes place in DMs, or if the bot is only
            user-installed in the match's channel.
        """
        if match.guild_id is None or match.guest:
            return None
        key = (match.channel_id, player_id, is_open)
        if key not in self._known:
            try:
                async with asyncio.timeout(ASKING_SECONDS):
                    self._known[key] = await self._request_sight(match.guild_id, *key)
            except (TimeoutError, discord.DiscordException, *NOT_SENT) as error:
                log.info("member not fetched", match=match.id, error=str(error))
                self._known[key] = None  # so that the next interaction does not wait, too
        return self._known[key]

    def record_change(self) -> None:
        """Clear the cached access of all users, for example after permissions changed."""
        self._known.clear()

    async def _request_sight(
        self, guild_id: int, channel_id: int, player_id: int, is_open: bool
    ) -> PlayerAccess:
        guild = self._client.get_guild(guild_id) or await self._client.fetch_guild(guild_id)
        who: discord.Member | discord.Role
        try:
            who = await guild.fetch_member(player_id)
        except discord.NotFound:
            if not is_open:
                return PlayerAccess.NONE
            who = guild.default_role
        channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        may = channel.permissions_for(who)
        sees = may.view_channel
        if sees and isinstance(channel, discord.Thread) and channel.is_private():
            sees = may.manage_threads or await _is_in(channel, player_id)
        if not sees:
            return PlayerAccess.NONE
        until = who.timed_out_until if isinstance(who, discord.Member) else None
        is_timed_out = until is not None and until.timestamp() > self._clock()
        # If @everyone may not send messages, players need not be able to, either.
        is_muted = _writes(channel, guild.default_role) and not _writes(channel, who)
        return PlayerAccess.READS if is_timed_out or is_muted else PlayerAccess.WHOLE


def _writes(channel: Any, who: discord.Member | discord.Role) -> bool:
    may = channel.permissions_for(who)
    is_thread = isinstance(channel, discord.Thread)
    return bool(may.send_messages_in_threads if is_thread else may.send_messages)


async def _is_in(thread: discord.Thread, player_id: int) -> bool:
    try:
        await thread.fetch_member(player_id)
    except discord.NotFound:
        return False
    return True
