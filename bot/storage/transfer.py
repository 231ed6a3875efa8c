"""Transfer of a whole database to an empty one, for example from SQLite to PostgreSQL."""

from __future__ import annotations

import fnmatch
import hashlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from graphlib import TopologicalSorter
from pathlib import Path

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.storage.database_address import COUNTS, Holding, Location
from bot.storage.database_lock import (
    OF_THE_MOMENT,
    ROWS_AT_ONCE,
    DatabaseTransaction,
    Row,
    lock_database,
    prepare,
    reading,
    require_newest,
    writing,
)
from bot.storage.file_probe import require_existing
from bot.storage.migrate import migrations, newest_version


class MoveError(RibitError):
    """Raised when a database cannot be copied to another one. The message explains the reason."""


@frozen
class _Table:
    name: str
    columns: tuple[str, ...]
    all_rows: str


async def move(source: Location, target: Location) -> Holding:
    """Copy all data to an empty database, and verify the copy.

    Notes about a running bot are not copied. If an error occurs, the target stays empty.

    Args:
        source: The database to copy. It is not changed.
        target: The empty database. It is created or migrated first.

    Returns:
        A summary of the target's contents.

    Raises:
        OldDatabaseError: The source has an older schema.
        MoveError: The source cannot be moved, the target is not empty, or the copy differs.
        DatabaseInUseError: A bot is using one of the databases.
        DatabaseError: One of the databases cannot be used.
    """
    if isinstance(source, Path):
        require_existing(source)
    if source == target:
        raise MoveError(f"{source} cannot be moved into itself. Name another database.")
    async with AsyncExitStack() as stack:
        for location in (source, target):
            await stack.enter_async_context(lock_database(location))
        await prepare(target)
        reader = await stack.enter_async_context(reading(source))
        if not await reader.version():
            raise MoveError(f"Ribit has not used the database {source} yet: there is nothing to move.")
        await require_newest(source, reader)
        writer = await stack.enter_async_context(writing(target))
        for table in tables():
            async for _row in _rows_of(writer, table):
                raise MoveError(f"{target} is not empty, and is left as it is. Name another database.")
        for table in tables():
            await _copy(reader, writer, table)
            if await _digest(reader, table) != await _digest(writer, table):
                raise MoveError(
                    f"The copy of the table {table.name} is not the same, and was given up. Try again."
                )
        (counts,) = await writer.select(COUNTS)
        await writer.execute("COMMIT")
        return Holding(newest_version(), **dict(counts))


def tables() -> list[_Table]:
    """Return all tables of the newest schema.

    Tables come after those that they reference by foreign keys.
    """
    with closing(sqlite3.connect(":memory:")) as model:
        for _number, script in migrations():
            model.executescript(script)
        rows = model.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        order = TopologicalSorter(
            {
                name: {row[2] for row in model.execute(f"PRAGMA foreign_key_list({name})")}
                for (name,) in rows
            }
        )
        return [_table(model, name) for name in order.static_order()]


def _table(model: sqlite3.Connection, name: str) -> _Table:
    rows = model.execute(f"PRAGMA table_info({name})").fetchall()
    columns = tuple(column[1] for column in rows)
    key = (column for _place, column in sorted((row[5], row[1]) for row in rows if row[5]))
    # The names come from Ribit's own migrations, never from input.
    all_rows = f"SELECT {', '.join(columns)} FROM {name} ORDER BY {', '.join(key)}"  # noqa: S608
    return _Table(name, columns, all_rows)


async def _rows_of(end: DatabaseTransaction, table: _Table) -> AsyncIterator[Row]:
    async for row in end.rows(table.all_rows):
        key = row["key"] if table.name == "notes" else ""
        if not any(fnmatch.fnmatchcase(key, pattern) for pattern in OF_THE_MOMENT):
            yield tuple(row)  # turns the row types of both drivers into values


async def _copy(given: DatabaseTransaction, taken: DatabaseTransaction, table: _Table) -> None:
    waiting: list[Row] = []
    async for row in _rows_of(given, table):
        waiting.append(row)
        if len(waiting) == ROWS_AT_ONCE:
            await taken.add(table.name, table.columns, waiting)
            waiting.clear()
    await taken.add(table.name, table.columns, waiting)


async def _digest(end: DatabaseTransaction, table: _Table) -> str:
    digest = hashlib.sha256()
    async for row in _rows_of(end, table):
        digest.update(repr(row).encode())
    return digest.hexdigest()
