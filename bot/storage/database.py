"""A database file, open: what the rest of the bot is handed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import field
from pathlib import Path

from bot.engine.errors import RibitError
from bot.engine.values import frozen
from bot.storage.connections import Connection, Writer, connect
from bot.storage.faults import Halt, is_of_kind
from bot.storage.inspecting import side_files
from bot.storage.journal import Journal
from bot.storage.keeping import Watch
from bot.storage.migrating import NewerDatabaseError, migrate, migrations
from bot.storage.people import Notes, Players, Posts, Servers
from bot.storage.place import Place
from bot.storage.privacy import keep_private, make_private
from bot.storage.sql import load_queries
from bot.storage.standings import Standings

_OUT_OF_REACH = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY)


class DatabaseError(RibitError):
    """The file cannot be used; the sentence says why and what to do."""


class AbsentDatabaseError(DatabaseError):
    """The file cannot be reached; its disk may only not be there yet."""


@frozen
class Database:
    """Everything that is kept. Close it when done."""

    journal: Journal
    posts: Posts
    players: Players
    servers: Servers
    standings: Standings
    notes: Notes
    place: Place
    halt: Halt
    _writer: Writer = field(repr=False)
    _connections: tuple[Connection, ...] = field(repr=False)
    _watch: Watch = field(repr=False)
    _closing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def hops(self) -> int:
        """How often any of the file's threads was asked something so far."""
        return sum(connection.hops for connection in self._connections)

    async def close(self) -> None:
        """Finish the writes under way and close the file; a second time does nothing."""
        async with self._closing:
            await self._writer.close()
            for connection in self._connections:
                await connection.close()
            self._watch.close()


async def open_database(path: Path) -> Database:
    """Open a database file, made if need be, and bring it up to date; only its owner can read it.

    Raises DatabaseError where the file cannot be opened, written or understood.
    """
    with telling_faults(path):
        async with AsyncExitStack() as opened:
            _require_folder(path)
            make_private(path)
            keep_private(path, *side_files(path))  # SQLite makes the others like the first
            writing = await connect(str(path))
            opened.push_async_callback(writing.close)
            await migrate(writing, migrations())
            reading = await connect(str(path), read_only=True)
            opened.push_async_callback(reading.close)
            surveying = await connect(str(path), read_only=True)
            opened.push_async_callback(surveying.close)
            watch = Watch(str(path))
            await writing.hop(watch.committed)
            place = Place(path)
            opened.pop_all()
    halt = Halt()
    writer, queries = Writer(writing, watch.committed, place.require, halt), load_queries()
    return Database(
        journal=Journal(queries, writer, reading),
        posts=Posts(queries, writer, reading, watch),
        players=Players(queries, writer, reading, watch),
        servers=Servers(queries, writer, reading, watch),
        standings=Standings(queries, surveying),
        notes=Notes(queries, writer, reading),
        place=place,
        halt=halt,
        _writer=writer,
        _connections=(writing, reading, surveying),
        _watch=watch,
    )


@contextmanager
def telling_faults(path: Path) -> Iterator[None]:
    """Have what keeps a database from being opened raised as DatabaseError, in a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error, NewerDatabaseError) as error:
        may_come = isinstance(error, OSError) or is_of_kind(error, *_OUT_OF_REACH)
        raise (AbsentDatabaseError if may_come else DatabaseError)(_reason(path, error)) from error


def _require_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise NotADirectoryError(path.parent)


def _reason(path: Path, error: Exception) -> str:
    if isinstance(error, NotADirectoryError):
        return (
            f"The database cannot be made: there is no folder {path.parent}. "
            "Make it, or set RIBIT_DATABASE to another path."
        )
    if isinstance(error, NewerDatabaseError):
        return f"The database {path} was written by a newer Ribit. Update Ribit, or use another file."
    if "not a database" in str(error):
        return f"The file {path} is not a database. Set RIBIT_DATABASE to another path."
    return (
        f"The database {path} cannot be opened or written ({error}). "
        "Check the file's permissions, or set RIBIT_DATABASE to another path."
    )
