"""Locks, notes and transactions that work for both SQLite and PostgreSQL databases.

A bot locks its database while it runs. If the bot is killed, the operating system or the server releases
the lock. A note is a text value stored under a key in the database. One of the notes records that the
bot is connected to Discord.
"""

from __future__ import annotations

import asyncio
import os
import platform
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.matches.match import Entry, Match
from bot.matches.shards import Shards, read_shards
from bot.storage import database_file, database_server, file_probe
from bot.storage.database_address import (
    HOLDER,
    Location,
    NewerDatabaseError,
    Server,
    require_shareable,
)
from bot.storage.liveness import ALIVE, PROBE, note_key
from bot.storage.match_reader import MatchReader
from bot.storage.migrate import (
    file_version,
    hold_migrations,
    migrate,
    migrate_server,
    migrations,
    newest_version,
    server_migrations,
    server_version,
)
from bot.storage.named_queries import Record, Sql, load_queries
from bot.storage.notes import Notes
from bot.storage.postgres import FAULTS, require_usable, visiting
from bot.storage.sqlite_connections import connect, open_connection
from bot.storage.writer import Session, T, Work

log = structlog.get_logger(__name__)

BEAT_SECONDS = 30
"""Interval in seconds at which the bot stores a note that it is connected."""

OF_THE_MOMENT = (ALIVE, f"{ALIVE} *", HOLDER, f"{HOLDER} *", PROBE, "commands of *")
"""GLOB patterns for keys of notes that are not copied to backups and other copies of a database.

These notes describe the state of the running bot or of Discord.
"""

ROWS_AT_ONCE = 1000

Row: TypeAlias = tuple[Any, ...]


class NoMatchError(RibitError):
    """Raised when a database does not contain the match with the given ID."""


class OldDatabaseError(RibitError):
    """Raised when a database has an older schema. The message explains how to fix this."""


@contextmanager
def convert_database_errors(location: Location) -> Iterator[None]:
    """Convert a database driver's errors to a DatabaseError with a message for the bot's operator."""
    try:
        yield
    except (*FAULTS, sqlite3.Error, NewerDatabaseError) as error:
        if isinstance(location, Server):
            raise database_server.fault_of(location, error) from error
        raise file_probe.fault_of(location, error) from error


# ---- locks -----------------------------------------------------------------------------------------


@asynccontextmanager
async def lock_database(
    location: Location, shards: Shards | None = None
) -> AsyncIterator[asyncio.Future[None]]:
    """Lock a database for this process.

    In PostgreSQL, it is possible to lock only some of the bot's shards.

    Args:
        location: The location of the database.
        shards: The shards to lock, or None for the whole database.

    Yields:
        A future. It fails with DatabaseInUseError if the lock is lost and another process takes it.

    Raises:
        DatabaseInUseError: Another process has the lock.
        RefusedDatabaseError: Shards were given for an SQLite file.
        DatabaseError: The database cannot be used.
    """
    require_shareable(location, shards)
    with ExitStack() as stack:
        if isinstance(location, Server):
            session = await database_server.take_shards(location, shards)
            losing = database_server.until_taken(location, session, shards)
        else:
            with convert_database_errors(location):
                database_file.require_access(location)
                await asyncio.to_thread(database_file.require_sound, location)
                stack.enter_context(database_file.lock_alone(location))
            losing = database_file.until_lost(location)
        tasks = BackgroundTasks()
        try:
            lost = tasks.start(losing)
            await asyncio.sleep(0)  # a task that has not begun would not close its session
            yield lost
        finally:
            await tasks.close()


async def prepare(location: Location, before_update: Callable[[int], None] | None = None) -> None:
    """Create the database if it does not exist, and migrate it to the newest schema.

    Args:
        location: The location of the database.
        before_update: Called in a thread before an existing database is migrated, with its current
            schema version. If it raises an error, no migration runs.

    Raises:
        DatabaseError: The database cannot be used.
    """

    async def precede(version: int) -> None:
        if before_update is not None and 0 < version < newest_version():
            await asyncio.to_thread(before_update, version)

    with convert_database_errors(location):
        if isinstance(location, Server):
            async with visiting(location) as session:
                require_usable(location, session)
                await session.execute("SET lock_timeout = 0")  # another process may migrate for minutes
                await hold_migrations(session)
                await precede(await server_version(session))
                if await migrate_server(session, server_migrations()):
                    log.info("new database created", address=str(location))
            return
        database_file.make_ready(location)
        connection = await connect(location)
        try:
            await precede(await connection.hop(file_version))
            await migrate(connection, migrations())
        finally:
            await connection.close()


# ---- notes -----------------------------------------------------------------------------------------


