"""Backups of a database.

A bot can keep using the database while it is backed up, but not during a restore.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.engine.errors import ConfigurationError, RibitError
from bot.storage.database_address import (
    DatabaseError,
    Holding,
    Location,
    RefusedDatabaseError,
    Server,
)
from bot.storage.database_file import examine, keep_private, lock_alone
from bot.storage.database_lock import OF_THE_MOMENT, convert_database_errors
from bot.storage.database_server import holding_of, run_query
from bot.storage.file_probe import (
    fault_of,
    is_of_kind,
    lock_file,
    open_read_only,
    real_path,
    side_files,
)
from bot.storage.lazy_logger import LazyLog
from bot.storage.migrate import columns_of, migrate_file, migrations

log = LazyLog(__name__)

DUMP_PROGRAM = "pg_dump"

_TAKEN_OVER = """BEGIN;
INSERT OR REPLACE INTO main.removals SELECT * FROM old.removals EXCEPT SELECT * FROM main.removals;
INSERT OR IGNORE INTO main.servers ({columns}) SELECT {columns} FROM old.servers WHERE barred <> '[]';
UPDATE main.servers SET barred = o.barred FROM old.servers AS o WHERE o.guild_id = servers.guild_id;
COMMIT;"""
"""SQL that copies leaderboard removals and bans from the old database.

Otherwise restoring an older backup would undo them.
"""

_FIRST_TAKEN_OVER = {("removals", "subject"), ("servers", "barred")}


class CopyError(RibitError):
    """Raised when a backup cannot be made or restored. The message explains how to solve the problem."""


class UnsafeUpdateError(ConfigurationError):
    """Raised when the backup before a schema update fails. The database is not updated in this case."""


def back_up(database: Location, file: Path, *, is_replacing: bool = False) -> Holding:
    """Back up a database to a file, and write the backup's SHA-256 digest to a second file beside it.

    An SQLite database is copied. A PostgreSQL database is dumped with ``pg_dump``. If an error occurs,
    no file is left behind.

    Args:
        database: The location of the database.
        file: The path of the backup.
        is_replacing: True to replace an existing file.

    Returns:
        A summary of the backup's contents.

    Raises:
        CopyError: The file already exists or cannot be written.
        DatabaseError: The database cannot be read.
    """
    if not is_replacing and os.path.lexists(file):  # True for a broken link too
        raise CopyError(f"{file} exists already and is kept as it is. Give the backup another name.")
    with _draft(file) as draft, _draft(_digest_beside(file)) as beside:
        holding = _write_copy(database, draft)
        beside.write_text(f"{_digest(draft)}  {file.name}\n")
        beside.replace(_digest_beside(file))
        draft.replace(file)
    return holding


def back_up_before_update(database: Location, version: int) -> None:
    """Back up a database before its schema is updated.

    The backup of an SQLite database is written beside it. The backup of a PostgreSQL database is written
    to the working directory. If an earlier attempt at this update left a backup, it is overwritten.

    Args:
        database: The location of the database.
        version: The current schema version of the database.

    Raises:
        UnsafeUpdateError: The backup failed.
        DatabaseError: The database cannot be read.
    """
    place = Path("ribit.dump").absolute() if isinstance(database, Server) else real_path(database)
    file = place.with_name(f"{place.name}.before-update-{version}")
    try:
        back_up(database, file, is_replacing=True)
    except (CopyError, OSError) as error:
        reason = error.sentence if isinstance(error, CopyError) else f"{error}."
        raise UnsafeUpdateError(
            f"{database} is of version {version} and stays so, because the backup before its update "
            f"failed. {reason} Or make a backup in another way, and start once with: ribit run "
            "--backed-up"
        ) from error
    log.info("backup made before the update", file=str(file))


def _write_copy(database: Location, draft: Path) -> Holding:
    if isinstance(database, Server):
        return _dump(database, draft)
    return _copy(database, draft)


def _digest_beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _require_whole(file: Path) -> None:
    """Compare a backup with its digest file, if it has one.

    SQLite alone would detect only structural damage.

    Raises:
        RefusedDatabaseError: The digest does not match.
    """
    beside = _digest_beside(file)
    if beside.is_file() and beside.read_text("utf-8", "replace")[:64] != _digest(file):
        raise RefusedDatabaseError(
            f"{file} is damaged: its content is not what was backed up. Take another backup."
        )


def stream_backup(database: Location, descriptor: int) -> Holding:
    """Write a backup to an open file descriptor, such as a pipe to an encryption program.

    The backup is first written to a private temporary file. For SQLite, this file is beside the
    database. For PostgreSQL, it is in the system's temporary directory.

    Args:
        database: The location of the database.
        descriptor: The file descriptor. It is not closed.

    Returns:
        A summary of the backup's contents.

    Raises:
        CopyError: The backup cannot be made or written.
        DatabaseError: The database cannot be read.
    """
    place = Path(tempfile.gettempdir(), "ribit") if isinstance(database, Server) else real_path(database)
    with _draft(place) as draft:
        holding = _write_copy(database, draft)
        try:
            with draft.open("rb") as content, open(descriptor, "wb", closefd=False) as out:
                shutil.copyfileobj(content, out)
        except OSError as error:
            raise CopyError(
                f"The backup could not be written to its end ({error.strerror}): throw away what has "
                "come of it. Check the program or the disk that it goes to."
            ) from error
    return holding


def restore(file: Path, database: Location) -> tuple[Holding, Path | None]:
    """Verify a backup of an SQLite database, and replace the database with it.

    The previous database is renamed and kept in the same directory. If an error occurs, nothing changes.

    Args:
        file: The backup.
        database: The location of the database.

    Returns:
        A summary of the backup's contents, and the path of the previous database. The path is None if
        there was no database.

    Raises:
        DatabaseInUseError: A bot is using the database.
        CopyError: The backup is unusable, or the database is a PostgreSQL database.
        DatabaseError: The backup or the database cannot be read or written.
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
    _require_whole(file)
    with convert_database_errors(database), lock_alone(database), _draft(database) as draft:
        _require_no_foreign_parts(file)
        holding = _copy(file, draft)
        _hand_over(draft, database)
        _hand_over(lock_file(database), database)
        _take_over(draft, database)
        note = _keep(database)
        draft.replace(database)
    return holding, note


