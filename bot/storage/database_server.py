"""Locks, contents and error messages of a PostgreSQL database.

A process holds its database by advisory locks, which the server releases when their session ends. Either
one bot holds the whole database, or several processes share it and each holds its own shards.
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
    HeldError,
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
"""Key of the advisory lock that a bot holds: "ribi" in ASCII, then the number of the lock."""

PATIENCE_SECONDS = 20.0
"""Timeout in seconds for a lock. A server needs some seconds to notice that a machine was lost."""

PULSE_SECONDS = 15.0
"""Interval in seconds at which the session with the lock is checked."""

NAME = "ribit"
"""The application name of each session, followed by its shards if it runs only some."""

_ANSWER_SECONDS = 15.0
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0

_CLASS, _RUNS = 0x7368, 1
"""The parts of the key of a shard's lock before and after the shard count. The shard's ID comes last."""

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
"""TLS errors of a server that shuts down. Any other TLS error is caused by keys or settings."""

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
class Runner:
    """A process that runs some shards.

    Attributes:
        shards: Its shards.
        who: A description of the process for the host, from its note.
    """

    shards: Shards
    who: str


# ---- errors ----------------------------------------------------------------------------------------


def fault_of(server: Server, error: Exception) -> DatabaseError:
    """Return a DatabaseError that explains an error of asyncpg to the host."""
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
    """Run ``question`` on a new session, from code without an event loop, and return its result.

    Raises:
        DatabaseError: The server cannot be used, or does not answer in time.
    """

    async def ask() -> T:
        async with asyncio.timeout(_ANSWER_SECONDS), visiting(server) as session:
            return await question(session)

    try:
        return asyncio.run(ask())
    except (*FAULTS, NewerDatabaseError) as error:
        raise fault_of(server, error) from error


def visit(server: Server) -> tuple[str, Holding | None, bool]:
    """Return facts about a server's database for ``ribit doctor``.

    Returns:
        The server's version, the contents of the database or None if Ribit has not used it yet, and
        whether the user may create tables.

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
    """Return the contents of a database, or None if Ribit has not used it yet.

    Raises:
        NewerDatabaseError: The database has a newer schema.
    """
    version = await server_version(session)
    if version > newest_version():  # its tables may be different
        raise NewerDatabaseError
    return Holding(version, *await session.fetchrow(COUNTS)) if version else None


def read_note(server: Server, key: str) -> str | None:
    """Return the value of a note, or None; raises DatabaseError."""

    async def look(session: Session) -> str | None:
        return await _select_note(session, key) if await server_version(session) else None

    return run_query(server, look)


def runners_on(server: Server) -> list[Runner]:
    return run_query(server, _runners)


def last_alive_by_shards(server: Server) -> dict[str, int | None]:
    """Return the Unix time at which each process was last connected, by its shards ("" for all).

    The result is empty if no process runs.

    Raises:
        DatabaseError: The processes cannot store anything.
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
    """Return whether a bot holds the database, as a whole or in part."""
    return bool(await session.fetch(_HOLDERS))


async def _runners(session: Session) -> list[Runner]:
    names = [name for (name,) in await session.fetch(_RUNNERS)]
    found = [read_shards(name.removeprefix(NAME)) for name in names if name.startswith(f"{NAME} ")]
    return [Runner(shards, await _holder(session, str(shards))) for shards in found]


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
    """Hold the locks of a database, and take them again after a lost connection.

    Args:
        server: The server.
        shards: The shards to lock, or None for the whole database.

    Yields:
        A future that fails with HeldError if another process took the locks in the meantime.

    Raises:
        HeldError: Another process holds the database or some of the shards.
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
    """Take the locks, waiting for PATIENCE_SECONDS in case the other process is about to end."""
    clock, is_told = asyncio.get_running_loop().time, False
    until = clock() + PATIENCE_SECONDS
    while (sentence := await _try(server, session, shards)) is not None:
        if clock() >= until:
            raise HeldError(sentence)
        if not is_told:
            log.warning("another Ribit seems to run on the database; waiting for its end")
            is_told = True
        await asyncio.sleep(_PAUSE_SECONDS)


async def _try(server: Server, session: Session, shards: Shards | None) -> str | None:
    """Take the locks, or return a sentence for the host and take none if another process has them."""
    if shards is not None:
        return await _try_shards(server, session, shards)
    if await session.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        return None
    others = await _runners(session)
    return clash(server, None, others) or _holder_words(server, await _holder(session))


async def _try_shards(server: Server, session: Session, shards: Shards) -> str | None:
    """Take the lock of each shard, or none of them, as ``_try`` does.

    The locks are taken before other processes are read, so that one of two processes that start at the
    same time sees the other.
    """
    await session.fetchval("SELECT set_config('application_name', $1, false)", f"{NAME} {shards}")
    if not await session.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
        return _holder_words(server, f"{await _holder(session)}, without RIBIT_SHARDS")
    numbers = [_CLASS << 48 | shards.count << 32 | _RUNS << 24 | shard for shard in shards.ids]
    has_all = await session.fetchval(_TAKE, numbers)
    others = [each for each in await _runners(session) if each.shards != shards]
    sentence = clash(server, shards, others)
    if sentence is None and not has_all:
        sentence = _conflict_words(server, Runner(shards, await _holder(session, str(shards))))
    if sentence is not None:
        await session.execute("SELECT pg_advisory_unlock_all()")
    return sentence


def clash(server: Server, shards: Shards | None, others: Sequence[Runner]) -> str | None:
    """Return a sentence for the host if a process cannot run beside others, or None if it can.

    Args:
        server: The server that they share.
        shards: The shards of the process, or None for all.
        others: The other processes.
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


def _conflict_words(server: Server, other: Runner) -> str:
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
        except HeldError as error:
            taken_away.set_exception(error)
            return
        except DatabaseError as error:
            log.warning("the database cannot be reached; trying again", error=error.sentence)
            await asyncio.sleep(next(waits))
