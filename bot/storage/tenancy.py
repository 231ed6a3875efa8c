"""One bot at a time on a server's database: a lock that the server takes back when its session ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress

import asyncpg
import structlog

from bot.storage.holding import HOLDER, HeldError, alone_on
from bot.storage.location import Location, Server
from bot.storage.postgres import AWAY, connect, disconnect
from bot.storage.refusing import DatabaseError, telling_faults
from bot.storage.writing import Session

log = structlog.get_logger(__name__)

LOCK = 0x72696269_74000002
"""The number of the server's lock that a bot holds: the name of the bot, and which lock."""

PATIENCE_SECONDS = 20.0
"""How long a lock is waited for: a server needs some seconds to notice that a machine was lost."""

PULSE_SECONDS = 15.0
"""How often the session that has the lock is asked whether it lives."""

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
            held.enter_context(alone_on(location))
        yield asyncio.get_running_loop().create_future()  # nobody can take a file's lock away


@asynccontextmanager
async def alone_on_server(server: Server) -> AsyncIterator[asyncio.Future[None]]:
    """Have a server's database to oneself; yields what ends with HeldError where another took it.

    Where the connection is lost, the lock is taken anew once the server is back. Raises HeldError where
    another has the database, DatabaseError where it cannot be asked.
    """
    sessions = [await _taken(server)]
    taken_away: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    keeping = asyncio.create_task(_keep(server, sessions, taken_away))
    try:
        yield taken_away
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await disconnect(sessions[-1])
        taken_away.cancel()


async def is_taken(session: Session) -> bool:
    """Return whether a bot has the database of a session to itself just now."""
    return bool(
        await session.fetchval(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND classid::bigint = $1 AND objid::bigint = $2)",
            LOCK >> 32,
            LOCK & 0xFFFFFFFF,
        )
    )


async def _taken(server: Server) -> Session:
    """Return a session that has the lock."""
    with telling_faults(server):
        session = await connect(server)
        try:
            await _take(server, session)
        except BaseException:
            await disconnect(session)
            raise
        return session


async def _take(server: Server, session: Session) -> None:
    until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    is_told = False
    while not await session.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        if asyncio.get_running_loop().time() >= until:
            raise HeldError(
                f"Another Ribit runs on {server}: {await _holder(session)}. Stop it first, or set "
                "RIBIT_DATABASE to another one."
            )
        if not is_told:
            log.warning("another Ribit seems to run on the database; waiting for its end")
            is_told = True
        await asyncio.sleep(_PAUSE_SECONDS)


async def _keep(server: Server, sessions: list[Session], taken_away: asyncio.Future[None]) -> None:
    """Hold on to the lock for as long as anybody wants it; the one in the list has it."""
    pause = _PAUSE_SECONDS
    while True:
        try:
            await _until_lost(sessions[-1])
            log.warning("the session that holds the database was lost; taking it anew")
            sessions[-1] = await _taken(server)
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


async def _holder(session: Session) -> str:
    with suppress(asyncpg.PostgresError):
        found = await session.fetchval("SELECT value FROM notes WHERE key = $1", HOLDER)
        if found is not None:
            return str(json.loads(found).get("who"))
    return "a process that has not said yet who it is"
