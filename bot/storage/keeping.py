"""What was read once and is kept, for as long as nobody else has written to the database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 5000
"""How many things of a kind are kept; those that were not asked for longest go first."""


class Changes(Protocol):
    """Knows whether another process may have written."""

    changes: int
    """How often it may have; only whether that has changed means something."""

    def look(self) -> int:
        """Return ``changes`` as of now."""
        ...

    def close(self) -> None:
        """Watch no more."""
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

    def close(self) -> None:
        """There is nothing to close."""


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
    """Knows whether another process has written to the file; asking takes no hop and no lock.

    SQLite tells each connection whether any other has written. The watch has one of its own, to which
    the writer's commits are others' too. So after each commit the writer's thread says which version
    that made, and whether anybody else had written by then.
    """

    def __init__(self, path: str) -> None:
        self._raw = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._asking = Lock()
        self._known = self._own_version()
        self._writers: int | None = None
        self._is_committing = False
        self._has_looked = False
        self.changes = 0
        """How often another process may have written; only whether it has changed means something."""

    @contextmanager
    def committing(self, raw: sqlite3.Connection) -> Iterator[None]:
        """Take note of a commit on the writer's connection inside the block, in its thread."""
        self._is_committing = True
        try:
            yield
            self.take_note(raw)
        finally:
            self._is_committing = False

    def take_note(self, raw: sqlite3.Connection) -> None:
        """Take note of all that the writer's connection knows of; called in its thread."""
        known, writers = self._own_version(), _version(raw)
        if writers != self._writers:
            self._writers = writers
            self.changes += 1
        self._known = known

    def look(self) -> int:
        """Return ``changes`` as of now, or as of the last time that the event loop was asked for more.

        While the writer commits, what others have written is found when it is done.
        """
        if self._has_looked or self._is_committing:
            return self.changes
        version = self._own_version()
        if version != self._known and not self._is_committing:
            self._known = version
            self.changes += 1
        self._has_looked = True
        asyncio.get_running_loop().call_soon(self._look_anew)
        return self.changes

    def _look_anew(self) -> None:
        self._has_looked = False

    def close(self) -> None:
        """Watch no more."""
        self._raw.close()

    def _own_version(self) -> int:
        with self._asking:  # two threads do
            return _version(self._raw)


def _version(raw: sqlite3.Connection) -> int:
    return int(raw.execute("PRAGMA data_version").fetchone()[0])


class Kept(Generic[K, V]):
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
