"""The bot's current permissions in the channels in which games are played.

They are computed without requests, because the ``guilds`` intent provides servers, channels, roles and
the bot's own roles. If Discord refuses a request, the channel is marked for some minutes, so that each
table causes only a few refused requests per hour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import discord
from cachetools import TTLCache

from bot.matches.match import Match, Waiting
from bot.messages.channel_access import (
    ATTACH_FILES,
    CONNECT,
    SEND,
    SEND_IN_THREADS,
    VIEW,
    ChannelAccess,
    NoAccess,
)

REFUSED_SECONDS = 15 * 60
"""Seconds after which a refused request is retried. It is retried earlier if permissions change."""

KNOWN_SECONDS = 1.0
"""Seconds for which computed permissions are cached. Handling one click reads them about ten times."""

_MOST_FOUND = 1000
_MOST_REFUSED = 10_000

VOICE_CHANNELS = (discord.VoiceChannel, discord.StageChannel)
"""Channel types whose text chat requires the Connect permission."""


@dataclass(eq=False)
class ChannelPermissions:
    """The bot's access to channels, based on cached permissions and refused requests.

    Attributes:
        serves: Returns whether this process receives the events of a server, given the server's ID or
            None for DMs.
    """

    _client: discord.Client
    _clock: Callable[[], int]
    serves: Callable[[int | None], bool]

    def __post_init__(self) -> None:
        self._marks = TTLCache[int, tuple[ChannelAccess, ChannelAccess]](
            _MOST_REFUSED, REFUSED_SECONDS, self._clock
        )
        """The reduced access to each channel with a refused request, and the access computed then."""
        self._found = TTLCache[int, ChannelAccess](_MOST_FOUND, KNOWN_SECONDS, monotonic)

    def channel_access(self, guild_id: int | None, channel_id: int) -> ChannelAccess:
        """Return the bot's access to a channel. ``guild_id`` is None for a DM channel."""
        access = self._read_access(guild_id, channel_id)
        refused, known_then = self._marks.get(channel_id, (access, access))
        return refused if access == known_then and access.no_access is None else access

    def match_access(self, match: Match) -> ChannelAccess:
        """Return the bot's access to the match's channel."""
        if match.guest:
            answers = ChannelAccess(match.guild_id, match.channel_id).without_access(NoAccess.GUEST)
            return replace(answers, attaches=True)
        return self.channel_access(match.guild_id, match.channel_id)

    def may_differ(self, match: Waiting | Match) -> bool:
        """Return whether a match's messages may be outdated after the bot has started.

        They may be if they were not marked as up to date, or if the bot lacks access to the channel.
        """
        if match.guild_id is not None and not self.serves(match.guild_id):
            return not match.is_shown
        access = self.channel_access(match.guild_id, match.channel_id)
        return not (match.is_shown and (match.guest or (access.is_full and access.is_known)))

    def is_lost(self, match: Match) -> bool:
        """Return whether the bot was removed from a match's server or cannot find its channel."""
        access = self.match_access(match)
        return access.no_access is NoAccess.REMOVED or (
            not access.is_known and match.guild_id is not None and self.serves(match.guild_id)
        )

    def record_refusal(self, access: ChannelAccess, why: NoAccess = NoAccess.REFUSED) -> None:
        """Mark a channel as closed, so that no messages are sent there until its permissions change."""
        self.mark(access.without_access(why))

    def record_change(self, channel_id: int | None = None) -> None:
        """Clear all cached permissions. If a channel is given, also forget its refused requests."""
        self._found.clear()
        if channel_id is not None:
            self._marks.pop(channel_id, None)

    def mark(self, refused: ChannelAccess) -> None:
        """Reduce the recorded access to a channel, because Discord refused a request.

        This lasts for ``REFUSED_SECONDS`` or until the channel's permissions change.
        """
        access = self._read_access(refused.guild_id, refused.channel_id)
        self._marks[refused.channel_id] = refused, access

    def _read_access(self, guild_id: int | None, channel_id: int) -> ChannelAccess:
        if guild_id is None:
            return ChannelAccess(guild_id, channel_id)
        guild = self._client.get_guild(guild_id)
        if guild is None:
            access, is_known = ChannelAccess(guild_id, channel_id), self.serves(guild_id)
            return (
                access.without_access(NoAccess.REMOVED) if is_known else replace(access, is_known=False)
            )
        if guild.unavailable:
            return ChannelAccess(guild_id, channel_id).without_access(NoAccess.OUTAGE)
        cached_access = self._found.get(channel_id)
        if cached_access is None:
            cached_access = self._found[channel_id] = _access_in(
                guild, ChannelAccess(guild_id, channel_id)
            )
        return cached_access


def _access_in(guild: discord.Guild, access: ChannelAccess) -> ChannelAccess:
    channel, me = guild.get_channel_or_thread(access.channel_id), guild.me
    if channel is None or me is None:
        return replace(access, is_known=False)
    try:
        may = channel.permissions_for(me)
    except discord.ClientException:  # a thread whose parent channel is unknown
        return replace(access, is_known=False)
    if isinstance(channel, discord.Thread) and channel.locked and not may.manage_threads:
        return access.without_access(NoAccess.LOCKED)
    if isinstance(channel, VOICE_CHANNELS) and may.view_channel and not may.connect:
        return replace(access.without_access(NoAccess.REFUSED), missing=CONNECT)
    return limit_access(access, may, is_thread=isinstance(channel, discord.Thread))


def limit_access(access: ChannelAccess, may: discord.Permissions, *, is_thread: bool) -> ChannelAccess:
    """Return the part of the access that the permissions allow.

    Attaching files also requires sending messages.
    """
    if not may.view_channel:
        return replace(access.without_access(NoAccess.REFUSED), missing=VIEW)
    sends = may.send_messages_in_threads if is_thread else may.send_messages
    attaches = sends and may.attach_files
    missing = None if attaches else ATTACH_FILES if sends else SEND_IN_THREADS if is_thread else SEND
    return replace(
        access, sends=sends, attaches=attaches, counts=may.read_message_history, missing=missing
    )


def is_guest(interaction: discord.Interaction) -> bool:
    """Return whether the bot is not a member of the interaction's server or group.

    The user has then installed the bot as a user app. This applies to servers without the bot, group DMs
    and other people's DMs. In such channels, the bot can answer interactions, and edit the answers with
    the interaction token for 15 minutes. Discord refuses all other requests.
    """
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.client.get_guild(interaction.guild_id) is None


def is_own_dm(interaction: discord.Interaction) -> bool:
    """Return whether the interaction happened in the DM channel of the user and the bot."""
    return interaction.guild_id is None and not is_guest(interaction)
