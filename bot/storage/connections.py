"""Two connections to one file: a writer that commits in groups, and a reader beside it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

import aiosqlite

T = TypeVar("T")

Work: TypeAlias = Callable[[aiosqlite.Connection], Awaitable[Any]]
"""Statements to carry out on the writer, inside a transaction that is not theirs to end."""

_Piece: TypeAlias = tuple[Work, "asyncio.Future[Any]"]
_Outcome: TypeAlias = tuple[Any, BaseException | None]

BUSY_MILLISECONDS = 5000
"""How long a connection waits for another process before it gives up."""

_RETRY_MILLISECONDS = 50
_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
)


async def connect(path: str, *, read_only: bool = False) -> aiosqlite.Connection:
    """Open a connection that begins and ends transactions only when told to."""
    sqlite3.connect(path).close()  # if it fails in aiosqlite, a thread is left that outlives the loop
    connection = await aiosqlite.connect(path, isolation_level=None, timeout=0)
    connection.row_factory = sqlite3.Row
    try:
        await _write_ahead(connection)
        for pragma in (*_PRAGMAS, f"PRAGMA query_only = {int(read_only)}"):
            await connection.execute_fetchall(pragma)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _write_ahead(connection: aiosqlite.Connection) -> None:
    """Have the file keep a write-ahead log. Of several that ask, SQLite refuses some, unwaiting."""
    for tries_left in reversed(range(BUSY_MILLISECONDS // _RETRY_MILLISECONDS)):
        try:
            await connection.execute_fetchall("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            await asyncio.sleep(_RETRY_MILLISECONDS / 1000)
        else:
            return


class Writer:
    """Commits together what is waiting together.

    There is no task that waits for work: whoever finds the connection free carries out everybody's
    work in one transaction, so that under load one commit serves many. Each piece has a savepoint
    of its own, so one that fails takes nothing else with it.
    """

    def __init__(
        self, connection: aiosqlite.Connection, require_place: Callable[[], None] = lambda: None
    ) -> None:
        """``require_place`` is called in each transaction, and raises where nothing may be written."""
        self._connection = connection
        self._require_place = require_place
        self._free = asyncio.Lock()
        self._waiting: list[_Piece] = []
        self._turns: set[asyncio.Task[None]] = set()

    async def write(self, work: Callable[[aiosqlite.Connection], Awaitable[T]]) -> T:
        """Carry out work and return its result once it is committed.

        The work goes on to its end even if the caller is cancelled.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        turn = asyncio.create_task(self._commit_what_waits(done))
        self._turns.add(turn)  # the event loop itself does not hold on to a task
        turn.add_done_callback(self._turns.discard)
        await asyncio.shield(turn)
        return done.result()

    async def close(self) -> None:
        """Commit what still waits, and close the connection."""
        async with self._free:
            await self._commit(self._take_all())
            await self._connection.close()

    async def _commit_what_waits(self, mine: asyncio.Future[Any]) -> None:
        async with self._free:
            if not mine.done():  # else somebody before took it along
                await self._commit(self._take_all())

    def _take_all(self) -> list[_Piece]:
        group, self._waiting = self._waiting, []
        return group

    async def _commit(self, group: list[_Piece]) -> None:
        """Carry out all pieces in one transaction; every piece's future is done afterwards."""
        if not group:
            return
        try:
            await self._connection.execute("BEGIN IMMEDIATE")
            self._require_place()
            outcomes = [await self._in_savepoint(work) for work, _done in group]
            await self._connection.execute("COMMIT")
        except BaseException as failure:
            _tell(group, [(None, failure)] * len(group))
            with suppress(sqlite3.Error, ValueError):  # ValueError: the connection is closed
                await self._connection.rollback()
            if not isinstance(failure, Exception):
                raise
        else:
            _tell(group, outcomes)

    async def _in_savepoint(self, work: Work) -> _Outcome:
        await self._connection.execute("SAVEPOINT piece")
        try:
            result = await work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction:  # the file itself failed, and all with it
                raise
            await self._connection.execute("ROLLBACK TO piece")
            await self._connection.execute("RELEASE piece")
            return None, error
        await self._connection.execute("RELEASE piece")
        return result, None


def _tell(group: list[_Piece], outcomes: list[_Outcome]) -> None:
    for (_work, done), (result, error) in zip(group, outcomes, strict=True):
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
            done.exception()  # a cancelled caller never asks; that is no fault to report
