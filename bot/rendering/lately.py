"""What was asked for last, as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lately(Generic[K, V]):
    """Values by key, of which those go first that were not asked for longest. The last one stays."""

    def __init__(self, most_bytes: int, size: Callable[[V], int]) -> None:
        """``size`` returns the bytes of a value."""
        self._most = most_bytes
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._bytes = 0

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None where it is not kept."""
        value = self._kept.get(key)
        if value is not None:
            self._kept.move_to_end(key)
        return value

    def keep(self, key: K, value: V) -> None:
        """Keep a value of a key that has none."""
        self._kept[key] = value
        self._bytes += self._size(value)
        while self._bytes > self._most and len(self._kept) > 1:
            _key, dropped = self._kept.popitem(last=False)
            self._bytes -= self._size(dropped)
