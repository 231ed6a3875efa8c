"""The statements of the SQL files, as async functions. The one module that knows aiosql."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from importlib.resources import as_file, files
from typing import Any, TypeAlias

import aiosql
from aiosql.adapters.aiosqlite import AioSQLiteAdapter

Queries: TypeAlias = Any
"""Has each named statement as an attribute: a function of a connection and the named values."""


class _Adapter(AioSQLiteAdapter):
    """Carries a statement out at once, on SQLite's connection and in its thread.

    Its functions are async all the same, as those for a server are, so that what is made of statements
    fits both.
    """

    async def select(
        self, conn: sqlite3.Connection, _query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> AsyncGenerator[Any, None]:
        for row in conn.execute(sql, parameters).fetchall():
            yield row

    async def select_one(
        self, conn: sqlite3.Connection, _query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> Any:
        return conn.execute(sql, parameters).fetchone()

    async def select_value(
        self, conn: sqlite3.Connection, _query_name: str, sql: str, parameters: Any
    ) -> Any:
        row = conn.execute(sql, parameters).fetchone()
        return row[0] if row else None

    async def insert_update_delete(
        self, conn: sqlite3.Connection, _query_name: str, sql: str, parameters: Any
    ) -> Any:
        return conn.execute(sql, parameters).rowcount


def load_queries() -> Queries:
    """Read the SQL files."""
    with as_file(files("bot.storage").joinpath("queries")) as folder:
        return aiosql.from_path(folder, _Adapter, mandatory_parameters=False)