def _require_no_foreign_parts(file: Path) -> None:
    """Check that a backup contains no triggers and views. Ribit creates none.

    Raises:
        CopyError: The backup contains a trigger or view.
    """
    with open_read_only(file) as connection:
        parts = connection.execute(
            "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        ).fetchone()
    if parts:
        kind, name = parts
        raise CopyError(
            f"{file} has a {kind} that is not Ribit's ({name}). Take another backup, or remove it if "
            f"you made it yourself: DROP {kind.upper()} {name}."
        )


@contextmanager
def _draft(place: Path) -> Iterator[Path]:
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".part", dir=place.parent)
    except OSError as error:
        raise CopyError(
            f"Nothing can be written in the folder {place.parent} ({error.strerror}). Make it, "
            "check its permissions, or name another place."
        ) from error
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
    finally:
        for left in (draft, *side_files(draft)):
            left.unlink(missing_ok=True)


def _copy(source: Path, draft: Path) -> Holding:
    try:
        with (
            open_read_only(source) as reading,
            closing(sqlite3.connect(draft, isolation_level=None)) as copy,
        ):
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
    return holding


# ---- replacement of the database ------------------------------------------------------------------


def _hand_over(file: Path, database: Path) -> None:
    """Give a file the same owner as the database, because ``restore`` may run as root."""
    reference = database if database.exists() else database.parent
    if sys.platform != "win32":
        with suppress(PermissionError):
            os.chown(file, reference.stat().st_uid, reference.stat().st_gid, follow_symlinks=False)


def _keep(database: Path) -> Path | None:
    """Keep the previous database under a new name.

    Return its new path, or None if there was no database.

    Its write-ahead log is renamed too. Otherwise SQLite would apply the log to the restored database.
    """
    names = (f"{database.name}.before-restore{f'-{n}' if n else ''}" for n in count())
    new_path = next(path for name in names if not (path := database.with_name(name)).exists())
    keep_private(*side_files(database))
    for left in side_files(database):
        left.rename(new_path.with_name(left.name.replace(database.name, new_path.name, 1)))
    if not database.exists():
        return None
    try:
        os.link(database, new_path)
    except OSError:  # the file system does not support hard links
        shutil.copy2(database, new_path)
    keep_private(new_path)
    return new_path


def _take_over(draft: Path, database: Path) -> None:
    """Copy leaderboard removals and bans from the previous database to the restored one.

    If the backup predates the tables for removals and bans, it is migrated first. The previous database
    is opened for writing, so that SQLite applies its write-ahead log.
    """
    if not database.exists():
        return
    try:
        with open_read_only(database) as former:
            former_columns = columns_of(former)
        if not former_columns >= _FIRST_TAKEN_OVER:
            return
        with closing(sqlite3.connect(draft.as_uri(), uri=True, isolation_level=None)) as copy:
            if not columns_of(copy) >= _FIRST_TAKEN_OVER:
                migrate_file(copy, migrations())
            shared = [
                column for table, column in former_columns & columns_of(copy) if table == "servers"
            ]
            copy.execute("ATTACH ? AS old", (f"{database.as_uri()}?mode=rw",))
            copy.executescript(_TAKEN_OVER.format(columns=", ".join(shared)))
    except (sqlite3.Error, DatabaseError) as error:
        log.warning("bans and corrections were not copied", error=str(error))


# ---- dumps of a PostgreSQL database ----------------------------------------------------------------


def _dump(server: Server, draft: Path) -> Holding:
    program = shutil.which(DUMP_PROGRAM)
    if program is None:
        raise CopyError(
            "A backup of PostgreSQL is made by its program pg_dump, which is not installed here. "
            "Install it (Debian: postgresql-client), or copy with the bot stopped: ribit move."
        )
    holding = run_query(server, holding_of)
    if holding is None:
        raise CopyError(f"Ribit has not used the database {server} yet: there is nothing to back up.")
    manner = ("--format=custom", "--no-owner", "--no-privileges")
    done = subprocess.run(  # noqa: S603 — pg_dump as it is installed, with a list of arguments and no shell
        [program, *manner, f"--file={draft}", f"--dbname={server}"],
        env={**os.environ, **_password(server)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise CopyError(f"No backup was made: {reason}.")
    return holding


def _password(server: Server) -> dict[str, str]:
    """Return environment variables that pass the password to ``pg_dump``.

    If the password were a command-line argument, other users of the machine could read it.
    """
    parts = urlsplit(server.address)
    password = dict(parse_qsl(parts.query)).get("password") or unquote(parts.password or "")
    return {"PGPASSWORD": password} if password else {}
