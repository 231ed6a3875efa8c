"""A database in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage import Database, open_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is."""
    return tmp_path / "ribit.sqlite3"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """The database, open."""
    database = await open_database(path)
    yield database
    await database.close()


@pytest.fixture
async def other(path: Path, database: Database) -> AsyncIterator[Database]:
    """The same file, open a second time, as another process has it."""
    other = await open_database(path)
    yield other
    await other.close()
