"""Whether a bot runs on a database: it notes so while it is connected, and others read the note."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.engine.shards import Shards
from bot.storage.file_identity import identity
from bot.storage.file_lock import held_file, is_held
from bot.storage.file_probe import looking
from bot.storage.location import Location, Server
from bot.storage.players_and_servers import Notes
from bot.storage.server_probe import note_on, running_on_server, trouble_on
from bot.storage.sqlite_errors import is_of_kind

BEAT_SECONDS = 30
"""How often the bot notes that it is connected."""

FRESH_SECONDS = 100
"""How long a note counts: three beats may fail before the bot is taken for gone."""

ALIVE = "alive"
PROBE = "probe"

_WAIT_SECONDS = 1.0
_MEND = "Stop the bot, restore a backup if the file is not the right one, and start it."


async def note_alive(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Note that the bot, or the process of these shards, is connected now, in seconds since 1970."""
    await notes.put(_alive(shards), str(now))


async def note_gone(notes: Notes, shards: Shards | None = None) -> None:
    """Take the note away: the bot has ended, and nobody need wait for the note to grow old."""
    await notes.remove(_alive(shards))


def running_on(location: Location) -> list[str]:
    """Return who has a database just now: the shards of each process in writing, of one with all none.

    That is told by locks, which the system takes back from who was killed; a note would stay.
    """
    if isinstance(location, Server):
        return running_on_server(location)
    return [""] if is_held(location) else []


async def note_left(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Note when the bot has ended in order, for the next start."""
    await notes.put(f"left {_alive(shards)}", str(now))


async def last_lived(notes: Notes, shards: Shards | None = None) -> int | None:
    """Return when a bot with these shards, or with all, was there last, None for unknown."""
    keys = [_alive(shards), ALIVE]
    noted = [await notes.get(key) for key in (*keys, *(f"left {key}" for key in keys))]
    return max((int(at) for at in noted if at is not None), default=None)


def last_alive(path: Location, shards: Shards | str | None = None) -> int | None:
    """Return when a bot on this database was last connected, in seconds since 1970, or None.

    With ``shards``, when the process that runs them was.

    Raises sqlite3.Error for a file that cannot be read, DatabaseError for a server that gives no answer.
    """
    noted = noted_on(path, _alive(shards))
    return None if noted is None else int(noted)


def noted_on(path: Location, key: str) -> str | None:
    """Return a note of a database, which a bot may be using; raises as ``last_alive`` does."""
    if isinstance(path, Server):
        return note_on(path, key)
    if not path.exists():
        return None
    with looking(path) as connection:
        found = connection.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
    return None if found is None else str(found[0])


def _alive(shards: Shards | str | None) -> str:
    return f"{ALIVE} {shards or ''}".rstrip()


def trouble(path: Location) -> str | None:
    """Return, in a sentence, why the bot that runs on a database cannot keep anything, or None.

    What a bot's own note cannot tell is found by trying: a note is written. Raises DatabaseError for a
    server that gives no answer.
    """
    if isinstance(path, Server):
        return trouble_on(path, PROBE)
    if not is_held(path):
        return None
    if not path.exists():
        return f"The database {path} was deleted under the bot, and play has stopped. {_MEND}"
    if held_file(path) != identity(path):
        return f"The database {path} was replaced under the bot, and play has stopped. {_MEND}"
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=_WAIT_SECONDS)
        ) as connection:
            connection.execute("REPLACE INTO notes (key, value) VALUES (?, '')", (PROBE,))
            connection.commit()
    except sqlite3.Error as error:
        if is_of_kind(error, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return f"Nothing can be written to the database {path} ({error}). Make room on its disk."
    return None


def is_fresh(alive_at: int | None, now: int) -> bool:
    """Return whether a bot that was connected then is taken to be connected now.

    A note from the future is no better than an old one: the machine's clock was set back since.
    """
    return alive_at is not None and abs(now - alive_at) < FRESH_SECONDS


def ago(alive_at: int, now: int) -> str:
    """Return in words how long ago a bot was connected."""
    return f"{now - alive_at} s ago" if alive_at <= now else "before the clock was set back"
