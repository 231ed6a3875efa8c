"""Connections to an SQLite file, each with its own thread.

Callers pass a *work function* to the thread. It executes related statements and processes their results
in one visit to the thread. If each statement were sent separately, each would have to wait for the event
loop, which may be busy drawing a picture.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import aiosqlite

from bot.engine.translation import _
from bot.storage.writer import StorageFailedError, Work

T = TypeVar("T")

BUSY_MILLISECONDS = 5000
"""Timeout in milliseconds for a database lock that another connection or process has."""

_ROWS_AT_ONCE = 64
"""Rows per fetch. aiosqlite requires this argument, but ``execute_fetchall`` does not use it."""

PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrites deleted personal data in the file
)


class _Raw(sqlite3.Connection):
    """An SQLite connection whose ``execute`` also accepts a function to call with the connection.

    The function can execute many statements in one visit to the thread. aiosqlite's ``execute_fetchall``
    calls ``execute`` and then ``fetchall`` in its thread. ``fetchall`` returns the function's result.
    """

    def execute(self, statement: Any, parameters: Any = (), /) -> Any:
        if isinstance(statement, str):
            return super().execute(statement, parameters)
        result = statement(self)
        return SimpleNamespace(fetchall=lambda: result)


class LostDatabaseError(StorageFailedError):
    """Raised when the open database file was deleted or replaced.

    Anything written to it would be lost.
    """

    def __init__(self) -> None:
        super().__init__(
            _(
                "My database file was deleted or replaced while I was running, so I can't save "
                "anything and play has stopped. My host has to restart me, perhaps from a backup."
            )
        )


def identity(file: Path) -> str:
    """Return a file's device and inode numbers as text, or "" if the file does not exist."""
    try:
        stat_result = file.stat()
    except FileNotFoundError:
        return ""
    return f"{stat_result.st_dev}:{stat_result.st_ino}"


class Connection:
    """An SQLite connection with its own thread.

    Functions that use the connection are sent to this thread.
    """

    def __init__(self, inner: aiosqlite.Connection, path: Path, bind: Callable[[Any], Any]) -> None:
        """Wrap an aiosqlite connection.

        Args:
            inner: The aiosqlite connection.
            path: The database file.
            bind: Converts a raw SQLite connection to the argument of the functions passed to ``run`` and
                ``transact``.
        """
        self._inner = inner
        self._bind = bind
        self._path, self._identity = path, identity(path)
        self._is_closed = False

    async def run(self, work: Work[T]) -> T:
        return await self.hop(lambda raw: _result_of(self._bound(work)(raw)))

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        return await self.hop(lambda raw: self._transact(raw, pieces))

    async def hop(self, task: Callable[[sqlite3.Connection], T]) -> T:
        """Call a function with the raw connection, in the connection's thread, and return its result.

        The function has the caller's context variables, such as the language. If the caller is
        cancelled, the function still runs to its end.

        Raises:
            ValueError: The connection is closed.
        """
        context = copy_context()
        statement = cast("str", lambda raw: context.run(task, raw))
        result: Any = await self._inner.execute_fetchall(statement)
        return cast("T", result)

    async def empty_log(self) -> bool:
        """Truncate SQLite's write-ahead log, because it may contain deleted data.

        Returns:
            True if this succeeded. It fails while another connection reads from the log.
        """

        def empty(raw: sqlite3.Connection) -> bool:
            raw.execute("PRAGMA busy_timeout = 0")
            try:
                (is_busy, *_pages) = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError:  # locked by another program, or the disk is full
                is_busy = 1
            finally:
                raw.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
            return not is_busy

        return self._is_closed or await self.hop(empty)

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        await self._inner.close()

    def _bound(self, work: Work[T]) -> Work[T]:
        return lambda raw: work(self._bind(raw))

    def _transact(self, raw: sqlite3.Connection, pieces: Sequence[Work[Any]]) -> list[Any]:
        if identity(self._path) != self._identity:  # SQLite would keep writing to a deleted file
            raise LostDatabaseError
        try:
            raw.execute("BEGIN IMMEDIATE")
            results = [_result_of(self._bound(work)(raw)) for work in pieces]
            raw.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                raw.rollback()
            raise
        return results


def _result_of(work: Coroutine[Any, Any, T]) -> T:
    """Run a work function's coroutine to its end without an event loop, and return its result.

    Raises:
        RuntimeError: It awaits something other than its own statements.
    """
    try:
        work.send(None)
    except StopIteration as finished:
        return cast("T", finished.value)
    work.close()
    raise RuntimeError("a work function may await only its own statements")


async def connect(
    path: Path, bind: Callable[[Any], Any] = lambda raw: raw, *, read_only: bool = False
) -> Connection:
    """Open an SQLite connection in autocommit mode, with its own thread.

    Args:
        path: The database file.
        bind: Converts a raw SQLite connection to the argument of the functions passed to ``run`` and
            ``transact``.
        read_only: True to forbid writes.
    """
    raw = await asyncio.to_thread(open_connection, path, read_only=read_only)
    # If opening failed in aiosqlite, its thread could outlive the event loop.
    return Connection(await aiosqlite.Connection(lambda: raw, _ROWS_AT_ONCE), path, bind)


def open_connection(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a raw SQLite connection in autocommit mode, with the PRAGMA settings that Ribit needs."""
    whole = path.absolute()  # otherwise SQLite would treat :memory: specially
    raw = sqlite3.connect(whole, isolation_level=None, timeout=0, check_same_thread=False, factory=_Raw)
    try:
        raw.row_factory = sqlite3.Row
        for pragma in (*PRAGMAS, f"PRAGMA query_only = {int(read_only)}"):
            raw.execute(pragma)
    except BaseException:
        raw.close()
        raise
    return raw
