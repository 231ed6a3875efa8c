"""Whether a bot runs on a database: it notes so while it is connected, and others read the note."""

from __future__ import annotations

from pathlib import Path

from bot.storage.inspecting import looking
from bot.storage.people import Notes

BEAT_SECONDS = 30
"""How often the bot notes that it is connected."""

FRESH_SECONDS = 100
"""How long a note counts: three beats may fail before the bot is taken for gone."""

ALIVE = "alive"


async def note_alive(notes: Notes, now: int) -> None:
    """Note that the bot is connected now, in seconds since 1970."""
    await notes.put(ALIVE, str(now))


async def note_gone(notes: Notes) -> None:
    """Take the note away: the bot has ended, and nobody need wait for the note to grow old."""
    await notes.remove(ALIVE)


def last_alive(path: Path) -> int | None:
    """Return when a bot on this database was last connected, in seconds since 1970, or None.

    Raises sqlite3.Error for a file that cannot be read.
    """
    if not path.exists():
        return None
    with looking(path) as connection:
        found = connection.execute("SELECT value FROM notes WHERE key = ?", (ALIVE,)).fetchone()
    return None if found is None else int(found[0])


def is_fresh(alive_at: int | None, now: int) -> bool:
    """Return whether a bot that was connected then is taken to run now."""
    return alive_at is not None and now - alive_at < FRESH_SECONDS
