"""A database, open: what the rest of the bot is handed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import field
from pathlib import Path

import structlog

from bot.engine.values import frozen
from bot.storage.census import Census
from bot.storage.connections import connect
from bot.storage.emojis import Emojis
from bot.storage.faults import Halt
from bot.storage.file_modes import keep_private, make_private, real_path, require_own_file
from bot.storage.inspecting import side_files
from bot.storage.journal import Journal
from bot.storage.keeping import Changes, Ears, Renewals, Watch
from bot.storage.location import Location, Server
from bot.storage.migrating import migrate, migrate_server, migrations, server_migrations
from bot.storage.people import Notes, Players, Posts, Servers
from bot.storage.place import Place
from bot.storage.postgres import connect as connect_to_server
from bot.storage.postgres import disconnect, open_pool
from bot.storage.refusing import telling_faults
from bot.storage.sql import Queries, load_queries
from bot.storage.standings import Standings
from bot.storage.visiting import require_usable
from bot.storage.waking import Alone, Fellows, Waking
from bot.storage.writing import Access, Writer

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
    census: Census
    notes: Notes
    emojis: Emojis
    file: str
    """What tells the file from all others, or nothing for a server's database."""
    halt: Halt
    waking: Waking
    """The other processes of the bot; nobody for a bot that is alone."""
    _writer: Writer = field(repr=False)
    _connections: tuple[Access, ...] = field(repr=False)
    _watch: Changes = field(repr=False)
    _closing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def hops(self) -> int:
        """How often the database was asked something so far."""
        return sum(connection.hops for connection in self._connections)

    def doubt(self) -> None:
        """Have all read anew that is kept: another process may have changed it."""
        self._watch.changes += 1

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
            await self.waking.close()
            for connection in self._connections:
                await connection.close()


async def open_database(
    location: Location, cares: Callable[[int | None], bool] | None = None
) -> Database:
    """Open a database and bring it up to date; a file is made if need be, for its owner alone.

    ``cares`` says for the matches of which servers this process cares, or of none; without it, for all:
    then it has the database to itself. Others are told and heard by a server's database only.

    Raises DatabaseError where it cannot be opened, written or understood.
    """
    with telling_faults(location):
        if isinstance(location, Server):
            return await _open_server(location, cares)
        return await _open_file(location)


async def _open_file(path: Path) -> Database:
    async with AsyncExitStack() as opened:
        _make_ready(path)
        writing = await connect(str(path))
        opened.push_async_callback(writing.close)
        await migrate(writing, migrations())
        reading = await connect(str(path), read_only=True)
        opened.push_async_callback(reading.close)
        surveying = await connect(str(path), read_only=True)
        opened.push_async_callback(surveying.close)
        watch, place = Watch(writing.unless_busy), Place(path)
        watch.look()
        writing.guard(watch.ask, place.require)
        writing.help_with_log(surveying)
        opened.pop_all()
    return _database(load_queries(), writing, reading, surveying, watch=watch, file=place.file)


def _make_ready(path: Path) -> None:
    """Have a file there for its owner alone; ``alone`` has seen that it is Ribit's."""
    require_own_file(path)
    real = real_path(path)
    if make_private(real) or not real.stat().st_size:
        log.info("a new database is made", path=str(real))
    keep_private(real, *side_files(real))  # SQLite makes the others like the first


async def _open_server(server: Server, cares: Callable[[int | None], bool] | None) -> Database:
    session = await connect_to_server(server)
    try:
        require_usable(server, session)
        await session.execute("SET lock_timeout = 0")  # another may migrate for minutes
        if await migrate_server(session, server_migrations()):
            log.info("a new database was made", address=str(server))
    finally:
        await disconnect(session)
    fellows = None if cares is None else Fellows(server, cares)
    renewals = Renewals() if fellows is None else Ears(lambda: fellows.is_listening)
    async with AsyncExitStack() as opened:
        if fellows is not None:
            fellows.missed(renewals.renew)
            await fellows.open()
            opened.push_async_callback(fellows.close)
        writing = await open_pool(server, 1, connected=renewals.renew)
        opened.push_async_callback(writing.close)
        reading = await open_pool(server, READERS, read_only=True)
        opened.push_async_callback(reading.close)
        surveying = await open_pool(server, 1, read_only=True)
        opened.pop_all()
    queries = load_queries(for_server=True)
    return _database(queries, writing, reading, surveying, watch=renewals, fellows=fellows)


def _database(
    queries: Queries,
    writing: Access,
    reading: Access,
    surveying: Access,
    *,
    watch: Changes,
    file: str = "",
    fellows: Fellows | None = None,
) -> Database:
    halt, waking = Halt(), fellows or Alone()
    writer = Writer(writing, halt)
    return Database(
        journal=Journal(queries, writer, reading, fellows),
        posts=Posts(queries, writer, reading, watch, waking),
        players=Players(queries, writer, reading, watch, waking),
        servers=Servers(queries, writer, reading, watch, waking),
        standings=Standings(queries, surveying),
        census=Census(queries, surveying),
        notes=Notes(queries, writer, reading),
        emojis=Emojis(queries, writer, reading),
        file=file,
        halt=halt,
        waking=waking,
        _writer=writer,
        _connections=(writing, reading, surveying),
        _watch=watch,
    )
