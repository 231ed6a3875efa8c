"""Settings of a server and of a player.

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
    """The people who may close a match. Moderators may always close one."""

    HOST = "host"
    SEATED = "seated"
    MANAGERS = "managers"


@frozen
class ServerSettings:
    """A server's settings for its matches.

    Attributes:
        turn_seconds: The time limit for a turn in new matches, in seconds. 0 means no limit.
        stoppers: The people who may close a match, besides moderators.
        channels: The channels in which games may be played, or empty for all.
        mentions: True if reminders mention the player.
        language: The Discord locale of the bot's messages in the server, or None for the server's own
            locale.
        four_colours: True if tables show each of the four French suits in its own colour.
        tables_each: The maximum number of unfinished matches that a user may host at the same time.
        barred: IDs of users who may not join matches.
        text_tables: True if all tables are shown as text instead of pictures.
        text_channels: The channels in which tables are shown as text.
        watched_elsewhere: True if replays of the server's finished matches may be watched in other
            servers.
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
    """The way in which a player is notified that it is the player's turn.

    AWAY mentions the player in the table's channel, unless the player has just clicked. ALWAYS mentions
    the player each time. SOON is like AWAY, and also mentions the player when the previous player's turn
    begins. DM, DM_ALWAYS and DM_SOON do the same with direct messages. NEVER sends no notifications.
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
        """The mode with the same timing that mentions the player in the channel and sends no DM."""
        return next((told for told, by_dm in _BY_DM.items() if by_dm is self), self)

    def with_route(self, *, by_dm: bool) -> NotifyMode:
        """Return the mode with the same timing that uses DMs, or mentions if ``by_dm`` is False."""
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
        on_day_board: True if servers' daily leaderboards also show the player's wins from elsewhere.
            None if the player has not chosen.
        text_table: True if private messages use text instead of pictures. None means the setting of the
            server or channel.
        shows_totals: True if buttons show the total that each move would give. This applies to games
            that count the cards' spots.
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
        """The mode for the timing of notifications only, without the choice between channel and DMs."""
        return self.told.at_table

    @property
    def told_by_dm(self) -> bool:
        return self.told.by_dm
