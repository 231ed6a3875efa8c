"""Backing a database up while it is in use, and putting a backup in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from bot.engine.errors import RibitError
from bot.engine.values import frozen
from bot.storage.checksum import require_seal, seal
from bot.storage.file_lock import HOLDER, lock_alone, lock_file
from bot.storage.file_modes import keep_private, real_path
from bot.storage.file_probe import (
    Holding,
    examine,
    fault_of,
    looking,
    side_files,
)
from bot.storage.heartbeat import ALIVE, PROBE
from bot.storage.location import Location, Server
from bot.storage.open_errors import FaultyFileError
from bot.storage.pg_dump import DumpError, dump, dump_program
from bot.storage.sqlite_errors import is_of_kind
from bot.storage.undone import take_over

OF_THE_MOMENT = (ALIVE, f"{ALIVE} *", HOLDER, f"{HOLDER} *", "lease *", PROBE, "commands of *")
"""Notes, as GLOB patterns, that are of a running bot or of what Discord knows: not for a copy."""


class CopyError(RibitError):
    """A backup cannot be made or restored; the sentence says why and what to do."""


@frozen
class Restored:
    """What a restored database holds, where the one before is kept, if any, and what is undone by it."""

    holding: Holding
    kept: Path | None
    undone: str


def back_up(database: Location, file: Path) -> Holding:
    """Write a copy of a database, as it is at one moment, to a new file.

    Of a file it is checked and sealed; of a server's database it is a dump. Who has the database open
    goes on meanwhile. Raises CopyError, DatabaseError or FaultyFileError, and leaves no file then.
    """
    if os.path.lexists(file):  # also a link that leads nowhere
        raise CopyError(f"{file} exists already and is kept as it is. Give the backup another name.")
    if isinstance(database, Server):
        return _dump(database, file)
    if not database.exists():
        raise CopyError(f"There is no database {database} to back up. Check RIBIT_DATABASE.")
    with _draft(file) as draft:
        holding = _copy(database, draft)
        seal(draft)
        _sync(draft)
        draft.rename(file)
    _sync(file.parent)
    return holding


def stream_backup(database: Location, descriptor: int) -> Holding:
    """Write a backup to an open file descriptor, such as a pipe to a program that encrypts.

    Nothing is written before the backup is whole. Until then it lies beside the database, where it is
    kept as the database is; that of a server, in the folder for temporary files, for this user alone.
    Raises as ``back_up`` does, and CopyError where the other end stops reading.
    """
    folder = None if isinstance(database, Server) else real_path(database).parent
    with ExitStack() as held:
        try:
            drafts = held.enter_context(tempfile.TemporaryDirectory(".part", ".backup.", folder))
        except OSError as error:
            raise _unwritable(folder or Path(tempfile.gettempdir()), error) from error
        draft = Path(drafts, "backup")
        holding = back_up(database, draft)
        try:
            with draft.open("rb") as content, open(descriptor, "wb", closefd=False) as out:
                shutil.copyfileobj(content, out)
        except OSError as error:
            raise CopyError(
                f"The backup could not be written to its end ({error.strerror}): throw away what has "
                "come of it. Check the program or the disk that it goes to."
            ) from error
    return holding


def _dump(server: Server, file: Path) -> Holding:
    program = dump_program()
    if program is None:
        raise CopyError(
            "A backup of PostgreSQL is made by its program pg_dump, which is not installed here. "
            "Install it (Debian: postgresql-client), or copy with the bot stopped: ribit move."
        )
    with _draft(file) as draft:
        try:
            holding = dump(server, program, draft)
        except DumpError as error:
            raise CopyError(f"No backup was made: {error}.") from error
        if holding is None:
            raise CopyError(
                f"Ribit has not used the database {server} yet: there is nothing to back up."
            )
        _sync(draft)
        draft.rename(file)
    _sync(file.parent)
    return holding


def restore(file: Path, database: Location, *, now: int, is_forced: bool = False) -> Restored:
    """Check a backup and put it in the database's place; the database before is kept beside it.

    ``now`` is in seconds since 1970.

    Refuses where a bot runs on the database, and, unless forced, a backup without its seal; a broken
    one always. Raises CopyError, HeldError or FaultyFileError; all is as it was then.
    """
    if isinstance(database, Server):
        raise CopyError(
            "A server's database is restored by PostgreSQL's own program, with the bot stopped: "
            f"pg_restore --clean --if-exists --no-owner --single-transaction --dbname={database} {file}"
        )
    database = real_path(database)
    if not file.is_file():
        raise CopyError(f"There is no file {file}. Name a backup to restore.")
    if file.resolve() == database:
        raise CopyError(f"{file} is the database itself. Name a backup to restore.")
    require_seal(file, may_lack=is_forced)
    with _alone_on(database), _draft(database) as draft:
        holding = _copy(file, draft)
        _hand_over(draft, database)
        _hand_over(lock_file(database), database)
        _close_log(database)
        undone = take_over(draft, database, now)
        _sync(draft)
        kept = _keep(database)
        draft.replace(database)
    _sync(database.parent)
    return Restored(holding, kept, undone)


@contextmanager
def _alone_on(database: Path) -> Iterator[None]:
    """Keep every bot from starting on a database meanwhile."""
    with ExitStack() as alone:
        try:
            alone.enter_context(lock_alone(database))
        except OSError as error:
            raise _unwritable(database.parent, error) from error
        yield


@contextmanager
def _draft(place: Path) -> Iterator[Path]:
    """Make an empty file beside a place; what is left of it at the end is removed."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".part", dir=place.parent)
    except OSError as error:
        raise _unwritable(place.parent, error) from error
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
    finally:
        for left in (draft, *side_files(draft)):
            left.unlink(missing_ok=True)


