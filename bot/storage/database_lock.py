"""A database of either kind: held by its bot, noted as alive, or opened for one command.

Whether a bot runs is told by locks, which the system takes back from who was killed; whether it is
connected, by its own note.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime
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
    migrate,
    migrate_server,
    migrations,
    newest_version,
    server_migrations,
    server_version,
)
from bot.storage.postgres import FAULTS, require_usable, visiting
from bot.storage.servers_and_notes import Notes
from bot.storage.sql import Record, Sql, load_queries
from bot.storage.sqlite_connections import connect, opened
from bot.storage.writer import Session, T, Work

log = structlog.get_logger(__name__)

BEAT_SECONDS = 30
"""How often the bot notes that it is connected."""

OF_THE_MOMENT = (ALIVE, f"{ALIVE} *", HOLDER, f"{HOLDER} *", "lease *", PROBE, "commands of *")
"""Notes, as GLOB patterns, that are of a running bot or of what Discord knows: not for a copy."""

ROWS_AT_ONCE = 1000

Row: TypeAlias = tuple[Any, ...]


class NoMatchError(RibitError):
    """A match cannot be read from a database; the sentence says why."""


@contextmanager
def telling_faults(location: Location) -> Iterator[None]:
    try:
        yield
    except (*FAULTS, sqlite3.Error, NewerDatabaseError) as error:
        if isinstance(location, Server):
            raise database_server.fault_of(location, error) from error
        raise file_probe.fault_of(location, error) from error


# ---- held ------------------------------------------------------------------------------------------


@asynccontextmanager
async def locked(
    location: Location, shards: Shards | None = None
) -> AsyncIterator[asyncio.Future[None]]:
    """Have a database to oneself, or with shards one's part of a server's.

    Yields what ends with HeldError where another took it meanwhile. Raises HeldError where another has
    it, DatabaseError where that cannot be found out, RefusedDatabaseError for shards on a file.
    """
    require_shareable(location, shards)
    if isinstance(location, Server):
        async with database_server.holding(location, shards) as taken_away:
            yield taken_away
        return
    with ExitStack() as held:
        with telling_faults(location):
            database_file.require_own_file(location)
            await asyncio.to_thread(database_file.require_sound, location)
            held.enter_context(database_file.lock_alone(location))
        tasks = BackgroundTasks()
        try:
            yield tasks.start(database_file.until_lost(location))
        finally:
            tasks.cancel()


def running_on(location: Location) -> list[str]:
    """Return the shards, in writing, of each process that has a database; of one with all none."""
    if isinstance(location, Server):
        return database_server.running(location)
    return [""] if file_probe.is_held(location) else []


async def prepare(location: Location) -> None:
    with telling_faults(location):
        if isinstance(location, Server):
            async with visiting(location) as session:
                require_usable(location, session)
                await session.execute("SET lock_timeout = 0")  # another may migrate for minutes
                if await migrate_server(session, server_migrations()):
                    log.info("a new database was made", address=str(location))
            return
        database_file.make_ready(location)
        connection = await connect(location)
        try:
            await migrate(connection, migrations())
        finally:
            await connection.close()


# ---- noted -----------------------------------------------------------------------------------------


async def note_holder(notes: Notes, now: int, shards: Shards | None = None) -> None:
    since = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    who = f"process {os.getpid()} on {platform.node()}, since {since}"
    await notes.put(note_key(HOLDER, shards), json.dumps({"who": who}))


async def note_alive(notes: Notes, now: int, shards: Shards | None = None) -> None:
    await notes.put(note_key(ALIVE, shards), str(now))
    await note_left(notes, now, shards)  # which copies keep


async def note_gone(notes: Notes, shards: Shards | None = None) -> None:
    """Remove the note, so that nobody need wait for it to grow old."""
    await notes.remove(note_key(ALIVE, shards))


async def note_left(notes: Notes, now: int, shards: Shards | None = None) -> None:
    """Note until when a process has lived, or until when its outage is stored."""
    await notes.put(f"left {note_key(ALIVE, shards)}", str(now))


async def last_lived(notes: Notes, shards: Shards | None = None) -> int | None:
    """Return when a process with some of these shards, or with all, was there last, None for unknown."""
    found = await notes.like(f"%{ALIVE}%")
    lived = (int(at) for key, at in found.items() if _overlap(key.partition(ALIVE)[2].strip(), shards))
    return max(lived, default=None)


def _overlap(written: str, shards: Shards | None) -> bool:
    if shards is None or not written:
        return True
    other = read_shards(written)
    return other.count != shards.count or bool({*other.ids} & {*shards.ids})


def last_alive(location: Location, shards: Shards | str | None = None) -> int | None:
    """Return when a bot was last connected, or None; raises DatabaseError."""
    at = noted_on(location, note_key(ALIVE, shards))
    return None if at is None else int(at)


def noted_on(location: Location, key: str) -> str | None:
    if isinstance(location, Server):
        return database_server.noted(location, key)
    return file_probe.noted(location, key)


# ---- opened for a command, in one transaction -------------------------------------------------------


class End:
    """A database in one transaction: asked as stores ask, and whole."""

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
        done = self.session.execute(statement)
        if not self._is_file:
            await done

    async def select(self, statement: str) -> Sequence[Record]:
        return [row async for row in self.rows(statement)]

    async def version(self) -> int:
        """Return the version of its shape; 0 where Ribit has not used it yet."""
        if self._is_file:
            return int(self.session.execute("PRAGMA user_version").fetchone()[0])
        return await server_version(self.session)

    async def rows(self, statement: str) -> AsyncIterator[Record]:
        if self._is_file:
            for row in self.session.execute(statement):
                yield row
            return
        async for row in self.session.cursor(statement, prefetch=ROWS_AT_ONCE):
            yield row

    async def add(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        if not self._is_file:
            await self.session.copy_records_to_table(table, records=rows, columns=columns)
            return
        places = ", ".join("?" * len(columns))
        # Its words are names from Ribit's own migrations; what is stored goes in as parameters.
        self.session.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)  # noqa: S608


@asynccontextmanager
async def reading(location: Location) -> AsyncIterator[End]:
    """Open a database for reading at one moment: nothing in it or beside it is changed."""
    with telling_faults(location):
        if isinstance(location, Server):
            async with visiting(location) as session:
                require_usable(location, session)
                async with session.transaction(isolation="repeatable_read", readonly=True):
                    yield End(session, is_file=False)
            return
        with file_probe.looking(location) as raw:
            raw.execute("BEGIN")
            yield End(raw, is_file=True)


@asynccontextmanager
async def writing(location: Location) -> AsyncIterator[End]:
    """Open a database to write in one transaction; without a COMMIT nothing has changed."""
    with telling_faults(location):
        if isinstance(location, Server):
            async with visiting(location) as session:
                await session.execute("BEGIN")
                yield End(session, is_file=False)
            return
        with closing(opened(location)) as raw:
            raw.execute("BEGIN IMMEDIATE")
            yield End(raw, is_file=True)


@asynccontextmanager
async def stopped(location: Location, verb: str, refused: type[RibitError]) -> AsyncIterator[End]:
    """Have a database that no bot runs on, to be changed in one transaction.

    Raises ``refused`` if there is none, or an older one; else HeldError or DatabaseError.
    """
    if isinstance(location, Path) and not location.is_file():
        raise refused(f"There is no database {location} to {verb}. Check RIBIT_DATABASE.")
    async with AsyncExitStack() as opened:
        await opened.enter_async_context(locked(location))
        end = await opened.enter_async_context(writing(location))
        await require_newest(
            location, end, f"Start this Ribit on it once, stop it, and {verb} then.", refused
        )
        yield end


async def require_newest(location: Location, end: End, advice: str, refused: type[RibitError]) -> None:
    """Raise ``refused`` with advice for an older database, and NewerDatabaseError for a newer one."""
    if (version := await end.version()) > newest_version():
        raise NewerDatabaseError
    if version < newest_version():
        raise refused(
            f"{location} is of version {version}, and this Ribit's is {newest_version()}. {advice}"
        )


async def stored_match(location: Location, match_id: str) -> tuple[Match, list[Entry]]:
    if isinstance(location, Path) and not location.is_file():
        raise NoMatchError(f"There is no database {location}. Check RIBIT_DATABASE.")
    async with reading(location) as end:
        await require_newest(location, end, "Start this Ribit on it once.", NoMatchError)
        record = await end.matches.load(match_id)
    if record is None:
        raise NoMatchError(f"There is no match {match_id} in {location}. /replay lists a player's own.")
    return record
