"""Permissions, integrity checks and the lock of an SQLite database file.

The database contains every player's cards, so only the file's owner may read it and its copies. The path
in the settings may be wrong. Ribit therefore never changes the permissions of directories, devices and
other users' files.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_IRWXU

import structlog
from filelock import Timeout

from bot.storage.database_address import (
    COUNTS,
    HOLDER,
    AbsentDatabaseError,
    DatabaseError,
    DatabaseInUseError,
    Holding,
    NewerDatabaseError,
    RefusedDatabaseError,
    holder_in,
)
from bot.storage.file_probe import (
    OWNER_ONLY,
    damaged_error,
    foreign_error,
    is_of_kind,
    lock_file,
    make_lock,
    open_read_only,
    read_note,
    real_path,
    require_file,
    side_files,
)
from bot.storage.migrate import columns_of, newest_version
from bot.storage.sqlite_connections import identity

log = structlog.get_logger(__name__)

MOST_CHECKED_BYTES = 300 * 1024**2
"""Maximum size of a file that is checked completely at each start. This takes about 5 seconds."""

LOOK_SECONDS = 2.0
"""Interval in seconds at which a process checks that its lock file still exists."""

_TABLES = {"matches", "moves", "posts"}
"""Some tables that all versions of Ribit's schema have."""

PATIENCE_SECONDS = 1.0
"""Timeout in seconds for the lock. ``ribit health`` takes it for a moment to test whether it is free."""


# ---- paths and modes -------------------------------------------------------------------------------


def require_access(path: Path, *, is_own: bool = True) -> None:
    """Check that the current user may read and write the database file at a path.

    Args:
        path: The path. The file need not exist.
        is_own: True to check also that the current user owns the file. Otherwise the files that SQLite
            creates beside the database would have a different owner.

    Raises:
        RefusedDatabaseError: The path is not a file, the file belongs to another user, or permissions
            are missing.
        AbsentDatabaseError: The directory does not exist. Its disk may not be mounted yet.
    """
    require_file(path)
    real = real_path(path)
    if not real.parent.is_dir():
        raise AbsentDatabaseError(
            f"The database cannot be made: there is no folder {real.parent}. "
            "Make it, or set RIBIT_DATABASE to another path."
        )
    is_checked = is_own and sys.platform != "win32" and real.exists()
    is_foreign = is_checked and real.stat().st_uid != os.geteuid()
    for place, wanted in ((real.parent, os.W_OK | os.X_OK), (real, os.R_OK | os.W_OK)):
        if place.exists() and (is_foreign or not os.access(place, wanted)):
            raise RefusedDatabaseError(
                f"{path} belongs to another user, or {place} cannot be read and written by this user. "
                "Check their owner and permissions, or set RIBIT_DATABASE to another path."
            )


def make_private(path: Path) -> None:
    """Create an empty file that only its owner may read. If the file exists, do nothing.

    An existing file is not opened, because closing it would release SQLite's locks on it.
    """
    with suppress(FileExistsError):
        path.touch(OWNER_ONLY, exist_ok=False)


def keep_private(*files: Path) -> None:
    """Let only the owner read and write each of these files.

    Skip missing files, links and other users' files.
    """
    for file in files:
        if file.is_file() and not file.is_symlink():
            with suppress(PermissionError, FileNotFoundError):
                file.chmod(OWNER_ONLY)


def is_private(file: Path) -> bool:
    return sys.platform == "win32" or not S_IMODE(file.stat().st_mode) & ~S_IRWXU


def make_ready(path: Path) -> None:
    """Create a database file if it does not exist, and make it private to its owner.

    The permissions of the files that SQLite has created beside it are restricted too.

    Raises:
        RefusedDatabaseError: The path is not a file, the file belongs to another user, or permissions
            are missing.
        AbsentDatabaseError: The directory does not exist.
    """
    require_access(path)
    real = real_path(path)
    make_private(real)
    if not real.stat().st_size:
        log.info("creating a new database", path=str(real))
    keep_private(real, *side_files(real))


# ---- checks of the content -------------------------------------------------------------------------


def examine(connection: sqlite3.Connection, path: Path, *, is_whole: bool = True) -> Holding:
    """Check an open SQLite database, and return a summary of its contents.

    Args:
        connection: The connection.
        path: The path of the file, for error messages.
        is_whole: True to read and check the whole file, False to check only its schema.

    Raises:
        RefusedDatabaseError: The database is damaged or is not Ribit's.
        NewerDatabaseError: The database has a newer schema.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < 1 or not {table for table, _column in columns_of(connection)} >= _TABLES:
        raise foreign_error(path)
    if version > newest_version():
        raise NewerDatabaseError
    result = connection.execute("PRAGMA quick_check(1)").fetchone()[0] if is_whole else "ok"
    if result != "ok":
        raise damaged_error(path, result.splitlines()[-1])  # the first line only names the database
    return Holding(version, *connection.execute(COUNTS).fetchone())


def require_sound(path: Path) -> None:
    """Check that an existing file is an intact Ribit database.

    If the file is larger than MOST_CHECKED_BYTES, only its schema is checked.

    Raises:
        RefusedDatabaseError: The file is damaged or is not Ribit's.
    """
    if not path.exists() or not path.stat().st_size:
        return
    is_whole = path.stat().st_size <= MOST_CHECKED_BYTES
    if not is_whole:
        log.info("the database is too large for a full check at start, run doctor to check it")
    try:
        with open_read_only(path) as connection:
            if columns_of(connection):  # otherwise a start was killed before it created a table
                examine(connection, path, is_whole=is_whole)
    except DatabaseError as error:
        # SQLite rolls back an interrupted write only when it opens the file for writing.
        if not is_of_kind(error.__cause__, sqlite3.SQLITE_READONLY):
            raise


# ---- lock ------------------------------------------------------------------------------------------


@contextmanager
def lock_alone(database: Path) -> Iterator[None]:
    """Lock an SQLite database, so that no other bot uses it.

    Raises:
        DatabaseInUseError: Another process has the lock.
        RefusedDatabaseError: The path is not a file.
        AbsentDatabaseError: The directory does not exist.
        OSError: The lock cannot be taken.
    """
    require_access(database, is_own=False)  # FileLock would create the folder of a disk that is absent
    former = lock_file(database).with_name(f"{real_path(database).name}.lock")  # name in 1.0.0
    with ExitStack() as stack:
        try:
            for file in (lock_file(database), *([former] if former.exists() else ())):
                stack.enter_context(make_lock(file, PATIENCE_SECONDS))
        except Timeout:
            raise DatabaseInUseError(
                f"Another Ribit runs on {database}: {_holder(database)}. Stop it first, or "
                "set RIBIT_DATABASE to another path."
            ) from None
        yield


async def until_lost(database: Path) -> None:
    """Wait until the database's lock file is deleted or replaced, which makes the lock ineffective.

    Raises:
        DatabaseInUseError: The lock file was deleted or replaced.
    """
    file = lock_file(database)
    own = identity(file)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        with suppress(OSError):
            if identity(file) != own:
                break
    raise DatabaseInUseError(
        f"The lock {file} was deleted or replaced under the bot, so that another may run on the "
        "database: this one stops. Restore a backup if the database is gone too, and start one bot."
    )


def _holder(database: Path) -> str:
    with suppress(DatabaseError):
        return holder_in(read_note(database, HOLDER))
    return holder_in(None)
