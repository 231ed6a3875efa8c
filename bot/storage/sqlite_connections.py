"""Connections to one SQLite file, each with a thread of its own.

Asking a connection something is a hop to its thread and back, whatever is asked there. So what belongs
together is asked together, as one piece of work: a few statements, and what is made of their answers.
A hop for each statement would wait for the event loop's turn each time, which a picture may take.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import aiosqlite

from bot.engine.words import _
from bot.storage.writer import HaltedError, Work

T = TypeVar("T")

BUSY_MILLISECONDS = 5000
"""How long a connection waits for another process before it gives up."""

_ROWS_AT_ONCE = 64
"""What aiosqlite would fetch in a hop, where it fetched anything by itself."""

PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted of somebody is not left in the gaps of the file
)


class _Raw(sqlite3.Connection):
    """SQLite's connection, which executes a function too, given itself: many statements in one hop.

    aiosqlite has its thread execute what it is handed, and asks for all rows: what the function returns.
    """

    def execute(self, statement: Any, parameters: Any = (), /) -> Any:
        if isinstance(statement, str):
            return super().execute(statement, parameters)
        result = statement(self)
        return SimpleNamespace(fetchall=lambda: result)


class LostDatabaseError(HaltedError):
    """The file was deleted or replaced while it was open: what were written now would be gone."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "My database file was deleted or replaced while I was running, so I can't "
                "save anything and play has stopped. Whoever runs me has to restart me, "
                "perhaps from a backup."
            )
        )


def identity(file: Path) -> str:
    """Return what tells a file from all others of its machine, or nothing where there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


class Connection:
    """A connection of SQLite's, in the one thread that aiosqlite asks it in."""

    def __init__(self, inner: aiosqlite.Connection, path: Path, bind: Callable[[Any], Any]) -> None:
        """``bind`` makes of SQLite's connection what work is handed."""
        self._inner = inner
        self._bind = bind
        self._path, self._identity = path, identity(path)
        self._runner = asyncio.Runner()  # makes its loop with the first work, in the thread
        self._is_closed = False

    async def run(self, work: Work[T]) -> T:
        return await self.hop(lambda raw: self._runner.run(self._bound(work)(raw)))

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        return await self.hop(lambda raw: self._runner.run(self._transact(raw, pieces)))

    async def hop(self, task: Callable[[sqlite3.Connection], T]) -> T:
        """Call a function in the connection's thread, to its end in any case; ValueError if closed."""
        result: Any = await self._inner.execute_fetchall(cast("str", task))
        return cast("T", result)

    async def empty_log(self) -> bool:
        """Empty the write-ahead log, which has what was deleted; returns whether nobody read in it."""

        def emptied(raw: sqlite3.Connection) -> bool:
            raw.execute("PRAGMA busy_timeout = 0")
            try:
                (is_busy, *_pages) = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError:  # locked by another program, or no room: it stays owed
                is_busy = 1
            finally:
                raw.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
            return not is_busy

        return self._is_closed or await self.hop(emptied)

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        await self.hop(lambda _raw: self._runner.close())
        await self._inner.close()

    def _bound(self, work: Work[T]) -> Work[T]:
        return lambda raw: work(self._bind(raw))

    async def _transact(self, raw: sqlite3.Connection, pieces: Sequence[Work[Any]]) -> list[Any]:
        if identity(self._path) != self._identity:  # a deleted file could be written for long
            raise LostDatabaseError
        try:
            raw.execute("BEGIN IMMEDIATE")
            results = [await self._bound(work)(raw) for work in pieces]
            raw.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                raw.rollback()
            raise
        return results


async def connect(
    path: Path, bind: Callable[[Any], Any] = lambda raw: raw, *, read_only: bool = False
) -> Connection:
    """Open a connection that begins and ends transactions only when told to."""
    raw = await asyncio.to_thread(opened, path, read_only=read_only)
    # If this failed in aiosqlite, a thread would be left that may outlive the loop.
    return Connection(await aiosqlite.Connection(lambda: raw, _ROWS_AT_ONCE), path, bind)


def opened(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    whole = path.absolute()  # else :memory: would mean something else to SQLite
    raw = sqlite3.connect(whole, isolation_level=None, timeout=0, check_same_thread=False, factory=_Raw)
    try:
        raw.row_factory = sqlite3.Row
        for pragma in (*PRAGMAS, f"PRAGMA query_only = {int(read_only)}"):
            raw.execute(pragma)
    except BaseException:
        raw.close()
        raise
    return raw
