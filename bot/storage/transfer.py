"""Moving: all of a database of either kind, row by row, into an empty one of either kind."""

from __future__ import annotations

import fnmatch
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, closing, contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Protocol

from bot.engine.errors import RibitError
from bot.engine.game import AnyGame
from bot.engine.match import Stage, fold
from bot.engine.values import frozen
from bot.storage.backups import OF_THE_MOMENT
from bot.storage.cluster.server_lock import locked
from bot.storage.database import open_database
from bot.storage.file_probe import Holding, examine, looking, newest_version
from bot.storage.location import Location, Server
from bot.storage.match_reader import MatchReader
from bot.storage.migrate import migrations
from bot.storage.open_errors import telling_faults
from bot.storage.server_probe import holding_of, require_usable, visiting
from bot.storage.sql import Record, load_queries
from bot.storage.writer import Session, T, Work

ROWS_AT_ONCE = 1000

_Row = tuple[Any, ...]


class MoveError(RibitError):
    """A database cannot be moved, or not into another; the sentence says why."""


@frozen
class _Table:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def all_rows(self) -> str:
        """The statement that reads all rows in the order of their key."""
        columns, key = ", ".join(self.columns), ", ".join(self.key)
        # Its words are names from Ribit's own migrations; nobody else has a say in them.
        return f"SELECT {columns} FROM {self.name} ORDER BY {key}"  # noqa: S608


class End(Protocol):
    """A database that is moved, or moved into: one session, in one transaction."""

    session: Session

    async def execute(self, statement: str) -> None:
        """Carry out a statement that takes no values."""

    async def select(self, statement: str) -> Sequence[Record]:
        """Return the rows that a statement finds that takes no values."""
        ...

    def rows(self, table: _Table) -> AsyncIterator[_Row]:
        """Yield all rows of a table, in the order of their key."""
        ...

    async def add(self, table: _Table, rows: Sequence[_Row]) -> None:
        """Add rows to a table."""


class _FileEnd:
    def __init__(self, session: sqlite3.Connection) -> None:
        self.session = session

    async def execute(self, statement: str) -> None:
        self.session.execute(statement)

    async def select(self, statement: str) -> Sequence[Record]:
        return self.session.execute(statement).fetchall()

    async def rows(self, table: _Table) -> AsyncIterator[_Row]:
        for row in self.session.execute(table.all_rows):
            yield tuple(row)

    async def add(self, table: _Table, rows: Sequence[_Row]) -> None:
        places = ", ".join("?" * len(table.columns))
        names = ", ".join(table.columns)
        # As above, its words are Ribit's own names; what is stored goes in as parameters.
        self.session.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({places})", rows)  # noqa: S608


class _ServerEnd:
    def __init__(self, session: Session) -> None:
        self.session = session

    async def execute(self, statement: str) -> None:
        await self.session.execute(statement)

    async def select(self, statement: str) -> Sequence[Record]:
        return list(await self.session.fetch(statement))

    async def rows(self, table: _Table) -> AsyncIterator[_Row]:
        async for row in self.session.cursor(table.all_rows, prefetch=ROWS_AT_ONCE):
            yield tuple(row)

    async def add(self, table: _Table, rows: Sequence[_Row]) -> None:
        await self.session.copy_records_to_table(table.name, records=rows, columns=table.columns)


