"""Settings: what a Discord server's admins set for its tables, and what each player chooses alone."""

from __future__ import annotations

from enum import Enum

from bot.engine.immutable import frozen

TURN_SECONDS = 24 * 60 * 60
"""How long a turn may take where nobody has said otherwise: a day."""

TABLES_EACH = 3
"""How many live tables one person may host in a server at a time where nobody has said otherwise."""

SHORTEST_TURN, LONGEST_TURN, LONGEST_BANK = 60, 3 * 24 * 60 * 60, 24 * 60 * 60


class Stoppers(Enum):
    """Who may close a table, besides moderators."""

    HOST = "host"
    SEATED = "seated"
    MANAGERS = "managers"


@frozen
class ServerSettings:
    """The settings of a server.

    ``turn_seconds`` is the limit of a turn at new tables, 0 for none. ``channels`` are those where
    games may be played, empty for all. ``mentions`` says whether a reminder mentions its player.
    ``language`` is a Discord locale, or None for the server's own. With ``four_colours`` each suit of
    a pack of 52 has a colour of its own in the tables' pictures. One person may host ``tables_each``
    live tables at a time. Who is ``barred`` cannot sit down at its tables. With ``text_tables`` every
    table is told in words, else those in the ``text_channels``. With ``watched_elsewhere`` matches that
    are over may be watched in other servers too.
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
"""How long a night is in which nobody is called."""


class Told(Enum):
    """How a player is told of the turn.

    AWAY: by a mention at the table, unless they have just clicked; ALWAYS: also then; SOON: as AWAY, and
    when the player before them begins. DM: as AWAY, by DM instead. NEVER: not at all.
    """

    AWAY = "away"
    ALWAYS = "always"
    SOON = "soon"
    DM = "dm"
    NEVER = "never"


@frozen
class OwnSettings:
    """What a player has chosen.

    ``four_colours``: whether each suit has a colour of its own in what only this player sees; None
    for a player who leaves that to the server. ``night`` is the hour at which the night begins in which
    the player is ``told`` of no turn, by the clock of a time zone, ``zone``, or of UTC (None).
    ``on_day_board``: whether a server's boards of the day show what the player wins elsewhere, None
    where that is not asked. ``text_table``: whether what only this player sees is told in words instead
    of shown in pictures; None for as the place has it.
    """

    four_colours: bool | None = None
    told: Told = Told.AWAY
    night: int | None = None
    zone: str | None = None
    on_day_board: bool | None = None
    text_table: bool | None = None
