"""Locks, queries and error messages for a PostgreSQL database.

Each process of a bot holds an advisory lock while it runs. The server releases the lock when the
process's session ends. Either a single process runs all shards, or several processes share the database
and each runs its own shards.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

import asyncpg

from bot.background import pauses
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
from bot.storage.lazy_logger import LazyLog
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
"""Key of the advisory lock that each running process shares: "ribi" in ASCII, followed by a number."""

_CLAIM = 0x72696269_74000003
"""Key of the advisory lock under which one process at a time checks which others run."""

PATIENCE_SECONDS = 20.0
"""Seconds to wait for a lock. A server needs some time to release the locks of a lost machine."""

PULSE_SECONDS = 15.0
"""Interval in seconds at which the session that has the lock is checked."""

NAME = "ribit"
"""Application name of each database session. If a process runs only some shards, they are appended."""

_ANSWER_SECONDS = 15.0
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0

_NOTES = "SELECT key, value FROM notes WHERE key = ANY($1)"

_NAMES = (
    "SELECT coalesce(a.application_name, '') FROM pg_locks AS l"
    " LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.pid <> pg_backend_pid()"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND l.classid::bigint << 32 | l.objid::bigint = $1 ORDER BY 1"
)
"""The query for the application names of all other sessions that have LOCK."""

_PROBE_WRITE = (
    "INSERT INTO notes (key, value) VALUES ($1, $2)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

_FILES_OF_TLS = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_CUT_OFF = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""TLS errors raised when a server shuts down. Others are caused by certificates or settings."""

_OF_ADDRESS = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.exceptions.ClientConfigurationError,
    asyncpg.UndefinedObjectError,
    asyncpg.InvalidParameterValueError,
    asyncpg.CantChangeRuntimeParamError,
)
"""Errors caused by a wrong user, password, database name or option in the address."""


@frozen
class BotProcess:
    """A running process of a bot.

    Attributes:
        shards: The shards that it runs, or None for all.
        who: A description of the process for the bot's operator. The process stores it as a note in the
            database.
    """

    shards: Shards | None
    who: str

    def __str__(self) -> str:
        return self.who if self.shards is None else f"{self.who}, with the shards {self.shards}"


@frozen
class ServerReport:
    """Report about a PostgreSQL database for the command ``ribit doctor``.

    Attributes:
        version: The server's version.
        is_own: True if the user may create tables.
        holding: A summary of the database's contents, or None if Ribit has not used the database yet.
        notes: All notes, by key.
        processes: The running processes.
    """

    version: str
    is_own: bool
    holding: Holding | None
    notes: Mapping[str, str]
    processes: Sequence[BotProcess]


# ---- errors ----------------------------------------------------------------------------------------


def fault_of(server: Server, error: Exception) -> DatabaseError:
    """Convert an asyncpg error to a DatabaseError, with a message for the bot's operator."""
    reason = (str(error) or type(error).__name__).splitlines()[0]
    if isinstance(error, NewerDatabaseError):
        return RefusedDatabaseError(
            f"The database {server} was written by a newer Ribit. Update Ribit, or use another one."
        )
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return RefusedDatabaseError(
            f"The user of {server} may not do what Ribit needs ({reason}). Make that user the owner of "
            "the database."
        )
    file = _unreadable_file(server) if isinstance(error, FileNotFoundError | PermissionError) else None
    is_of_tls = isinstance(error, ssl.SSLError) and not isinstance(error, _CUT_OFF)
    if file or is_of_tls or isinstance(error, _OF_ADDRESS) or "rejected SSL" in reason:
        return RefusedDatabaseError(
            f"PostgreSQL does not let Ribit in at {server} ({file or reason}). Check the user, the "
            "password, the name of the database and options such as sslmode in RIBIT_DATABASE."
        )
    if isinstance(error, AWAY):
        return AbsentDatabaseError(
            f"The database {server} cannot be reached ({reason}). Start PostgreSQL there, or check "
            "RIBIT_DATABASE."
        )
    return DatabaseError(f"The database {server} cannot be used ({reason}). See ribit doctor.")


def _unreadable_file(server: Server) -> str | None:
    """Return a phrase about the first TLS file that cannot be read. The error does not name it."""
    given = dict(parse_qsl(urlsplit(server.address).query))
    for option in _FILES_OF_TLS:
        file = given.get(option) or os.environ.get(f"PG{option.upper()}")
        if file and not os.access(file, os.R_OK):
            return f"the {option} {file} cannot be read"
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


def inspect(server: Server) -> ServerReport:
    """Inspect a PostgreSQL database. Nothing is changed.

    Raises:
        DatabaseError: The database cannot be used.
    """

    async def look(session: Session) -> ServerReport:
        require_usable(server, session)
        version = (await session.fetchval("SHOW server_version")).partition(" ")[0]
        is_own = await session.fetchval("SELECT has_schema_privilege(current_schema(), 'CREATE')")
        holding = await holding_of(session)
        notes = dict(await session.fetch("SELECT key, value FROM notes")) if holding else {}
        return ServerReport(version, bool(is_own), holding, notes, await processes_on(session))

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
        shards = [str(process.shards or "") for process in await processes_on(session)]
        if not shards:
            return {}
        try:
            await session.execute(_PROBE_WRITE, PROBE, str(time.time()))
        except FAULTS as error:
            raise unwritable(server, error) from error
        notes = {
            shard_group: await _select_note(session, note_key(ALIVE, shard_group))
            for shard_group in shards
        }
        return {shard_group: None if at is None else int(at) for shard_group, at in notes.items()}

    return run_query(server, look)


