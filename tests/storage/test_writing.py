"""Group commit: what is waiting together is committed together, and each on its own terms."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import aiosqlite
import pytest

from bot.engine.match import Entry
from bot.storage import Database
from bot.storage.connections import Writer, connect
from tests.storage.matches import playing

COUNTING = "SELECT count(*) FROM things"


@pytest.fixture
async def reader(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    """A connection that only reads, beside the writer's."""
    connection = await connect(str(path), read_only=True)
    yield connection
    await connection.close()


@pytest.fixture
async def writer(path: Path) -> AsyncIterator[Writer]:
    """A writer on a file with one small table of unique names."""
    connection = await connect(str(path))
    await connection.execute("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT")
    writer = Writer(connection)
    yield writer
    await writer.close()


async def _count(connection: aiosqlite.Connection) -> int:
    (row,) = await connection.execute_fetchall(COUNTING)
    return int(row[0])


class Adding:
    """Adds a name; on the way it waits until it may go on."""

    def __init__(self, name: str, *, held: bool = False) -> None:
        self._name = name
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        if not held:
            self.go_on.set()

    async def __call__(self, connection: aiosqlite.Connection) -> str:
        await connection.execute("INSERT INTO things VALUES (?)", (self._name,))
        self.begun.set()
        await self.go_on.wait()
        return self._name


async def test_many_moves_at_once_all_land(path: Path, database: Database) -> None:
    """Concurrent moves of many matches are all stored, each in its own match, and the file is sound."""
    ids = [f"m{n}" for n in range(25)]
    for match_id in ids:
        await playing(database, match_id)
    for n in range(8):
        done = await asyncio.gather(
            *(database.journal.append(match_id, Entry(n, 0, match_id)) for match_id in ids)
        )
        assert all(done)
    for match_id in ids:
        assert await database.journal.entries(match_id) == [Entry(n, 0, match_id) for n in range(8)]
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


async def test_what_waits_together_is_one_transaction(
    writer: Writer, reader: aiosqlite.Connection
) -> None:
    """While one commit is under way the next group gathers; it shows all at once."""
    first, last = Adding("first", held=True), Adding("last", held=True)
    writes = [asyncio.create_task(writer.write(first))]
    await first.begun.wait()
    group = [Adding(str(n)) for n in range(10)]
    writes += [asyncio.create_task(writer.write(work)) for work in (*group, last)]
    await asyncio.sleep(0)
    shown = [await _count(reader)]
    first.go_on.set()
    await last.begun.wait()
    shown.append(await _count(reader))
    done = [write.done() for write in writes]
    last.go_on.set()
    assert await asyncio.gather(*writes) == ["first", *map(str, range(10)), "last"]
    shown.append(await _count(reader))
    assert shown == [0, 1, 12]
    assert not any(done[1:])


async def test_nothing_is_read_before_it_is_stored(writer: Writer, reader: aiosqlite.Connection) -> None:
    """A reader never sees an uncommitted write, and sees it as soon as it is acknowledged."""
    work = Adding("frog", held=True)
    write = asyncio.create_task(writer.write(work))
    await work.begun.wait()
    meanwhile = await _count(reader)
    work.go_on.set()
    await write
    assert meanwhile == 0
    assert await _count(reader) == 1


async def test_the_journal_shows_no_move_before_it_is_stored(database: Database) -> None:
    """What the journal is asked while a move is being written, it answers without that move."""
    await playing(database)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def moving(connection: aiosqlite.Connection) -> None:
        await connection.execute(
            "INSERT INTO moves (match_id, n, seat, text) VALUES ('m1', 0, 0, 'draw')"
        )
        begun.set()
        await go_on.wait()

    write = asyncio.create_task(database._writer.write(moving))
    await begun.wait()
    meanwhile = await database.journal.entries("m1")
    go_on.set()
    await write
    assert meanwhile == []
    assert await database.journal.entries("m1") == [Entry(0, 0, "draw")]


async def test_a_reader_cannot_write(reader: aiosqlite.Connection, writer: Writer) -> None:
    """There is one way into the file."""
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await reader.execute("INSERT INTO things VALUES ('frog')")


async def test_a_failing_piece_takes_nothing_else_with_it(
    writer: Writer, reader: aiosqlite.Connection
) -> None:
    """Each piece of a group has its own savepoint: its error is its own, and so is what it undoes."""

    async def faulty(connection: aiosqlite.Connection) -> None:
        await connection.execute("INSERT INTO things VALUES ('half')")
        await connection.execute("INSERT INTO things VALUES ('toad')")

    outcomes = await asyncio.gather(
        writer.write(Adding("toad")),
        writer.write(faulty),
        writer.write(Adding("frog")),
        return_exceptions=True,
    )
    assert (outcomes[0], outcomes[2]) == ("toad", "frog")
    assert isinstance(outcomes[1], sqlite3.IntegrityError)
    assert await _count(reader) == 2


async def test_a_cancelled_caller_loses_nothing(writer: Writer, reader: aiosqlite.Connection) -> None:
    """Neither the leader of a group nor a member of it takes writes with it when it is cancelled."""
    first = Adding("first", held=True)
    leader = asyncio.create_task(writer.write(first))
    await first.begun.wait()
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
    assert await _count(reader) == 8


async def test_a_cancelled_caller_of_a_failing_piece_is_no_fault(writer: Writer) -> None:
    """An error that nobody waits for any more is not reported as forgotten."""

    async def faulty(connection: aiosqlite.Connection) -> None:
        raise ValueError("nobody hears this")

    write = asyncio.create_task(writer.write(faulty))
    await asyncio.sleep(0)
    write.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    assert await writer.write(Adding("after")) == "after"


async def test_an_aborted_transaction_fails_all_of_its_group(
    writer: Writer, reader: aiosqlite.Connection
) -> None:
    """When the file gives up the transaction, everybody in it is told, and the next group goes on."""

    async def aborting(connection: aiosqlite.Connection) -> None:
        await connection.execute("INSERT OR ROLLBACK INTO things VALUES ('toad')")

    await writer.write(Adding("toad"))
    outcomes = await asyncio.gather(
        writer.write(Adding("frog")), writer.write(aborting), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [sqlite3.IntegrityError] * 2
    assert await _count(reader) == 1
    assert await writer.write(Adding("frog")) == "frog"
    assert await _count(reader) == 2


async def test_an_interrupted_commit_leaves_the_writer_usable(
    writer: Writer, reader: aiosqlite.Connection
) -> None:
    """Even the task that commits may be cancelled, as at the end of a loop: nothing half is kept."""
    work = Adding("half", held=True)
    before = asyncio.all_tasks()
    write = asyncio.create_task(writer.write(work))
    await work.begun.wait()
    for task in asyncio.all_tasks() - before - {write}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    assert await writer.write(Adding("whole")) == "whole"
    assert await _count(reader) == 1


async def test_a_file_that_stays_locked_is_an_error_for_who_waits(path: Path, writer: Writer) -> None:
    """The wait for another process has an end; after it the writer works on."""
    await writer.write(_impatient)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        await writer.write(Adding("frog"))
    holder.execute("ROLLBACK")
    holder.close()
    assert await writer.write(Adding("frog")) == "frog"


async def _impatient(connection: aiosqlite.Connection) -> None:
    await connection.execute_fetchall("PRAGMA busy_timeout = 1")
