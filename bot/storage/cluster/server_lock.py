"""Who has a server's database: by locks that the server takes back when their session ends.

A bot has it to itself, or processes that run some of Discord's shards each share it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, suppress

import asyncpg
import structlog

from bot.storage.file_lock import HeldError, holder_of, lock_alone, until_lost
from bot.storage.file_modes import require_own_file
from bot.storage.file_probe import require_ours, require_sound
from bot.storage.location import Location, Server
from bot.storage.open_errors import DatabaseError, telling_faults
from bot.storage.postgres import AWAY, connect, disconnect
from bot.storage.writer import Session

log = structlog.get_logger(__name__)

LOCK = 0x72696269_74000002
"""The number of the server's lock that a bot holds: the name of the bot, and which lock."""

PATIENCE_SECONDS = 20.0
"""How long a lock is waited for: a server needs some seconds to notice that a machine was lost."""

PULSE_SECONDS = 15.0
"""How often the session that has the lock is asked whether it lives."""

NAME = "ribit"
"""What each session calls itself, before its shards if it runs only some."""

_HOLDERS = (
    "SELECT DISTINCT coalesce(a.application_name, '') FROM pg_locks AS l"
    " LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = $1 AND l.objid::bigint = $2"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " ORDER BY 1"
)
_PARTS = (LOCK >> 32, LOCK & 0xFFFFFFFF)

_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0


@asynccontextmanager
async def alone(location: Location) -> AsyncIterator[asyncio.Future[None]]:
    """Have a database to oneself; yields what ends with HeldError where another took it meanwhile.

    Raises HeldError where another has it, DatabaseError where that cannot be found out.
    """
    if isinstance(location, Server):
        async with alone_on_server(location) as taken_away:
            yield taken_away
        return
    with ExitStack() as held:
        with telling_faults(location):
            require_own_file(location)
            require_ours(location)
            held.enter_context(lock_alone(location))
            await asyncio.to_thread(require_sound, location)
        taken_away = asyncio.create_task(until_lost(location))
        try:
            yield taken_away
        finally:
            taken_away.cancel()


@asynccontextmanager
async def alone_on_server(server: Server) -> AsyncIterator[asyncio.Future[None]]:
    """Have a server's database to oneself; yields what ends with HeldError where another took it.

    Raises HeldError where another has the database, DatabaseError where it cannot be asked.
    """
    async with holding(server, _take, _until_lost) as taken_away:
        yield taken_away


@asynccontextmanager
async def holding(
    server: Server,
    take: Callable[[Server, Session], Awaitable[None]],
    keep: Callable[[Session], Awaitable[None]],
) -> AsyncIterator[asyncio.Future[None]]:
    """Hold locks by a session; yields what ends with HeldError where another took them.

    ``take`` takes the locks, ``keep`` ends when the session is lost: they are taken anew once the
    server is back. Raises HeldError where another has them, DatabaseError where it cannot be asked.
    """
    sessions = [await _taken(server, take)]
    taken_away: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    keeping = asyncio.create_task(_keep(server, sessions, taken_away, take, keep))
    try:
        yield taken_away
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await disconnect(sessions[-1])
        taken_away.cancel()


async def patient(
    server: Server, session: Session, attempt: Callable[[Server, Session], Awaitable[str | None]]
) -> None:
    """Try to take locks for a while; ``attempt`` returns a sentence while others have them.

    Raises HeldError with the last of these sentences.
    """
    until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    is_told = False
    while (sentence := await attempt(server, session)) is not None:
        if asyncio.get_running_loop().time() >= until:
            raise HeldError(sentence)
        if not is_told:
            log.warning("another Ribit seems to run on the database; waiting for its end")
            is_told = True
        await asyncio.sleep(_PAUSE_SECONDS)


async def noted_holder(session: Session, shards: str = "") -> str:
    """Return who runs these shards, or all, as that process has noted it."""
    with suppress(asyncpg.PostgresError):
        found = await session.fetchval("SELECT value FROM notes WHERE key = $1", holder_of(shards))
        if found is not None:
            return str(json.loads(found).get("who"))
    return "a process that has not said yet who it is"


async def is_taken(session: Session) -> bool:
    """Return whether a bot has the database of a session, or a part of it, just now."""
    return bool(await session.fetch(_HOLDERS, *_PARTS))


async def _taken(server: Server, take: Callable[[Server, Session], Awaitable[None]]) -> Session:
    """Return a session that has the locks."""
    with telling_faults(server):
        session = await connect(server)
        try:
            await take(server, session)
        except BaseException:
            await disconnect(session)
            raise
        return session


async def _take(server: Server, session: Session) -> None:
    await patient(server, session, _try)


async def _try(server: Server, session: Session) -> str | None:
    if await session.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        return None
    return (
        f"Another Ribit runs on {server}: {await _holders(session)}. Stop it first, or set "
        "RIBIT_DATABASE to another one."
    )


async def _keep(
    server: Server,
    sessions: list[Session],
    taken_away: asyncio.Future[None],
    take: Callable[[Server, Session], Awaitable[None]],
    keep: Callable[[Session], Awaitable[None]],
) -> None:
    """Hold on to the locks for as long as anybody wants them; the session in the list has them."""
    pause = _PAUSE_SECONDS
    while True:
        try:
            await keep(sessions[-1])
            log.warning("the session that holds the database was lost; taking it anew")
            sessions[-1] = await _taken(server, take)
            log.info("the database is held again")
            pause = _PAUSE_SECONDS
        except HeldError as error:
            taken_away.set_exception(error)
            return
        except DatabaseError as error:
            log.warning("the database cannot be reached; trying again", error=error.sentence)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


async def _until_lost(session: Session) -> None:
    lost = asyncio.Event()
    session.add_termination_listener(lambda _session: lost.set())
    while not (lost.is_set() or session.is_closed()):
        with suppress(TimeoutError):
            async with asyncio.timeout(PULSE_SECONDS):
                await lost.wait()
        try:
            async with asyncio.timeout(PULSE_SECONDS):
                await session.fetchval("SELECT 1")
        except (asyncpg.PostgresError, *AWAY):
            session.terminate()
            return


async def _holders(session: Session) -> str:
    """Return who has the database: one that has it alone, or each with its shards."""
    found = await session.fetch(_HOLDERS, *_PARTS)
    shards = [name.removeprefix(NAME).strip() for (name,) in found if name.startswith(f"{NAME} ")]
    told = [f"{each}, {await noted_holder(session, each)}" for each in shards]
    return "; ".join(told) or await noted_holder(session)
