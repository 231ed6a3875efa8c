"""The statements of the SQL files, as async functions. The one module that knows aiosql."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from importlib.resources import as_file, files
from typing import Any, TypeAlias

import aiosql
import aiosqlite
from aiosql.adapters.aiosqlite import AioSQLiteAdapter

Queries: TypeAlias = Any
"""Has each named statement as an attribute: a function of a connection and the named values."""


class _Adapter(AioSQLiteAdapter):
    """Reads a whole answer in one step of the connection's thread.

    A statement that is read in steps keeps its snapshot of the file open between them, and whoever
    reads on the same connection meanwhile would be shown that old snapshot.
    """

    async def select(
        self,
        conn: aiosqlite.Connection,
        _query_name: str,
        sql: str,
        parameters: Any,
        record_class: Any = None,
    ) -> AsyncGenerator[Any, None]:
        for row in await conn.execute_fetchall(sql, parameters):
            yield row

    async def select_one(
        self,
        conn: aiosqlite.Connection,
        _query_name: str,
        sql: str,
        parameters: Any,
        record_class: Any = None,
    ) -> Any:
        return next(iter(await conn.execute_fetchall(sql, parameters)), None)


def load_queries() -> Queries:
    """Read the SQL files."""
    with as_file(files("bot.storage").joinpath("queries")) as folder:
        return aiosql.from_path(folder, _Adapter, mandatory_parameters=False)
