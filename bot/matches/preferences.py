"""Settings of a server for its tables, and personal settings of a player."""

from __future__ import annotations

from enum import Enum

from bot.engine.frozen import frozen

TURN_SECONDS = 24 * 60 * 60
"""The default time limit of a turn in seconds."""

TABLES_EACH = 3
"""The default number of live tables that one person may host in a server at a time."""

SHORTEST_TURN, LONGEST_TURN, LONGEST_BANK = 60, 3 * 24 * 60 * 60, 24 * 60 * 60


class Stoppers(Enum):
    """The people who may close a table, besides moderators."""

    HOST = "host"
    SEATED = "seated"
    MANAGERS = "managers"


@frozen
class ServerSettings:
    """The settings of a server.

    Attributes:
        turn_seconds: The time limit of a turn at new tables in seconds. 0 means no limit.
        stoppers: The people who may close a table.
        channels: The channels in which games may be played, or empty for all.
        mentions: Whether a reminder mentions the player.
        language: A Discord locale, or None for the server's own.
        four_colours: Whether tables show each of the four French suits in its own colour.
        tables_each: The number of live tables that one person may host at a time.
        barred: IDs of users who may not join tables.
        text_tables: Whether all tables are shown as text instead of pictures.
        text_channels: The channels in which tables are shown as text.
        watched_elsewhere: Whether finished matches may be watched in other servers.
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
"""The length of the quiet hours in hours."""


class Told(Enum):
    """The way in which a player is notified of a turn.

    AWAY mentions the player at the table unless the player has just clicked. ALWAYS does so in any case.
    SOON is AWAY plus a mention when the player before begins a turn. The others do the same by direct
    message. NEVER is silent.
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
    def at_table(self) -> Told:
        """The same notifications at the table."""
        return next((told for told, by_dm in _BY_DM.items() if by_dm is self), self)

    def sent(self, *, by_dm: bool) -> Told:
        """Return the same notifications by direct message or at the table."""
        return _BY_DM.get(self.at_table, self) if by_dm else self.at_table


_BY_DM = {Told.AWAY: Told.DM, Told.ALWAYS: Told.DM_ALWAYS, Told.SOON: Told.DM_SOON}


@frozen
class OwnSettings:
    """The personal settings of a player.

    Attributes:
        four_colours: Whether private messages show each of the four French suits in its own colour. None
            for the server's setting.
        told: The way in which the player is notified of a turn.
        night: The hour at which the quiet hours begin, or None for no quiet hours.
        zone: The time zone of ``night``, or None for UTC.
        on_day_board: Whether servers' boards of the day show wins elsewhere, or None if the player has
            not chosen.
        text_table: Whether private messages use text instead of pictures. None for the setting of the
            place.
        shows_totals: Whether buttons at tables that count spots state the totals after a move.
    """

    four_colours: bool | None = None
    told: Told = Told.AWAY
    night: int | None = None
    zone: str | None = None
    on_day_board: bool | None = None
    text_table: bool | None = None
    shows_totals: bool = True

    @property
    def told_when(self) -> Told:
        """The notifications, wherever they are sent."""
        return self.told.at_table

    @property
    def told_by_dm(self) -> bool:
        return self.told.by_dm
