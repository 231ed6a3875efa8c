"""Group commit, in which waiting changes share a transaction but fail separately."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from threading import Event

import pytest

from bot.engine.translation import language, speaking
from bot.matches.match import Entry
from bot.storage.database import Database
from bot.storage.database_address import Location
from bot.storage.named_queries import Sql
from bot.storage.sqlite_connections import Connection, connect
from bot.storage.writer import UnreachableDatabaseError, Work, Writer
from tests.storage.database_types import on_sqlite, query_rows
from tests.storage.matches import store_live_match, store_move

COUNTING = "SELECT count(*) FROM things"
FOUR_MEGABYTES = 4_000_000


@pytest.fixture
async def reader(path: Path) -> AsyncIterator[Connection]:
    """A read-only connection beside the writer's."""
    connection = await connect(path, read_only=True)
    yield connection
    await connection.close()


@pytest.fixture
async def connection(path: Path) -> Connection:
    """The writer's connection to a file with a table of unique names."""
    connection = await connect(path)
    await connection.hop(lambda raw: raw.execute("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT"))
    return connection


@pytest.fixture
async def writer(connection: Connection) -> AsyncIterator[Writer]:
    """A writer on that connection, which it closes."""
    writer = Writer(connection)
    yield writer
    await writer.close()


async def _row_count(connection: Connection) -> int:
    return await connection.hop(lambda raw: int(raw.execute(COUNTING).fetchone()[0]))


class Adding:
    """Adds a name, and blocks its thread meanwhile until it is released."""

    def __init__(self, name: str, *, held: bool = False) -> None:
        self._name = name
        self._begun = Event()
        self.go_on = Event()
        if not held:
            self.go_on.set()

    async def __call__(self, connection: sqlite3.Connection) -> str:
        connection.execute("INSERT INTO things VALUES (?)", (self._name,))
        self._begun.set()
        self.go_on.wait()
        return self._name

    async def begun(self) -> None:
        """Wait until the change is in progress."""
        await asyncio.to_thread(self._begun.wait)


async def test_concurrent_moves_of_many_matches_are_all_stored(
    location: Location, database: Database
) -> None:
    """Concurrent moves of many matches are all stored in their own matches, and the file is sound."""
    ids = [f"m{n}" for n in range(25)]
    for match_id in ids:
        await store_live_match(database, match_id)
    for n in range(8):
        done = await asyncio.gather(
            *(store_move(database, match_id, Entry(n, 0, match_id)) for match_id in ids)
        )
        assert all(done)
    for match_id in ids:
        assert await database.journal.entries(match_id) == [Entry(n, 0, match_id) for n in range(8)]
    if isinstance(location, Path):
        assert await query_rows(location, "PRAGMA integrity_check") == [("ok",)]
        assert await query_rows(location, "PRAGMA foreign_key_check") == []


async def test_changes_waiting_together_are_one_transaction(writer: Writer, reader: Connection) -> None:
    """Changes that wait during a commit form the next transaction, which becomes visible at once."""
    first, last = Adding("first", held=True), Adding("last", held=True)
    writes = [asyncio.create_task(writer.write(first))]
    await first.begun()
    group = [Adding(str(n)) for n in range(10)]
    writes += [asyncio.create_task(writer.write(work)) for work in (*group, last)]
    await asyncio.sleep(0)
    shown = [await _row_count(reader)]
    first.go_on.set()
    await last.begun()
    shown.append(await _row_count(reader))
    done = [write.done() for write in writes]
    last.go_on.set()
    assert await asyncio.gather(*writes) == ["first", *map(str, range(10)), "last"]
    shown.append(await _row_count(reader))
    assert shown == [0, 1, 12]
    assert not any(done[1:])


async def test_readers_see_no_uncommitted_changes(writer: Writer, reader: Connection) -> None:
    """A reader sees no uncommitted change, and sees each one as soon as it is acknowledged."""
    work = Adding("frog", held=True)
    write = asyncio.create_task(writer.write(work))
    await work.begun()
    meanwhile = await _row_count(reader)
    work.go_on.set()
    await write
    assert meanwhile == 0
    assert await _row_count(reader) == 1


@on_sqlite
async def test_the_journal_returns_no_uncommitted_moves(database: Database) -> None:
    """A read of the journal during a commit does not return the uncommitted move."""
    await store_live_match(database)
    begun, go_on = Event(), Event()

    async def moving(sql: Sql) -> None:
        sql.session.execute("INSERT INTO moves (match_id, n, seat, text) VALUES ('m1', 0, 0, 'draw')")
        begun.set()
        go_on.wait()

    write = asyncio.create_task(database.writer.write(moving))
    await asyncio.to_thread(begun.wait)
    meanwhile = await database.journal.entries("m1")
    go_on.set()
    await write
    assert meanwhile == []
    assert await database.journal.entries("m1") == [Entry(0, 0, "draw")]


async def test_a_reader_cannot_write(reader: Connection, writer: Writer) -> None:
    """A write on a reader's connection fails as read-only, so all writes go through the writer."""
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await reader.run(Adding("frog"))


