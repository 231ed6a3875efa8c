"""A database, open: what the rest of the bot is handed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import field
from pathlib import Path

from bot.engine.values import frozen
from bot.storage.census import Census
from bot.storage.connections import connect
from bot.storage.emojis import Emojis
from bot.storage.faults import Halt
from bot.storage.inspecting import side_files
from bot.storage.journal import Journal
from bot.storage.keeping import Changes, Renewals, Watch
from bot.storage.location import Location, Server
from bot.storage.migrating import migrate, migrate_server, migrations, server_migrations
from bot.storage.people import Notes, Players, Posts, Servers
from bot.storage.place import Place
from bot.storage.postgres import connect as connect_to_server
from bot.storage.postgres import disconnect, open_pool
from bot.storage.privacy import keep_private, make_private
from bot.storage.refusing import telling_faults
from bot.storage.sql import Queries, load_queries
from bot.storage.standings import Standings
from bot.storage.visiting import require_usable
from bot.storage.writing import Access, Writer

READERS = 4
"""How many connections to a server read side by side."""


@frozen
class Database:
    """Everything that is kept. Close it when done."""

    journal: Journal
    posts: Posts
    players: Players
    servers: Servers
    standings: Standings
    census: Census
    notes: Notes
    emojis: Emojis
    file: str
    """What tells the file from all others, or nothing for a server's database."""
    halt: Halt
    _writer: Writer = field(repr=False)
    _connections: tuple[Access, ...] = field(repr=False)
    _watch: Changes = field(repr=False)
    _closing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def hops(self) -> int:
        """How often the database was asked something so far."""
        return sum(connection.hops for connection in self._connections)

    @property
    def waiting(self) -> int:
        """How many writes wait to be committed."""
        return self._writer.waiting

    def watch_writes(self, written: Callable[[float], object]) -> None:
        """Have this called with the seconds that each write took until it was committed."""
        self._writer.watch(written)

    async def close(self) -> None:
        """Finish the writes under way and close the database; a second time does nothing."""
        async with self._closing:
            await self._writer.close()
            for connection in self._connections:
                await connection.close()
            self._watch.close()


async def open_database(location: Location) -> Database:
    """Open a database and bring it up to date; a file is made if need be, for its owner alone.

    Raises DatabaseError where it cannot be opened, written or understood.
    """
    with telling_faults(location):
        if isinstance(location, Server):
            return await _open_server(location)
        return await _open_file(location)


async def _open_file(path: Path) -> Database:
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
        writing.guard(watch.committed, place.require)
        opened.pop_all()
    return _database(load_queries(), writing, reading, surveying, watch=watch, file=place.file)


async def _open_server(server: Server) -> Database:
    session = await connect_to_server(server)
    try:
        require_usable(server, session)
        await session.execute("SET lock_timeout = 0")  # another may migrate for minutes
        await migrate_server(session, server_migrations())
    finally:
        await disconnect(session)
    renewals = Renewals()
    async with AsyncExitStack() as opened:
        writing = await open_pool(server, 1, connected=renewals.renew)
        opened.push_async_callback(writing.close)
        reading = await open_pool(server, READERS, read_only=True)
        opened.pop_all()
    queries = load_queries(for_server=True)
    return _database(queries, writing, reading, reading, watch=renewals, file="")


def _database(
    queries: Queries, writing: Access, reading: Access, surveying: Access, *, watch: Changes, file: str
) -> Database:
    halt = Halt()
    writer = Writer(writing, halt)
    return Database(
        journal=Journal(queries, writer, reading),
        posts=Posts(queries, writer, reading, watch),
        players=Players(queries, writer, reading, watch),
        servers=Servers(queries, writer, reading, watch),
        standings=Standings(queries, surveying),
        census=Census(queries, surveying),
        notes=Notes(queries, writer, reading),
        emojis=Emojis(queries, writer, reading),
        file=file,
        halt=halt,
        _writer=writer,
        _connections=tuple({writing: None, reading: None, surveying: None}),
        _watch=watch,
    )


def _require_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise NotADirectoryError(path.parent)
