"""Locks, queries and error messages for a PostgreSQL database.

A bot locks its database with advisory locks. The server releases them when the bot's session ends.
Either a single process locks the whole database, or several processes share the database and each locks
its own shards.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

import asyncpg

from bot.background import BackgroundTasks, pauses
from bot.engine.frozen import frozen
from bot.matches.shards import Shards, read_shards
from bot.storage.database_address import (
    COUNTS,
    HOLDER,
    AbsentDatabaseError,
    DatabaseError,
    DatabaseInUseError,
    Holding,
    NewerDatabaseError,
    RefusedDatabaseError,
    Server,
    holder_in,
)
from bot.storage.lazy_log import LazyLog
from bot.storage.liveness import ALIVE, PROBE, note_key, unwritable
from bot.storage.migrate import newest_version, server_version
from bot.storage.postgres import (
    AWAY,
    FAULTS,
    connect,
    disconnect,
    require_usable,
    until_lost,
    visiting,
)
from bot.storage.writer import Session

log = LazyLog(__name__)

T = TypeVar("T")

LOCK = 0x72696269_74000002
"""Key of the advisory lock that each bot takes: "ribi" in ASCII, followed by the number of the lock."""

PATIENCE_SECONDS = 20.0
"""Seconds to wait for a lock. A server needs some time to release the locks of a lost machine."""

PULSE_SECONDS = 15.0
"""Interval in seconds at which the session that has the lock is checked."""

NAME = "ribit"
"""Application name of each database session. If a process runs only some shards, they are appended."""

_ANSWER_SECONDS = 15.0
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0

_CLASS, _RUNS = 0x7368, 1
"""Parts of the key of a shard's lock. The shard count is between them, and the shard's ID comes last."""

_WHO = (
    "SELECT DISTINCT coalesce(a.application_name, '') FROM pg_locks AS l"
    " LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_HOLDERS = (
    f"{_WHO} AND l.classid::bigint = {LOCK >> 32} AND l.objid::bigint = {LOCK & 0xFFFFFFFF} ORDER BY 1"
)
_RUNNERS = (
    f"{_WHO} AND l.objsubid = 1 AND l.classid::bigint >> 16 = {_CLASS}"
    f" AND l.objid::bigint >> 24 = {_RUNS} ORDER BY 1"
)
_PROBE_WRITE = (
    "INSERT INTO notes (key, value) VALUES ($1, $2)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_TAKE = "SELECT bool_and(pg_try_advisory_lock(n)) FROM unnest($1::bigint[]) AS n"

_FILES_OF_TLS = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_CUT_OFF = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""TLS errors raised when a server shuts down. Others are caused by certificates or settings."""

_UNKNOWN_OPTIONS = (
    asyncpg.exceptions.ClientConfigurationError,
    asyncpg.UndefinedObjectError,
    asyncpg.InvalidParameterValueError,
    asyncpg.CantChangeRuntimeParamError,
)


_REFUSALS = {
    NewerDatabaseError: (
        "The database {server} was written by a newer Ribit. Update Ribit, or use another one."
    ),
    asyncpg.InvalidAuthorizationSpecificationError: (
        "PostgreSQL does not let Ribit in at {server} ({said}). Check the user, the password and the "
        "sslmode in RIBIT_DATABASE."
    ),
    asyncpg.InvalidCatalogNameError: (
        "There is no such database at {server}. Make it with createdb, or name another in "
        "RIBIT_DATABASE."
    ),
    asyncpg.InsufficientPrivilegeError: (
        "The user of {server} may not do what Ribit needs ({said}). Make that user the owner of the "
        "database."
    ),
}


@frozen
class ShardProcess:
    """A running process that serves some of the bot's shards.

    Attributes:
        shards: The shards that it runs.
        who: A description of the process for the bot's operator. The process stores it as a note in the
            database.
    """

    shards: Shards
    who: str


# ---- errors ----------------------------------------------------------------------------------------


def fault_of(server: Server, error: Exception) -> DatabaseError:
    """Convert an asyncpg error to a DatabaseError, with a message for the bot's operator."""
    said = (str(error) or type(error).__name__).splitlines()[0]
    for kind, sentence in _REFUSALS.items():
        if isinstance(error, kind):
            return RefusedDatabaseError(sentence.format(server=server, said=said))
    if (told := _of_options(server, error, said)) is not None:
        return RefusedDatabaseError(told)
    if isinstance(error, AWAY):
        return AbsentDatabaseError(
            f"The database {server} cannot be reached ({said}). Start PostgreSQL there, or check "
            "RIBIT_DATABASE."
        )
    return DatabaseError(f"The database {server} cannot be used ({said}). See ribit doctor.")


