"""Fixtures of a world with a connected bot, and of the start of the program."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.wire.environment import World, open_world
from tests.wire.program import Program


@pytest.fixture(autouse=True)
def _copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each process as a copy of one that has loaded the program.

    Stress tests and benchmarks load it each time.
    """
    monkeypatch.setattr(Program, "is_copied", True)


@pytest_asyncio.fixture
async def place(tmp_path: Path) -> AsyncIterator[World]:
    """A local Discord and the program connected to it."""
    async with open_world(tmp_path, seed=7) as opened:
        await opened.begin()
        assert await opened.connected()
        yield opened
