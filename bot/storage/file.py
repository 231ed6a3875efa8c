"""A database file: for its owner alone, held by one process at a time, and looked at without a trace.

Who can read a database, or a copy of one, knows every hand. And a setting can name anything: a folder
that all programs use, a device, somebody else's letters; no mode of such a thing is changed.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_IRWXU, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK

import structlog
from filelock import FileLock, Timeout

from bot.storage.address import (
    COUNTS,
    HOLDER,
    AbsentDatabaseError,
    DatabaseError,
    HeldError,
    Holding,
    NewerDatabaseError,
    RefusedDatabaseError,
)
from bot.storage.connections import identity
from bot.storage.migrate import columns_at, columns_of, newest_version
from bot.storage.writer import is_of_kind

log = structlog.get_logger(__name__)

SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database file while it is in use, or after a ``kill -9``."""

CHECK_SECONDS = 5.0
"""How long a start checks the file at most: some 300 MB."""

LOOK_SECONDS = 2.0
"""How often who has a lock looks whether its file is still there."""

PATIENCE_SECONDS = 1.0
"""How long a lock is waited for: somebody may only be looking whether it is free."""

_OWNER_ONLY = 0o600
_STEPS = 1000
_WAIT_SECONDS = 5.0
_NO_USE_WAITING = {"EACCES", "EISDIR", "ELOOP", "ENAMETOOLONG", "EPERM", "EROFS"}
_OUT_OF_REACH = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY)
_NO_USE_OPENING = (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY)


# ---- paths and modes -------------------------------------------------------------------------------


def real_path(path: Path) -> Path:
    """Return where a path leads, through all links; one that leads round in a circle stays as it is."""
    return Path(os.path.realpath(path))


def side_files(path: Path) -> list[Path]:
    beside = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return [file for file in beside if file.exists()]


def require_file(path: Path) -> None:
    """Raise RefusedDatabaseError unless there is a file at a path, a link to one, or nothing yet.

    Of a link that leads nowhere it is not known what it was to lead to: nothing is made there.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        target = real_path(path)
        if path.is_symlink() and target.parent.is_dir():  # else its disk may not be there yet
            raise RefusedDatabaseError(
                f"{path} is a link to {target}, where nothing is. For a new database there, set "
                "RIBIT_DATABASE to that path; else put the file there, or mend the link."
            ) from None
        return
    except OSError as error:
        raise RefusedDatabaseError(
            f"{path} cannot be looked at ({error.strerror}). Check the permissions on the way to it, or "
            "set RIBIT_DATABASE to another path."
        ) from error
    if not S_ISREG(mode):
        kinds = ((S_ISDIR, "a folder"), (S_ISSOCK, "a socket"), (S_ISFIFO, "a pipe"))
        kind = next((name for is_kind, name in kinds if is_kind(mode)), "a device")
        raise RefusedDatabaseError(
            f"{path} is {kind}, but a database is a file. Set RIBIT_DATABASE to the path of a "
            "file, such as ribit.sqlite3 in a folder of its own."
        )


def require_own_file(path: Path) -> None:
    """Raise RefusedDatabaseError unless this user's bot can have its database at a path.

    Raises NotADirectoryError where the folder is missing: its disk may only not be there yet.
    """
    real = real_path(path)
    if not real.parent.is_dir():
        raise NotADirectoryError(real.parent)
    require_file(path)
    if sys.platform != "win32" and real.exists() and real.stat().st_uid != os.geteuid():
        raise RefusedDatabaseError(
            f"{path} belongs to another user (number {real.stat().st_uid}). Run the bot as that user, "
            "give the file to this one, or set RIBIT_DATABASE to another path."
        )
    for place, wanted in ((real.parent, os.W_OK | os.X_OK), (real, os.R_OK | os.W_OK)):
        if place.exists() and not os.access(place, wanted):
            raise RefusedDatabaseError(
                f"{place} cannot be read and written by this user. Check its owner and permissions, or "
                "set RIBIT_DATABASE to another path."
            )


def make_private(path: Path) -> bool:
    """Make a file that its owner alone may read, whatever the umask; return whether none was there.

    A file that is there is not opened: closing it would take SQLite's locks on it away.
    """
    try:
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY)
    except FileExistsError:
        return False
    try:
        if sys.platform != "win32":
            os.fchmod(made, _OWNER_ONLY)
    finally:
        os.close(made)
    return True


def keep_private(*files: Path) -> None:
    """Let nobody but their owner read these files; no file, or somebody else's, stays as it is."""
    for file in files:
        found = file.lstat()
        if sys.platform == "win32" or not S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            continue
        if S_IMODE(found.st_mode) != _OWNER_ONLY:
            with suppress(PermissionError):
                file.chmod(_OWNER_ONLY)


def is_private(file: Path) -> bool:
    return sys.platform == "win32" or not S_IMODE(file.stat().st_mode) & ~S_IRWXU


def make_ready(path: Path) -> None:
    require_own_file(path)
    real = real_path(path)
    if make_private(real) or not real.stat().st_size:
        log.info("a new database is made", path=str(real))
    keep_private(real, *side_files(real))


# ---- what is wrong with it -------------------------------------------------------------------------


