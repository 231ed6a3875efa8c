"""Database protocols, base classes of the stores, the writer, and storage errors.

A *store* reads and writes one type of data, such as matches or players. A *work function* executes SQL
statements in a transaction. The writer runs the work functions of several callers in one transaction.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError, UnavailableError
from bot.engine.translation import _, language, speaking
from bot.storage.file_probe import is_of_kind
from bot.storage.lazy_logger import LazyLog

log = LazyLog(__name__)

T = TypeVar("T")

Session: TypeAlias = Any
"""The argument of a work function: a connection, or an ``Sql`` object with the named statements."""

Work: TypeAlias = Callable[[Session], Coroutine[Any, Any, T]]
"""A work function: it executes statements in a transaction, but must not end the transaction.

It may await only its own statements. SQLite runs it in the connection's thread. PostgreSQL runs it in
the event loop, and may run it again from the start after a failure.
"""

MOST_RIDING = 50
"""If this number of writes is deferred, the next commit includes them. See ``Writer.ride``."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)

_Piece: TypeAlias = tuple[Work[Any], "asyncio.Future[Any]"]


class StorageFailedError(RibitError):
    """Raised when the database cannot store anything. The message names the cause and who can fix it."""


class FaultyDiskError(StorageFailedError):
    """Raised when the disk is full or refuses writes. Data that is already stored is not affected."""


class UnreachableDatabaseError(StorageFailedError, UnavailableError):
    """Raised when the database does not answer or cannot store anything at the moment.

    Callers retry later.
    """

    def __init__(self) -> None:
        super().__init__(
            _(
                "I can't reach my database right now. Everything you've played is safe. Look at "
                "the table in a minute before you press again."
            )
        )


class StorageState:
    """Flag that is set while the database cannot store anything, for example because the disk is full.

    While it is set, play is halted.

    Attributes:
        is_halted: True if the last write failed because nothing can be stored.
    """

    def __init__(self) -> None:
        self.is_halted = False
        self._changed: Callable[[bool], object] = lambda _is_halted: None

    def watch(self, changed: Callable[[bool], object]) -> None:
        """Register a callback for changes of ``is_halted``. It replaces the previous callback."""
        self._changed = changed

    def note(self, error: BaseException | None) -> None:
        """Update ``is_halted`` according to the outcome of a write.

        Args:
            error: The error of the write, or None if it succeeded. Errors other than StorageFailedError
                change nothing.
        """
        is_halted = isinstance(error, StorageFailedError)
        if is_halted == self.is_halted or (error is not None and not is_halted):
            return
        self.is_halted = is_halted
        if isinstance(error, StorageFailedError):
            log.critical("storage failed, games are paused", error=type(error).__name__)
        else:
            log.warning("storage works again, games continue")
        self._changed(is_halted)


class Reader(Protocol):
    """Protocol for read access to a database."""

    async def run(self, work: Work[T]) -> T: ...


class Access(Reader, Protocol):
    """Protocol for read and write access to a database."""

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Run several work functions in one transaction, and return their results.

        If one of them raises an error, the transaction is rolled back and the error is propagated.
        """

    async def empty_log(self) -> bool:
        """Empty the database's write-ahead log, which may contain deleted data.

        Return whether this succeeded.
        """

    async def close(self) -> None: ...


class ReadStore:
    """Base class for stores that only read from the database."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def _ask(self, statement: str, **values: Any) -> Any:
        return await self._reader.run(lambda sql: getattr(sql, statement)(**values))

    async def _list(self, statement: str, **values: Any) -> list[Any]:
        async def work(sql: Session) -> list[Any]:
            return [row async for row in getattr(sql, statement)(**values)]

        return await self._reader.run(work)


class Store(ReadStore):
    """Base class for stores that read from and write to the database."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        super().__init__(reader)
        self._writer = writer

    async def _do(self, statement: str, **values: Any) -> Any:
        return await self._writer.write(lambda sql: getattr(sql, statement)(**values))


class Writer:
    """A writer that commits the writes of concurrent callers together, in one transaction.

    There is no worker task. The caller that acquires the lock also runs the work functions of all
    callers that wait for it. Under load, one commit therefore serves many callers.

    Attributes:
        owes_log: True if the write-ahead log may contain deleted data. True at first, because a killed
            process leaves its log behind.
        written: Callback that receives the seconds that each write took, including the commit.
    """

    def __init__(self, access: Access, halt: StorageState | None = None) -> None:
        """Create a writer for a database.

        Args:
            access: The access to the database.
            halt: The state to update after each write. If None, the writer creates its own.
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
        """The number of work functions that have not been committed yet."""
        return len(self._waiting)

    async def write(self, work: Work[T]) -> T:
        """Run a work function in a transaction, commit it, and return the function's result.

        The function runs in the caller's language. If the caller is cancelled, the function still runs
        and is committed. Its errors are propagated.

        Raises:
            StorageFailedError: Nothing can be stored.
        """
        began, spoken = time.perf_counter(), language()

        async def work_in_language(session: Session) -> T:
            with speaking(spoken):  # another caller may run the commit
                return await work(session)

        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work_in_language, future))
        await asyncio.shield(self._turns.start(self._commit_what_waits(future)))
        self.written(time.perf_counter() - began)
        try:
            return future.result()
        except UnreachableDatabaseError as error:
            raise UnreachableDatabaseError from error  # with a message in this caller's language

    def ride(self, key: Hashable, work: Work[Any]) -> None:
        """Defer an unimportant write until a later one, so that it needs no commit of its own.

        It is committed by the next write that has no other write waiting beside it, by the next write
        after at least MOST_RIDING writes have been deferred, or by ``close``. If the process crashes, it
        is lost.

        Args:
            key: The key of the deferred write. It replaces an earlier deferred write with the same key.
            work: The work function.
        """
        self._riding[key] = work

    async def empty_log(self) -> None:
        """Empty the database's write-ahead log if it may contain deleted data.

        If a concurrent reader prevents this, the next call tries again.
        """
        async with self._free:
            self.owes_log = self.owes_log and not await self._access.empty_log()

    async def close(self) -> None:
        """Commit all waiting and deferred writes, and close the database access."""
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
        """Run several work functions in one transaction.

        If it fails, run each in a separate transaction.
        """
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
            for _work, future in group:
                self._halt.note(error)
                future.set_exception(error)
                future.exception()  # keeps asyncio from reporting it if the caller was cancelled
            if not isinstance(failure, Exception):
                raise
        else:
            for (_work, future), result in zip(group, results, strict=True):
                self._halt.note(None)
                future.set_result(result)


def as_storage_error(error: BaseException) -> BaseException:
    """Convert an SQLite error to a StorageFailedError if the database cannot store anything.

    Other errors are returned unchanged.
    """
    if isinstance(error, sqlite3.Error) and is_of_kind(error, sqlite3.SQLITE_BUSY):
        log.warning("the database is unreachable", error=str(error))
        locked = UnreachableDatabaseError()
        locked.__cause__ = error
        return locked
    if not isinstance(error, sqlite3.Error) or not is_of_kind(error, *_NO_ROOM):
        return error
    stopped = FaultyDiskError(
        _(
            "I can't save anything right now, because my disk is full or failing, so play has "
            "stopped. What you just did doesn't count, but nothing else is lost. You can go on "
            "once my host has made room."
        )
    )
    stopped.__cause__ = error
    return stopped
