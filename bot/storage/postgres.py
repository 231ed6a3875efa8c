"""Ways into a database on a server of PostgreSQL's, by a pool of connections that it keeps up itself.

A statement is a message to the server and back. What cannot be done at once is tried again for a moment:
where another was faster (its transaction is then carried out anew), and where the server is away. A
connection that has failed is given up, and the next is a new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from random import uniform
from typing import Any, TypeVar

import asyncpg

from bot.storage.database_address import RefusedDatabaseError, Server
from bot.storage.lazy_log import LazyLog
from bot.storage.writer import Session, UnreachableDatabaseError, Work

log = LazyLog(__name__)

T = TypeVar("T")

OLDEST_SERVER = 14
"""The first version of PostgreSQL that Ribit is made for."""

PATIENCE_SECONDS = 2.0
"""How long something is tried; then who waits is told, within a click's 3 seconds."""

CONNECT_SECONDS = 5.0
TRIES = 12
"""How often a transaction is carried out anew because of another one."""

_PAUSE_SECONDS = 0.1
_CONFLICT_PAUSE_SECONDS = 0.02

AWAY = (
    OSError,  # also a time that ran out
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.exceptions.OperatorInterventionError,  # stopped, starting, crashed
    asyncpg.exceptions.InsufficientResourcesError,  # a full disk, too many connections
    asyncpg.exceptions.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,  # another server is the first by now
    asyncpg.InternalClientError,
)
"""What comes of a server that is away, or cannot store anything: it passes, or a person has to help."""

FAULTS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""All that a connection fails with."""

CONFLICTS = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.exceptions.LockNotAvailableError,
    asyncpg.UniqueViolationError,  # of a row that this transaction could not see yet
)
"""What comes of two transactions at once: carried out anew, the later one sees what the other did."""

_SETTINGS = {
    "application_name": "ribit",
    "lock_timeout": "1500",
    "idle_in_transaction_session_timeout": "10000",
    # So that what a lost machine held is free again soon:
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
}


class _UncertainError(Exception):
    """The connection was lost at the commit: it is not known what became of it."""


async def connect(server: Server) -> Session:
    """Open one connection; raises what asyncpg does."""
    try:
        return await asyncpg.connect(server.address, timeout=CONNECT_SECONDS, server_settings=_SETTINGS)
    except ValueError as error:
        if isinstance(error, OSError | asyncpg.InterfaceError):  # a certificate's, or what it is to be
            raise
        raise asyncpg.exceptions.ClientConfigurationError(str(error)) from error


async def disconnect(session: Session) -> None:
    try:
        await session.close(timeout=PATIENCE_SECONDS)
    except (asyncpg.PostgresError, *AWAY):
        session.terminate()
        await asyncio.sleep(0)  # what is left of it is cleared away by the loop


@asynccontextmanager
async def visiting(server: Server) -> AsyncIterator[Session]:
    session = await connect(server)
    try:
        yield session
    finally:
        await disconnect(session)


def require_usable(server: Server, session: Session) -> None:
    """Raise RefusedDatabaseError for a server that Ribit is not made for."""
    version, encoding = session.get_server_version(), session.get_settings().server_encoding
    if version.major < OLDEST_SERVER:
        raise RefusedDatabaseError(
            f"The server of {server} is PostgreSQL {version.major}, but {OLDEST_SERVER} or newer is "
            "needed. Update it."
        )
    if encoding != "UTF8":
        raise RefusedDatabaseError(
            f"The database {server} keeps texts as {encoding}, but UTF8 is needed for "
            "players' names. Make another with createdb --encoding=UTF8 --template=template0."
        )


async def until_lost(session: Session, pulse: float, lock: asyncio.Lock | None = None) -> None:
    """Return once a session has ended; under the ``lock`` it is asked now and then whether it lives."""
    lost = asyncio.Event()
    session.add_termination_listener(lambda _session: lost.set())
    while not (lost.is_set() or session.is_closed()):
        with suppress(TimeoutError):
            async with asyncio.timeout(pulse):
                await lost.wait()
        try:
            async with asyncio.timeout(pulse), lock or asyncio.Lock():
                await session.fetchval("SELECT 1")
        except (asyncpg.PostgresError, *AWAY):
            session.terminate()
            return


class Pool:
    """Some connections to a server."""

    def __init__(self, inner: Any, bind: Callable[[Session], Session]) -> None:
        """``bind`` makes of a connection what work is handed."""
        self._inner = inner
        self._bind = bind
        self._is_closed = False

    async def run(self, work: Work[T]) -> T:
        return await self._tried(lambda session: work(self._bind(session)))

    async def empty_log(self) -> bool:
        """Leave the log to the server."""
        return True

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Carry out pieces in one transaction; anew where another transaction was in the way."""
        return await self._tried(lambda session: _transact(session, self._bind(session), pieces))

    async def close(self) -> None:
        self._is_closed = True
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._inner.close()
        except (TimeoutError, *AWAY):
            self._inner.terminate()

    async def _tried(self, act: Callable[[Session], Awaitable[T]]) -> T:
        """Do something on a connection, and anew where that may help, for as long as anybody waits."""
        failure: BaseException | None = None
        tries = 0
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    try:
                        return await self._once(act)
                    except CONFLICTS as error:
                        tries += 1
                        if tries == TRIES:
                            raise
                        # Who met once need not meet again; a pause is no secret.
                        failure, pause = error, uniform(0, tries) * _CONFLICT_PAUSE_SECONDS  # noqa: S311
                    except AWAY as error:
                        failure, pause = error, _PAUSE_SECONDS
                    await asyncio.sleep(pause)
        except (TimeoutError, _UncertainError) as error:
            log.warning("the database cannot be reached", error=_said(failure or error))
            raise UnreachableDatabaseError from error

    async def _once(self, act: Callable[[Session], Awaitable[T]]) -> T:
        if self._is_closed:
            raise ValueError("the connection is closed")
        session = await self._inner.acquire()
        try:
            return await act(session)
        except BaseException as error:
            # Nobody knows the state of such a session; and nothing is waited for.
            is_lost = isinstance(error, AWAY) or not isinstance(error, Exception)
            if is_lost or session.is_in_transaction():
                session.terminate()
            raise
        finally:
            await self._inner.release(session)


async def open_pool(
    server: Server,
    size: int,
    bind: Callable[[Session], Session],
    *,
    read_only: bool = False,
    connected: Callable[[], None] = lambda: None,
) -> Pool:
    """Return a pool with its first connection made; ``connected`` is called whenever one was."""

    async def prepare(session: Session) -> None:
        connected()
        if read_only:
            await session.execute("SET default_transaction_read_only = on")

    async def keep(_session: Session) -> None:
        """Leave a connection as it is: no statement leaves anything to clear away."""

    inner = await asyncpg.create_pool(
        server.address,
        init=prepare,
        reset=keep,
        min_size=0,  # else the pool itself would try to connect again, and complain
        max_size=size,
        max_inactive_connection_lifetime=0,
        timeout=CONNECT_SECONDS,
        server_settings=_SETTINGS,
    )
    await inner.release(await inner.acquire())
    return Pool(inner, bind)


async def _transact(session: Session, bound: Session, pieces: Sequence[Work[Any]]) -> list[Any]:
    await session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    try:
        results = [await work(bound) for work in pieces]
    except BaseException:
        with suppress(*AWAY):
            await session.execute("ROLLBACK")
        raise
    try:
        await session.execute("COMMIT")
    except AWAY as error:
        raise _UncertainError from error
    return results


def _said(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
