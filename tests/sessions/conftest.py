"""Fixtures of the tests of tables, such as a process on a database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database, open_database
from tests.sessions.process import Bot


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An open database."""
    database = await open_database(tmp_path / "ribit.sqlite3")
    yield database
    await database.close()


@pytest.fixture
async def bot(database: Database) -> AsyncIterator[Bot]:
    """A process with tables."""
    bot = Bot(database)
    yield bot
    await bot.tables.close()
