"""Notes in the database that show that a running bot is connected to Discord."""

from __future__ import annotations

from bot.matches.shards import Shards
from bot.storage.database_address import DatabaseError, Location

FRESH_SECONDS = 100
"""Seconds until a note expires. The bot can miss three heartbeats before it counts as disconnected."""

ALIVE = "alive"
PROBE = "probe"


def note_key(word: str, shards: Shards | str | None) -> str:
    return f"{word} {shards or ''}".rstrip()


def is_fresh(alive_at: int | None, now: int) -> bool:
    """Return whether a note is recent enough for a bot to count as connected.

    Args:
        alive_at: The Unix time of the note, or None if there is no note. It is in the future if the
            clock was set back.
        now: The current Unix time.
    """
    return alive_at is not None and abs(now - alive_at) < FRESH_SECONDS


def age_words(alive_at: int, now: int) -> str:
    return f"{now - alive_at} s ago" if alive_at <= now else "before the clock was set back"


def unwritable(location: Location, error: Exception) -> DatabaseError:
    """Return an error for the case that a running bot cannot store anything."""
    return DatabaseError(
        f"Nothing can be written to the database {location} ({error}). Make room there."
    )
