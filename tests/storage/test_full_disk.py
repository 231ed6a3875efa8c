"""A full disk refuses writes as a whole, keeps earlier ones, and works again with room."""

from __future__ import annotations

import asyncio
import sqlite3

from bot.matches.match import Entry
from bot.storage.database import Database
from bot.storage.sqlite_connections import Connection
from bot.storage.writer import FaultyDiskError
from tests.storage.database_types import on_sqlite
from tests.storage.matches import store_live_match, store_move

MATCHES = 8
LONG = "x" * 900
"""A long notation, which soon fills a page."""

UNLIMITED = 2**32 - 2


def connection_of(database: Database, number: int) -> Connection:
    """Return one of the connections to the file."""
    connection = database._connections[number]
    assert isinstance(connection, Connection)
    return connection


async def limit_pages(database: Database, pages: int) -> None:
    """Limit the database to this many pages, or to its current length if it is longer."""
    await connection_of(database, 0).hop(lambda raw: raw.execute(f"PRAGMA max_page_count = {pages}"))


@on_sqlite
async def test_each_concurrent_writer_gets_its_own_disk_full_error(database: Database) -> None:
    """Observers are notified of each change of state, and all writers continue once there is room."""
    for number in range(MATCHES):
        await store_live_match(database, f"m{number}")
    await limit_pages(database, 1)
    stored = dict.fromkeys(range(MATCHES), 0)
    told_of: list[bool] = []
    database.halt.watch(told_of.append)

    async def play(number: int) -> None:
        while await store_move(database, f"m{number}", Entry(stored[number], 0, LONG)):
            stored[number] += 1

    outcomes = await asyncio.gather(*map(play, range(MATCHES)), return_exceptions=True)
    assert all(isinstance(outcome, FaultyDiskError) for outcome in outcomes), outcomes
    causes = {getattr(error.__cause__, "sqlite_errorcode", 0) for error in outcomes if error}
    assert causes == {sqlite3.SQLITE_FULL}
    stops = len(told_of) // 2  # a change that fits into an existing page is stored all the same
    assert told_of == [*stops * (True, False), True]
    for number, n in stored.items():
        assert [entry.n for entry in await database.journal.entries(f"m{number}")] == list(range(n))
    await limit_pages(database, UNLIMITED)
    for number, n in stored.items():
        assert await store_move(database, f"m{number}", Entry(n, 0, LONG))
    assert told_of == (stops + 1) * [True, False]
    told = await connection_of(database, 1).hop(
        lambda raw: raw.execute("PRAGMA integrity_check").fetchone()
    )
    assert tuple(told) == ("ok",)
