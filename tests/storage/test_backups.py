"""Backups taken while the bot plays, and restores."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.engine.errors import RibitError
from bot.games import games
from bot.matches.match import Entry, Stage, fold, opening
from bot.matches.server_settings import ServerSettings
from bot.storage.backups import CopyError, back_up, restore
from bot.storage.database import open_database
from bot.storage.database_address import DatabaseInUseError, RefusedDatabaseError
from bot.storage.database_file import lock_alone
from bot.storage.database_lock import note_alive
from bot.storage.file_probe import read_note, side_files
from bot.storage.liveness import ALIVE
from bot.storage.migrate import migrate_file, migrations
from tests.forked_processes import run_program_for_bytes
from tests.storage.database_types import query_rows
from tests.storage.matches import ADA, BO, FROGS, store_finished_match, store_live_match, store_move

ROOT = Path(__file__).parents[2]
TOAD = games()["toad"]

Files = dict[str, bytes]

NOW = 1_800_000_000


def folder_contents(folder: Path) -> Files:
    """Return every file of a folder except the lock file, which stays for later processes."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and path.suffix != ".lock"
    }


def run_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


async def create_filled_database(path: Path, *notes: str) -> None:
    """Create a database with a live match without moves, a finished match and these notes."""
    database = await open_database(path)
    await store_live_match(database, "live")
    await store_finished_match(database, "over")
    for note in notes:
        await database.notes.store_note(note, "noted")
    await database.close()


async def open_and_read_note(path: Path) -> str | None:
    """Open a database like the bot, and return the note that identifies it."""
    database = await open_database(path)
    try:
        return await database.notes.get("mark")
    finally:
        await database.close()


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """A sound backup in a folder of its own."""
    folder = tmp_path / "backups"
    folder.mkdir()
    await create_filled_database(folder / "source.sqlite3")
    back_up(folder / "source.sqlite3", folder / "backup.sqlite3")
    (folder / "source.sqlite3").unlink()
    return folder / "backup.sqlite3"


# ---- backing up ----------------------------------------------------------------------------------


async def play_endlessly(path: Path) -> None:
    """Play random matches of Toad without end, and print each stored move."""
    database, chance = await open_database(path), random.Random(1)
    for number in range(1000):
        match = await store_live_match(database, f"m{number}")
        state, n = opening(TOAD, match), 0
        while (seat := TOAD.to_move(state)) is not None:
            move = chance.choice(TOAD.legal_moves(state))
            assert await store_move(database, match.id, Entry(n, seat, TOAD.write(move)))
            print(match.id, n, flush=True)  # noqa: T201 — the parent process reads it
            state, n = TOAD.play(state, move), n + 1


