"""Types of databases, and direct access to one for tests."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.storage.database_address import Location
from bot.storage.postgres import connect

BOTH = ("sqlite", "postgres")

on_sqlite = pytest.mark.parametrize("location", ["sqlite"], indirect=True)
"""Tests of features of a file only."""

on_postgres = pytest.mark.parametrize("location", ["postgres"], indirect=True)
"""Tests of features of a PostgreSQL server only."""


async def query_rows(location: Location, sql: str) -> list[tuple[Any, ...]]:
    """Execute a statement and return its rows."""
    if isinstance(location, Path):
        with closing(sqlite3.connect(location, isolation_level=None)) as file:
            return file.execute(sql).fetchall()
    session = await connect(location)
    try:
        return [tuple(row) for row in await session.fetch(sql)]
    finally:
        await session.close()


async def all_rows(where: Location) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    if isinstance(where, Path):
        names = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    else:
        names = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    return {
        str(name): await query_rows(where, f"SELECT * FROM {name}")
        for (name,) in await query_rows(where, names)
    }


async def rows_containing(where: Location, *words: object) -> list[str]:
    """Yield each row of any table that contains one of some words, in any case."""
    sought = [str(word).casefold() for word in words]
    rows = [f"{table} {row}" for table, rows in (await all_rows(where)).items() for row in rows]
    return [row for row in rows if any(word in row.casefold() for word in sought)]
