"""A database, open: what the rest of the bot is handed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import field
from pathlib import Path

import structlog

from bot.engine.shards import ALL_SHARDS, Shards
from bot.engine.values import frozen
from bot.storage.cluster.pubsub import PubSub
from bot.storage.connections import connect
from bot.storage.counts import Counts
from bot.storage.days import Days
from bot.storage.emojis import Emojis
from bot.storage.file_identity import FileIdentity
from bot.storage.file_modes import keep_private, make_private, real_path, require_own_file
from bot.storage.file_probe import side_files
from bot.storage.forgetting import forget_again
from bot.storage.forgotten_hashes import list_beside
from bot.storage.journal import Journal
from bot.storage.leaderboards import Standings
from bot.storage.location import Location, Server
from bot.storage.migrate import migrate, migrate_server, migrations, server_migrations
from bot.storage.open_errors import telling_faults
from bot.storage.players import Players
from bot.storage.players_and_servers import Notes, Posts, Servers
from bot.storage.postgres import connect as connect_to_server
from bot.storage.postgres import disconnect, open_pool
from bot.storage.removals import Removals
from bot.storage.retention import Retention
from bot.storage.server_probe import require_usable
from bot.storage.sql import Queries, load_queries
from bot.storage.sqlite_errors import Halt
from bot.storage.writer import Access, Writer

log = structlog.get_logger(__name__)

READERS = 3
"""How many connections to a server read side by side; the boards have one more to themselves."""


@frozen
class Database:
    """Everything that is kept. Close it when done."""

    journal: Journal
    posts: Posts
    players: Players
    servers: Servers
    standings: Standings
    removals: Removals
    location: Location
    retention: Retention
    counts: Counts
    notes: Notes
    days: Days
    emojis: Emojis
    file: str
    """What tells the file from all others, or nothing for a server's database."""
    halt: Halt
    pubsub: PubSub
    """The other processes of the bot; none for a bot that is alone."""
    _writer: Writer = field(repr=False)
    _connections: tuple[Access, ...] = field(repr=False)
    _closing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

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
            await self.pubsub.close()
            for connection in self._connections:
                await connection.close()


async def open_database(location: Location, shards: Shards | None = None) -> Database:
    """Open a database and bring it up to date; a file is made if need be, for its owner alone.

    ``shards`` are those whose matches are this process's; without them it has the database to itself.
    Others are told and heard by a server's database only.

    Raises DatabaseError where it cannot be opened, written or understood.
    """
    with telling_faults(location):
        if isinstance(location, Server):
            return await _open_server(location, shards)
        return await _open_file(location)


async def _open_file(path: Path) -> Database:
    async with AsyncExitStack() as opened:
        _make_ready(path)
        writing = await connect(str(path))
        opened.push_async_callback(writing.close)
        await migrate(writing, migrations())
        queries, listed = load_queries(), list_beside(path)
        [(again, error)] = await writing.transact([lambda raw: forget_again(queries, raw, listed)])
        if error is not None:
            raise error
        if again:
            log.info("forgotten again after a restore", people=again)
        reading = await connect(str(path), read_only=True)
        opened.push_async_callback(reading.close)
        surveying = await connect(str(path), read_only=True)
        opened.push_async_callback(surveying.close)
        place = FileIdentity(path)
        writing.guard(place.require)
        opened.pop_all()
    return _database(path, queries, writing, reading, surveying, file=place.file, listed=listed)


def _make_ready(path: Path) -> None:
    """Have a file there for its owner alone; ``alone`` has seen that it is Ribit's."""
    require_own_file(path)
    real = real_path(path)
    if make_private(real) or not real.stat().st_size:
        log.info("a new database is made", path=str(real))
    keep_private(real, *side_files(real))  # SQLite makes the others like the first


async def _open_server(server: Server, shards: Shards | None) -> Database:
    session = await connect_to_server(server)
    try:
        require_usable(server, session)
        await session.execute("SET lock_timeout = 0")  # another may migrate for minutes
        if await migrate_server(session, server_migrations()):
            log.info("a new database was made", address=str(server))
    finally:
        await disconnect(session)
    pubsub = PubSub(None if shards is None else server)
    async with AsyncExitStack() as opened:
        if shards is not None:
            await pubsub.open()
            opened.push_async_callback(pubsub.close)
        writing = await open_pool(server, 1, connected=pubsub.miss)
        opened.push_async_callback(writing.close)
        reading = await open_pool(server, READERS, read_only=True)
        opened.push_async_callback(reading.close)
        surveying = await open_pool(server, 1, read_only=True)
        opened.pop_all()
    queries = load_queries(for_server=True)
    return _database(
        server, queries, writing, reading, surveying, pubsub=pubsub, shards=shards or ALL_SHARDS
    )


def _database(
    location: Location,
    queries: Queries,
    writing: Access,
    reading: Access,
    surveying: Access,
    *,
    file: str = "",
    pubsub: PubSub | None = None,
    shards: Shards = ALL_SHARDS,
    listed: Path | None = None,
) -> Database:
    halt, pubsub = Halt(), pubsub or PubSub()
    writer = Writer(writing, halt)
    return Database(
        journal=Journal(queries, writer, reading, pubsub, shards),
        posts=Posts(queries, writer, reading, pubsub),
        players=Players(queries, writer, reading, pubsub, listed),
        servers=Servers(queries, writer, reading, pubsub),
        standings=Standings(queries, surveying),
        removals=Removals(queries, writer, surveying),
        location=location,
        retention=Retention(queries, writer, surveying, pubsub),
        counts=Counts(queries, surveying),
        notes=Notes(queries, writer, reading),
        days=Days(queries, writer, reading),
        emojis=Emojis(queries, writer, reading),
        file=file,
        halt=halt,
        pubsub=pubsub,
        _writer=writer,
        _connections=(writing, reading, surveying),
    )
