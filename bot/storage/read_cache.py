"""What was read once and is kept, until it is known to have changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 5000
"""How many things of a kind are kept; those that were not asked for longest go first."""


class ReadCache(Generic[K, V]):
    """Values by key, each read when first asked for.

    A bot has its database to itself, by a lock; of several processes each is told what the others write.
    """

    def __init__(self, read: Callable[[K], Awaitable[V]]) -> None:
        self._read = read
        self._values: LRUCache[K, V] = LRUCache(MOST_KEPT)
        self._writes = 0

    async def get(self, key: K) -> V:
        """Return the value of a key, as it is stored."""
        if key in self._values:
            return self._values[key]
        writes = self._writes
        value = await self._read(key)
        if writes == self._writes:  # else it may have been written meanwhile
            self._values[key] = value
        return value

    def written(self, key: K, value: V) -> None:
        """Take note of a value that was just stored by this process."""
        self._writes += 1
        self._values[key] = value

    def changed(self, key: K) -> None:
        """Take note that what is stored of a key was changed."""
        self._writes += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Take note that what is stored may have been changed, whatever the key."""
        self._writes += 1
        self._values.clear()