@contextmanager
def run_playing_process(path: Path) -> Iterator[Callable[[int], list[str]]]:
    """Run another process that plays.

    Yields a function that waits for a number of moves and returns them.
    """
    command = [sys.executable, "-m", "tests.storage.test_backups", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        said = process.stdout
        stored = (line.strip() for line in said if re.fullmatch(r"m\d+ \d+\n", line))  # and no log's
        try:
            yield lambda moves: list(islice(stored, moves))
            assert process.poll() is None
        finally:
            process.kill()


async def test_a_backup_of_a_running_match_is_consistent(path: Path, tmp_path: Path) -> None:
    """Each backup during play is a consistent state with all moves stored before it."""
    stored: list[str] = []
    with run_playing_process(path) as wait_for:
        for number in range(4):
            stored += wait_for(40)
            file = tmp_path / f"{number}.sqlite3"
            await asyncio.to_thread(back_up, path, file)
            copy = await open_database(file)
            there = set[str]()
            for match in await copy.journal.live():
                entries = await copy.journal.entries(match.id)
                assert [entry.n for entry in entries] == list(range(len(entries)))
                if match.stage is Stage.PLAYING:  # a table may have been opened just then
                    fold(TOAD, match, entries)
                there |= {f"{match.id} {entry.n}" for entry in entries}
            await copy.close()
            assert set(stored) <= there
        assert wait_for(10)[-1]


async def test_a_backup_is_one_file_with_a_digest_beside_it(path: Path, tmp_path: Path) -> None:
    """The backup's digest is in a file beside it in sha256sum's format.

    No temporary file stays.
    """
    await create_filled_database(path)
    folder = tmp_path / "backups"
    folder.mkdir()
    holding = back_up(path, folder / "file")
    assert str(holding) == "matches: 2 (live: 1), players: 2"
    assert sorted(folder_contents(folder)) == ["file", "file.sha256"]
    digest = hashlib.sha256((folder / "file").read_bytes()).hexdigest()
    assert (folder / "file.sha256").read_text() == f"{digest}  file\n"
    with closing(sqlite3.connect(folder / "file")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


async def test_a_backup_does_not_change_the_database_folder(path: Path, tmp_path: Path) -> None:
    """A backup without a running bot only reads the file, and creates none beside it."""
    await create_filled_database(path)
    (tmp_path / "backups").mkdir()
    before = folder_contents(tmp_path)
    back_up(path, tmp_path / "backups" / "file")
    assert folder_contents(tmp_path) == before


async def test_a_backup_omits_notes_about_the_running_bot(path: Path, tmp_path: Path) -> None:
    """A backup omits the notes of the running bot and of Discord's state, and has all other notes."""
    of_the_moment = ("alive", "alive 0-3/8", "holder 0-3/8", "commands of 123")
    await create_filled_database(path, *of_the_moment, "mark")
    back_up(path, tmp_path / "file")
    copy = await open_database(tmp_path / "file")
    found = {key: await copy.notes.get(key) for key in (*of_the_moment, "mark")}
    await copy.close()
    assert found == {**dict.fromkeys(of_the_moment), "mark": "noted"}


async def test_only_the_owner_can_read_a_backup(path: Path, tmp_path: Path) -> None:
    """A backup has no permissions for group and others, as its seeds would reveal every hand."""
    await create_filled_database(path)
    back_up(path, tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0


async def test_a_backup_never_overwrites_a_file(path: Path, tmp_path: Path) -> None:
    """A backup never overwrites a file, not even the database itself."""
    await create_filled_database(path)
    (tmp_path / "letter").write_text("Dear frog")
    before = folder_contents(tmp_path)
    for taken in (tmp_path / "letter", path):
        with pytest.raises(CopyError, match="exists already"):
            back_up(path, taken)
    assert folder_contents(tmp_path) == before


async def test_a_failed_backup_reports_one_sentence_and_leaves_no_file(
    path: Path, tmp_path: Path
) -> None:
    """A backup without a readable database or a writable folder ends with one sentence and no file."""
    with pytest.raises(RefusedDatabaseError, match="no database"):
        back_up(path, tmp_path / "file")
    await create_filled_database(path)
    with pytest.raises(CopyError, match="no/where"):
        back_up(path, tmp_path / "no" / "where" / "file")
    damage_last_page(path)
    before = folder_contents(tmp_path)
    with pytest.raises(RefusedDatabaseError, match="damaged"):
        back_up(path, tmp_path / "file")
    assert folder_contents(tmp_path) == before


# ---- to standard output --------------------------------------------------------------------------

BACKUP = (sys.executable, "-m", "bot", "backup", "-")


def database_environment(path: Path) -> dict[str, str]:
    """Return the environment of a command for this database."""
    return {**os.environ, "RIBIT_DATABASE": str(path)}


def test_a_backup_to_stdout_contains_only_the_backup(path: Path, tmp_path: Path) -> None:
    """A backup to standard output can be restored, and messages go elsewhere.

    No temporary file stays.
    """
    asyncio.run(create_filled_database(path, "mark"))
    before = folder_contents(tmp_path)
    done = run_program_for_bytes(
        "bot", "backup", "-", folder=ROOT, environment=database_environment(path)
    )
    assert done.returncode == 0
    assert b"Backed up to standard output: matches: 2 (live: 1), players: 2" in done.stderr
    assert folder_contents(tmp_path) == before
    assert list(tmp_path.rglob("*.part")) == []
    came = tmp_path / "came"
    came.write_bytes(done.stdout)
    restore(came, tmp_path / "new.sqlite3")
    assert asyncio.run(open_and_read_note(tmp_path / "new.sqlite3")) == "noted"


def test_a_failed_backup_writes_nothing_to_stdout(path: Path, tmp_path: Path) -> None:
    """A backup of a missing or damaged file writes no bytes to standard output."""
    missing = run_program_for_bytes(
        "bot", "backup", "-", folder=ROOT, environment=database_environment(path)
    )
    asyncio.run(create_filled_database(path))
    damage_last_page(path)
    damaged = run_program_for_bytes(
        "bot", "backup", "-", folder=ROOT, environment=database_environment(path)
    )
    for done, word in ((missing, b"no database"), (damaged, b"damaged")):
        assert (done.returncode, done.stdout) == (1, b"")
        assert word in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.rglob("*.part")) == []


def test_a_backup_to_a_closed_pipe_reports_one_sentence(path: Path, tmp_path: Path) -> None:
    """A backup to a program that is not installed ends with one sentence and no temporary file."""
    asyncio.run(create_filled_database(path))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        BACKUP,
        cwd=ROOT,
        env=database_environment(path),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 1
    assert b"could not be written to its end" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.rglob("*.part")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_a_backup_is_not_written_to_a_terminal(path: Path) -> None:
    """A backup is not written to a terminal, which would show unreadable characters and secrets."""
    asyncio.run(create_filled_database(path))
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            BACKUP,
            cwd=ROOT,
            env=database_environment(path),
            stdout=theirs,
            stderr=subprocess.PIPE,
            check=False,
            timeout=300,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 1
    assert b"nothing for a terminal" in done.stderr


# ---- restoring -----------------------------------------------------------------------------------


async def test_a_restore_replaces_the_database_content(path: Path, backup: Path) -> None:
    """A restore replaces the database by the backup's content.

    It renames the old database and keeps the backup.
    """
    await create_filled_database(path, "mark")
    kept = backup.read_bytes()
    holding, before = restore(backup, path)
    assert before == path.with_name("ribit.sqlite3.before-restore")
    assert str(holding) == "matches: 2 (live: 1), players: 2"
    assert await open_and_read_note(path) is None
    assert await open_and_read_note(before) == "noted"
    assert backup.read_bytes() == kept


async def test_a_restore_keeps_every_replaced_database(path: Path, backup: Path) -> None:
    """A second restore does not overwrite the database that the first one kept."""
    await create_filled_database(path, "mark")
    names = [kept.name for _time in "123" if (kept := restore(backup, path)[1])]
    assert [name.partition(".before-restore")[2] for name in names] == ["", "-1", "-2"]


async def test_a_restore_undoes_all_changes_except_bans_and_removals(path: Path, tmp_path: Path) -> None:
    """A restore undoes later changes, but bans and removals from boards stay."""
    await create_filled_database(path)
    back_up(path, tmp_path / "copy")
    database = await open_database(path)
    await store_finished_match(database, "later", ADA, BO)
    await database.servers.change(
        FROGS, lambda _before: ServerSettings(turn_seconds=60, barred=frozenset({BO.id}))
    )
    await database.close()
    await query_rows(
        path, f"INSERT INTO removals VALUES ({FROGS}, 'player', '{ADA.id}', 9, 20, NULL, NULL)"
    )
    restore(tmp_path / "copy", path)
    database = await open_database(path)
    assert await database.journal.find("later") is None
    assert (await database.servers.get(FROGS)).barred == {BO.id}
    assert await query_rows(path, "SELECT subject FROM removals") == [(str(ADA.id),)]
    await database.close()
    path.write_bytes(b"spoilt" * 999)
    restore(tmp_path / "copy", path)


async def test_restoring_a_backup_without_bans_keeps_current_bans(path: Path, tmp_path: Path) -> None:
    """A backup older than bans keeps bans and removals from boards.

    A server that is not in the backup keeps its settings.
    """
    old = tmp_path / "old"
    with closing(sqlite3.connect(old)) as connection:
        migrate_file(connection, [step for step in migrations() if step[0] < 19])
    database = await open_database(path)
    await database.servers.change(
        FROGS, lambda _before: ServerSettings(turn_seconds=60, barred=frozenset({BO.id}))
    )
    await database.close()
    await query_rows(
        path, f"INSERT INTO removals VALUES ({FROGS}, 'player', '{ADA.id}', 9, 20, NULL, NULL)"
    )
    restore(old, path)
    database = await open_database(path)
    assert (await database.servers.get(FROGS)).barred == {BO.id}
    assert await query_rows(path, "SELECT subject FROM removals") == [(str(ADA.id),)]
    await database.close()


async def test_a_restore_over_a_damaged_database_reports_lost_bans(
    path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A restore over a damaged database reports lost bans."""
    path.write_bytes(b"spoilt" * 999)
    monkeypatch.setenv("RIBIT_DATABASE", str(path))
    assert await asyncio.to_thread(main, ["restore", str(backup)]) == 0
    assert "bans and corrections were not copied" in capsys.readouterr().err


async def test_a_restore_works_without_an_existing_database(path: Path, backup: Path) -> None:
    """A restore works on a new machine without a database."""
    assert restore(backup, path)[1] is None
    assert await open_and_read_note(path) is None
    assert sorted(folder_contents(path.parent)) == ["ribit.sqlite3"]


async def test_opening_a_restored_old_backup_applies_migrations(path: Path, tmp_path: Path) -> None:
    """A backup from before an update can be restored, and opening it applies the migrations."""
    old = tmp_path / "old"
    number, script = migrations()[0]
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(script + f";PRAGMA user_version = {number};")
    restore(old, path)
    await open_and_read_note(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (migrations()[-1][0],)


async def test_a_restore_moves_a_leftover_wal_with_the_old_database(path: Path, backup: Path) -> None:
    """The log of a killed bot is kept with the old file, and is not applied to the new one."""
    with run_playing_process(path) as wait_for:
        stored = wait_for(30)
    assert side_files(path)
    kept = restore(backup, path)[1]
    assert kept is not None
    assert side_files(path) == []
    assert await open_and_read_note(path) is None
    old = await open_database(kept)
    entries = {f"m0 {entry.n}" for entry in await old.journal.entries("m0")}
    await old.close()
    assert {move for move in stored if move.startswith("m0 ")} <= entries


@pytest.mark.parametrize("content", [b"no database at all" * 400, b""])
async def test_a_restore_replaces_an_unusable_file(path: Path, backup: Path, content: bytes) -> None:
    """A restore replaces a file beyond repair, and keeps it with its log."""
    path.write_bytes(content)
    path.with_name(path.name + "-wal").write_bytes(b"an old log")
    _holding, kept = restore(backup, path)
    assert kept is not None
    assert side_files(path) == []
    assert kept.read_bytes() == content
    assert await open_and_read_note(path) is None


async def test_a_restore_sets_aside_a_wal_without_its_database(path: Path, backup: Path) -> None:
    """A restore puts a log aside that was left when the database was removed."""
    with run_playing_process(path) as wait_for:
        wait_for(10)
    path.unlink()
    restore(backup, path)
    assert side_files(path) == []
    database = await open_database(path)
    assert [match.id for match in await database.journal.live()] == ["live"]
    await database.close()


async def test_a_restored_database_keeps_the_previous_owner(path: Path, backup: Path) -> None:
    """After a restore by root the bot's user can open the file and its lock file."""
    await create_filled_database(path)
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    before = path.stat()
    restore(backup, path)
    for after in (path.stat(), path.with_name(f".{path.name}.lock").stat()):
        assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


async def test_a_restore_keeps_a_symlink_to_the_database(
    path: Path, tmp_path: Path, backup: Path
) -> None:
    """A restore replaces the target of a link and not the link."""
    await create_filled_database(path)
    link = tmp_path / "link.sqlite3"
    link.symlink_to(path)
    restore(backup, link)
    assert link.is_symlink()
    assert link.samefile(path)


# ---- what restoring refuses ------------------------------------------------------------------------


def damage_last_page(path: Path) -> None:
    """Overwrite the last page of a database that holds rows."""
    with path.open("r+b") as file:
        file.seek(-4096, os.SEEK_END)
        file.write(b"\xff" * 4096)


def truncate_file(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def replace_with_foreign_database(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE matches (id)", "PRAGMA user_version = 1")


def set_future_version(path: Path) -> None:
    run_sql(path, "PRAGMA user_version = 99")


def add_trigger(path: Path) -> None:
    run_sql(path, "CREATE TRIGGER t AFTER INSERT ON moves BEGIN DELETE FROM removals; END")


def add_view(path: Path) -> None:
    run_sql(path, "CREATE VIEW v AS SELECT seed FROM matches")


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def replace_with_letter(path: Path) -> None:
    path.write_text("Dear frog, this is not a database. " * 100)


FAULTS = {
    damage_last_page: "damaged",
    truncate_file: "damaged",
    replace_with_foreign_database: "not a database of Ribit",
    set_future_version: "newer Ribit",
    empty_file: "not a database of Ribit",
    add_trigger: "trigger that is not Ribit's",
    add_view: "view that is not Ribit's",
    replace_with_letter: "is not a database",
    Path.unlink: "There is no file",
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
async def test_a_faulty_backup_is_refused(
    path: Path, backup: Path, spoil: Callable[[Path], object]
) -> None:
    """A faulty backup is refused with its fault, and the database and its folder stay unchanged."""
    await create_filled_database(path)
    backup.with_name(f"{backup.name}.sha256").unlink()  # of which a pipe's reader has none
    spoil(backup)
    before = folder_contents(path.parent), folder_contents(backup.parent)
    with pytest.raises(RibitError, match=FAULTS[spoil]) as refusal:
        restore(backup, path)
    assert str(backup) in refusal.value.sentence
    assert (folder_contents(path.parent), folder_contents(backup.parent)) == before


async def test_every_corrupted_backup_is_refused(path: Path, backup: Path) -> None:
    """None of 1,000 backups with 500 bytes overwritten can be restored, nor one cut or extended."""
    whole, chance = backup.read_bytes(), random.Random(20261121)
    spoilt = [whole[:-1], whole + b"\n", whole[: len(whole) // 2]]
    for _number in range(1000):
        at = chance.randrange(len(whole) - 500)
        spoilt.append(whole[:at] + chance.randbytes(500) + whole[at + 500 :])
    for content in spoilt:
        backup.write_bytes(content)
        with pytest.raises(RefusedDatabaseError, match="damaged"):
            restore(backup, path)
    assert folder_contents(path.parent) == {}
    backup.write_bytes(whole)
    assert str(restore(backup, path)[0]) == "matches: 2 (live: 1), players: 2"


async def test_a_first_version_backup_with_an_embedded_digest_is_valid(path: Path, backup: Path) -> None:
    """A backup of the first version has its digest at its end, which SQLite ignores."""
    backup.with_name(f"{backup.name}.sha256").unlink()
    whole = backup.read_bytes()
    backup.write_bytes(whole + b"\nribit sha256 " + hashlib.sha256(whole).hexdigest().encode())
    assert str(restore(backup, path)[0]) == "matches: 2 (live: 1), players: 2"


async def test_a_restore_never_replaces_a_locked_database(path: Path, backup: Path) -> None:
    """A restore never replaces a database that a bot has locked but not opened yet."""
    await create_filled_database(path)
    before = folder_contents(path.parent)
    with lock_alone(path), pytest.raises(DatabaseInUseError, match="Stop it first"):
        restore(backup, path)
    assert folder_contents(path.parent) == before


async def test_a_backup_cannot_overwrite_its_own_database(path: Path) -> None:
    """Naming the database as its own backup changes nothing."""
    await create_filled_database(path)
    before = folder_contents(path.parent)
    with pytest.raises(CopyError, match="the database itself"):
        restore(path, path)
    assert folder_contents(path.parent) == before


async def test_a_stale_alive_note_does_not_prevent_a_restore(path: Path, backup: Path) -> None:
    """A process with the lock is alone, whatever a killed bot has noted before."""
    database = await open_database(path)
    await note_alive(database.notes, 1_800_000_000)
    await database.close()
    assert restore(backup, path)[1] is not None
    assert read_note(path, ALIVE) is None


if __name__ == "__main__":
    asyncio.run(play_endlessly(Path(sys.argv[1])))
