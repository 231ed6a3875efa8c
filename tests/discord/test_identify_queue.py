"""Shards that are introduced to Discord: one a lane at a time."""

from __future__ import annotations

import asyncio

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
    """Of four shards as many are taken at once as Discord has lanes for the bot."""
    monkeypatch.setattr("bot.requests.identify_queue.PAUSE_SECONDS", 0.01)
    queue, most = IdentifyQueue(Client(lanes)), 0

    async def introduce(shard: int) -> None:
        nonlocal most
        await queue.turn(shard)
        most = max(most, sum(lock.locked() for lock in queue._turns.values()))

    await asyncio.gather(*(introduce(shard) for shard in range(SHARDS)))
    assert most == at_once
    queue.close()
