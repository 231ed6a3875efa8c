"""What was asked for last, as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Values by key, of which those go first that were not asked for longest. The last one stays."""

    def __init__(self, most_bytes: int, size: Callable[[V], int]) -> None:
        """``size`` returns the bytes of a value."""
        self._most = most_bytes
        self._size = size
        # A scene is hashed in a hundred steps. So its hash is the key here, and where another scene has
        # the same, the newer of the two is kept.
        self._kept: OrderedDict[int, tuple[K, V]] = OrderedDict()
        self._bytes = 0

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None where it is not kept."""
        place = hash(key)
        kept = self._kept.get(place)
        if kept is None or kept[0] != key:
            return None
        self._kept.move_to_end(place)
        return kept[1]

    def keep(self, key: K, value: V) -> None:
        """Keep a value of a key that has none."""
        place = hash(key)
        if place in self._kept:
            self._drop(self._kept.pop(place))
        self._kept[place] = key, value
        self._bytes += self._size(value)
        while self._bytes > self._most and len(self._kept) > 1:
            self._drop(self._kept.popitem(last=False)[1])

    def _drop(self, kept: tuple[K, V]) -> None:
        self._bytes -= self._size(kept[1])
