"""Connections to one SQLite file, each with a thread of its own.

Asking a connection something is a hop to its thread and back, whatever is asked there. So what belongs
together is asked together, as one piece of work: a few statements, and what is made of their answers.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import aiosqlite

from bot.storage.writer import Outcome, Work

T = TypeVar("T")

BUSY_MILLISECONDS = 5000
"""How long a connection waits for another process before it gives up."""

COMMITS = 250
"""After how many commits their log is moved into the file, by a connection that no commit waits for."""

LOG_PAGES = 4000
"""How long the log may become before a commit itself has to move it, as SQLite would at 1000."""

_RETRY_MILLISECONDS = 50
_ROWS_AT_ONCE = 64
"""What aiosqlite would fetch in a hop, where it fetched anything by itself."""
_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA synchronous = NORMAL",
    f"PRAGMA wal_autocheckpoint = {LOG_PAGES}",
    "PRAGMA foreign_keys = ON",
)


class Connection:
    """A connection of aiosqlite's, with its thread. ``hops`` counts how often it was asked something."""

    def __init__(self, inner: aiosqlite.Connection, raw: sqlite3.Connection) -> None:
        self._inner = inner
        self._raw = raw
        self._committed: Callable[[sqlite3.Connection], None] = lambda _raw: None
        self._require_place: Callable[[], None] = lambda: None
        self._helper: Connection | None = None
        self._helping: asyncio.Task[None] | None = None  # the event loop itself does not hold on to one
        self._commits = 0
        self._done = 0
        self.hops = 0

    def guard(
        self, committed: Callable[[sqlite3.Connection], None], require_place: Callable[[], None]
    ) -> None:
        """Have these called in the connection's thread with each transaction.

        ``committed`` when it is; ``require_place`` before anything is written: it raises where nothing
        may be.
        """
        self._committed, self._require_place = committed, require_place

    def help_with_log(self, helper: Connection) -> None:
        """Have another connection move what was committed from the log into the file, now and then.

        That takes some milliseconds, and many on a slow disk, in which nothing could be committed here.
        """
        self._helper = helper

    def unless_busy(self, task: Callable[[sqlite3.Connection], None]) -> None:
        """Have a function called with SQLite's connection here, if its thread has nothing to do.

        For what takes microseconds and does not wait for the disk.
        """
        if self._done == self.hops:
            task(self._raw)

    async def run(self, work: Work[T]) -> T:
        """Carry out work, and return its result; it goes on to its end even if nobody waits for it."""
        return await self.hop(lambda raw: _done(work, raw))

    async def look(self, work: Work[T]) -> T:
        """Carry out work whose statements all see the same moment, and return its result."""
        return await self.hop(lambda raw: _at_one_moment(work, raw))

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Outcome]:
        """Carry out pieces in one transaction; one that fails takes nothing else with it."""
        outcomes = await self.hop(lambda raw: self._transact(raw, pieces))
        self._commits += 1
        if self._helper is not None and self._commits % COMMITS == 0:
            self._helping = asyncio.create_task(self._helper.hop(_move_log))
        return outcomes

    async def hop(self, task: Callable[[sqlite3.Connection], T]) -> T:
        """Have a function called with SQLite's connection in its thread, and return its result.

        Raises ValueError when the connection is closed.
        """
        self.hops += 1

        def in_thread() -> T:
            try:
                return task(self._raw)
            finally:
                self._done += 1

        # Each method of aiosqlite's is a hop. What takes many statements in one hop has to go the way
        # that all its methods go, for which it has no public name, and no types.
        result: T = await self._inner._execute(in_thread)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return result

    async def close(self) -> None:
        """Finish what is under way, and close; a second time does nothing."""
        self.hops += 1
        await self._inner.close()

    def _transact(self, raw: sqlite3.Connection, pieces: Sequence[Work[Any]]) -> list[Outcome]:
        try:
            raw.execute("BEGIN IMMEDIATE")
            self._require_place()
            outcomes = _carried_out(raw, pieces)
            raw.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                raw.rollback()
            raise
        self._committed(raw)
        return outcomes


def _move_log(raw: sqlite3.Connection) -> None:
    """Move what is in the log into the file, but for what is in use; a fault is met by the writer."""
    with suppress(sqlite3.Error):
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def _at_one_moment(work: Work[T], raw: sqlite3.Connection) -> T:
    raw.execute("BEGIN")
    try:
        return _done(work, raw)
    finally:
        raw.execute("COMMIT")


def _done(work: Work[T], raw: sqlite3.Connection) -> T:
    """Carry out work to its end, in this thread."""
    statements = work(raw)
    try:
        statements.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    statements.close()
    raise RuntimeError("work on a connection waits for something else than its statements")


async def connect(path: str, *, read_only: bool = False) -> Connection:
    """Open a connection that begins and ends transactions only when told to."""
    sqlite3.connect(path).close()  # if it fails in aiosqlite, a thread is left that outlives the loop
    opened: list[sqlite3.Connection] = []

    def connector() -> sqlite3.Connection:
        opened.append(sqlite3.connect(path, isolation_level=None, timeout=0, check_same_thread=False))
        return opened[0]

    connection = Connection(await aiosqlite.Connection(connector, _ROWS_AT_ONCE), *opened)
    try:
        await connection.hop(lambda raw: _prepare(raw, read_only=read_only))
    except BaseException:
        await connection.close()
        raise
    return connection


def _prepare(raw: sqlite3.Connection, *, read_only: bool) -> None:
    raw.row_factory = sqlite3.Row
    _write_ahead(raw)
    for pragma in (*_PRAGMAS, f"PRAGMA query_only = {int(read_only)}"):
        raw.execute(pragma)


def _write_ahead(raw: sqlite3.Connection) -> None:
    """Have the file keep a write-ahead log. Of several that ask, SQLite refuses some, unwaiting."""
    for tries_left in reversed(range(BUSY_MILLISECONDS // _RETRY_MILLISECONDS)):
        try:
            raw.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            time.sleep(_RETRY_MILLISECONDS / 1000)
        else:
            return


def _carried_out(raw: sqlite3.Connection, pieces: Sequence[Work[Any]]) -> list[Outcome]:
    """Carry out pieces in the transaction that has begun, and return what became of each.

    Around each statement the thread may have to wait for Python's lock. So savepoints are set only where
    a piece has failed: then all is undone, and carried out again with them.
    """
    try:
        return [(_done(work, raw), None) for work in pieces]
    except Exception:
        if not raw.in_transaction:  # the file itself failed, and all with it
            raise
    raw.execute("ROLLBACK")
    raw.execute("BEGIN IMMEDIATE")
    return [_in_savepoint(raw, work) for work in pieces]


def _in_savepoint(raw: sqlite3.Connection, work: Work[Any]) -> Outcome:
    raw.execute("SAVEPOINT piece")
    try:
        result = _done(work, raw)
    except Exception as error:
        if not raw.in_transaction:  # the file itself failed, and all with it
            raise
        raw.execute("ROLLBACK TO piece")
        raw.execute("RELEASE piece")
        return None, error
    raw.execute("RELEASE piece")
    return result, None