async def processes_on(session: Session) -> list[BotProcess]:
    """Return the running processes of a bot on a PostgreSQL database, without this one."""
    processes = [_shards_in(name) for (name,) in await session.fetch(_NAMES, LOCK)]
    is_new = await session.fetchval("SELECT to_regclass('notes')") is None
    keys = [note_key(HOLDER, shards) for shards in processes]
    rows = () if is_new else await session.fetch(_NOTES, keys)
    notes = {row["key"]: str(row["value"]) for row in rows}
    return [
        BotProcess(shards, holder_in(notes.get(key)))
        for shards, key in zip(processes, keys, strict=True)
    ]


def _shards_in(session_name: str) -> Shards | None:
    """Return the shards in the name of a session with the lock, or None if it may run all shards."""
    with suppress(ValueError):
        return read_shards(session_name.removeprefix(NAME))
    return None


async def _select_note(session: Session, key: str) -> str | None:
    value = await session.fetchval("SELECT value FROM notes WHERE key = $1", key)
    return None if value is None else str(value)


# ---- locks -----------------------------------------------------------------------------------------


async def take_shards(server: Server, shards: Shards | None) -> Session:
    """Lock a PostgreSQL database for this process, and return the session that has the lock.

    If another process runs on the database, wait up to PATIENCE_SECONDS for its end.

    Args:
        server: The server.
        shards: The shards to run, or None for all.

    Raises:
        DatabaseInUseError: Another process runs all or some of the shards.
        DatabaseError: The server cannot be used.
    """
    try:
        session = await connect(server)
        try:
            await _wait_for_lock(server, session, shards)
        except BaseException:
            await disconnect(session)
            raise
    except FAULTS as error:
        raise fault_of(server, error) from error
    return session


async def _wait_for_lock(server: Server, session: Session, shards: Shards | None) -> None:
    clock = asyncio.get_running_loop().time
    until = clock() + PATIENCE_SECONDS
    name = f"{NAME} {shards or ''}".rstrip()
    await session.fetchval("SELECT set_config('application_name', $1, false)", name)
    # many processes may start at once, and each waits until those before it have claimed their shards
    patience = str(int(PATIENCE_SECONDS * 1000))
    await session.fetchval("SELECT set_config('lock_timeout', $1, false)", patience)
    if (sentence := await _claim(server, session, shards)) is not None:
        log.warning("another Ribit is using the database, waiting for it to stop")
    while sentence is not None:
        if clock() >= until:
            raise DatabaseInUseError(sentence)
        await asyncio.sleep(_PAUSE_SECONDS)
        sentence = await _claim(server, session, shards)


async def _claim(server: Server, session: Session, shards: Shards | None) -> str | None:
    """Take the lock and return None, or return a sentence about the process that prevents it."""
    async with session.transaction():
        await session.execute("SELECT pg_advisory_xact_lock($1)", _CLAIM)
        sentence = conflict_with(server, shards, await processes_on(session))
        if sentence is None:
            await session.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
    return sentence


def conflict_with(server: Server, shards: Shards | None, others: Sequence[BotProcess]) -> str | None:
    """Check whether a process may run on a server beside the processes that already run there.

    Args:
        server: The server.
        shards: The shards of the new process, or None for all.
        others: The processes that already run.

    Returns:
        A sentence that explains the conflict to the bot's operator, or None if there is no conflict.
    """
    found = [
        other
        for other in others
        if shards is None or other.shards is None or shards.overlaps(other.shards)
    ]
    if not found:
        return None
    return (
        f"Another Ribit runs on {server}: {'; '.join(map(str, found))}. Stop it first, set "
        "RIBIT_DATABASE to another one, or give each process shards of its own, out of the same "
        "total, in RIBIT_SHARDS."
    )


async def until_taken(server: Server, session: Session, shards: Shards | None) -> None:
    """Keep a lock until this task is cancelled. If the connection is lost, take the lock again.

    Args:
        server: The server.
        session: The session that has the lock. It is closed at the end.
        shards: The shards that this process runs, or None for all.

    Raises:
        DatabaseInUseError: Another process has taken the lock meanwhile.
    """
    waits = pauses(_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
    try:
        while True:
            await until_lost(session, PULSE_SECONDS)
            log.warning("the connection with the database's lock was lost, acquiring it again")
            try:
                session = await take_shards(server, shards)
                log.info("the database's lock was acquired again")
                waits = pauses(_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
            except DatabaseError as error:
                log.warning("the database is unreachable, retrying", error=error.sentence)
                await asyncio.sleep(next(waits))
    finally:
        await disconnect(session)
