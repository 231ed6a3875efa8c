"""The cache of stored values, which is limited in size and current after any write."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.matches.server_settings import ServerSettings
from bot.storage.database import Database
from bot.storage.named_queries import Sql
from bot.storage.read_cache import MOST_KEPT, ReadCache
from bot.storage.writer import T, Work
from tests.storage.matches import FROGS


class Stored:
    """Stored values by key, and the number of reads."""

    def __init__(self) -> None:
        self.values = dict[int, int]()
        self.reads = 0

    async def run(self, work: Work[T]) -> T:
        return await work(None)

    async def read(self, _sql: Sql, key: int) -> int:
        self.reads += 1
        value = self.values.get(key, 0)
        await asyncio.sleep(0)
        return value


async def test_a_value_is_cached_until_the_cache_is_cleared() -> None:
    """A cached value is used until the cache is cleared.

    A read that began before and ends later is not cached.
    """
    stored = Stored()
    kept = ReadCache(stored, stored.read)
    assert [await kept.get(1) for _time in range(3)] == [0, 0, 0]
    assert stored.reads == 1
    stored.values[1] = 5
    kept.clear()
    assert [await kept.get(1), await kept.get(1), stored.reads] == [5, 5, 2]
    late = asyncio.create_task(kept.get(2))
    await asyncio.sleep(0)
    stored.values[2] = 8
    kept.clear()
    assert [await late, await kept.get(2)] == [0, 8]


async def test_a_stale_concurrent_read_is_not_cached(database: Database) -> None:
    """After 20 increments and 40 reads at the same time, the next read has all 20 increments."""
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


async def test_the_least_recently_used_value_is_evicted() -> None:
    """The least recently used value is evicted and read again on use."""
    read = list[int]()

    async def double(_sql: Sql, number: int) -> int:
        read.append(number)
        return 2 * number

    kept = ReadCache(Stored(), double)
    for number in range(MOST_KEPT):
        await kept.get(number)
    assert await kept.get(0) == 0
    await kept.get(MOST_KEPT)
    assert len(read) == MOST_KEPT + 1
    await kept.get(0)
    assert len(read) == MOST_KEPT + 1
    assert await kept.get(1) == 2
    assert len(read) == MOST_KEPT + 2
