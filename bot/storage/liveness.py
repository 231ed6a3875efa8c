"""Notes with which a running bot records in the database that it is connected to Discord."""

from __future__ import annotations

from collections.abc import Mapping

from bot.matches.shards import Shards
from bot.storage.database_address import DatabaseError, Location

FRESH_SECONDS = 100
"""Seconds until a note expires. The bot can miss three heartbeats before it counts as disconnected."""

ALIVE = "alive"
PROBE = "probe"


def note_key(word: str, shards: Shards | str | None) -> str:
    return f"{word} {shards or ''}".rstrip()


def last_alive(notes: Mapping[str, str], shards: Shards | None = None) -> int | None:
    """Return the Unix time at which a process last recorded that it is connected to Discord.

    Return None if there is no such record.

    Args:
        notes: The notes of the database, by key.
        shards: The shards of the process, or None for all.
    """
    at = notes.get(note_key(ALIVE, shards))
    return None if at is None else int(at)


def is_fresh(alive_at: int | None, now: int) -> bool:
    """Return whether the bot's last sign of life is recent enough for it to count as connected.

    Args:
        alive_at: The Unix time of the last sign of life, or None if there is none. It is in the future
            if the clock was set back.
        now: The current Unix time.
    """
    return alive_at is not None and abs(now - alive_at) < FRESH_SECONDS


def age_words(alive_at: int, now: int) -> str:
    return f"{now - alive_at} s ago" if alive_at <= now else "before the clock was set back"


def unwritable(location: Location, error: Exception) -> DatabaseError:
    """Return the error for a running bot whose database cannot be written to."""
    return DatabaseError(
        f"Nothing can be written to the database {location} ({error}). Make room there. If it was "
        "deleted, stop the bot, restore a backup, and start the bot."
    )
