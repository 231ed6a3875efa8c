"""A database file, looked at without changing anything, not even beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import structlog

from bot.engine.values import frozen
from bot.storage.file_modes import real_path, require_file
from bot.storage.migrate import migrations
from bot.storage.open_errors import FaultyFileError
from bot.storage.sqlite_errors import is_of_kind

log = structlog.get_logger(__name__)

SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database file while it is in use, or after a ``kill -9``."""

CHECK_SECONDS = 5.0
"""How long a start checks the file at most: some 300 MB."""

_WAIT_SECONDS = 5.0


@frozen
class Holding:
    """What a database holds, and the version of its shape."""

    version: int
    matches: int
    live: int
    players: int

    def __str__(self) -> str:
        return f"matches: {self.matches} (live: {self.live}), players: {self.players}"


def side_files(path: Path) -> list[Path]:
    """Return the files that SQLite has beside a database just now."""
    beside = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return [file for file in beside if file.exists()]


@contextmanager
def looking(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading only, in use or not.

    In one that nobody has open, SQLite would make side files even to read, and leave them behind. Raises
    RefusedDatabaseError for what is no file: a pipe would be waited for, for ever.
    """
    require_file(path)
    path = real_path(path)
    promise = "" if side_files(path) else "&immutable=1"
    address = f"{path.as_uri()}?mode=ro{promise}"
    with closing(
        sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)
    ) as connection:
        yield connection


def examine(connection: sqlite3.Connection, path: Path, *, is_quick: bool = False) -> Holding:
    """Return what a database holds; raises FaultyFileError, with this path, for one that is not sound.

    The quick examination leaves out whether indexes and references fit.
    """
    try:
        version = _require_known_shape(connection, path)
        _require_sound(connection, path, is_quick=is_quick)
        (counts,) = connection.execute(
            "SELECT (SELECT count(*) FROM matches),"
            " (SELECT count(*) FROM matches WHERE stage IN ('lobby', 'playing')),"
            " (SELECT count(DISTINCT player_id) FROM seats WHERE player_id > 0)"
        ).fetchall()
    except sqlite3.Error as error:
        raise fault_of(path, error) from error
    return Holding(version, *counts)


def require_ours(path: Path) -> None:
    """Raise FaultyFileError or sqlite3.Error for a file that is not Ribit's; an empty one is to be."""
    if not path.exists() or not path.stat().st_size:
        return
    with looking(path) as connection, _unless_unfinished():
        if _columns(connection):  # else a start was killed before it made the first table
            _require_known_shape(connection, path)


def require_sound(path: Path) -> None:
    """Raise FaultyFileError or sqlite3.Error for a file that is damaged, as far as a short look tells.

    A gigabyte takes a quarter of a minute, which a start should not: after some seconds what was seen
    has to do.
    """
    if not path.exists():
        return
    with looking(path) as connection, _unless_unfinished(), ending(connection, CHECK_SECONDS) as ended:
        try:
            _require_sound(connection, path, is_quick=True)
        except sqlite3.OperationalError as error:
            if not (ended.is_set() and is_of_kind(error, sqlite3.SQLITE_INTERRUPT)):
                raise
            log.info("the database is too large to be checked whole at a start: doctor does")


@contextmanager
def ending(connection: sqlite3.Connection, seconds: float) -> Iterator[Event]:
    """Interrupt what a connection is asked inside the block, after a while; yields whether it was."""
    done, ended = Event(), Event()

    def end() -> None:
        while not done.wait(seconds):  # again, should nothing have been under way just then
            ended.set()
            connection.interrupt()

    thread = Thread(target=end)
    thread.start()
    try:
        yield ended
    finally:
        done.set()
        thread.join()


@contextmanager
def _unless_unfinished() -> Iterator[None]:
    """Pass over a file in which a write was cut off: who opens it for writing undoes that first."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if not is_of_kind(error, sqlite3.SQLITE_READONLY):
            raise


def fault_of(path: Path, error: sqlite3.Error) -> FaultyFileError:
    """Return what SQLite found wrong with a file, in a sentence."""
    if is_of_kind(error, sqlite3.SQLITE_NOTADB):
        return FaultyFileError(f"{path} is not a database. Name another file.")
    if is_of_kind(error, sqlite3.SQLITE_CORRUPT):
        return FaultyFileError(
            f"{path} is damaged ({error}). Take a backup that is sound: ribit restore FILE."
        )
    return FaultyFileError(f"{path} cannot be read ({error}). Check its permissions.")


def newest_version() -> int:
    """Return the version of the shape that this code reads and writes."""
    return migrations()[-1][0]


def _require_known_shape(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < 1 or not _columns_at(min(version, newest_version())) <= _columns(connection):
        raise FaultyFileError(f"{path} is not a database of Ribit's. Name another file.")
    if version > newest_version():
        raise FaultyFileError(
            f"{path} was written by a newer Ribit (version {version}; this one knows up to "
            f"{newest_version()}). Update Ribit first."
        )
    return int(version)


def _columns_at(version: int) -> set[tuple[str, str]]:
    """Return the tables and columns that the migrations up to a version make."""
    with closing(sqlite3.connect(":memory:")) as model:
        for number, script in migrations():
            if number <= version:
                model.executescript(script)
        return _columns(model)


def _columns(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(
        connection.execute(
            "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c"
            " WHERE t.type = 'table'"
        )
    )


def _require_sound(connection: sqlite3.Connection, path: Path, *, is_quick: bool) -> None:
    check = "quick_check" if is_quick else "integrity_check"
    (found,) = connection.execute(f"PRAGMA {check}(1)").fetchone()
    dangling = None if is_quick else connection.execute("PRAGMA foreign_key_check").fetchone()
    if dangling is not None:
        found = f"a row of {dangling[0]} refers to one of {dangling[2]} that is missing"
    if found != "ok":
        found = found.splitlines()[-1]  # the first says only in which database
        raise FaultyFileError(
            f"{path} is damaged ({found}). Take a backup that is sound: ribit restore FILE."
        )
