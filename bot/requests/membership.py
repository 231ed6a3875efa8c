"""Whether somebody sees the channel of a table, asked of Discord for who is not there.

Discord tells a bot without the members intent of nobody who leaves, is banned, or loses a role. So it is
asked for who plays or looks on from elsewhere, and what it says is known for a minute. Where it does not
say, nobody is kept from playing, and nobody else is shown anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord
import structlog
from cachetools import TTLCache

from bot.engine.match import Match
from bot.requests.discord_errors import NOT_SENT

log = structlog.get_logger(__name__)

KNOWN_SECONDS = 60
_MOST_KNOWN = 10_000

ASKING_SECONDS = 1.5
"""How long a click waits for that: it has to be answered within three."""


class Membership:
    """Asks Discord whether players may see the channels where their tables stand."""

    def __init__(self, client: discord.Client, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._client = client
        self._known: TTLCache[tuple[int, int, bool], bool | None] = TTLCache(
            _MOST_KNOWN, KNOWN_SECONDS, clock
        )

    async def sees(self, match: Match, player_id: int) -> bool:
        """Return whether a player may see the table of a match; True where nobody can say."""
        return await self.known(match, player_id) is not False

    async def known(self, match: Match, player_id: int, *, is_open: bool = False) -> bool | None:
        """Return whether somebody may see the table of a match, or None where nobody can say.

        Where its server ``is_open``, who is no member of it may see what all members do.
        """
        if match.guild_id is None or match.guest:
            return None
        key = (match.channel_id, player_id, is_open)
        if key not in self._known:
            try:
                async with asyncio.timeout(ASKING_SECONDS):
                    self._known[key] = await self._asked(match.guild_id, *key)
            except (TimeoutError, discord.DiscordException, *NOT_SENT) as error:
                log.info("could not ask for a member", match=match.id, error=str(error))
                self._known[key] = None  # a click does not wait for that again
        return self._known[key]

    def changed(self) -> None:
        """Know nothing any more: roles or channels have changed."""
        self._known.clear()

    async def _asked(self, guild_id: int, channel_id: int, player_id: int, is_open: bool) -> bool:
        guild = self._client.get_guild(guild_id) or await self._client.fetch_guild(guild_id)
        who: discord.Member | discord.Role
        try:
            who = await guild.fetch_member(player_id)
        except discord.NotFound:
            if not is_open:
                return False
            who = guild.default_role
        channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        may = channel.permissions_for(who)
        if may.view_channel and isinstance(channel, discord.Thread) and channel.is_private():
            return may.manage_threads or await _is_in(channel, player_id)
        return may.view_channel


async def _is_in(thread: discord.Thread, player_id: int) -> bool:
    """Return whether somebody was added to a private thread."""
    try:
        await thread.fetch_member(player_id)
    except discord.NotFound:
        return False
    return True
