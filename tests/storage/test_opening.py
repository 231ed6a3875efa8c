"""Opening and closing a database file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.console import FAILED
from bot.engine.errors import RibitError
from bot.storage.database import Database, open_database
from bot.storage.database_address import DatabaseError, Location, Server
from bot.storage.migrate import migrate, migrations
from bot.storage.sqlite_connections import connect
from tests.storage.database_types import BOTH, on_sqlite, query_rows
from tests.storage.matches import new_lobby

pytestmark = pytest.mark.real("migrations")


def _table_names(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    try:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    finally:
        connection.close()


def _query_value(path: Path, sql: str) -> object:
    connection = sqlite3.connect(path)
    try:
        (answer,) = connection.execute(sql).fetchone()
        return answer
    finally:
        connection.close()


def _write_diary(path: Path) -> bytes:
    """Write a file that is not a database, and return its path."""
    path.write_text("Dear diary, today I heard a frog. " * 100)
    return _file_content(path)


def _file_content(path: Path) -> bytes:
    return path.read_bytes()


@contextmanager
def _make_unwritable(folder: Path) -> Iterator[None]:
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


async def test_a_missing_file_is_created_with_the_newest_schema(path: Path) -> None:
    """Opening a new path creates a database of the newest version."""
    database = await open_database(path)
    await database.close()
    assert {
        "matches",
        "seats",
        "moves",
        "results",
        "figures",
        "posts",
        "players",
        "notes",
    } <= _table_names(path)
    assert _query_value(path, "PRAGMA user_version") == migrations()[-1][0]


async def test_opening_a_current_database_changes_nothing(location: Location) -> None:
    """An up-to-date database is not migrated again, and keeps its content."""
    for _time in range(3):
        database = await open_database(location)
        if await database.notes.get("first") is None:
            await database.notes.store_note("first", "kept")
        assert await database.notes.get("first") == "kept"
        await database.close()


@pytest.mark.parametrize("kind", BOTH)
async def test_several_processes_can_open_a_new_database_at_once(
    kind: str, path: Path, request: pytest.FixtureRequest
) -> None:
    """Of several processes that open a new database at once, one migrates it and all can use it."""
    location: Location = path if kind == "sqlite" else request.getfixturevalue("new_server")
    databases = await asyncio.gather(*(open_database(location) for _one in range(8)))
    for n, database in enumerate(databases):
        await database.notes.store_note(str(n), "here")
    for database in databases:
        await database.close()
    assert await query_rows(location, "SELECT count(*) FROM notes") == [(len(databases),)]


@on_sqlite
async def test_a_file_has_a_write_ahead_log_and_strict_tables(path: Path, database: Database) -> None:
    """The file has a write-ahead log, and its tables refuse invalid values."""
    assert _query_value(path, "PRAGMA journal_mode") == "wal"
    with pytest.raises(sqlite3.IntegrityError):
        await database.posts.store_message("no such match", "table", 1, 2)


async def test_a_failing_migration_is_rolled_back(path: Path) -> None:
    """A migration and its record are one transaction, so an error in its last statement undoes all."""
    steps = [
        (1, "CREATE TABLE first (a);"),
        (2, "CREATE TABLE second (a);\nINSERT INTO second VALUES (1);\nINSERT INTO nowhere VALUES (1);"),
    ]
    connection = await connect(path)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        await migrate(connection, steps)
    assert not await connection.hop(lambda raw: raw.in_transaction)
    await connection.close()
    assert _table_names(path) == {"first"}
    assert _query_value(path, "PRAGMA user_version") == 1


async def test_a_fixed_migration_continues_after_the_recorded_ones(path: Path) -> None:
    """Recorded migrations are not repeated, and a last statement needs no semicolon."""
    connection = await connect(path)
    await migrate(connection, [(1, "CREATE TABLE first (a);")])
    await migrate(connection, [(1, "CREATE TABLE first (a);"), (2, "CREATE TABLE second (a)")])
    await connection.close()
    assert _table_names(path) == {"first", "second"}


async def test_a_newer_database_is_refused(path: Path) -> None:
    """A file of a newer version is not changed, and the error says to update."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(DatabaseError, match="newer Ribit") as refusal:
        await open_database(path)
    assert str(path) in refusal.value.sentence
    assert not _table_names(path)


@pytest.mark.parametrize(
    "command",
    ["doctor --offline", "backup saturday", "replay m1", "recount", "forget 7", "move {here} elsewhere"],
)
def test_every_command_refuses_a_newer_database(
    location: Location,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every command refuses a newer database and says to update, even if a table is missing."""
    here = location.address if isinstance(location, Server) else str(location)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "not.a.token")
    monkeypatch.setenv("RIBIT_DATABASE", here)

    async def make_newer() -> None:
        await (await open_database(location)).close()
        await query_rows(location, "ALTER TABLE seats RENAME TO chairs")
        is_file = isinstance(location, Path)
        await query_rows(
            location, "PRAGMA user_version = 99" if is_file else "INSERT INTO migrations VALUES (99)"
        )

    asyncio.run(make_newer())
    assert main(command.format(here=here).split()) == FAILED
    assert "newer Ribit" in "".join(capsys.readouterr()).splitlines()[-1]


async def test_a_missing_folder_is_named_and_not_created(tmp_path: Path) -> None:
    """A missing folder is not created, and the error names it."""
    with pytest.raises(RibitError, match="no folder") as refusal:
        await open_database(tmp_path / "nowhere" / "ribit.sqlite3")
    assert str(tmp_path / "nowhere") in refusal.value.sentence


async def test_an_invalid_file_is_named_and_stays_unchanged(path: Path) -> None:
    """A file that is not a database is named in the error and stays unchanged."""
    before = _write_diary(path)
    with pytest.raises(DatabaseError, match="is not a database"):
        await open_database(path)
    assert _file_content(path) == before


async def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    """A folder in place of the file is named in the error."""
    with pytest.raises(DatabaseError, match="is not a file") as refusal:
        await open_database(tmp_path)
    assert str(tmp_path) in refusal.value.sentence


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_an_unwritable_folder_is_named_with_advice(tmp_path: Path) -> None:
    """A folder without write permission is named with the advice to check permissions."""
    with _make_unwritable(tmp_path), pytest.raises(DatabaseError, match="permissions"):
        await open_database(tmp_path / "ribit.sqlite3")


async def test_closing_twice_is_harmless(location: Location) -> None:
    """Closing a database again, even concurrently, has no effect."""
    database = await open_database(location)
    await asyncio.gather(database.close(), database.close())
    await database.close()


async def test_closing_finishes_pending_writes(location: Location) -> None:
    """Writes requested before the close are on the disk after it."""
    database = await open_database(location)
    writes = [asyncio.create_task(database.notes.store_note(str(n), "kept")) for n in range(20)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes)
    assert await query_rows(location, "SELECT count(*) FROM notes") == [(20,)]


async def test_writing_after_the_close_raises_an_error(location: Location) -> None:
    """A write after the close raises an error, and no caller waits forever."""
    database = await open_database(location)
    await database.close()
    for _time in range(2):
        with pytest.raises(ValueError, match=r"[Cc]onnection"):
            await database.journal.create(new_lobby(), "place")
