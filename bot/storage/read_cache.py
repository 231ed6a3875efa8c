"""What was read once and is kept, for as long as nobody else has written to the database."""

from __future__ import annotations

import sqlite3
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LOOK_SECONDS = 0.02
"""How seldom SQLite is asked whether another process has written."""

MOST_KEPT = 5000
"""How many things of a kind are kept; those that were not asked for longest go first."""


class Changes(Protocol):
    """Knows whether another process may have written."""

    changes: int
    """How often it may have; only whether that has changed means something."""

    def look(self) -> int:
        """Return ``changes`` as of now."""
        ...


class Renewals:
    """Counts the connections to a server: while one lasts, its bot has the database to itself.

    So what it keeps is right until it has to connect anew; another bot may have been there meanwhile.
    """

    def __init__(self) -> None:
        self.changes = 0

    def renew(self) -> None:
        """Take note of a new connection."""
        self.changes += 1

    def look(self) -> int:
        """Return ``changes`` as of now."""
        return self.changes


class Ears(Renewals):
    """Counts the times when others may have written unheard: what is kept is right while they are heard.

    For a process that shares a server's database. What it hears of, it forgets key by key.
    """

    def __init__(self, is_listening: Callable[[], bool]) -> None:
        super().__init__()
        self._is_listening = is_listening

    def look(self) -> int:
        """Return ``changes`` as of now; while nothing is heard, each time another number."""
        if not self._is_listening():
            self.changes += 1
        return self.changes


class Watch:
    """Knows whether another process has written to the file, but for the last moment.

    SQLite tells each connection whether any other has written, so the writer's is asked. That takes
    locks and some microseconds, and what is kept is asked for many times a click: so it is done only
    every so often, here while the writer has nothing to do, or else by its thread after a commit.
    """

    def __init__(self, unless_busy: Callable[[Callable[[sqlite3.Connection], None]], None]) -> None:
        """``unless_busy`` has a function called with the writer's connection, if that is not in use."""
        self._unless_busy = unless_busy
        self._version: int | None = None
        self._again_at = 0.0
        self.changes = 0
        """How often another process may have written; only whether it has changed means something."""

    def look(self) -> int:
        """Return ``changes`` as of now, or as of ``LOOK_SECONDS`` ago."""
        if time.monotonic() >= self._again_at:
            self._unless_busy(self.ask)
        return self.changes

    def ask(self, raw: sqlite3.Connection) -> None:
        """Ask the writer's connection, where nobody else uses it, unless that was done just now."""
        now = time.monotonic()
        if now < self._again_at:
            return
        self._again_at = now + LOOK_SECONDS
        (version,) = raw.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self.changes += 1


class ReadCache(Generic[K, V]):
    """Values by key, each read when first asked for."""

    def __init__(self, watch: Changes, read: Callable[[K], Awaitable[V]]) -> None:
        self._watch = watch
        self._read = read
        self._values: OrderedDict[K, V] = OrderedDict()
        self._changes = watch.changes
        self._writes = 0

    async def get(self, key: K) -> V:
        """Return the value of a key, as it is stored."""
        self._forget_if_foreign()
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        state = (self._changes, self._writes)
        value = await self._read(key)
        self._forget_if_foreign()
        if state == (self._changes, self._writes):  # else it may have been written meanwhile
            self._keep(key, value)
        return value

    def written(self, key: K, value: V) -> None:
        """Take note of a value that was just stored by this process."""
        self._writes += 1
        self._keep(key, value)

    def changed(self, key: K) -> None:
        """Take note that what is stored of a key was changed by this process."""
        self._writes += 1
        self._values.pop(key, None)

    def known(self, key: K) -> V | None:
        """Return the value of a key where it is at hand."""
        return self._values.get(key)

    def _keep(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > MOST_KEPT:
            self._values.popitem(last=False)

    def _forget_if_foreign(self) -> None:
        changes = self._watch.look()
        if changes != self._changes:
            self._changes = changes
            self._values.clear()