def fault_of(path: Path, error: Exception) -> DatabaseError:
    if isinstance(error, NotADirectoryError):
        return AbsentDatabaseError(
            f"The database cannot be made: there is no folder {path.parent}. "
            "Make it, or set RIBIT_DATABASE to another path."
        )
    if isinstance(error, NewerDatabaseError):
        return RefusedDatabaseError(
            f"{path} was written by a newer Ribit. Update Ribit first, or name another file."
        )
    if is_of_kind(error, sqlite3.SQLITE_NOTADB):
        return RefusedDatabaseError(
            f"{path} is not a database. If it was one, restore a backup; else name another file."
        )
    if is_of_kind(error, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, str(error))
    kind, of_system = DatabaseError, errno.errorcode.get(getattr(error, "errno", None) or 0)
    if is_of_kind(error, *_NO_USE_OPENING) or of_system in _NO_USE_WAITING:
        kind = RefusedDatabaseError
    elif isinstance(error, OSError) or is_of_kind(error, *_OUT_OF_REACH):
        kind = AbsentDatabaseError
    return kind(
        f"The database {path} cannot be opened, read or written ({error}). "
        "Check the file's permissions, or set RIBIT_DATABASE to another path."
    )


def _damaged(path: Path, how: str) -> RefusedDatabaseError:
    return RefusedDatabaseError(
        f"{path} is damaged ({how}). Take a backup that is sound: ribit restore FILE."
    )


@contextmanager
def looking(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database read-only, leaving no side files; what SQLite finds wrong is a DatabaseError."""
    require_file(path)
    real = real_path(path)
    promise = "" if side_files(real) else "&immutable=1"
    address = f"{real.as_uri()}?mode=ro{promise}"
    try:
        with closing(
            sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)
        ) as connection:
            yield connection
    except sqlite3.Error as error:
        raise fault_of(path, error) from error


def examine(connection: sqlite3.Connection, path: Path) -> Holding:
    """Return what a database holds; raises RefusedDatabaseError for one that is not sound or ours."""
    try:
        version = _sound_version(connection, path)
        return Holding(version, *connection.execute(COUNTS).fetchone())
    except (sqlite3.Error, NewerDatabaseError) as error:
        raise fault_of(path, error) from error


def require_sound(path: Path) -> None:
    """Raise RefusedDatabaseError for a damaged or foreign file, as some seconds tell."""
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with looking(path) as connection:
            ends = time.monotonic() + CHECK_SECONDS
            connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
            if columns_of(connection):  # else a start was killed before it made the first table
                _sound_version(connection, path)
    except NewerDatabaseError as error:
        raise fault_of(path, error) from error
    except DatabaseError as error:
        if is_of_kind(error.__cause__, sqlite3.SQLITE_INTERRUPT):
            log.info("the database is too large to be checked whole at a start: doctor does")
        elif not is_of_kind(error.__cause__, sqlite3.SQLITE_READONLY):
            raise  # else a write was cut off, which who opens the file for writing undoes first


def _sound_version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < 1 or not columns_at(min(version, newest_version())) <= columns_of(connection):
        raise RefusedDatabaseError(f"{path} is not a database of Ribit's. Name another file.")
    if version > newest_version():
        raise NewerDatabaseError
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise _damaged(path, found.splitlines()[-1])  # the first says only in which database
    return int(version)


def noted(path: Path, key: str) -> str | None:
    if not path.exists():
        return None
    with looking(path) as connection:
        found = connection.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
    return None if found is None else str(found[0])


def trouble(path: Path, probe: str) -> str | None:
    """Return, in a sentence, why the bot that runs on a file cannot keep anything, or None."""
    if not is_held(path):
        return None
    if not path.exists():
        return f"The database {path} was deleted under the bot. Stop it, restore a backup, and start it."
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=1)
        ) as asked:
            asked.execute("REPLACE INTO notes (key, value) VALUES (?, '')", (probe,))
            asked.commit()
    except sqlite3.Error as error:
        if is_of_kind(error, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return f"Nothing can be written to the database {path} ({error}). Make room on its disk."
    return None


# ---- one process at a time -------------------------------------------------------------------------


def lock_file(database: Path) -> Path:
    """Return the file that is locked while a bot runs on a database.

    Who deletes a database with all that begins with its name does not delete this.
    """
    database = real_path(database)
    return database.with_name(f".{database.name}.lock")


@contextmanager
def lock_alone(database: Path) -> Iterator[None]:
    """Lock a database; raises HeldError where another has it, OSError where none can."""
    if not lock_file(database).parent.is_dir():  # the lock would make it, where a disk may yet come
        raise NotADirectoryError(lock_file(database).parent)
    for file in (database, lock_file(database)):
        require_file(file)
    former = lock_file(database).with_name(f"{real_path(database).name}.lock")  # that of 1.0.0
    with ExitStack() as held:
        try:
            for file in (lock_file(database), *([former] if former.exists() else ())):
                held.enter_context(_lock(file).acquire(timeout=PATIENCE_SECONDS))
        except Timeout:
            raise HeldError(
                f"Another Ribit runs on {database}: {_holder(database)}. Stop it first, or "
                "set RIBIT_DATABASE to another path."
            ) from None
        yield


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
    if not lock_file(database).exists():  # and it is not made by who only asks
        return False
    try:
        with _lock(lock_file(database)).acquire(blocking=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


def _lock(file: Path) -> FileLock:
    # A soft lock would outlive its process; one of a thread could not be let go in another.
    return FileLock(file, mode=_OWNER_ONLY, fallback_to_soft=False, thread_local=False)


def _holder(database: Path) -> str:
    with suppress(DatabaseError):
        if found := noted(database, HOLDER):
            return str(json.loads(found)["who"])
    return "a process that has not said yet who it is"
