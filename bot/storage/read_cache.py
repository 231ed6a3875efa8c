"""What was read once and is kept, for as long as it is sure to be as it is stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 5000
"""How many things of a kind are kept; those that were not asked for longest go first."""


class Freshness:
    """Whether what was read is still as it is stored.

    A bot has its database to itself, by a lock, so what it keeps is right. On a server another may have
    been there while a connection was lost; and of several processes each is told what the others write,
    key by key, for as long as it hears them.
    """

    def __init__(self, is_sure: Callable[[], bool] = lambda: True) -> None:
        """``is_sure`` says whether this process would hear just now of what another one writes."""
        self.is_sure = is_sure
        self.doubts = 0

    def doubt(self) -> None:
        """Have all read anew that was read before: another process may have written."""
        self.doubts += 1


class ReadCache(Generic[K, V]):
    """Values by key, each read when first asked for."""

    def __init__(self, freshness: Freshness, read: Callable[[K], Awaitable[V]]) -> None:
        self._freshness = freshness
        self._read = read
        self._values: OrderedDict[K, V] = OrderedDict()
        self._doubts = freshness.doubts
        self._writes = 0

    async def get(self, key: K) -> V:
        """Return the value of a key, as it is stored."""
        self._forget_doubtful()
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        state = (self._freshness.doubts, self._writes)
        value = await self._read(key)
        if state == (self._freshness.doubts, self._writes) and self._freshness.is_sure():
            self._keep(key, value)  # else it may have been written meanwhile
        return value

    def written(self, key: K, value: V) -> None:
        """Take note of a value that was just stored by this process."""
        self._writes += 1
        self._keep(key, value)

    def changed(self, key: K) -> None:
        """Take note that what is stored of a key was changed by this process."""
        self._writes += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Take note that what is stored was changed by this process, whatever the key."""
        self._writes += 1
        self._values.clear()

    def _keep(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > MOST_KEPT:
            self._values.popitem(last=False)

    def _forget_doubtful(self) -> None:
        if self._doubts != self._freshness.doubts or not self._freshness.is_sure():
            self._doubts = self._freshness.doubts
            self._values.clear()
