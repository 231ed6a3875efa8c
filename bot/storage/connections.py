"""Connections to one file, each with a thread of its own: a writer that commits in groups, and readers.

Asking a connection something is a hop to its thread and back, whatever is asked there. So what belongs
together is asked together, as one piece of work: a few statements, and what is made of their answers.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Hashable
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

import aiosqlite
import structlog

from bot.storage.faults import Halt, meant

log = structlog.get_logger(__name__)

T = TypeVar("T")

Work: TypeAlias = Callable[[sqlite3.Connection], Coroutine[Any, Any, T]]
"""Statements to carry out, inside a transaction that is not theirs to end.

It awaits its statements and nothing else. On SQLite they are done at once, in the connection's thread;
the same work could await them on a connection to a server.
"""

_Piece: TypeAlias = tuple[Work[Any], "asyncio.Future[Any]"]
_Outcome: TypeAlias = tuple[Any, BaseException | None]

BUSY_MILLISECONDS = 5000
"""How long a connection waits for another process before it gives up."""

_RETRY_MILLISECONDS = 50
_ROWS_AT_ONCE = 64
"""What aiosqlite would fetch in a hop, where it fetched anything by itself."""
_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
)


class Connection:
    """A connection of aiosqlite's, with its thread. ``hops`` counts how often it was asked something."""

    def __init__(self, inner: aiosqlite.Connection, raw: sqlite3.Connection) -> None:
        self._inner = inner
        self._raw = raw
        self.hops = 0

    async def run(self, work: Work[T]) -> T:
        """Carry out work, and return its result; it goes on to its end even if nobody waits for it."""
        return await self.hop(lambda raw: _done(work, raw))

    async def hop(self, task: Callable[[sqlite3.Connection], T]) -> T:
        """Have a function called with SQLite's connection in its thread, and return its result.

        Raises ValueError when the connection is closed.
        """
        self.hops += 1
        # Each method of aiosqlite's is a hop. What takes many statements in one hop has to go the way
        # that all its methods go, for which it has no public name, and no types.
        result: T = await self._inner._execute(task, self._raw)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return result

    async def close(self) -> None:
        """Finish what is under way, and close; a second time does nothing."""
        await self._inner.close()


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
        opened.append(sqlite3.connect(path, isolation_level=None, timeout=0))
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


class Writer:
    """Commits together what is waiting together, in one hop.

    There is no task that waits for work: whoever finds the connection free carries out everybody's
    work in one transaction, so that under load one commit serves many. Each piece has a savepoint
    of its own, so one that fails takes nothing else with it.
    """

    def __init__(
        self,
        connection: Connection,
        committed: Callable[[sqlite3.Connection], None] = lambda _raw: None,
        require_place: Callable[[], None] = lambda: None,
        halt: Halt | None = None,
    ) -> None:
        """The first two are called in the connection's thread.

        ``committed`` after each commit; ``require_place`` before it: it raises where nothing may be
        written. ``halt`` takes note of whether what is written can be stored.
        """
        self._halt = halt or Halt()
        self._connection = connection
        self._committed = committed
        self._require_place = require_place
        self._free = asyncio.Lock()
        self._waiting: list[_Piece] = []
        self._riding: dict[Hashable, Work[Any]] = {}
        self._turns: set[asyncio.Task[None]] = set()

    async def write(self, work: Work[T]) -> T:
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

    def ride(self, key: Hashable, work: Work[Any]) -> None:
        """Have work carried out with the next that is written, or at the end; it costs no hop.

        For what may be lost: the last work of a key takes the place of one that still waits.
        """
        self._riding[key] = work

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
        riding, self._riding = self._riding, {}
        nobody = asyncio.get_running_loop().create_future
        return [(work, nobody()) for work in riding.values()] + group

    async def _commit(self, group: list[_Piece]) -> None:
        """Carry out all pieces in one transaction; every piece's future is done afterwards."""
        if not group:
            return
        pieces = [work for work, _done in group]
        try:
            outcomes = await self._connection.hop(lambda raw: self._transact(raw, pieces))
        except BaseException as failure:
            self._tell(group, [(None, failure)] * len(group))
            if not isinstance(failure, Exception):
                raise
        else:
            self._tell(group, outcomes)

    def _tell(self, group: list[_Piece], outcomes: list[_Outcome]) -> None:
        """Have every piece's future done, and take note of whether anything can be stored."""
        for (_work, done), (result, failure) in zip(group, outcomes, strict=True):
            if failure is None:
                self._halt.note(None)
                done.set_result(result)
            else:
                error = meant(failure)
                self._halt.note(error)
                done.set_exception(error)
                done.exception()  # a cancelled caller never asks; that is no fault to report

    def _transact(self, raw: sqlite3.Connection, pieces: list[Work[Any]]) -> list[_Outcome]:
        """Carry out pieces in one transaction; in the connection's thread."""
        try:
            raw.execute("BEGIN IMMEDIATE")
            self._require_place()
            outcomes = [_in_savepoint(raw, work) for work in pieces]
            raw.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                raw.rollback()
            raise
        self._committed(raw)
        return outcomes


def _in_savepoint(raw: sqlite3.Connection, work: Work[Any]) -> _Outcome:
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