def _of_options(server: Server, error: Exception, said: str) -> str | None:
    if isinstance(error, FileNotFoundError | PermissionError):
        given = dict(parse_qsl(urlsplit(server.address).query))
        for option in _FILES_OF_TLS:
            file = given.get(option) or os.environ.get(f"PG{option.upper()}")
            if file and not os.access(file, os.R_OK):
                return f"The file {file}, the {option} of the database, cannot be read. Put it there."
        return None
    is_of_tls = isinstance(error, ssl.SSLError) and not isinstance(error, _CUT_OFF)
    if is_of_tls or isinstance(error, _UNKNOWN_OPTIONS) or "rejected SSL" in said:
        return (
            f"PostgreSQL at {server} cannot be connected to as RIBIT_DATABASE says ({said}). Check its "
            "sslmode and the other options in the address."
        )
    return None


# ---- queries of short commands ---------------------------------------------------------------------


def run_query(server: Server, question: Callable[[Session], Awaitable[T]]) -> T:
    """Run a query in a new database session and return its result.

    This must not be called in an event loop.

    Args:
        server: The server.
        question: A coroutine function that takes the session and returns the result.

    Raises:
        DatabaseError: The server cannot be used or does not respond in time.
    """

    async def ask() -> T:
        async with asyncio.timeout(_ANSWER_SECONDS), visiting(server) as session:
            return await question(session)

    try:
        return asyncio.run(ask())
    except (*FAULTS, NewerDatabaseError) as error:
        raise fault_of(server, error) from error


def visit(server: Server) -> tuple[str, Holding | None, bool]:
    """Inspect a PostgreSQL database for the command ``ribit doctor``.

    Returns:
        The server's version, a summary of the database, and whether the user may create tables. The
        summary is None if Ribit has not used the database yet.

    Raises:
        DatabaseError: The database cannot be used.
    """

    async def look(session: Session) -> tuple[str, Holding | None, bool]:
        require_usable(server, session)
        is_own = await session.fetchval("SELECT has_schema_privilege(current_schema(), 'CREATE')")
        version = (await session.fetchval("SHOW server_version")).partition(" ")[0]
        return version, await holding_of(session), bool(is_own)

    return run_query(server, look)


async def holding_of(session: Session) -> Holding | None:
    """Return a summary of a PostgreSQL database, or None if Ribit has not used it yet.

    Raises:
        NewerDatabaseError: The database has a newer schema.
    """
    version = await server_version(session)
    if version > newest_version():  # it may have different tables
        raise NewerDatabaseError
    return Holding(version, *await session.fetchrow(COUNTS)) if version else None


def read_note(server: Server, key: str) -> str | None:
    """Return the text stored under a key in the ``notes`` table, or None.

    Raises:
        DatabaseError: The database cannot be used.
    """

    async def look(session: Session) -> str | None:
        return await _select_note(session, key) if await server_version(session) else None

    return run_query(server, look)


def runners_on(server: Server) -> list[ShardProcess]:
    return run_query(server, _runners)


def last_alive_by_shards(server: Server) -> dict[str, int | None]:
    """Return, for each running process, the Unix time at which it was last connected to Discord.

    This also checks that the database can be written to.

    Returns:
        The times, or None if unknown. The key is the process's shards, or "" if it serves all shards.
        The result is empty if no process is running.

    Raises:
        DatabaseError: The database cannot be used or written to.
    """

    async def look(session: Session) -> dict[str, int | None]:
        shards = [str(runner.shards) for runner in await _runners(session)]
        if not (shards := shards or ([""] if await is_taken(session) else [])):
            return {}
        try:
            await session.execute(_PROBE_WRITE, PROBE, str(time.time()))
        except FAULTS as error:
            raise unwritable(server, error) from error
        notes = {each: await _select_note(session, note_key(ALIVE, each)) for each in shards}
        return {each: None if at is None else int(at) for each, at in notes.items()}

    return run_query(server, look)


async def is_taken(session: Session) -> bool:
    """Return whether a bot has locked the PostgreSQL database, for all or some of its shards."""
    return bool(await session.fetch(_HOLDERS))


async def _runners(session: Session) -> list[ShardProcess]:
    names = [name for (name,) in await session.fetch(_RUNNERS)]
    found = [read_shards(name.removeprefix(NAME)) for name in names if name.startswith(f"{NAME} ")]
    return [ShardProcess(shards, await _holder(session, str(shards))) for shards in found]


async def _select_note(session: Session, key: str) -> str | None:
    value = await session.fetchval("SELECT value FROM notes WHERE key = $1", key)
    return None if value is None else str(value)


async def _holder(session: Session, shards: str = "") -> str:
    with suppress(asyncpg.PostgresError):
        return holder_in(await _select_note(session, f"{HOLDER} {shards}".rstrip()))
    return holder_in(None)


# ---- locks -----------------------------------------------------------------------------------------


