"""Who has a server's database: by locks that the server takes back when their session ends.

A bot has it to itself, or processes that run some of Discord's shards each share it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress

import asyncpg
import structlog

from bot.engine.shards import Shards, read_shards
from bot.engine.values import frozen
from bot.storage.file_lock import HeldError, holder_of, lock_alone, until_lost
from bot.storage.file_modes import require_own_file
from bot.storage.file_probe import require_ours, require_sound
from bot.storage.location import Location, Server
from bot.storage.open_errors import DatabaseError, RefusedDatabaseError, telling_faults
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

_CLASS, _RUNS = 0x7368, 1
"""What the number of a shard's lock has before and after the count of shards; then follows the shard."""

_RUNNERS = (
    "SELECT DISTINCT a.application_name FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.classid::bigint >> 16 = $1"
    " AND l.objid::bigint >> 24 = $2"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY 1"
)
_TAKE = "SELECT bool_and(pg_try_advisory_lock(n)) FROM unnest($1::bigint[]) AS n"

_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0


@frozen
class Runner:
    """A process that runs ``shards``, and who that is, as far as it has noted it."""

    shards: Shards
    who: str


@asynccontextmanager
async def locked(
    location: Location, shards: Shards | None = None
) -> AsyncIterator[asyncio.Future[None]]:
    """Have a database to oneself, or with shards one's part of a server's.

    Yields what ends with HeldError where another took it meanwhile. Raises HeldError where another has
    it, DatabaseError where that cannot be found out, RefusedDatabaseError for shards on a file.
    """
    require_shareable(location, shards)
    if isinstance(location, Server):
        async with _holding(location, shards) as taken_away:
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


def require_shareable(location: Location, shards: Shards | None) -> None:
    """Raise RefusedDatabaseError for a file that processes with shards each would have to share."""
    if shards is not None and not isinstance(location, Server):
        raise RefusedDatabaseError(
            f"RIBIT_SHARDS is for processes that share a database, and {location} is a file, for one "
            "process. Set RIBIT_DATABASE to postgresql://…, or do not set RIBIT_SHARDS."
        )


@asynccontextmanager
async def _holding(server: Server, shards: Shards | None) -> AsyncIterator[asyncio.Future[None]]:
    """Hold the locks by a session; where that is lost they are taken anew once the server is back."""
    sessions = [await _taken(server, shards)]
    taken_away: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    keeping = asyncio.create_task(_keep(server, sessions, taken_away, shards))
    try:
        yield taken_away
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await disconnect(sessions[-1])
        taken_away.cancel()


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


async def runners(session: Session) -> list[Runner]:
    """Return every process that runs shards on the database of a session."""
    names = [name for (name,) in await session.fetch(_RUNNERS, _CLASS, _RUNS)]
    found = [read_shards(name.removeprefix(NAME)) for name in names if name.startswith(f"{NAME} ")]
    return [Runner(shards, await noted_holder(session, str(shards))) for shards in found]


async def _taken(server: Server, shards: Shards | None) -> Session:
    """Return a session that has the locks."""
    with telling_faults(server):
        session = await connect(server)
        try:
            await _wait_for_locks(server, session, shards)
        except BaseException:
            await disconnect(session)
            raise
        return session


async def _wait_for_locks(server: Server, session: Session, shards: Shards | None) -> None:
    """Take the locks, for which others are waited: a restart is over soon; raises HeldError."""
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
    """Take the locks; returns a sentence, and takes none, where others have them."""
    if shards is not None:
        return await _try_shards(server, session, shards)
    if await session.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        return None
    return (
        f"Another Ribit runs on {server}: {await _holders(session)}. Stop it first, or set "
        "RIBIT_DATABASE to another one."
    )


async def _try_shards(server: Server, session: Session, shards: Shards) -> str | None:
    """Take the lock of each shard; what is taken first is seen by whoever takes others meanwhile."""
    await session.fetchval("SELECT set_config('application_name', $1, false)", f"{NAME} {shards}")
    if not await session.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
        return (
            f"Another Ribit runs on {server}, without RIBIT_SHARDS: {await noted_holder(session)}. Stop "
            "it first, or set RIBIT_DATABASE to another one."
        )
    numbers = [_CLASS << 48 | shards.count << 32 | _RUNS << 24 | shard for shard in shards.ids]
    is_taken = await session.fetchval(_TAKE, numbers)
    others = [each for each in await runners(session) if each.shards != shards]
    for other in others:
        if other.shards.count != shards.count:
            sentence = (
                f"The Ribits on {server} share {other.shards.count} shards, not {shards.count}: give "
                f"all the same count in RIBIT_SHARDS. With {other.shards} runs {other.who}."
            )
            break
    else:
        if is_taken:
            return None
        taken = [each for each in others if {*each.shards.ids} & {*shards.ids}]
        who = taken[0] if taken else Runner(shards, await noted_holder(session, str(shards)))
        sentence = (
            f"Another Ribit runs the shards {who.shards} on {server}: {who.who}. Stop it first, or give "
            "this one other shards in RIBIT_SHARDS."
        )
    await session.execute("SELECT pg_advisory_unlock_all()")
    return sentence


async def _keep(
    server: Server,
    sessions: list[Session],
    taken_away: asyncio.Future[None],
    shards: Shards | None,
) -> None:
    """Hold on to the locks for as long as anybody wants them; the session in the list has them."""
    pause = _PAUSE_SECONDS
    while True:
        try:
            await _until_lost(sessions[-1])
            log.warning("the session that holds the database was lost; taking it anew")
            sessions[-1] = await _taken(server, shards)
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
