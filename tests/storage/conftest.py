"""A database of its own for each test: a file, and once more one of a server's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from tests.storage.kinds import BOTH


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file is, or will be."""
    return tmp_path / "ribit.sqlite3"


@pytest.fixture(params=BOTH)
def location(request: pytest.FixtureRequest, path: Path) -> Location:
    """Where the database is: each test is for both kinds, unless it says otherwise."""
    if request.param == "sqlite":
        return path
    found: Location = request.getfixturevalue("server")
    return found


@pytest.fixture
async def database(location: Location) -> AsyncIterator[Database]:
    """The database, open."""
    database = await open_database(location)
    yield database
    await database.close()


@pytest.fixture
async def other(location: Location, database: Database) -> AsyncIterator[Database]:
    """The same database, open a second time, as another process has it."""
    other = await open_database(location)
    yield other
    await other.close()
