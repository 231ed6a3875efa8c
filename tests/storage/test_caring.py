"""Processes that share a server's database: who runs which shards, and who cares for them."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine.shards import Shards
from bot.storage import Fleet, Server, tenant

COUNT = 4
LOW, HIGH = Shards(0, 1, COUNT), Shards(2, 3, COUNT)
PAUSE = 0.01


@pytest.fixture(autouse=True)
def _haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a lock, or for a process that is gone."""
    monkeypatch.setattr("bot.storage.tenancy.PATIENCE_SECONDS", 0)
    for name, seconds in (("POLL", 5 * PAUSE), ("FREE", 10 * PAUSE), ("WAIT", PAUSE)):
        monkeypatch.setattr(f"bot.storage.caring.{name}_SECONDS", seconds)


def cared(fleet: Fleet) -> set[int]:
    """Return the shards that a process cares for."""
    return {shard for shard in range(COUNT) if fleet.has(shard << 22)}


async def until_cared(fleet: Fleet, *shards: int) -> None:
    while cared(fleet) != set(shards):
        await asyncio.sleep(PAUSE)


async def test_each_cares_for_its_own(server: Server) -> None:
    """Two processes share a database; each cares for its shards once its bot is connected."""
    async with tenant(server, LOW) as (_gone, low), tenant(server, HIGH) as (_gone, high):
        assert low is not None
        assert high is not None
        assert cared(low) == cared(high) == set()
        async with low.with_bot(), high.with_bot():
            low.serve()
            high.serve()
            await until_cared(low, 0, 1)
            await until_cared(high, 2, 3)
            assert low.has(None)
            assert not high.has(None)