async def note_holder(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Store a description of this process.

    DatabaseInUseError shows it to the operator of another process.
    """
    since = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    who = f"process {os.getpid()} on {platform.node()}, since {since}"
    await notes.store_note(note_key(HOLDER, shards), who)


async def note_alive(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Record in the database that this process was connected to Discord at a Unix time."""
    await notes.store_note(note_key(ALIVE, shards), str(now))
    await note_left(notes, now, shards)  # unlike the note above, this one is copied


async def note_gone(notes: Notes, shards: Shards | None = None) -> None:
    """Delete the record that this process is connected to Discord.

    Other commands then need not wait until the record expires.
    """
    await notes.remove(note_key(ALIVE, shards))


async def note_left(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Store the Unix time until which the bot ran, or until which its outages are already recorded.

    When the bot starts next, it records the time since then as an outage.
    """
    await notes.store_note(f"left {note_key(ALIVE, shards)}", str(now))


async def last_lived(notes: Notes, shards: Shards | None = None) -> int | None:
    """Return the Unix time at which the bot last ran on any of these shards, or None if unknown.

    Args:
        notes: The store of notes.
        shards: The shards, or None for all.
    """
    alive_notes = [
        (key.partition(ALIVE)[2].strip(), int(at))
        for key, at in (await notes.like(f"%{ALIVE}%")).items()
    ]
    lived = (
        at for of, at in alive_notes if shards is None or not of or shards.overlaps(read_shards(of))
    )
    return max(lived, default=None)


# ---- single transactions ----------------------------------------------------------------------------


class DatabaseTransaction:
    """A transaction on an SQLite or PostgreSQL database, outside of a running bot.

    It can execute the named SQL statements of the stores, and read and write whole tables.
    """

    def __init__(self, session: Session, *, is_file: bool) -> None:
        if is_file:
            session.row_factory = sqlite3.Row
        self.session = session
        self._is_file = is_file
        self.sql = Sql(load_queries(for_server=not is_file), session)
        self.matches = MatchReader(self)

    async def run(self, work: Work[T]) -> T:
        return await work(self.sql)

    async def execute(self, statement: str) -> None:
        result = self.session.execute(statement)
        if not self._is_file:
            await result

    async def select(self, statement: str) -> Sequence[Record]:
        return [row async for row in self.rows(statement)]

    async def version(self) -> int:
        """Return the database's schema version, or 0 if Ribit has not used the database yet."""
        if self._is_file:
            return int(self.session.execute("PRAGMA user_version").fetchone()[0])
        return await server_version(self.session)

    async def rows(self, statement: str) -> AsyncIterator[Record]:
        """Yield a query's rows. PostgreSQL rows are fetched in batches of ROWS_AT_ONCE."""
        if self._is_file:
            for row in self.session.execute(statement):
                yield row
            return
        async for row in self.session.cursor(statement, prefetch=ROWS_AT_ONCE):
            yield row

    async def add(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert rows into a table.

        Args:
            table: The name of the table.
            columns: The names of its columns.
            rows: The rows. Each has one value per column.
        """
        if not self._is_file:
            await self.session.copy_records_to_table(table, records=rows, columns=columns)
            return
        places = ", ".join("?" * len(columns))
        # The names come from Ribit's own migrations. Values are passed as parameters.
        self.session.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)  # noqa: S608


@asynccontextmanager
async def reading(location: Location, *, writes: bool = False) -> AsyncIterator[DatabaseTransaction]:
    """Open a database and begin a transaction. It is rolled back unless the caller executes a COMMIT.

    Args:
        location: The location of the database.
        writes: True for a transaction that can write. Otherwise no file is changed.

    Raises:
        DatabaseError: The database cannot be used.
    """
    with convert_database_errors(location):
        if isinstance(location, Server):
            async with visiting(location) as session:
                require_usable(location, session)
                how = "" if writes else " ISOLATION LEVEL REPEATABLE READ READ ONLY"
                await session.execute(f"BEGIN{how}")
                yield DatabaseTransaction(session, is_file=False)
            return
        with (
            closing(open_connection(location)) if writes else file_probe.open_read_only(location) as raw
        ):
            raw.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            yield DatabaseTransaction(raw, is_file=True)


writing = partial(reading, writes=True)


@asynccontextmanager
async def open_stopped(location: Location) -> AsyncIterator[DatabaseTransaction]:
    """Lock a database that no bot is using, and begin a write transaction.

    Raises:
        OldDatabaseError: The database has an older schema.
        DatabaseInUseError: A bot is using the database.
        DatabaseError: The database cannot be used.
    """
    if isinstance(location, Path):
        file_probe.require_existing(location)
    async with lock_database(location), writing(location) as end:
        await require_newest(location, end)
        yield end


async def require_newest(location: Location, end: DatabaseTransaction) -> None:
    """Raise an error if an open database does not have the newest schema.

    Raises:
        OldDatabaseError: The schema is older.
        NewerDatabaseError: The schema is newer.
    """
    if (version := await end.version()) > newest_version():
        raise NewerDatabaseError
    if version < newest_version():
        raise OldDatabaseError(
            f"{location} is of version {version}, and this Ribit's is {newest_version()}. Start this "
            "Ribit on it once, stop it, and try again."
        )


async def stored_match(location: Location, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a stored match and its moves. This is possible while a bot is using the database.

    Raises:
        NoMatchError: The database does not contain the match.
        OldDatabaseError: The database has an older schema.
        DatabaseError: The database cannot be used.
    """
    async with reading(location) as end:
        await require_newest(location, end)
        record = await end.matches.load(match_id)
    if record is None:
        raise NoMatchError(f"There is no match {match_id} in {location}. /replay lists a player's own.")
    return record
