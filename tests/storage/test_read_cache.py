"""What is read once and kept: right after whoever else wrote, and bounded."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import Event

from bot.engine.server import ServerSettings
from bot.storage import Database
from bot.storage.read_cache import LOOK_SECONDS, MOST_KEPT, ReadCache, Renewals
from bot.storage.writer import Session
from tests.storage.kinds import on_sqlite
from tests.storage.matches import BO, FROGS, playing

COUNTING = """
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 5000000)
SELECT max(n) FROM counted
"""


@on_sqlite
async def test_what_another_process_wrote_is_seen_soon(database: Database, other: Database) -> None:
    """Whatever is kept counts only until somebody else has written, in whatever order."""
    await playing(database)
    for n in range(1, 30):
        assert (await database.servers.get(FROGS)).turn_seconds == (
            await other.servers.get(FROGS)
        ).turn_seconds
        writer, reader = (database, other) if n % 2 else (other, database)
        if n % 3:
            await reader.notes.put("n", str(n))
        await writer.servers.put(FROGS, ServerSettings(n))
        await writer.posts.put("m1", "table", 5, n)
        await writer.players.speaks(BO.id, f"de-{n}")
        if n % 5 == 0:
            await reader.notes.put("n", str(n))
        await asyncio.sleep(LOOK_SECONDS)
        assert await reader.servers.get(FROGS) == ServerSettings(n)
        post = await reader.posts.get("m1", "table")
        assert post is not None
        assert post.message_id == n
        assert (await reader.players.get(BO.id)).locale == f"de-{n}"


@on_sqlite
async def test_what_is_kept_is_at_hand_while_the_writer_is_busy(database: Database) -> None:
    """Nobody waits for what SQLite does on the writer's connection to be told what was read before."""
    begun, ended = Event(), Event()
    await database.servers.put(FROGS, ServerSettings(7))

    async def long(connection: Session) -> None:
        begun.set()
        connection.execute(COUNTING).fetchone()
        ended.set()

    write = asyncio.create_task(database._writer.write(long))
    await asyncio.to_thread(begun.wait)
    await asyncio.sleep(LOOK_SECONDS)
    settings = await database.servers.get(FROGS)
    assert not ended.is_set()
    await write
    assert settings == ServerSettings(7)


async def test_what_is_written_while_it_is_read_is_not_lost(database: Database) -> None:
    """An answer that was read before a change, and comes after it, is not kept."""
    reads = [
        database.servers.change(
            FROGS, lambda before: replace(before, turn_seconds=before.turn_seconds + 1)
        )
        if n % 3 == 0
        else database.servers.get(FROGS)
        for n in range(60)
    ]
    await asyncio.gather(*reads)
    assert (await database.servers.get(FROGS)).turn_seconds == ServerSettings().turn_seconds + 20


async def test_only_so_much_is_kept() -> None:
    """What was not asked for longest is forgotten first, and read again when it is."""
    read = list[int]()

    async def double(number: int) -> int:
        read.append(number)
        return 2 * number

    kept = ReadCache(Renewals(), double)
    for number in range(MOST_KEPT):
        await kept.get(number)
    assert await kept.get(0) == 0
    await kept.get(MOST_KEPT)
    assert len(read) == MOST_KEPT + 1
    await kept.get(0)
    assert len(read) == MOST_KEPT + 1
    assert await kept.get(1) == 2
    assert len(read) == MOST_KEPT + 2
