"""What the bot may do in a place where a table stands, as far as a message depends on it."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from bot.engine.values import frozen
from bot.engine.words import N_

VIEW, CONNECT, SEND, SEND_IN_THREADS, ATTACH_FILES, OPEN_THREADS = (
    N_("View Channel"),
    N_("Connect"),
    N_("Send Messages"),
    N_("Send Messages in Threads"),
    N_("Attach Files"),
    N_("Create Public Threads"),
)
"""Discord's names of the permissions that tables need."""


class NoAccess(Enum):
    """Why nothing can be shown in a place."""

    GONE = "gone"
    """The channel, or the thread, was deleted: the match there is over."""

    REMOVED = "removed"
    """The bot was taken out of the server: the table rests until it is back."""

    OUTAGE = "outage"
    """Discord has lost the server for a while."""

    LOCKED = "locked"
    """Moderators have locked the thread."""

    GUEST = "guest"
    """Ribit is not in that server or group: it can answer there, and nothing else."""

    REFUSED = "refused"
    """The bot may not see the channel, or Discord refused it for another reason."""


@frozen
class ChannelAccess:
    """What the bot may do in a channel, of a server or of DMs (no ``guild_id``).

    ``shows``: messages that are there can be edited. ``missing`` names the permission that it lacks
    for a table. ``is_known`` is False where Discord has not told of the channel: an archived thread,
    or one that was deleted.
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
        """Whether a table can be shown here as it should be."""
        return self.shows and self.sends and self.attaches

    def closed(self, why: NoAccess) -> ChannelAccess:
        """Return the place with nothing allowed in it."""
        return replace(self, shows=False, sends=False, attaches=False, counts=False, no_access=why)


def without_files(access: ChannelAccess) -> ChannelAccess:
    """Return the place where the bot may not attach files."""
    return replace(access, attaches=False, missing=ATTACH_FILES)
