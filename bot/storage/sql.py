"""The statements of the SQL files, as async functions. The one module that knows aiosql."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from functools import lru_cache, partial
from importlib.resources import as_file, files
from typing import Any, ClassVar, TypeAlias

import aiosql
from aiosql.adapters.aiosqlite import AioSQLiteAdapter
from aiosql.adapters.asyncpg import AsyncPGAdapter

_TOKEN = re.compile(
    r"""(?P<kept>'(?:[^']|'')*'     # a string
        | "(?:[^"]|"")*"            # a name in quotes
        | --[^\n]*                  # a comment
        | ::                        # a cast
        )
        | :(?P<name>[a-z_][a-z0-9_]*)""",
    re.VERBOSE,
)

Queries: TypeAlias = Any
"""Has each named statement as an attribute: a function of a connection and the named values."""

Record: TypeAlias = Mapping[str, Any]
"""A row that was found: its values by the names of the columns."""


def numbered(sql: str, mark: str = "$") -> tuple[str, tuple[str, ...]]:
    """Return a statement with ``$1`` for the first ``:name`` and so on, and the names in that order.

    A name that comes twice has one number. SQLite has another ``mark`` before it, ``?``.
    """
    names: list[str] = []

    def number(found: re.Match[str]) -> str:
        if found["kept"] is not None:
            return found["kept"]
        if found["name"] not in names:
            names.append(found["name"])
        return f"{mark}{names.index(found['name']) + 1}"

    return _TOKEN.sub(number, sql), tuple(names)


class _Numbered:
    """Hands over the values of a statement in the order of their numbers."""

    mark: ClassVar[str]
    """What stands before a number."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}

    def process_sql(self, query_name: str, _operation: Any, sql: str) -> str:
        assert query_name not in self._names, f"two statements are called {query_name}"
        sql, self._names[query_name] = numbered(sql, self.mark)
        return sql

    def _values(self, query_name: str, values: Mapping[str, Any]) -> list[Any]:
        return [values[name] for name in self._names[query_name]]


class _SQLite(_Numbered, AioSQLiteAdapter):
    """Carries a statement out at once, on SQLite's connection and in its thread.

    Its functions are async all the same, as those for a server are, so that what is made of statements
    fits both. Values by name would do as well, but for each name the thread would let go of Python's
    lock, and have to wait for it again.
    """

    mark = "?"

    async def select(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> AsyncGenerator[Any, None]:
        for row in conn.execute(sql, self._values(query_name, parameters)).fetchall():
            yield row

    async def select_one(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any, *_record: Any
    ) -> Any:
        return conn.execute(sql, self._values(query_name, parameters)).fetchone()

    async def select_value(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any
    ) -> Any:
        row = conn.execute(sql, self._values(query_name, parameters)).fetchone()
        return row[0] if row else None

    async def insert_update_delete(
        self, conn: sqlite3.Connection, query_name: str, sql: str, parameters: Any
    ) -> Any:
        return conn.execute(sql, self._values(query_name, parameters)).rowcount


class _PostgreSQL(_Numbered, AsyncPGAdapter):
    """Awaits a statement on a connection of asyncpg's."""

    mark = "$"

    async def select(
        self, conn: Any, query_name: str, sql: str, parameters: Any, record_class: Any = None
    ) -> AsyncGenerator[Any, None]:
        for row in await conn.fetch(sql, *self._values(query_name, parameters)):
            yield row

    async def select_one(
        self, conn: Any, query_name: str, sql: str, parameters: Any, record_class: Any = None
    ) -> Any:
        return await conn.fetchrow(sql, *self._values(query_name, parameters))

    async def select_value(self, conn: Any, query_name: str, sql: str, parameters: Any) -> Any:
        return await conn.fetchval(sql, *self._values(query_name, parameters))

    async def insert_update_delete(self, conn: Any, query_name: str, sql: str, parameters: Any) -> Any:
        told = await conn.execute(sql, *self._values(query_name, parameters))
        return int(told.rpartition(" ")[2])  # "INSERT 0 1", "UPDATE 1"


class Sql:
    """The statements of the SQL files on one session: each a function of the named values."""

    __slots__ = ("_queries", "session")

    def __init__(self, queries: Queries, session: Any) -> None:
        self._queries = queries
        self.session = session

    def __getattr__(self, statement: str) -> Any:
        return partial(getattr(self._queries, statement), self.session)


@lru_cache(2)
def load_queries(*, for_server: bool = False) -> Queries:
    """Read the SQL files, for SQLite or for a server of PostgreSQL's: once, as they never change."""
    with as_file(files("bot.storage").joinpath("queries")) as folder:
        adapter = _PostgreSQL if for_server else _SQLite
        return aiosql.from_path(folder, adapter, mandatory_parameters=False)
