"""Quick checks of an SQLite file, for short commands such as a container's health check.

To start fast, this module imports neither asyncio nor structlog, and only small modules of Ribit.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from bot.storage.database_address import (
    AbsentDatabaseError,
    DatabaseError,
    NewerDatabaseError,
    RefusedDatabaseError,
)
from bot.storage.liveness import ALIVE, PROBE, unwritable

SIDE_FILES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database. They remain after a ``kill -9``."""

OWNER_ONLY = 0o600

_WAIT_SECONDS = 5.0
_FORBIDDEN = (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)
_OUT_OF_REACH = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY)


def real_path(path: Path) -> Path:
    """Return a path with its symbolic links resolved. Circular links are left as they are."""
    return Path(os.path.realpath(path))


def side_files(path: Path) -> list[Path]:
    beside = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return [file for file in beside if file.exists()]


def require_file(path: Path) -> None:
    """Raise an error if a path is a directory, a device or a broken link. A missing file is allowed.

    Raises:
        RefusedDatabaseError: The path is not a file or a link to one.
    """
    if os.path.lexists(path) and not path.is_file():
        raise RefusedDatabaseError(
            f"{path} is not a file, nor a link to one. Set RIBIT_DATABASE to the path of a file, such "
            "as ribit.sqlite3 in a folder of its own."
        )


def require_existing(path: Path) -> None:
    """Raise an error if a database file does not exist.

    Raises:
        RefusedDatabaseError: The path is not a file, or there is no file.
    """
    require_file(path)
    if not path.exists():
        raise RefusedDatabaseError(f"There is no database {path}. Check RIBIT_DATABASE.")


def lock_file(database: Path) -> Path:
    """Return the path of a database's lock file. A running bot keeps this file locked.

    The file's name starts with a dot, so that ``rm database*`` does not delete it.
    """
    database = real_path(database)
    return database.with_name(f".{database.name}.lock")


def make_lock(file: Path, timeout: float) -> FileLock:
    """Return a lock on a file, which the operating system releases when the process ends."""
    # A soft lock would outlive its process, and a thread-local lock must be released in its thread.
    return FileLock(file, timeout, OWNER_ONLY, fallback_to_soft=False, thread_local=False)


def is_held(database: Path) -> bool:
    """Return whether a running bot has locked a database. This does not create the lock file."""
    file = lock_file(database)
    try:
        if file.exists():
            with make_lock(file, timeout=0):
                pass
    except Timeout:
        return True
    except OSError:  # the file is another user's, or the file system does not support locks
        pass
    return False


def is_of_kind(error: BaseException | None, *codes: int) -> bool:
    """Return whether an error is an SQLite error with one of these primary result codes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in codes


def fault_of(path: Path, error: Exception) -> DatabaseError:
    """Convert an SQLite or file error to a DatabaseError with a message for the bot's operator."""
    if isinstance(error, NewerDatabaseError):
        return RefusedDatabaseError(
            f"{path} was written by a newer Ribit. Update Ribit first, or name another file."
        )
    if is_of_kind(error, sqlite3.SQLITE_NOTADB):
        return foreign_error(path)
    if is_of_kind(error, sqlite3.SQLITE_CORRUPT):
        return damaged_error(path, str(error))
    kind = DatabaseError
    if is_of_kind(error, *_FORBIDDEN) or isinstance(error, PermissionError):
        kind = RefusedDatabaseError
    elif is_of_kind(error, *_OUT_OF_REACH) or isinstance(error, OSError):
        kind = AbsentDatabaseError
    return kind(
        f"The database {path} cannot be opened, read or written ({error}). "
        "Check the file's permissions, or set RIBIT_DATABASE to another path."
    )


def foreign_error(path: Path) -> RefusedDatabaseError:
    return RefusedDatabaseError(
        f"{path} is not a database of Ribit's. If it was one, restore a backup; else name another file."
    )


def damaged_error(path: Path, how: str) -> RefusedDatabaseError:
    return RefusedDatabaseError(
        f"{path} is damaged ({how}). Take a backup that is sound: ribit restore FILE."
    )


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an SQLite database read-only, and leave no new files beside it.

    Raises:
        DatabaseError: The database cannot be opened or read.
    """
    try:
        require_existing(path)
        real = real_path(path)
        promise = "" if side_files(real) else "&immutable=1"
        address = f"{real.as_uri()}?mode=ro{promise}"
        with closing(
            sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)
        ) as connection:
            yield connection
    except (OSError, sqlite3.Error, NewerDatabaseError) as error:
        raise fault_of(path, error) from error


def read_note(path: Path, key: str) -> str | None:
    """Return the text stored under a key in the ``notes`` table, or None.

    Raises:
        DatabaseError: The database cannot be read.
    """
    if not path.exists():
        return None
    with open_read_only(path) as connection:
        row = connection.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def last_alive_by_shards(path: Path) -> dict[str, int | None]:
    """Return the Unix time at which the bot on this database was last connected to Discord.

    This also checks that the database can be written to.

    Returns:
        The time, or None if unknown, under the key "" (all shards). The result is empty if no bot is
        running.

    Raises:
        DatabaseError: The database was deleted or cannot be written to.
    """
    if not is_held(path):
        return {}
    try:
        address = f"{real_path(path).as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)
        ) as connection:
            connection.execute(
                "INSERT INTO notes (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (PROBE, str(time.time())),  # SQLite would not write an unchanged value
            )
    except sqlite3.Error as error:
        raise unwritable(path, error) from error
    at = read_note(path, ALIVE)
    return {"": None if at is None else int(at)}
