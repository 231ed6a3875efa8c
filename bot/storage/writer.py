"""Interfaces of database access, the writer that groups commits, and errors of storing."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.background import BackgroundTasks
from bot.engine.errors import AwayError, RibitError
from bot.engine.translation import _
from bot.storage.file_probe import is_of_kind
from bot.storage.lazy_log import LazyLog

log = LazyLog(__name__)

T = TypeVar("T")

Session: TypeAlias = Any
"""The argument of work: a connection, or the statements of the SQL files on it."""

Work: TypeAlias = Callable[[Session], Coroutine[Any, Any, T]]
"""A function that executes statements within a transaction, which it must not end.

It may await only its statements. It runs in the connection's thread for SQLite, and in the event loop's
for PostgreSQL, where it may run again from the start after a failure.
"""

MOST_RIDING = 50
"""Number of deferred pieces of work from which on any commit includes them."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)

_Piece: TypeAlias = tuple[Work[Any], "asyncio.Future[Any]"]


class HaltedError(RibitError):
    """Nothing can be stored. The message names the cause and the person responsible."""


class FaultyDiskError(HaltedError):
    """The disk is full or refuses writes. Stored data is not affected."""


class UnreachableDatabaseError(HaltedError, AwayError):
    """The database does not answer or cannot store anything at present, and is retried later."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "I can't reach my database right now. Everything played is safe. Look at the table in "
                "a minute, before you press again."
            )
        )


class Halt:
    """The state of storage: whether the last write failed because nothing can be stored.

    Attributes:
        is_halted: Whether nothing can be stored.
    """

    def __init__(self) -> None:
        self.is_halted = False
        self._changed: Callable[[bool], object] = lambda _is_halted: None

    def watch(self, changed: Callable[[bool], object]) -> None:
        """Register the callback for changes of ``is_halted``, replacing the previous one."""
        self._changed = changed

    def note(self, error: BaseException | None) -> None:
        """Record the error of a write, or None. Errors other than HaltedError change nothing."""
        is_halted = isinstance(error, HaltedError)
        if is_halted == self.is_halted or (error is not None and not is_halted):
            return
        self.is_halted = is_halted
        if isinstance(error, HaltedError):
            log.critical("nothing can be stored: play has stopped", error=type(error).__name__)
        else:
            log.warning("what happens can be stored again: play goes on")
        self._changed(is_halted)


class Reader(Protocol):
    """Read access to a database."""

    async def run(self, work: Work[T]) -> T: ...


class Access(Reader, Protocol):
    """Access to a database."""

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Run pieces of work in one transaction, commit it, and return their results.

        An error of a piece rolls the transaction back and is propagated.
        """

    async def empty_log(self) -> bool:
        """Remove deleted data from a separate log, and return whether that succeeded."""

    async def close(self) -> None: ...


class Asker:
    """Base class of read-only stores."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def _ask(self, statement: str, **values: Any) -> Any:
        return await self._reader.run(lambda sql: getattr(sql, statement)(**values))

    async def _list(self, statement: str, **values: Any) -> list[Any]:
        async def work(sql: Session) -> list[Any]:
            return [row async for row in getattr(sql, statement)(**values)]

        return await self._reader.run(work)


class Store(Asker):
    """Base class of stores that also write."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        super().__init__(reader)
        self._writer = writer

    async def _do(self, statement: str, **values: Any) -> Any:
        return await self._writer.write(lambda sql: getattr(sql, statement)(**values))


