"""A bounded cache of database rows that are read often, such as server settings."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

from bot.storage.cluster.pubsub import About
from bot.storage.named_queries import Sql
from bot.storage.writer import Reader

K = TypeVar("K", bound=Hashable)


V = TypeVar("V")


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
