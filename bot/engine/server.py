"""What the admins of a Discord server have set for the tables in it."""

from __future__ import annotations

from enum import Enum

from bot.engine.values import frozen

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
        """Return whether games may be played in a channel; a thread counts as its channel."""
        return not self.channels or channel_id in self.channels