class Within:
    """Lets a session that is open already be asked as stores ask."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def run(self, work: Work[T]) -> T:
        """Return what comes of some work."""
        return await work(self._session)

    look = run


async def move(source: Location, target: Location, games: Mapping[str, AnyGame]) -> Holding:
    """Copy a database into an empty one, and check the copy; returns what it holds.

    No bot can run on either meanwhile. Raises MoveError, HeldError, FaultyFileError or DatabaseError;
    nothing is in the target then.
    """
    if isinstance(source, Path) and not source.is_file():
        raise MoveError(f"There is no file {source} to move from.")
    if source == target:
        raise MoveError(f"{source} cannot be moved into itself. Name another database.")
    async with AsyncExitStack() as held:
        for location in (source, target):
            await held.enter_async_context(locked(location))
        await (await open_database(target)).close()
        with telling_faults(source), telling_faults(target):
            return await _move(source, target, games)


async def _move(source: Location, target: Location, games: Mapping[str, AnyGame]) -> Holding:
    async with AsyncExitStack() as opened:
        given, holding = await _reading(source, opened)
        _require_newest(source, holding)
        taken = await writing(target, opened)
        for table in tables():
            async for _row in _kept(taken, table):
                raise MoveError(f"{target} is not empty, and is left as it is. Name another database.")
        for table in tables():
            await _copy(given, taken, table)
        for table in tables():
            await _compare(given, taken, table)
        await _play(reader_of(source, given), reader_of(target, taken), games)
        await taken.execute("COMMIT")
        return holding


def tables() -> list[_Table]:
    """Return the tables of a database, each after those that its rows refer to."""
    with closing(sqlite3.connect(":memory:")) as model:
        for _number, script in migrations():
            model.executescript(script)
        names = [
            name for (name,) in model.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        order = TopologicalSorter(
            {
                name: {row[2] for row in model.execute(f"PRAGMA foreign_key_list({name})")}
                for name in names
            }
        )
        return [_table(model, name) for name in order.static_order()]


def _table(model: sqlite3.Connection, name: str) -> _Table:
    columns = model.execute(f"PRAGMA table_info({name})").fetchall()
    key = sorted((column[5], column[1]) for column in columns if column[5])
    return _Table(name, tuple(column[1] for column in columns), tuple(column for _place, column in key))


# ---- both ends -------------------------------------------------------------------------------------


async def _reading(source: Location, opened: AsyncExitStack) -> tuple[End, Holding]:
    """Open a database that is to be moved; returns it with what it holds."""
    if isinstance(source, Server):
        session = await opened.enter_async_context(visiting(source))
        require_usable(source, session)
        moment = session.transaction(isolation="repeatable_read", readonly=True)
        await opened.enter_async_context(moment)
        holding = await holding_of(session)
        if holding is None:
            raise MoveError(f"Ribit has not used the database {source} yet: there is nothing to move.")
        return _ServerEnd(session), holding
    raw = opened.enter_context(looking(source))
    raw.execute("BEGIN")
    holding = examine(raw, source)
    raw.row_factory = sqlite3.Row
    return _FileEnd(raw), holding


async def writing(target: Location, opened: AsyncExitStack) -> End:
    """Open a database to write in one transaction; without a commit nothing has changed."""
    if isinstance(target, Server):
        session = await opened.enter_async_context(visiting(target))
        await session.execute("BEGIN")
        return _ServerEnd(session)
    raw = opened.enter_context(_writable(target))
    return _FileEnd(raw)


@contextmanager
def _writable(target: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(target, isolation_level=None)) as raw:
        raw.row_factory = sqlite3.Row
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("BEGIN IMMEDIATE")
        yield raw


def reader_of(location: Location, end: End) -> MatchReader:
    """Return what reads the matches of a database inside its one transaction."""
    return MatchReader(load_queries(for_server=isinstance(location, Server)), Within(end.session))


def _require_newest(source: Location, holding: Holding) -> None:
    if holding.version != newest_version():
        raise MoveError(
            f"{source} is of version {holding.version}, and this Ribit's is {newest_version()}. "
            "Start the same Ribit on it once, and then move it."
        )


# ---- rows --------------------------------------------------------------------------------------------


async def _kept(end: End, table: _Table) -> AsyncIterator[_Row]:
    """Yield the rows of a table, but the notes that are of a running bot."""
    async for row in end.rows(table):
        is_note = table.name == "notes"
        key = str(row[table.columns.index("key")]) if is_note else ""
        if not (is_note and any(fnmatch.fnmatchcase(key, pattern) for pattern in OF_THE_MOMENT)):
            yield row


async def _copy(given: End, taken: End, table: _Table) -> None:
    waiting: list[_Row] = []
    async for row in _kept(given, table):
        waiting.append(row)
        if len(waiting) == ROWS_AT_ONCE:
            await taken.add(table, waiting)
            waiting = []
    await taken.add(table, waiting)


async def _compare(given: End, taken: End, table: _Table) -> None:
    """Raise MoveError unless both ends have the same rows of a table, each the same value by value."""
    there = _kept(taken, table)
    async for row in _kept(given, table):
        if await anext(there, None) != row:
            raise _differs(table)
    if await anext(there, None) is not None:
        raise _differs(table)


def _differs(table: _Table) -> MoveError:
    return MoveError(f"The copy of the table {table.name} is not the same, and was given up. Try again.")


async def _play(given: MatchReader, taken: MatchReader, games: Mapping[str, AnyGame]) -> None:
    """Raise MoveError unless every live match comes to the same state at both ends."""
    for match in await given.live():
        game = games[match.game].by_rules(match.rules_version) if match.game in games else None
        if game is None or match.stage is not Stage.PLAYING:
            continue  # what no bot of this version goes on with, or has not been dealt
        records = [await end.load(match.id) for end in (given, taken)]
        try:
            first, second = (record and fold(game, *record) for record in records)
        except (RibitError, LookupError, ValueError) as error:
            raise MoveError(f"The match {match.id} cannot be played on ({error}): stop it.") from error
        if first is None or first != second:
            raise MoveError(f"The match {match.id} does not go on from the copy. Nothing was moved.")
