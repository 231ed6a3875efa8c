"""What the bot may do just now in the channels where tables stand.

Nothing is asked for this: servers, channels, roles and the bot's own roles come with the ``guilds``
intent. What Discord refuses all the same is remembered for a while, in memory only, so that no table
makes more than a handful of refused requests an hour.
"""

from __future__ import annotations

from collections import defaultdict
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
"""How long something is not tried again that Discord refused, unless it has changed until then."""

KNOWN_SECONDS = 1.0
"""How long what was found of a place is taken as it is: a click asks for it some ten times."""

_MOST_FOUND = 1000
_MOST_REFUSED = 10_000

VOICE_CHANNELS = (discord.VoiceChannel, discord.StageChannel)
"""Whose chat is only for those who may connect."""


@dataclass(eq=False)
class ChannelPermissions:
    """Knows what is allowed where, from what Discord tells and from what it refused.

    ``_clock`` returns the seconds since 1970; ``serves``: whether Discord tells of a server.
    """

    _client: discord.Client
    _clock: Callable[[], int]
    serves: Callable[[int | None], bool]

    def __post_init__(self) -> None:
        self._marks = TTLCache[int, tuple[ChannelAccess, ChannelAccess]](
            _MOST_REFUSED, REFUSED_SECONDS, self._clock
        )
        """What Discord refused in a channel, and how that was known then."""
        self._blocked = TTLCache[int, bool](_MOST_REFUSED, REFUSED_SECONDS, self._clock)
        self._found = TTLCache[int, ChannelAccess](_MOST_FOUND, KNOWN_SECONDS, monotonic)

    def at(self, guild_id: int | None, channel_id: int) -> ChannelAccess:
        known = self._known(guild_id, channel_id)
        refused, known_then = self._marks.get(channel_id, (known, known))
        return refused if known == known_then and known.no_access is None else known

    def of(self, match: Match) -> ChannelAccess:
        if match.guest:
            answers = ChannelAccess(match.guild_id, match.channel_id).closed(NoAccess.GUEST)
            return replace(answers, attaches=True)
        return self.at(match.guild_id, match.channel_id)

    def may_differ(self, match: Waiting | Match) -> bool:
        """Return whether a match may have to be shown that nobody has looked at since the start."""
        if match.guild_id is not None and not self.serves(match.guild_id):
            return not match.is_shown
        access = self.at(match.guild_id, match.channel_id)
        return not (match.is_shown and (match.guest or (access.is_full and access.is_known)))

    def is_lost(self, match: Match) -> bool:
        access = self.of(match)
        return access.no_access is NoAccess.REMOVED or (
            not access.is_known and match.guild_id is not None and self.serves(match.guild_id)
        )

    def refused(self, access: ChannelAccess, why: NoAccess = NoAccess.REFUSED) -> None:
        self.mark(access.closed(why))

    def blocks(self, channel_id: int) -> bool:
        """Take note that a filter refuses words in a channel; returns whether that is news."""
        is_news = channel_id not in self._blocked
        self._blocked[channel_id] = True
        return is_news

    def changed(self, channel_id: int | None = None) -> None:
        """Take note that Discord has told of something: what it refused in that channel may work now."""
        self._found.clear()
        if channel_id is not None:
            self._marks.pop(channel_id, None)

    def mark(self, refused: ChannelAccess) -> None:
        """Take a place to be so until it changes, or for some minutes."""
        known = self._known(refused.guild_id, refused.channel_id)
        self._marks[refused.channel_id] = refused, known

    def _known(self, guild_id: int | None, channel_id: int) -> ChannelAccess:
        if guild_id is None:
            return ChannelAccess(guild_id, channel_id)
        guild = self._client.get_guild(guild_id)
        if guild is None:
            access, is_known = ChannelAccess(guild_id, channel_id), self.serves(guild_id)
            return access.closed(NoAccess.REMOVED) if is_known else replace(access, is_known=False)
        if guild.unavailable:
            return ChannelAccess(guild_id, channel_id).closed(NoAccess.OUTAGE)
        found = self._found.get(channel_id)
        if found is None:
            found = self._found[channel_id] = _told(guild, ChannelAccess(guild_id, channel_id))
        return found


def _told(guild: discord.Guild, access: ChannelAccess) -> ChannelAccess:
    channel, me = guild.get_channel_or_thread(access.channel_id), guild.me
    if channel is None or me is None:
        return replace(access, is_known=False)
    try:
        may = channel.permissions_for(me)
    except discord.ClientException:  # a thread whose channel is not known
        return replace(access, is_known=False)
    if isinstance(channel, discord.Thread) and channel.locked and not may.manage_threads:
        return access.closed(NoAccess.LOCKED)
    if isinstance(channel, VOICE_CHANNELS) and may.view_channel and not may.connect:
        return replace(access.closed(NoAccess.REFUSED), missing=CONNECT)
    return allowed(access, may, is_thread=isinstance(channel, discord.Thread))


def allowed(access: ChannelAccess, may: discord.Permissions, *, is_thread: bool) -> ChannelAccess:
    """Return the place with what these permissions allow; who may not send attaches no files either."""
    if not may.view_channel:
        return replace(access.closed(NoAccess.REFUSED), missing=VIEW)
    sends = may.send_messages_in_threads if is_thread else may.send_messages
    attaches = sends and may.attach_files
    missing = None if attaches else ATTACH_FILES if sends else SEND_IN_THREADS if is_thread else SEND
    return replace(
        access, sends=sends, attaches=attaches, counts=may.read_message_history, missing=missing
    )


def is_guest(interaction: discord.Interaction) -> bool:
    """Return whether Ribit can only answer there: somebody uses it from the own account.

    In a server without Ribit, in a group DM and in other people's DMs a bot can answer interactions and
    edit these answers by the interactions' tokens, for 15 minutes after each. All else is refused.
    """
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.client.get_guild(interaction.guild_id) is None


def is_own_dm(interaction: discord.Interaction) -> bool:
    """Return whether an interaction happened in a user's DMs with Ribit, where nobody else reads."""
    return interaction.guild_id is None and not is_guest(interaction)


class Held:
    """The matches whose place has to change before they can be shown, by their server."""

    def __init__(self) -> None:
        self._held: defaultdict[int | None, set[str]] = defaultdict(set)

    def note(self, match: Match, *, is_held: bool) -> None:
        held = self._held[match.guild_id]
        change = held.add if is_held else held.discard
        change(match.id)
        if not held:
            del self._held[match.guild_id]

    def matches(self, guild_id: int | None) -> list[str]:
        """Return those of a server, or all."""
        servers = list(self._held) if guild_id is None else [guild_id]
        return [match_id for server in servers for match_id in self._held.get(server, ())]
