"""Access to a PostgreSQL database through a connection pool.

Each statement is a round trip to the server. If a transaction conflicts with another one, or if the
server is unavailable, the pool retries for PATIENCE_SECONDS. It replaces broken connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from random import uniform
from typing import Any, TypeVar

import asyncpg

from bot.storage.database_address import RefusedDatabaseError, Server
from bot.storage.lazy_logger import LazyLog
from bot.storage.writer import Session, UnreachableDatabaseError, Work

log = LazyLog(__name__)

T = TypeVar("T")

OLDEST_SERVER = 14
"""The oldest major version of PostgreSQL that Ribit supports."""

PATIENCE_SECONDS = 2.0
"""Seconds for which work is retried. Discord expects a response to a click within 3 seconds."""

CONNECT_SECONDS = 5.0
TRIES = 12
"""Maximum number of attempts to run a transaction that conflicts with others."""

_PAUSE_SECONDS = 0.1
_CONFLICT_PAUSE_SECONDS = 0.02

AWAY = (
    OSError,  # includes TimeoutError
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.exceptions.OperatorInterventionError,  # stopped, starting, crashed
    asyncpg.exceptions.InsufficientResourcesError,  # a full disk, too many connections
    asyncpg.exceptions.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,  # another server is the primary now
    asyncpg.InternalClientError,
)
"""Errors from a server that is unavailable or cannot store anything. The host may have to repair it."""

FAULTS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""All errors that a connection can raise."""

CONFLICTS = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.exceptions.LockNotAvailableError,
    asyncpg.UniqueViolationError,  # with a row that is not visible in this transaction's snapshot
)
"""Errors caused by concurrent transactions. A retry sees the changes that the other one committed."""

_SETTINGS = {
    "application_name": "ribit",
    "lock_timeout": "1500",
    "idle_in_transaction_session_timeout": "10000",
    # Detect a lost machine soon, so that its locks are released:
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
}


class _UncertainError(Exception):
    """Raised when the connection is lost during COMMIT. The transaction may or may not be committed."""


async def connect(server: Server) -> Session:
    """Open a single connection outside of a pool. Errors from asyncpg are propagated."""
    try:
        return await asyncpg.connect(server.address, timeout=CONNECT_SECONDS, server_settings=_SETTINGS)
    except ValueError as error:
        if isinstance(error, OSError | asyncpg.InterfaceError):  # certificate errors and the like
            raise
        raise asyncpg.exceptions.ClientConfigurationError(str(error)) from error


async def disconnect(session: Session) -> None:
    """Close a connection. If the server does not respond in time, abort the connection."""
    try:
        await session.close(timeout=PATIENCE_SECONDS)
    except (asyncpg.PostgresError, *AWAY):
        session.terminate()
        await asyncio.sleep(0)  # lets the event loop clean up the transport


@asynccontextmanager
async def visiting(server: Server) -> AsyncIterator[Session]:
    """Open a single connection, and close it at the end of the ``async with`` block.

    Errors from asyncpg are propagated.
    """
    session = await connect(server)
    try:
        yield session
    finally:
        await disconnect(session)


def require_usable(server: Server, session: Session) -> None:
    """Check that a PostgreSQL server's version and encoding are supported.

    Raises:
        RefusedDatabaseError: The server is older than OLDEST_SERVER, or does not use UTF-8.
    """
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
    """Check a connection at regular intervals, and return when it is closed or no longer responds.

    A connection that does not respond is terminated.

    Args:
        session: The connection.
        pulse: The interval between checks in seconds. It is also the timeout of each check.
        lock: A lock that is held during each check, or None if no other task uses the connection.
    """
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
    """A pool of PostgreSQL connections that retries failed transactions."""

    def __init__(self, inner: Any, bind: Callable[[Session], Session]) -> None:
        """Wrap an asyncpg pool.

        Args:
            inner: The asyncpg pool.
            bind: Converts a connection to the argument of the functions passed to ``run`` and
                ``transact``.
        """
        self._inner = inner
        self._bind = bind
        self._is_closed = False

    async def run(self, work: Work[T]) -> T:
        return await self._retry(lambda session: work(self._bind(session)))

    async def empty_log(self) -> bool:
        """Return True without doing anything, because PostgreSQL manages its write-ahead log itself."""
        return True

    async def transact(self, pieces: Sequence[Work[Any]]) -> list[Any]:
        """Run several functions in one transaction, and return their results.

        If the transaction conflicts with another one, all of the functions run again.
        """
        return await self._retry(lambda session: _transact(session, self._bind(session), pieces))

    async def close(self) -> None:
        self._is_closed = True
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._inner.close()
        except (TimeoutError, *AWAY):
            self._inner.terminate()

    async def _retry(self, act: Callable[[Session], Awaitable[T]]) -> T:
        """Call ``act`` with a connection.

        If it fails for a temporary reason, retry it for PATIENCE_SECONDS.

        Raises:
            UnreachableDatabaseError: The server did not become available in time, or the connection was
                lost during a commit.
        """
        failure: BaseException | None = None
        tries = 0
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    try:
                        return await self._run_once(act)
                    except CONFLICTS as error:
                        tries += 1
                        if tries == TRIES:
                            raise
                        # A random pause keeps two transactions from conflicting again.
                        failure, pause = error, uniform(0, tries) * _CONFLICT_PAUSE_SECONDS  # noqa: S311
                    except AWAY as error:
                        failure, pause = error, _PAUSE_SECONDS
                    await asyncio.sleep(pause)
        except (TimeoutError, _UncertainError) as error:
            log.warning("the database is unreachable", error=_error_words(failure or error))
            raise UnreachableDatabaseError from error

    async def _run_once(self, act: Callable[[Session], Awaitable[T]]) -> T:
        if self._is_closed:
            raise ValueError("the connection is closed")
        session = await self._inner.acquire()
        try:
            return await act(session)
        except BaseException as error:
            # The state of such a session is unknown. Terminating it needs no answer from the server.
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
    """Create a connection pool, and open its first connection.

    Args:
        server: The server.
        size: The maximum number of connections.
        bind: Converts a connection to the argument of the functions passed to ``run`` and ``transact``.
        read_only: True if transactions are read-only by default.
        connected: Called after each new connection.
    """

    async def prepare(session: Session) -> None:
        connected()
        if read_only:
            await session.execute("SET default_transaction_read_only = on")

    async def keep(_session: Session) -> None:
        """Skip asyncpg's reset of a connection that returns to the pool.

        No statement of Ribit needs the reset.
        """

    inner = await asyncpg.create_pool(
        server.address,
        init=prepare,
        reset=keep,
        min_size=0,  # otherwise the pool itself would reconnect and log errors
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


def _error_words(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
