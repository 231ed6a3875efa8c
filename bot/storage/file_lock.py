"""One bot at a time on a database file: a lock that the system takes back when the process ends."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from bot.engine.errors import ConfigurationError
from bot.engine.shards import Shards
from bot.storage.file_identity import identity
from bot.storage.file_modes import real_path, require_file
from bot.storage.file_probe import looking
from bot.storage.players_and_servers import Notes

HOLDER = "holder"
"""The note of who holds the lock: the lock file itself cannot be read everywhere while it is locked."""

LOOK_SECONDS = 2.0
"""How often who has a lock looks whether its file is still there."""

PATIENCE_SECONDS = 1.0
"""How long a lock is waited for: somebody may only be looking whether it is free."""


class HeldError(ConfigurationError):
    """Another process has the database; the sentence says which."""


def lock_file(database: Path) -> Path:
    """Return the file that is locked while a bot runs on a database.

    Who deletes a database with all that begins with its name does not delete this.
    """
    database = real_path(database)
    return database.with_name(f".{database.name}.lock")


@contextmanager
def lock_alone(database: Path) -> Iterator[None]:
    """Have a database to oneself; raises HeldError where another has it, OSError where none can."""
    if not lock_file(database).parent.is_dir():  # the lock would make it, where a disk may yet come
        raise NotADirectoryError(lock_file(database).parent)
    for file in (database, lock_file(database)):
        require_file(file)
    lock = _lock(database)
    try:
        lock.acquire(timeout=PATIENCE_SECONDS)
    except Timeout:
        raise HeldError(
            f"Another Ribit runs on {database}: {_holder(database)}. Stop it first, or set "
            "RIBIT_DATABASE to another path."
        ) from None
    try:
        yield
    finally:
        lock.release()


async def until_lost(database: Path) -> None:
    """Raise HeldError once the file that this process has locked is gone: another could make its own."""
    file = lock_file(database)
    own = identity(file)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        with suppress(OSError):
            if identity(file) != own:
                break
    raise HeldError(
        f"The lock {file} was deleted or replaced under the bot, so that another may run on the "
        "database: this one stops. Restore a backup if the database is gone too, and start one bot."
    )


def is_held(database: Path) -> bool:
    """Return whether a process has a database to itself just now, as far as this user may know."""
    if not lock_file(database).exists():  # and it is not made by who only asks
        return False
    try:
        with _lock(database).acquire(blocking=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


def holder_of(shards: str = "") -> str:
    """Return the key of the note of who runs these shards, or all."""
    return f"{HOLDER} {shards}".rstrip()


async def note_holder(notes: Notes, file: str, now: int, shards: Shards | None = None) -> None:
    """Note that this process has the database, or its part of it, and in which file it writes."""
    since = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    who = f"process {os.getpid()} on {platform.node()}, since {since}"
    await notes.put(holder_of(str(shards or "")), json.dumps({"who": who, "file": file}))


def held_file(database: Path) -> str | None:
    """Return in which file the last holder writes, or None where that is not noted."""
    return _noted(database).get("file")


def _lock(database: Path) -> FileLock:
    # A soft lock would outlive its process; one of a thread could not be let go in another.
    return FileLock(lock_file(database), mode=0o600, fallback_to_soft=False, thread_local=False)


def _holder(database: Path) -> str:
    return _noted(database).get("who", "a process that has not said yet who it is")


def _noted(database: Path) -> dict[str, str]:
    try:
        with looking(database) as connection:
            found = connection.execute("SELECT value FROM notes WHERE key = ?", (HOLDER,)).fetchone()
    except sqlite3.Error:
        return {}
    return dict(json.loads(found[0])) if found else {}
