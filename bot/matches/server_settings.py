"""Settings of a server.

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
