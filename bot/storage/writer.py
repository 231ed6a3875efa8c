"""Database interfaces, base classes of the stores, and storage errors.

The writer commits the work of several callers in one transaction. A *store* is the interface to one
type of stored data, such as matches or players.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError, UnavailableError
from bot.engine.translation import _
from bot.storage.file_probe import is_of_kind
from bot.storage.lazy_log import LazyLog

log = LazyLog(__name__)

T = TypeVar("T")

Session: TypeAlias = Any
"""The argument passed to work: a database connection, or an ``Sql`` object with the named statements."""

Work: TypeAlias = Callable[[Session], Coroutine[Any, Any, T]]
"""A piece of work: a function that executes statements in a transaction, which it must not end.

It may await only its own statements. SQLite runs it in the connection's thread. PostgreSQL runs it in
the event loop, and may run it again from the start after a failure.
"""

MOST_RIDING = 50
"""If this number of pieces of work is deferred, the next commit includes them. See ``Writer.ride``."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)

_Piece: TypeAlias = tuple[Work[Any], "asyncio.Future[Any]"]


class StorageFailedError(RibitError):
    """Raised when nothing can be stored. The message names the cause and the person who can fix it."""


class FaultyDiskError(StorageFailedError):
    """Raised when the disk is full or refuses writes. Stored data is not affected."""


class UnreachableDatabaseError(StorageFailedError, UnavailableError):
    """Raised when the database does not answer or cannot store anything now. It is retried later."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "I can't reach my database right now. Everything played is safe. Look at the table in "
                "a minute, before you press again."
            )
        )


class StorageState:
    """Read-only state of the database. It is set when a write fails, for example on a full disk.

    Attributes:
        is_halted: True if the last write failed because nothing can be stored.
    """

    def __init__(self) -> None:
        self.is_halted = False
        self._changed: Callable[[bool], object] = lambda _is_halted: None

    def watch(self, changed: Callable[[bool], object]) -> None:
        """Register the callback for changes of ``is_halted``. It replaces the previous callback."""
        self._changed = changed

    def note(self, error: BaseException | None) -> None:
        """Update the state after a write.

        Args:
            error: The error of the write, or None if it succeeded. An error other than
            StorageFailedError
                changes nothing.
        """
        is_halted = isinstance(error, StorageFailedError)
        if is_halted == self.is_halted or (error is not None and not is_halted):
            return
        self.is_halted = is_halted
        if isinstance(error, StorageFailedError):
            log.critical("nothing can be stored: play has stopped", error=type(error).__name__)
        else:
            log.warning("what happens can be stored again: play goes on")
        self._changed(is_halted)


class Reader(Protocol):
    """Read access to a database."""

    async def run(self, work: Work[T]) -> T: ...


class Access(Reader, Protocol):
    """Read and write access to a database."""

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Run pieces of work in one transaction, commit it, and return their results.

        If a piece raises an error, the transaction is rolled back and the error is propagated.
        """

    async def empty_log(self) -> bool:
        """Remove deleted data from the write-ahead log, if any. Return whether this succeeded."""

    async def close(self) -> None: ...


class ReadStore:
    """Base class of stores that only read from the database."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def _ask(self, statement: str, **values: Any) -> Any:
        return await self._reader.run(lambda sql: getattr(sql, statement)(**values))

    async def _list(self, statement: str, **values: Any) -> list[Any]:
        async def work(sql: Session) -> list[Any]:
            return [row async for row in getattr(sql, statement)(**values)]

        return await self._reader.run(work)


class Store(ReadStore):
    """Base class of stores that also write to the database."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        super().__init__(reader)
        self._writer = writer

    async def _do(self, statement: str, **values: Any) -> Any:
        return await self._writer.write(lambda sql: getattr(sql, statement)(**values))


class Writer:
    """Runs the waiting pieces of work of all callers together, in one transaction.

    There is no worker task. The caller that acquires the lock also runs the work of all callers that
    wait for it. Under load, one commit therefore serves many callers.

    Attributes:
        owes_log: True if the write-ahead log may contain deleted data. True at first, because a killed
            process leaves its log behind.
        written: Called for each piece of work with the seconds that it took until it was committed.
    """

    def __init__(self, access: Access, halt: StorageState | None = None) -> None:
        """Create a writer for a database.

        Args:
            access: The access to the database.
            halt: The read-only state to update. If None, the writer creates its own.
        """
        self._access = access
        self._halt = halt or StorageState()
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
        """Run a piece of work, commit it, and return its result.

        The work runs to its end even if the caller is cancelled. Errors of the work are propagated.

        Raises:
            StorageFailedError: Nothing can be stored.
        """
        began = time.perf_counter()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        await asyncio.shield(self._turns.start(self._commit_what_waits(done)))
        self.written(time.perf_counter() - began)
        try:
            return done.result()
        except UnreachableDatabaseError as error:
            raise UnreachableDatabaseError from error  # with a message in this caller's language

    def ride(self, key: Hashable, work: Work[Any]) -> None:
        """Defer unimportant work until a later write or ``close``, so that it needs no separate commit.

        A write commits the deferred work too if no other write is waiting, or if at least MOST_RIDING
        pieces are deferred. A crash loses deferred work.

        Args:
            key: The key of the work. The work replaces deferred work with the same key.
            work: The work to defer.
        """
        self._riding[key] = work

    async def empty_log(self) -> None:
        """Remove deleted data from the write-ahead log if the log may contain any.

        A concurrent reader can prevent this. The next call then tries again.
        """
        async with self._free:
            self.owes_log = self.owes_log and not await self._access.empty_log()

    async def close(self) -> None:
        """Commit all waiting and deferred work, and close the database access."""
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
        """Run a group of pieces in one transaction. If it fails, run each piece in a separate one."""
        if not group:
            return
        try:
            results = await self._access.transact([work for work, _done in group])
        except BaseException as failure:
            error = as_storage_error(failure)
            is_of_all = isinstance(error, StorageFailedError) and not isinstance(error, FaultyDiskError)
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


def as_storage_error(error: BaseException) -> BaseException:
    """Return a StorageFailedError if an SQLite error means that nothing can be stored.

    Other errors are returned unchanged.
    """
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
