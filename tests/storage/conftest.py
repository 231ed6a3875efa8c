"""A database of its own for each test, once in a file and once on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from tests.storage.database_types import BOTH


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a file that may not exist yet."""
    return tmp_path / "ribit.sqlite3"


@pytest.fixture(params=BOTH)
def location(request: pytest.FixtureRequest, path: Path) -> Location:
    """The location of the database, of both types unless a test chooses one."""
    if request.param == "sqlite":
        return path
    found: Location = request.getfixturevalue("server")
    return found


@pytest.fixture
async def database(location: Location) -> AsyncIterator[Database]:
    """An open database."""
    database = await open_database(location)
    yield database
    await database.close()


@pytest.fixture
async def other(location: Location, database: Database) -> AsyncIterator[Database]:
    """The same database, opened again like by another process."""
    other = await open_database(location)
    yield other
    await other.close()
