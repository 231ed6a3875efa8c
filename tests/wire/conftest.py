"""A world with a bot in it that has connected."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.wire.world import World, world


@pytest_asyncio.fixture
async def place(tmp_path: Path) -> AsyncIterator[World]:
    """A Discord on loopback, and the program connected to it."""
    async with world(tmp_path, seed=7) as opened:
        await opened.begin()
        assert await opened.connected()
        yield opened
