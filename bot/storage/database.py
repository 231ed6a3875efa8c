"""The open database and its stores, which the rest of the bot uses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from bot.matches.shards import ALL_SHARDS, Shards
from bot.storage.bot_downtime import Outages
from bot.storage.cluster.pubsub import MISSED, PubSub
from bot.storage.daily_deals import Days
from bot.storage.database_address import Location, Server
from bot.storage.database_lock import convert_database_errors, prepare
from bot.storage.forgetting import ForgottenList, forget_again
from bot.storage.journal import Journal
from bot.storage.match_posts import Posts
from bot.storage.named_queries import Sql, load_queries
from bot.storage.notes import Notes, StoredEmojis
from bot.storage.players import Players
from bot.storage.postgres import open_pool
from bot.storage.regular_posts import RegularPosts
from bot.storage.servers import Servers
from bot.storage.sqlite_connections import connect
from bot.storage.writer import Access, StorageState, Writer

log = structlog.get_logger(__name__)

A = TypeVar("A", bound=Access)

READERS = 3
"""Number of PostgreSQL connections for concurrent reads. Leaderboards use a separate one."""


class Database:
    """An open database and its stores. Call ``close`` after use.

    Attributes:
        reading: Read access for short queries that players wait for.
        surveying: Read access for long queries, such as leaderboards, which must not delay players'
            queries.
        halt: The read-only state of the database.
    """

    def __init__(
        self,
        location: Location,
        accesses: tuple[Access, Access, Access],
        pubsub: PubSub,
        shards: Shards = ALL_SHARDS,
        listed: ForgottenList | None = None,
    ) -> None:
        """Create all stores for an open database.

        Args:
            location: The location of the database.
            accesses: The database accesses for writing, for short reads and for long reads.
            pubsub: The channel for notifications between the bot's processes.
            shards: The shards of this process.
            listed: The list of people whose data was deleted. None for PostgreSQL, which has no such
                list.
        """
        writing, reading, surveying = self._connections = accesses
        self.reading, self.surveying = reading, surveying
        self.location, self.pubsub, self.halt = location, pubsub, StorageState()
        self.writer = writer = Writer(writing, self.halt)
        self._closing = asyncio.Lock()
        self.journal = Journal(writer, reading, pubsub, shards)
        self.posts = Posts(writer, reading, pubsub)
        self.players = Players(writer, reading, pubsub, listed)
        self.servers = Servers(writer, reading, pubsub)
        self.notes = Notes(writer, reading)
        self.days = Days(writer, reading)
        self.outages = Outages(writer, reading)
        self.emojis = StoredEmojis(writer, reading)
        self.regular_posts = RegularPosts(writer, surveying)

    async def close(self) -> None:
        async with self._closing:
            await self.writer.close()
            await self.pubsub.close()
            for connection in self._connections:
                await connection.close()


async def open_database(
    location: Location,
    shards: Shards | None = None,
    before_update: Callable[[int], None] | None = None,
) -> Database:
    """Migrate a database to the newest schema, and open it.

    Args:
        location: The location of the database.
        shards: The shards of this process, or None if no other process shares the database.
        before_update: Called before an existing database is migrated, with its current schema version.

    Raises:
        DatabaseError: The database cannot be used.
    """
    await prepare(location, before_update)
    with convert_database_errors(location):
        if isinstance(location, Server):
            return await _open_server(location, shards)
        return await _open_file(location)


async def _open_file(path: Path) -> Database:
    async with AsyncExitStack() as opened:
        bind, listed = partial(Sql, load_queries()), ForgottenList(path)
        writing, reading, surveying = [
            await _closing(opened, connect(path, bind, read_only=read_only))
            for read_only in (False, True, True)
        ]
        [again] = await writing.transact([lambda sql: forget_again(sql, listed)])
        if again:
            log.info("players deleted again after a restore", people=again)
        opened.pop_all()
    return Database(path, (writing, reading, surveying), PubSub(), listed=listed)


async def _open_server(server: Server, shards: Shards | None) -> Database:
    pubsub = PubSub(None if shards is None else server)
    bind = partial(Sql, load_queries(for_server=True))
    async with AsyncExitStack() as opened:
        if shards is not None:
            await pubsub.open()
            opened.push_async_callback(pubsub.close)
        writing = await _closing(
            opened, open_pool(server, 1, bind, connected=partial(pubsub.dispatch, MISSED, {}))
        )
        reading = await _closing(opened, open_pool(server, READERS, bind, read_only=True))
        surveying = await open_pool(server, 1, bind, read_only=True)
        opened.pop_all()
    return Database(server, (writing, reading, surveying), pubsub, shards or ALL_SHARDS)


async def _closing(opened: AsyncExitStack, opening: Awaitable[A]) -> A:
    access = await opening
    opened.push_async_callback(access.close)
    return access
