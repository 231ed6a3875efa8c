"""The bot's access to a channel, and the permissions that it needs to show a table there."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from bot.engine.frozen import frozen
from bot.engine.translation import N_, _
from bot.matches.server_settings import ServerSettings

VIEW, CONNECT, SEND, SEND_IN_THREADS, ATTACH_FILES, OPEN_THREADS = (
    N_("View Channel"),
    N_("Connect"),
    N_("Send Messages"),
    N_("Send Messages in Threads"),
    N_("Attach Files"),
    N_("Create Public Threads"),
)
"""Discord's names for the permissions that the bot needs."""


class NoAccess(Enum):
    """The reason why the bot cannot show messages in a channel."""

    GONE = "gone"
    """The channel or thread was deleted, so its match is over."""

    REMOVED = "removed"
    """The bot was removed from the server. The table is paused until the bot is back."""

    OUTAGE = "outage"
    """The server is unavailable because of an outage at Discord."""

    LOCKED = "locked"
    """Moderators have locked the thread."""

    GUEST = "guest"
    """Ribit is not in the server or group, so it can only answer interactions there."""

    REFUSED = "refused"
    """The bot cannot see the channel, or Discord refused access for another reason."""


@frozen
class ChannelAccess:
    """The bot's access to a channel.

    Attributes:
        guild_id: The server, or None for a DM channel.
        shows: True if the bot can edit its messages in the channel.
        sends: True if the bot can send messages.
        attaches: True if the bot can attach files.
        counts: True if the bot can read the channel's history to count messages.
        missing: Discord's name for a missing permission, or None.
        no_access: The reason why the bot cannot show messages, or None if it can.
        is_known: False if Discord has not sent the channel's data, because the channel is an archived or
            deleted thread.
    """

    guild_id: int | None
    channel_id: int
    shows: bool = True
    sends: bool = True
    attaches: bool = True
    counts: bool = True
    missing: str | None = None
    no_access: NoAccess | None = None
    is_known: bool = True

    @property
    def is_full(self) -> bool:
        return self.shows and self.sends and self.attaches

    def without_access(self, why: NoAccess) -> ChannelAccess:
        return replace(self, shows=False, sends=False, attaches=False, counts=False, no_access=why)


def without_files(access: ChannelAccess) -> ChannelAccess:
    return replace(access, attaches=False, missing=ATTACH_FILES)


@frozen
class Permit:
    """A permission that Ribit needs.

    Attributes:
        permission: The permission's name in discord.py.
        name: The permission's name in Discord.
        without: A sentence that explains what the bot cannot do without the permission.
        is_vital: True if the bot cannot run a table without the permission.
    """

    permission: str
    name: str
    without: str
    is_vital: bool = True


VIEWING = Permit("view_channel", VIEW, N_("I can't see this channel, so I can't run a table in it."))
CONNECTING = Permit(
    "connect",
    CONNECT,
    N_("I can't use the chat of this voice channel, so I can't run a table in it."),
)
SENDING = Permit(
    "send_messages",
    SEND,
    N_(
        "I can't tell players when it's their turn, or repost a table once its message is too old "
        "to edit."
    ),
)
SENDING_IN_THREADS = Permit("send_messages_in_threads", SEND_IN_THREADS, SENDING.without)
ATTACHING = Permit(
    "attach_files",
    ATTACH_FILES,
    N_("I can't show pictures: tables and leaderboards are described in words instead."),
    is_vital=False,
)
_NO_SECOND_TABLE = N_("I can't open another table inside a thread.")
THREADING = (
    Permit("create_public_threads", OPEN_THREADS, _NO_SECOND_TABLE, is_vital=False),
    Permit(SENDING_IN_THREADS.permission, SEND_IN_THREADS, _NO_SECOND_TABLE, is_vital=False),
)
"""Permissions that the bot needs to open a thread for a second table."""

PERMITS = (VIEWING, SENDING, SENDING_IN_THREADS, ATTACHING, THREADING[0])
"""Permissions that Ribit's invite link requests."""


def elsewhere(settings: ServerSettings) -> str:
    """Return a sentence for users that lists the channels in which their server allows games."""
    channels = ", ".join(f"<#{channel_id}>" for channel_id in sorted(settings.channels))
    return _("In this server, you can play in {channels}.").format(channels=channels)


def blocked_words() -> str:
    return _(
        "This server's filter, or one of Discord's own, blocked my message, perhaps because of a "
        "name in it. What you did still counts, and play goes on."
    )


def throttled_words(command: str, *, is_blocked: bool) -> str:
    """Return a text that explains why a deal cannot be shown in a channel and how to continue it in DMs.

    Args:
        command: The game's command.
        is_blocked: True if a filter blocked the text. False if the interaction allows no more follow-ups
            (error 40094).
    """
    why = (
        _("This server's AutoMod, or Discord itself, blocks the table's text, so I can't show it here.")
        if is_blocked
        else _("Discord only lets me answer here a few times in a row, and I've used those up.")
    )
    way = _("Your deal is safe and goes on in our DMs. Use `/{command} table` there.")
    return f"{why} {way.format(command=command)}"
