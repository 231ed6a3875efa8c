"""The statements of the SQL files, as async functions. The one module that knows aiosql."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Mapping
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any, TypeAlias

import aiosql
from aiosql.adapters.asyncpg import AsyncPGAdapter

Queries: TypeAlias = Any
"""Has each named statement as an attribute: a function of a connection and the named values."""

Record: TypeAlias = Mapping[str, Any]
"""A row that was found: its values by the names of the columns."""


class _PostgreSQL(AsyncPGAdapter):
    """Carries a statement out on a connection of asyncpg's, which takes values by number."""

    async def insert_update_delete(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
        values = self.maybe_order_params(query_name, parameters)  # type: ignore[no-untyped-call]
        told = await conn.execute(sql, *values)
        return int(told.rpartition(" ")[2])  # "INSERT 0 1", "UPDATE 1"


class _SQLite(AsyncPGAdapter):
    """Carries a statement out at once, on SQLite's connection and in its thread.

    Its functions are async all the same, as those for a server are, so that what is made of statements
    fits both. It takes values by number too: for each name the thread would let go of Python's lock,
    and have to wait for it again.
    """

    def process_sql(self, query_name: str, op_type: Any, sql: str) -> str:
        told: str = super().process_sql(query_name, op_type, sql)  # type: ignore[no-untyped-call]
        return told.replace("$", "?")

    def _cursor(
        self, conn: sqlite3.Connection, query_name: str, sql: str, values: Any
    ) -> sqlite3.Cursor:
        ordered = self.maybe_order_params(query_name, values)  # type: ignore[no-untyped-call]
        return conn.execute(sql, ordered)

    async def select(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> AsyncGenerator[Any, None]:
        for row in self._cursor(conn, query_name, sql, parameters).fetchall():
            yield row

    async def select_one(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> Any:
        return self._cursor(conn, query_name, sql, parameters).fetchone()

    async def select_value(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any
    ) -> Any:
        row = await self.select_one(conn, query_name, sql, parameters)
        return row[0] if row else None

    async def insert_update_delete(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any
    ) -> int:
        return self._cursor(conn, query_name, sql, parameters).rowcount


class Sql:
    """The statements of the SQL files on one session: each a function of the named values."""

    __slots__ = ("_queries", "session")

    def __init__(self, queries: Queries, session: Any) -> None:
        self._queries = queries
        self.session = session

    def __getattr__(self, statement: str) -> Any:
        return partial(getattr(self._queries, statement), self.session)

    def beginning(self, prefix: str) -> dict[str, Any]:
        return {
            name.removeprefix(prefix): getattr(self, name)
            for name in self._queries.available_queries
            if name.startswith(prefix) and not name.endswith("_cursor")
        }


@lru_cache(2)
def load_queries(*, for_server: bool = False) -> Queries:
    """Read the SQL files once, for SQLite or PostgreSQL, with each feature's ``queries.sql``."""
    own, features = files("bot.storage").joinpath("queries"), files("cogs").iterdir()
    paths = (*own.iterdir(), *(folder.joinpath("queries.sql") for folder in features if folder.is_dir()))
    text = "\n".join(path.read_text("utf-8") for path in paths if path.is_file())
    adapter: Any = _PostgreSQL if for_server else _SQLite
    return aiosql.from_str(text, adapter, mandatory_parameters=False)
