"""Store of server settings, and a read cache for this and other stores."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

from bot.matches.preferences import ServerSettings, Stoppers
from bot.storage.cluster.pubsub import MISSED, SERVER_GONE, About, PubSub
from bot.storage.sql import Sql
from bot.storage.writer import Reader, Store, Writer

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_PLAIN = ("turn_seconds", "language", "tables_each")
_FLAGS = ("mentions", "four_colours", "text_tables", "watched_elsewhere")
_SETS = ("channels", "barred", "text_channels")
"""The columns of a server's settings, except ``stoppers``. Sets are stored as JSON lists."""

_SERVER = "server"
"""Type of the notification that a server's settings have changed."""


MOST_KEPT = 5000
"""Maximum number of entries in a cache. The least recently used entry is evicted first."""


class ReadCache(Generic[K, V]):
    """Least-recently-used cache of database values. A missing value is read from the database.

    Cached values stay valid, because the database is locked and no other bot can write to it. If the bot
    runs in several processes, they notify each other of writes.
    """

    def __init__(self, reader: Reader, read: Callable[[Sql, K], Coroutine[Any, Any, V]]) -> None:
        self._reader, self._read = reader, read
        self._values: LRUCache[K, V] = LRUCache(MOST_KEPT)
        self._writes = 0

    async def get(self, key: K) -> V:
        if key in self._values:
            return self._values[key]
        writes = self._writes
        value = await self._reader.run(lambda sql: self._read(sql, key))
        if writes == self._writes:  # otherwise the value may have changed in the meantime
            self._values[key] = value
        return value

    def record_change(self, key: K) -> None:
        """Remove a key's value from the cache after the database has changed."""
        self._writes += 1
        self._values.pop(key, None)

    def clear(self, _about: About | None = None) -> None:
        """Remove all values from the cache."""
        self._writes += 1
        self._values.clear()


class Servers(Store):
    """Store of server settings, with a read cache."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[int, ServerSettings] = ReadCache(reader, self._read)
        self._pubsub = pubsub
        for kind in (_SERVER, SERVER_GONE):
            pubsub.subscribe(kind, lambda about: self._kept.record_change(about["id"]))
        pubsub.subscribe(MISSED, self._kept.clear)

    async def get(self, guild_id: int | None) -> ServerSettings:
        return ServerSettings() if guild_id is None else await self._kept.get(guild_id)

    async def change(
        self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings in one transaction, so that concurrent changes are not lost.

        Args:
            guild_id: The server.
            change: A function that converts the current settings to the new ones. If it raises an error,
                nothing is stored and the error is propagated.

        Returns:
            The new settings.
        """

        async def work(sql: Sql) -> ServerSettings:
            settings = change(await self._read(sql, guild_id))
            kept = {name: getattr(settings, name) for name in (*_PLAIN, *_FLAGS, *_SETS)}
            kept |= {name: int(kept[name]) for name in _FLAGS}
            kept |= {name: json.dumps(sorted(kept[name])) for name in _SETS}
            stoppers = settings.stoppers.value
            await sql.put_server(guild_id=guild_id, stoppers=stoppers, **kept)
            await self._pubsub.note(sql, _SERVER, {"id": guild_id})
            return settings

        settings = await self._writer.write(work)
        self._pubsub.dispatch(_SERVER, {"id": guild_id})
        return settings

    async def _read(self, sql: Sql, guild_id: int) -> ServerSettings:
        row = await sql.server(guild_id=guild_id)
        if row is None:
            return ServerSettings()
        kept: dict[str, Any] = {name: row[name] for name in _PLAIN}
        kept |= {name: bool(row[name]) for name in _FLAGS}
        kept |= {name: frozenset(json.loads(row[name])) for name in _SETS}
        return ServerSettings(stoppers=Stoppers(row["stoppers"]), **kept)