class Writer:
    """Runs waiting pieces of work together, in one transaction and one hop.

    There is no worker task. The caller that gets the lock runs the work of all callers that wait for it,
    so that under load one commit serves many.

    Attributes:
        owes_log: Whether the write-ahead log may contain deleted data. True at first, because a killed
            process leaves its log.
        written: Called with the seconds that each piece of work took until it was committed.
    """

    def __init__(self, access: Access, halt: Halt | None = None) -> None:
        """Create the writer of a database.

        Args:
            access: The access to the database.
            halt: The state of storage to update, or None for one of its own.
        """
        self._access = access
        self._halt = halt or Halt()
        self._free = asyncio.Lock()
        self._waiting: list[_Piece] = []
        self._riding: dict[Hashable, Work[Any]] = {}
        self._turns = BackgroundTasks()
        self.owes_log = True
        self.written: Callable[[float], object] = lambda _seconds: None

    @property
    def waiting(self) -> int:
        """The number of pieces of work that wait for a commit."""
        return len(self._waiting)

    async def write(self, work: Work[T]) -> T:
        """Run work and return its result once it is committed.

        The work runs to its end even if the caller is cancelled. An error of the work is propagated.

        Raises:
            HaltedError: Nothing can be stored.
        """
        began = time.perf_counter()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        await asyncio.shield(self._turns.start(self._commit_what_waits(done)))
        self.written(time.perf_counter() - began)
        try:
            return done.result()
        except UnreachableDatabaseError as error:
            raise UnreachableDatabaseError from error  # in the language of this caller

    def ride(self, key: Hashable, work: Work[Any]) -> None:
        """Defer work that may be lost until a later write or ``close``, so that it costs no hop.

        It is committed with the next piece of work that comes alone, or with any once MOST_RIDING are
        deferred.

        Args:
            key: The key of the work. It replaces deferred work with the same key.
            work: The work.
        """
        self._riding[key] = work

    async def empty_log(self) -> None:
        """Remove deleted data from the log if it may contain any. A reader of the log can prevent it."""
        async with self._free:
            self.owes_log = self.owes_log and not await self._access.empty_log()

    async def close(self) -> None:
        """Commit all waiting and deferred work, and close the access."""
        async with self._free:
            await self._commit([*self._take_riding(), *self._take_waiting()])
            await self._access.close()

    async def _commit_what_waits(self, mine: asyncio.Future[Any]) -> None:
        async with self._free:
            if mine.done():  # another caller's commit included it
                return
            may_ride = len(self._waiting) == 1 or len(self._riding) >= MOST_RIDING
            riding = self._take_riding() if may_ride else []
            await self._commit([*riding, *self._take_waiting()])

    def _take_waiting(self) -> list[_Piece]:
        group, self._waiting = self._waiting, []
        return group

    def _take_riding(self) -> list[_Piece]:
        riding, self._riding = self._riding, {}
        nobody = asyncio.get_running_loop().create_future
        return [(work, nobody()) for work in riding.values()]

    async def _commit(self, group: list[_Piece]) -> None:
        """Run a group in one transaction, or each piece in its own if one fails."""
        if not group:
            return
        try:
            results = await self._access.transact([work for work, _done in group])
        except BaseException as failure:
            error = meant(failure)
            is_of_all = isinstance(error, HaltedError) and not isinstance(error, FaultyDiskError)
            is_of_all |= not isinstance(failure, Exception)
            if len(group) > 1 and not is_of_all:
                for number, piece in enumerate(group, 1):
                    try:
                        await self._commit([piece])
                    except BaseException:
                        self._waiting[:0] = group[number:]
                        raise
                return
            if isinstance(error, UnreachableDatabaseError):
                group += self._take_waiting()  # otherwise each group would wait for its own timeout
            for _work, done in group:
                self._halt.note(error)
                done.set_exception(error)
                done.exception()  # keeps asyncio from reporting it if the caller was cancelled
            if not isinstance(failure, Exception):
                raise
        else:
            for (_work, done), result in zip(group, results, strict=True):
                self._halt.note(None)
                done.set_result(result)


def meant(error: BaseException) -> BaseException:
    """Return a HaltedError for an error of SQLite that prevents storing, or the error itself."""
    if isinstance(error, sqlite3.Error) and is_of_kind(error, sqlite3.SQLITE_BUSY):
        log.warning("the database cannot be reached", error=str(error))
        locked = UnreachableDatabaseError()
        locked.__cause__ = error
        return locked
    if not isinstance(error, sqlite3.Error) or not is_of_kind(error, *_NO_ROOM):
        return error
    stopped = FaultyDiskError(
        _(
            "I can't save anything right now, because my disk is full or failing, so play has stopped. "
            "What you just did doesn't count, but nothing else is lost. My host has to make room, and "
            "then you can go on."
        )
    )
    stopped.__cause__ = error
    return stopped
