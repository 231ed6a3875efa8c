"""The requests of all processes together: each has a share, and the shares are never more than one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.engine.shards import Shards
from bot.storage import Fleet, Server, locked
from tests.postgres import Postgres

COUNT = 6
ONE, TWO, THREE = Shards(0, 0, COUNT), Shards(1, 2, COUNT), Shards(3, 5, COUNT)
WHOLE = 1 + 1e-9


@pytest.fixture(autouse=True)
def _haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares are leased anew very often."""
    monkeypatch.setattr("bot.storage.cluster.ownership.POLL_SECONDS", 0.02)
    monkeypatch.setattr("bot.storage.cluster.rate_share.MARGIN_SECONDS", 0.02)


class Shares:
    """What each process may ask just now; never more than all of it."""

    def __init__(self) -> None:
        self.now: dict[str, float] = {}
        self._changed = asyncio.Event()

    def of(self, fleet: Fleet) -> None:
        name = str(fleet.shards)

        def changed(share: float) -> None:
            self.now[name] = share
            assert sum(self.now.values()) <= WHOLE, self.now
            self._changed.set()

        fleet.share(changed)

    async def until(self, *shares: float) -> None:
        while sorted(self.now.values()) != pytest.approx(sorted(shares)):
            self._changed.clear()
            await self._changed.wait()


@asynccontextmanager
async def process(server: Server, shards: Shards, shares: Shares) -> AsyncIterator[None]:
    """Have a process run shards, and end without a word."""
    async with locked(server, shards) as (_taken_away, fleet):
        assert fleet is not None
        shares.of(fleet)
        async with fleet.with_bot():
            yield
        shares.now.pop(str(shards))


async def test_shares_go_by_shards(server: Server) -> None:
    """A process alone has all; who comes gets a part that fits its shards, once others gave it back."""
    shares = Shares()
    async with process(server, ONE, shares):
        await shares.until(1)
        async with process(server, TWO, shares):
            await shares.until(1 / 3, 2 / 3)
            async with process(server, THREE, shares):
                await shares.until(1 / 6, 2 / 6, 3 / 6)


async def test_a_process_that_ends_gives_its_share_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it ended: what is not leased anew is free after a while."""
    monkeypatch.setattr("bot.storage.cluster.rate_share.LEASE_SECONDS", 1.0)
    shares = Shares()
    async with process(server, ONE, shares):
        async with process(server, THREE, shares):
            await shares.until(1 / 4, 3 / 4)
        await shares.until(1)


async def test_without_a_lease_nearly_nothing_is_asked(
    stopping: Postgres, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that cannot lease its share anew stops using it, as others may have it by now."""
    monkeypatch.setattr("bot.storage.cluster.rate_share.LEASE_SECONDS", 1.0)
    shares = Shares()
    async with process(server, ONE, shares):
        await shares.until(1)
        await asyncio.to_thread(stopping.stop)
        await shares.until(0)
        await asyncio.to_thread(stopping.start)
        await shares.until(1)