def _unwritable(folder: Path, error: OSError) -> CopyError:
    return CopyError(
        f"Nothing can be written in the folder {folder} ({error.strerror or 'it is missing'}). "
        "Make it, check its permissions, or name another place."
    )


def _copy(source: Path, draft: Path) -> Holding:
    """Copy a database as it is at one moment, and check the copy: one file, with no log beside it."""
    try:
        with looking(source) as reading, closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            reading.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            holding = examine(copy, source)
            for pattern in OF_THE_MOMENT:
                copy.execute("DELETE FROM notes WHERE key GLOB ?", (pattern,))
    except sqlite3.Error as error:
        if is_of_kind(error, sqlite3.SQLITE_FULL):
            raise CopyError(
                f"The disk of {draft.parent} is full. Make room, or name another place."
            ) from error
        raise fault_of(source, error) from error
    _sync(draft)
    return holding


def _sync(path: Path) -> None:
    """Have a file's content, or a folder's list of names, survive the end of the machine's power."""
    with suppress(PermissionError):  # Windows cannot open a folder
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# ---- in the place of the old one ------------------------------------------------------------------


def _hand_over(file: Path, database: Path) -> None:
    """Let the bot's own user have a new file, where somebody else restores."""
    known = database if database.exists() else database.parent
    if sys.platform != "win32":
        with suppress(PermissionError):
            os.chown(file, known.stat().st_uid, known.stat().st_gid, follow_symlinks=False)


def _close_log(database: Path) -> None:
    """Bring what is in a database's log into the file; refuse where anybody has it open.

    SQLite does this only for who is alone with the file. One that is too damaged stays as it is.
    """
    if not database.exists():
        return
    try:
        with closing(sqlite3.connect(database, isolation_level=None, timeout=1)) as alone:
            alone.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if is_of_kind(error, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return
        if is_of_kind(error, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise CopyError(
                f"{database} is open in another program, most likely the bot. Stop it first."
            ) from error
        raise FaultyFileError(
            f"{database} cannot be opened to be replaced ({error}). Check its permissions."
        ) from error


def _keep(database: Path) -> Path | None:
    """Give the database a second name, and move its side files there; returns that name.

    A log must not stay behind: SQLite would take it for the new file's own.
    """
    kept = _free_name(database)
    keep_private(*side_files(database))
    for left in side_files(database):
        left.rename(kept.with_name(left.name.replace(database.name, kept.name, 1)))
    if not database.exists():
        return None
    try:
        os.link(database, kept)
    except OSError:  # a disk without hard links
        shutil.copy2(database, kept)
    keep_private(kept)
    return kept


def _free_name(database: Path) -> Path:
    names = (f"{database.name}.before-restore{f'-{n}' if n else ''}" for n in count())
    return next(path for name in names if not (path := database.with_name(name)).exists())