async def test_a_failing_change_does_not_affect_other_changes(
    writer: Writer, reader: Connection
) -> None:
    """A failing change raises its error for its own caller and is undone.

    The others are then stored one by one.
    """

    async def faulty(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES ('half')")
        connection.execute("INSERT INTO things VALUES ('toad')")

    outcomes = await asyncio.gather(
        writer.write(Adding("toad")),
        writer.write(faulty),
        writer.write(Adding("frog")),
        return_exceptions=True,
    )
    assert (outcomes[0], outcomes[2]) == ("toad", "frog")
    assert isinstance(outcomes[1], sqlite3.IntegrityError)
    assert await _row_count(reader) == 2


async def test_database_work_uses_its_callers_language(writer: Writer, reader: Connection) -> None:
    """A refusal inside a read or write is in its caller's language, even if writes share a commit."""

    async def spoken(_connection: sqlite3.Connection) -> str:
        return language()

    async def ask_in(locale: str, carry_out: Callable[[Work[str]], Awaitable[str]]) -> str:
        with speaking(locale):
            return await carry_out(spoken)

    asked = [ask_in("de", writer.write), ask_in("fr", writer.write), ask_in("pt", reader.run)]
    assert await asyncio.gather(*asked) == ["de", "fr", "pt"]


async def test_a_cancelled_caller_cancels_no_other_write(writer: Writer, reader: Connection) -> None:
    """Cancelling the leader or a member of a group cancels no other write."""
    first = Adding("first", held=True)
    leader = asyncio.create_task(writer.write(first))
    await first.begun()
    others = [asyncio.create_task(writer.write(Adding(str(n)))) for n in range(6)]
    await asyncio.sleep(0)
    for cancelled in (leader, others[0], others[3]):
        cancelled.cancel()
    first.go_on.set()
    outcomes = await asyncio.gather(leader, *others, return_exceptions=True)
    kinds = [type(outcome) for outcome in outcomes]
    gone = asyncio.CancelledError
    assert kinds == [gone, gone, str, str, gone, str, str]
    await writer.write(Adding("after"))
    assert await _row_count(reader) == 8


async def test_errors_of_cancelled_callers_are_not_reported(writer: Writer) -> None:
    """An error that no task awaits any more is not reported by asyncio."""

    async def faulty(connection: sqlite3.Connection) -> None:
        raise ValueError("nobody hears this")

    write = asyncio.create_task(writer.write(faulty))
    await asyncio.sleep(0)
    write.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    assert await writer.write(Adding("after")) == "after"


async def test_an_aborted_transaction_stores_its_other_changes(
    writer: Writer, reader: Connection
) -> None:
    """If SQLite aborts the transaction, its other changes are stored all the same."""

    async def aborting(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR ROLLBACK INTO things VALUES ('toad')")

    await writer.write(Adding("toad"))
    outcomes = await asyncio.gather(
        writer.write(Adding("frog")), writer.write(aborting), return_exceptions=True
    )
    assert outcomes[0] == "frog"
    assert isinstance(outcomes[1], sqlite3.IntegrityError)
    assert await _row_count(reader) == 2


async def test_an_interrupted_commit_is_atomic(writer: Writer, reader: Connection) -> None:
    """A commit is stored whole or not at all, even if its task is cancelled at the end of a loop."""
    work = Adding("first", held=True)
    before = asyncio.all_tasks()
    write = asyncio.create_task(writer.write(work))
    await work.begun()
    for task in asyncio.all_tasks() - before - {write}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    assert await _row_count(reader) == 0
    work.go_on.set()
    assert await writer.write(Adding("second")) == "second"
    assert await _row_count(reader) == 2


async def test_deferrable_values_are_stored_with_the_next_commit(
    writer: Writer, reader: Connection
) -> None:
    """A value that may be lost is stored with the next commit or at the close.

    Of each key the last value counts.
    """
    for name in ("a toad", "a frog"):
        writer.ride("on the lily pad", Adding(name))
    writer.ride("in the pond", Adding("a newt"))
    assert await _row_count(reader) == 0
    await writer.write(Adding("a heron"))
    names = await reader.hop(lambda raw: [row[0] for row in raw.execute("SELECT name FROM things")])
    assert sorted(names) == ["a frog", "a heron", "a newt"]
    writer.ride("on the lily pad", Adding("a frog"))
    assert await writer.write(Adding("a fly")) == "a fly", "what fails on the way takes nobody with it"


async def test_a_locked_file_raises_an_error_for_the_waiting_caller(path: Path, writer: Writer) -> None:
    """The wait for a lock of the file ends with an error, and later writes succeed."""
    await writer.write(_shorten_busy_timeout)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnreachableDatabaseError):
        await writer.write(Adding("frog"))
    holder.execute("ROLLBACK")
    holder.close()
    assert await writer.write(Adding("frog")) == "frog"


async def _shorten_busy_timeout(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA busy_timeout = 1")


async def test_the_write_ahead_log_has_a_limited_size(writer: Writer, path: Path) -> None:
    """The write-ahead log is copied into the file and restarts, so its size stays limited."""
    for _commit in range(6):
        await writer.write(_add_many_names)
    log = path.with_name(f"{path.name}-wal").stat().st_size
    assert log < 3 * FOUR_MEGABYTES < 6 * 2 * FOUR_MEGABYTES


async def _add_many_names(connection: sqlite3.Connection) -> None:
    """Add this many names to the table and its index."""
    connection.execute("INSERT INTO things VALUES (hex(randomblob(?)))", (FOUR_MEGABYTES // 2,))
