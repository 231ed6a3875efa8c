"""One match, read from a database that a bot may be using: nothing in it or beside it is changed."""

from __future__ import annotations

import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path

from bot.engine.errors import RibitError
from bot.engine.match import Entry, Match
from bot.storage.file_probe import looking, newest_version
from bot.storage.location import Location, Server
from bot.storage.match_reader import MatchReader
from bot.storage.migrate import server_version
from bot.storage.open_errors import telling_faults
from bot.storage.server_probe import require_usable, visiting
from bot.storage.sql import load_queries
from bot.storage.transfer import Within
from bot.storage.writer import Session


class NoMatchError(RibitError):
    """A match cannot be read from a database; the sentence says why."""


async def stored_match(location: Location, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a match and its moves; raises NoMatchError where there is none, or DatabaseError."""
    if isinstance(location, Path) and not location.is_file():
        raise NoMatchError(f"There is no database {location}. Check RIBIT_DATABASE.")
    async with AsyncExitStack() as opened:
        opened.enter_context(telling_faults(location))
        session, version = await opened_at_one_moment(location, opened)
        if version != newest_version():
            raise NoMatchError(
                f"{location} is of version {version}, and this Ribit's is {newest_version()}. "
                "Start this Ribit on it once."
            )
        queries = load_queries(for_server=isinstance(location, Server))
        record = await MatchReader(queries, Within(session)).load(match_id)
    if record is None:
        raise NoMatchError(f"There is no match {match_id} in {location}. /replay lists a player's own.")
    return record


async def opened_at_one_moment(location: Location, opened: AsyncExitStack) -> tuple[Session, int]:
    """Open a database for reading at one moment; returns it with its version."""
    if isinstance(location, Server):
        session = await opened.enter_async_context(visiting(location))
        require_usable(location, session)
        moment = session.transaction(isolation="repeatable_read", readonly=True)
        await opened.enter_async_context(moment)
        return session, await server_version(session)
    raw = opened.enter_context(looking(location))
    raw.row_factory = sqlite3.Row
    raw.execute("BEGIN")
    return raw, int(raw.execute("PRAGMA user_version").fetchone()[0])
