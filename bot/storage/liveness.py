"""Notes by which a running bot says that it is connected; both kinds of databases have them."""

from __future__ import annotations

from bot.matches.shards import Shards
from bot.storage.database_address import DatabaseError, Location

FRESH_SECONDS = 100
"""How long a note counts: three beats may fail before the bot is taken for gone."""

ALIVE = "alive"
PROBE = "probe"


def note_key(word: str, shards: Shards | str | None) -> str:
    return f"{word} {shards or ''}".rstrip()


def is_fresh(alive_at: int | None, now: int) -> bool:
    """Say whether a bot is connected; a note from the future means that the clock was set back since."""
    return alive_at is not None and abs(now - alive_at) < FRESH_SECONDS


def ago(alive_at: int, now: int) -> str:
    return f"{now - alive_at} s ago" if alive_at <= now else "before the clock was set back"


def unwritable(location: Location, error: Exception) -> DatabaseError:
    """Return the error of a bot that runs and cannot store anything."""
    return DatabaseError(
        f"Nothing can be written to the database {location} ({error}). Make room there."
    )