@asynccontextmanager
async def holding(server: Server, shards: Shards | None) -> AsyncIterator[asyncio.Future[None]]:
    """Lock a PostgreSQL database for this process. If the connection is lost, lock it again.

    Args:
        server: The server.
        shards: The shards to lock, or None for the whole database.

    Yields:
        A future. It fails with DatabaseInUseError if another process takes the locks while the
        connection is lost.

    Raises:
        DatabaseInUseError: Another process has locked the database or some of the shards.
        DatabaseError: The server cannot be used.
    """
    sessions = [await _take_shards(server, shards)]
    taken_away: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    tasks = BackgroundTasks()
    tasks.start(_keep(server, sessions, taken_away, shards))
    try:
        yield taken_away
    finally:
        await tasks.close()
        await disconnect(sessions[-1])
        taken_away.cancel()


async def _take_shards(server: Server, shards: Shards | None) -> Session:
    try:
        session = await connect(server)
        try:
            await _wait_for_locks(server, session, shards)
        except BaseException:
            await disconnect(session)
            raise
    except FAULTS as error:
        raise fault_of(server, error) from error
    return session


async def _wait_for_locks(server: Server, session: Session, shards: Shards | None) -> None:
    """Acquire the locks. If another process holds them, wait up to PATIENCE_SECONDS for it to exit."""
    clock, is_told = asyncio.get_running_loop().time, False
    until = clock() + PATIENCE_SECONDS
    while (sentence := await _try(server, session, shards)) is not None:
        if clock() >= until:
            raise DatabaseInUseError(sentence)
        if not is_told:
            log.warning("another Ribit seems to run on the database; waiting for its end")
            is_told = True
        await asyncio.sleep(_PAUSE_SECONDS)


async def _try(server: Server, session: Session, shards: Shards | None) -> str | None:
    """Try to acquire the locks. Return None on success.

    If another process holds some of them, acquire none, and return a sentence about it for the bot's
    operator.
    """
    if shards is not None:
        return await _try_shards(server, session, shards)
    if await session.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        return None
    others = await _runners(session)
    return conflict_with(server, None, others) or _holder_words(server, await _holder(session))


async def _try_shards(server: Server, session: Session, shards: Shards) -> str | None:
    """Try to lock all of the given shards. Return None on success.

    If another process holds some of them, lock none, and return a sentence about it for the bot's
    operator. The locks are acquired before the list of running processes is read. If two processes start
    at the same time, at least one of them therefore sees the other.
    """
    await session.fetchval("SELECT set_config('application_name', $1, false)", f"{NAME} {shards}")
    if not await session.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
        return _holder_words(server, f"{await _holder(session)}, without RIBIT_SHARDS")
    numbers = [_CLASS << 48 | shards.count << 32 | _RUNS << 24 | shard for shard in shards.ids]
    has_all = await session.fetchval(_TAKE, numbers)
    others = [each for each in await _runners(session) if each.shards != shards]
    sentence = conflict_with(server, shards, others)
    if sentence is None and not has_all:
        sentence = _conflict_words(server, ShardProcess(shards, await _holder(session, str(shards))))
    if sentence is not None:
        await session.execute("SELECT pg_advisory_unlock_all()")
    return sentence


def conflict_with(server: Server, shards: Shards | None, others: Sequence[ShardProcess]) -> str | None:
    """Check whether a process may run on a server beside the processes that already run there.

    Args:
        server: The server.
        shards: The shards of the new process, or None for all.
        others: The processes that already run.

    Returns:
        A sentence that explains the conflict to the bot's operator, or None if there is no conflict.
    """
    if not others:
        return None
    if shards is None:
        return _holder_words(server, "; ".join(f"{each.shards}, {each.who}" for each in others))
    for other in others:
        if shards.count != other.shards.count:
            return (
                f"The Ribits on {server} share {other.shards.count} shards, not {shards.count}: give "
                f"all the same count in RIBIT_SHARDS. With {other.shards} runs {other.who}."
            )
        if {*shards.ids} & {*other.shards.ids}:
            return _conflict_words(server, other)
    return None


def _holder_words(server: Server, who: str) -> str:
    return (
        f"Another Ribit runs on {server}: {who}. Stop it first, set RIBIT_DATABASE to another one, or "
        "give each shards of its own in RIBIT_SHARDS."
    )


def _conflict_words(server: Server, other: ShardProcess) -> str:
    return (
        f"Another Ribit runs the shards {other.shards} on {server}: {other.who}. Stop it first, or give "
        "this one other shards in RIBIT_SHARDS."
    )


async def _keep(
    server: Server, sessions: list[Session], taken_away: asyncio.Future[None], shards: Shards | None
) -> None:
    waits = pauses(_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
    while True:
        try:
            await until_lost(sessions[-1], PULSE_SECONDS)
            log.warning("the session that holds the database was lost; taking it anew")
            sessions[-1] = await _take_shards(server, shards)
            log.info("the database is held again")
            waits = pauses(_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        except DatabaseInUseError as error:
            taken_away.set_exception(error)
            return
        except DatabaseError as error:
            log.warning("the database cannot be reached; trying again", error=error.sentence)
            await asyncio.sleep(next(waits))
