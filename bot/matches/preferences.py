"""A server's settings for its matches, and a player's personal settings.

A *table* is the message in a channel that shows a match.
"""

from __future__ import annotations

from enum import Enum

from bot.engine.frozen import frozen

TURN_SECONDS = 24 * 60 * 60
"""The default time limit for a turn in seconds."""

TABLES_EACH = 3
"""The default number of unfinished matches that a user may host in a server at the same time."""

SHORTEST_TURN, LONGEST_TURN, LONGEST_BANK = 60, 3 * 24 * 60 * 60, 24 * 60 * 60


class Stoppers(Enum):
    """The people who may close a match. Moderators always may."""

    HOST = "host"
    SEATED = "seated"
    MANAGERS = "managers"


@frozen
class ServerSettings:
    """A server's settings.

    Attributes:
        turn_seconds: The time limit for a turn in new matches, in seconds. 0 means no limit.
        stoppers: The people who may close a match.
        channels: The channels in which games may be played, or empty for all.
        mentions: True if reminders mention the player.
        language: A Discord locale, or None for the server's own.
        four_colours: True if tables show each of the four French suits in its own colour.
        tables_each: The number of unfinished matches that a user may host at the same time.
        barred: IDs of users who may not join matches.
        text_tables: True if all tables are shown as text instead of pictures.
        text_channels: The channels in which tables are shown as text.
        watched_elsewhere: True if finished matches may be watched in other servers.
    """

    turn_seconds: int = TURN_SECONDS
    stoppers: Stoppers = Stoppers.HOST
    channels: frozenset[int] = frozenset()
    mentions: bool = True
    language: str | None = None
    four_colours: bool = False
    tables_each: int = TABLES_EACH
    barred: frozenset[int] = frozenset()
    text_tables: bool = False
    text_channels: frozenset[int] = frozenset()
    watched_elsewhere: bool = False

    def allows(self, channel_id: int) -> bool:
        return not self.channels or channel_id in self.channels


NIGHT_HOURS = 8
"""The length of a player's quiet hours in hours."""


class NotifyMode(Enum):
    """The way in which a player is notified of a turn.

    AWAY mentions the player at the table, unless the player has just clicked. ALWAYS mentions the player
    each time. SOON is like AWAY, and also mentions the player when the previous player's turn begins.
    DM, DM_ALWAYS and DM_SOON do the same with direct messages. NEVER sends no notifications.
    """

    AWAY = "away"
    ALWAYS = "always"
    SOON = "soon"
    DM = "dm"
    DM_ALWAYS = "dm always"
    DM_SOON = "dm soon"
    NEVER = "never"

    @property
    def by_dm(self) -> bool:
        return self in _BY_DM.values()

    @property
    def at_table(self) -> NotifyMode:
        """The matching setting that notifies the player at the table instead of by DM."""
        return next((told for told, by_dm in _BY_DM.items() if by_dm is self), self)

    def with_route(self, *, by_dm: bool) -> NotifyMode:
        """Return the matching setting for notifications by DM or at the table."""
        return _BY_DM.get(self.at_table, self) if by_dm else self.at_table


_BY_DM = {
    NotifyMode.AWAY: NotifyMode.DM,
    NotifyMode.ALWAYS: NotifyMode.DM_ALWAYS,
    NotifyMode.SOON: NotifyMode.DM_SOON,
}


@frozen
class OwnSettings:
    """A player's personal settings.

    Attributes:
        four_colours: True if private messages show each of the four French suits in its own colour. None
            means the server's setting.
        told: The way in which the player is notified of a turn.
        night: The hour at which the player's quiet hours begin, or None for no quiet hours.
        zone: The time zone of ``night``, or None for UTC.
        on_day_board: True if servers' daily leaderboards show wins from other places. None if the player
            has not chosen.
        text_table: True if private messages use text instead of pictures. None means the setting of the
            server or channel.
        shows_totals: True if buttons show the totals after a move. This applies to games that count
            spots.
    """

    four_colours: bool | None = None
    told: NotifyMode = NotifyMode.AWAY
    night: int | None = None
    zone: str | None = None
    on_day_board: bool | None = None
    text_table: bool | None = None
    shows_totals: bool = True

    @property
    def told_when(self) -> NotifyMode:
        """The notification setting without the choice between the table and DMs."""
        return self.told.at_table

    @property
    def told_by_dm(self) -> bool:
        return self.told.by_dm
