"""The named SQL statements from the ``.sql`` files, as async functions.

This is the only module that imports aiosql.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Mapping
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any, TypeAlias

import aiosql
from aiosql.adapters.asyncpg import AsyncPGAdapter

Queries: TypeAlias = Any
"""An object with a function for each named statement. It takes a connection and named values."""

Record: TypeAlias = Mapping[str, Any]
"""A row of a query result. It maps column names to values."""


class _PostgreSQL(AsyncPGAdapter):
    """aiosql adapter for asyncpg connections. Statements use numbered parameters."""

    async def insert_update_delete(self, conn: Any, query_name: str, sql: str, parameters: Any) -> int:
        values = self.maybe_order_params(query_name, parameters)  # type: ignore[no-untyped-call]  # aiosql has no types here
        status = await conn.execute(sql, *values)
        return int(status.rpartition(" ")[2])  # "INSERT 0 1", "UPDATE 1"


class _SQLite(AsyncPGAdapter):
    """aiosql adapter for SQLite connections. It must be used in the connection's thread.

    Its functions are async although they never wait, so that callers can use either database. Parameters
    are numbered. With named parameters, SQLite's driver would release the GIL and acquire it again for
    each name.
    """

    def process_sql(self, query_name: str, op_type: Any, sql: str) -> str:
        statement: str = super().process_sql(query_name, op_type, sql)  # type: ignore[no-untyped-call]  # aiosql has no types here
        return statement.replace("$", "?")

    def _cursor(
        self, conn: sqlite3.Connection, query_name: str, sql: str, values: Any
    ) -> sqlite3.Cursor:
        ordered = self.maybe_order_params(query_name, values)  # type: ignore[no-untyped-call]  # aiosql has no types here
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
    """Access to the named SQL statements on one database connection.

    Each statement is an attribute: an async function that takes the statement's parameters as keyword
    arguments.
    """

    __slots__ = ("_queries", "session")

    def __init__(self, queries: Queries, session: Any) -> None:
        self._queries = queries
        self.session = session

    def __getattr__(self, statement: str) -> Any:
        return partial(getattr(self._queries, statement), self.session)

    def beginning(self, prefix: str) -> dict[str, Any]:
        """Return all statements whose names begin with a prefix.

        The keys are the names without the prefix.
        """
        return {
            name.removeprefix(prefix): getattr(self, name)
            for name in self._queries.available_queries
            if name.startswith(prefix) and not name.endswith("_cursor")
        }


@lru_cache(2)
def load_queries(*, for_server: bool = False) -> Queries:
    """Load the named statements from the SQL files, including each feature's ``queries.sql``.

    They are loaded only once for each type of database.

    Args:
        for_server: True for PostgreSQL, False for SQLite.
    """
    own, features = files("bot.storage").joinpath("queries"), files("cogs").iterdir()
    paths = (*own.iterdir(), *(folder.joinpath("queries.sql") for folder in features if folder.is_dir()))
    text = "\n".join(path.read_text("utf-8") for path in paths if path.is_file())
    adapter: Any = _PostgreSQL if for_server else _SQLite
    return aiosql.from_str(text, adapter, mandatory_parameters=False)
