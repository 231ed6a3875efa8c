"""Ways into a database, the writer, which commits together what waits together, and when it cannot."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.background import BackgroundTasks
from bot.engine.errors import AwayError, RibitError
from bot.engine.words import _
from bot.storage.file_probe import is_of_kind
from bot.storage.lazy_log import LazyLog

log = LazyLog(__name__)

T = TypeVar("T")

Session: TypeAlias = Any
"""What work is handed: a connection, or the statements of the SQL files on it."""

Work: TypeAlias = Callable[[Session], Coroutine[Any, Any, T]]
"""Statements to carry out, inside a transaction that is not theirs to end.

It awaits its statements and nothing else, and may be carried out again from its beginning where a
server could not finish it. On SQLite it is awaited in the connection's thread, on PostgreSQL in the
bot's.
"""

MOST_RIDING = 50
"""How much may wait for a commit that nobody else waits for: it is done with any after that."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)

_Piece: TypeAlias = tuple[Work[Any], "asyncio.Future[Any]"]


class HaltedError(RibitError):
    """Nothing can be stored; the sentence says why, and who can mend it."""


class FaultyDiskError(HaltedError):
    """The disk is full or does not take what is written; nothing that was stored is touched."""


class UnreachableDatabaseError(HaltedError, AwayError):
    """The server of the database does not answer, or cannot store anything; it is tried again."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "I can't reach my database just now. What was played is safe: have a look at the table "
                "in a minute, before you press again."
            )
        )


class Halt:
    """Whether the last that was written could be stored."""

    def __init__(self) -> None:
        self.is_halted = False
        self._changed: Callable[[bool], object] = lambda _is_halted: None

    def watch(self, changed: Callable[[bool], object]) -> None:
        self._changed = changed

    def note(self, error: BaseException | None) -> None:
        """Note how writing ended; what failed for another reason says nothing of it."""
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
    """A way to read a database."""

    async def run(self, work: Work[T]) -> T: ...


class Access(Reader, Protocol):
    """A way into a database."""

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Carry out pieces of work in one transaction, and commit it; what one raises is raised."""

    async def empty_log(self) -> bool:
        """Have nothing that was deleted stay in a log of its own; returns whether that was done."""

    async def close(self) -> None: ...


class Asker:
    """A part of the database that is read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def _ask(self, statement: str, **values: Any) -> Any:
        return await self._reader.run(lambda sql: getattr(sql, statement)(**values))

    async def _list(self, statement: str, **values: Any) -> list[Any]:
        async def work(sql: Session) -> list[Any]:
            return [row async for row in getattr(sql, statement)(**values)]

        return await self._reader.run(work)


class Store(Asker):
    """A part of the database that is written too."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        super().__init__(reader)
        self._writer = writer

    async def _do(self, statement: str, **values: Any) -> Any:
        return await self._writer.write(lambda sql: getattr(sql, statement)(**values))


class Writer:
    """Commits together what is waiting together, in one hop.

    There is no task that waits for work: whoever finds the way in free carries out everybody's work
    in one transaction, so that under load one commit serves many.
    """

    def __init__(self, access: Access, halt: Halt | None = None) -> None:
        """``halt`` takes note of whether what is written can be stored."""
        self._access = access
        self._halt = halt or Halt()
        self._free = asyncio.Lock()
        self._waiting: list[_Piece] = []
        self._riding: dict[Hashable, Work[Any]] = {}
        self._turns = BackgroundTasks()
        self.owes_log = True
        """Whether the log may have what was deleted; a kill leaves one."""
        self.written: Callable[[float], object] = lambda _seconds: None
        """What is called with the seconds that each piece of work took until it was committed."""

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    async def write(self, work: Work[T]) -> T:
        """Carry out work and return its result once it is committed.

        The work goes on to its end even if the caller is cancelled.
        """
        began = time.perf_counter()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        await asyncio.shield(self._turns.start(self._commit_what_waits(done)))
        self.written(time.perf_counter() - began)
        try:
            return done.result()
        except UnreachableDatabaseError as error:
            raise UnreachableDatabaseError from error  # in the language of who waits

    def ride(self, key: Hashable, work: Work[Any]) -> None:
        """Have work carried out with something that is written later, or at the end; it costs no hop.

        For what may be lost: the last work of a key takes the place of one that still waits. So it is
        best done late, and done with a piece of work that comes alone, while nobody else waits.
        """
        self._riding[key] = work

    async def empty_log(self) -> None:
        """Have nothing that was deleted stay in a log; it stays owed where a reader is in the way."""
        async with self._free:
            self.owes_log = self.owes_log and not await self._access.empty_log()

    async def close(self) -> None:
        """Commit what still waits, and close the way in."""
        async with self._free:
            await self._commit([*self._take_riding(), *self._take_waiting()])
            await self._access.close()

    async def _commit_what_waits(self, mine: asyncio.Future[Any]) -> None:
        async with self._free:
            if mine.done():  # somebody before took it along
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
        """Carry out all in one transaction, or each in its own where one fails; then all are done."""
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
                group += self._take_waiting()  # else each group would wait as long, one after the other
            for _work, done in group:
                self._halt.note(error)
                done.set_exception(error)
                done.exception()  # a cancelled caller never asks; that is no fault to report
            if not isinstance(failure, Exception):
                raise
        else:
            for (_work, done), result in zip(group, results, strict=True):
                self._halt.note(None)
                done.set_result(result)


def meant(error: BaseException) -> BaseException:
    if isinstance(error, sqlite3.Error) and is_of_kind(error, sqlite3.SQLITE_BUSY):
        log.warning("the database cannot be reached", error=str(error))
        locked = UnreachableDatabaseError()
        locked.__cause__ = error
        return locked
    if not isinstance(error, sqlite3.Error) or not is_of_kind(error, *_NO_ROOM):
        return error
    stopped = FaultyDiskError(
        _(
            "I can't save anything just now, because my disk is full or failing, so play "
            "has stopped. What you just did doesn't count, but nothing else is lost. "
            "Whoever runs me has to make room; then you can go on."
        )
    )
    stopped.__cause__ = error
    return stopped
