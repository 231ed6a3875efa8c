"""Shards that are introduced to Discord: one a lane at a time, whoever else starts."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest

from bot.requests.identify_queue import IdentifyQueue

SHARDS = 4


class Client(discord.AutoShardedClient):
    """Is told in how many lanes its shards are taken, or cannot ask."""

    def __init__(self, lanes: int | None) -> None:
        super().__init__(intents=discord.Intents.none())
        self._lanes = lanes

    async def fetch_session_start_limits(self) -> discord.SessionStartLimits:
        if self._lanes is None:
            raise discord.GatewayNotFound
        return discord.SessionStartLimits(
            total=1000, remaining=999, reset_after=1, max_concurrency=self._lanes
        )


@pytest.mark.parametrize(("lanes", "at_once"), [(1, 1), (2, 2), (None, 1)])
async def test_one_a_lane(monkeypatch: pytest.MonkeyPatch, lanes: int | None, at_once: int) -> None:
    """Of two processes with four shards as many are taken at once as Discord has lanes for the bot."""
    monkeypatch.setattr("bot.requests.identify_queue.PAUSE_SECONDS", 0.01)
    locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
    most = 0

    @asynccontextmanager
    async def once(what: str) -> AsyncIterator[None]:
        nonlocal most
        async with locks[what]:
            most = max(most, sum(lock.locked() for lock in locks.values()))
            yield

    processes = [IdentifyQueue(Client(lanes), once) for _process in range(2)]

    async def introduce(shard: int) -> None:
        await processes[shard // 2].turn(shard)
        assert any(lock.locked() for lock in locks.values()), "the pause has begun"

    await asyncio.gather(*(introduce(shard) for shard in range(SHARDS)))
    assert most == at_once
    for process in processes:
        process.close()
