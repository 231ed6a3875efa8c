"""A server's database, looked at by a command that ends soon; nothing is changed by looking."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import asyncpg

from bot.engine.values import frozen
from bot.storage.cluster.server_lock import Runner, is_taken, runners
from bot.storage.file_probe import Holding
from bot.storage.location import Server
from bot.storage.migrate import server_version
from bot.storage.open_errors import AbsentDatabaseError, RefusedDatabaseError, telling_faults
from bot.storage.postgres import OLDEST_SERVER, connect, disconnect, is_away
from bot.storage.writer import Session

T = TypeVar("T")

_PATIENCE_SECONDS = 15.0
_PUT_NOTE = (
    "INSERT INTO notes (key, value) VALUES ($1, '')"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_COUNTS = (
    "SELECT (SELECT count(*) FROM matches),"
    " (SELECT count(*) FROM matches WHERE stage IN ('lobby', 'playing')),"
    " (SELECT count(DISTINCT player_id) FROM seats WHERE player_id > 0)"
)


@frozen
class Visit:
    """What was found: the server's version, and what the database holds, or None where it is new.

    ``is_own`` says whether its user may make tables there.
    """

    server_version: str
    holding: Holding | None
    is_own: bool


def asked(server: Server, question: Callable[[Session], Awaitable[T]]) -> T:
    """Return the answer of a server's database; raises DatabaseError where it gives none."""

    async def ask() -> T:
        with telling_faults(server):
            async with asyncio.timeout(_PATIENCE_SECONDS), visiting(server) as session:
                return await question(session)

    return asyncio.run(ask())


@asynccontextmanager
async def visiting(server: Server) -> AsyncIterator[Session]:
    """Connect to a server's database for a while; raises what asyncpg does."""
    session = await connect(server)
    try:
        yield session
    finally:
        await disconnect(session)


def visit(server: Server) -> Visit:
    """Look at a database; raises DatabaseError for one that Ribit cannot use."""
    return asked(server, lambda session: _visit(server, session))


async def _visit(server: Server, session: Session) -> Visit:
    require_usable(server, session)
    is_own = await session.fetchval("SELECT has_schema_privilege(current_schema(), 'CREATE')")
    version, _space, _packaged_by = (await session.fetchval("SHOW server_version")).partition(" ")
    return Visit(version, await holding_of(session), bool(is_own))


async def holding_of(session: Session) -> Holding | None:
    """Return what a database holds, or None where Ribit has not used it yet."""
    version = await server_version(session)
    return Holding(version, *await session.fetchrow(_COUNTS)) if version else None


def note_on(server: Server, key: str) -> str | None:
    """Return a note of a server's database."""

    async def look(session: Session) -> str | None:
        if not await server_version(session):
            return None
        value = await session.fetchval("SELECT value FROM notes WHERE key = $1", key)
        return None if value is None else str(value)

    return asked(server, look)


def runners_on(server: Server) -> list[Runner]:
    """Return every process that runs shards on a server's database just now."""
    return asked(server, runners)


def running_on_server(server: Server) -> list[str]:
    """Return the shards, in writing, of each process that has a server's database or a part of it."""

    async def look(session: Session) -> list[str]:
        found = [str(runner.shards) for runner in await runners(session)]
        return found or ([""] if await is_taken(session) else [])

    return asked(server, look)


def trouble_on(server: Server, probe: str) -> str | None:
    """Return, in a sentence, why the bot that runs on a database cannot keep anything, or None.

    That is found by trying: a note of this name is written.
    """

    async def look(session: Session) -> str | None:
        if not await is_taken(session):
            return None
        try:
            await session.execute(_PUT_NOTE, probe)
        except asyncpg.PostgresError as error:
            if not is_away(error):
                raise
            return f"Nothing can be written to the database {server} ({error}). Help PostgreSQL there."
        return None

    return asked(server, look)


def require_usable(server: Server, session: Session) -> None:
    """Raise RefusedDatabaseError for a server that Ribit is not made for."""
    version = session.get_server_version()
    if version.major < OLDEST_SERVER:
        raise RefusedDatabaseError(
            f"The server of {server} is PostgreSQL {version.major}, but {OLDEST_SERVER} or newer is "
            "needed. Update it."
        )
    settings = session.get_settings()
    if settings.server_encoding != "UTF8":
        raise RefusedDatabaseError(
            f"The database {server} keeps texts as {settings.server_encoding}, but UTF8 is needed for "
            "players' names. Make another with createdb --encoding=UTF8 --template=template0."
        )
    if settings.in_hot_standby == "on":
        raise AbsentDatabaseError(
            f"The server of {server} only follows another one just now. Name the first one, or both "
            "and ?target_session_attrs=read-write."
        )
