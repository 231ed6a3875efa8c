"""Only their owner can read the files of a database, whose content reveals every hand."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, closing
from pathlib import Path
from stat import S_IMODE, S_ISREG

import pytest
from structlog.testing import capture_logs

from bot.__main__ import UNCONFIGURED
from bot.console import FAILED
from bot.doctor.database import database_findings
from bot.engine.errors import RibitError
from bot.storage.backups import back_up, restore
from bot.storage.database import open_database
from bot.storage.database_file import keep_private, lock_alone, require_sound
from tests import forked_processes
from tests.storage.matches import store_live_match

if sys.platform == "win32":
    pytest.skip("there are no such rights", allow_module_level=True)

NOW = 1_800_000_000


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def file_modes(folder: Path) -> dict[str, int]:
    """Return the modes of every file in a folder."""
    return {file.name: S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


@pytest.mark.usefixtures("_umask")
async def test_created_files_are_private_with_any_umask(path: Path) -> None:
    """The database, its lock, its backups and restored files have mode 0600 with three umasks."""
    with lock_alone(path):
        database = await open_database(path)
        await store_live_match(database)
        back_up(path, path.with_name("backup"))
        in_use = file_modes(path.parent)
        await database.close()
    restore(path.with_name("backup"), path)
    names = {"ribit.sqlite3", ".ribit.sqlite3.lock", "backup", "backup.sha256"}
    assert in_use.keys() == names | {"ribit.sqlite3-wal", "ribit.sqlite3-shm"}
    assert file_modes(path.parent).keys() == names | {"ribit.sqlite3.before-restore"}
    assert {*in_use.values(), *file_modes(path.parent).values()} == {0o600}


async def test_a_start_makes_existing_files_private(path: Path) -> None:
    """A start closes the modes of an old database and of a killed bot's files."""
    database = await open_database(path)
    await store_live_match(database)
    copy = path.with_name("copy.sqlite3")
    for end in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + end), copy.with_name(copy.name + end))
        copy.with_name(copy.name + end).chmod(0o644)
    await database.close()
    told = [finding.sentence for finding in database_findings(copy, NOW) if not finding.is_well]
    assert len(told) == 1
    assert f"chmod 600 {copy} {copy}-wal" in told[0]
    opened = await open_database(copy)
    assert {mode for name, mode in file_modes(copy.parent).items() if name.startswith("copy")} == {0o600}
    await opened.close()
    assert all(finding.is_well for finding in database_findings(copy, NOW))


# ---- what is no database ---------------------------------------------------------------------------


def _make_folder(place: Path) -> None:
    place.mkdir(mode=0o755)


def _make_socket(place: Path) -> None:
    with chdir(place.parent), socket.socket(socket.AF_UNIX) as bound:
        bound.bind(place.name)  # the whole path may be too long for one


def _make_pipe(place: Path) -> None:
    os.mkfifo(place)


def _link_to_folder(place: Path) -> None:
    folder = place.with_name("folder")
    folder.mkdir(mode=0o755)
    place.symlink_to(folder)


def _link_to_device(place: Path) -> None:
    place.symlink_to("/dev/null")


def _make_dangling_link(place: Path) -> None:
    place.symlink_to(place.with_name("nothing"))


def _link_to_itself(place: Path) -> None:
    place.symlink_to(place)


def _write_letter(place: Path) -> None:
    place.write_text("Dear frog, this is for nobody but you. " * 200)


def _write_note(place: Path) -> None:
    place.write_text("Hi")


def _create_foreign_database(place: Path) -> None:
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE ponds (id)")


def _make_foreign_file(place: Path) -> None:
    """Create a file of another user as root, or link to one otherwise."""
    if os.geteuid() == 0:
        place.write_bytes(b"")
        os.chown(place, 12345, 12345)
    else:
        place.symlink_to("/etc/passwd")


NO_DATABASE: dict[Callable[[Path], None], str] = {
    _make_folder: "is not a file",
    _make_socket: "is not a file",
    _make_pipe: "is not a file",
    _link_to_folder: "is not a file",
    _link_to_device: "is not a file",
    _make_dangling_link: "is not a file",
    _link_to_itself: "is not a file",
    _write_letter: "not a database",
    _write_note: "not a database",
    _create_foreign_database: "not a database",
    _make_foreign_file: "belongs to another user",
}
MADE = pytest.mark.parametrize("make", NO_DATABASE, ids=lambda make: make.__name__.strip("_"))


def _folder_state(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Return the modes and owners of a folder and all in it, and a file's age."""
    places = {
        **{place.name: place for place in folder.rglob("*")},
        ".": folder,
        "null": Path("/dev/null"),
    }
    found = {name: place.lstat() for name, place in places.items()}
    return {
        name: (each.st_mode, each.st_uid, each.st_mtime_ns if S_ISREG(each.st_mode) else 0)
        for name, each in found.items()
    }


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The path of something that is not a database."""
    (tmp_path / "pond").mkdir()
    return tmp_path / "pond" / "ribit.sqlite3"


def run_command(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a host does. A command that waits for a pipe would exceed the time limit."""
    environment = {**os.environ, "DISCORD_TOKEN": "not.a.token", **settings}
    return forked_processes.run_program("bot", *arguments, folder=folder, environment=environment)


def error_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return a command's errors without the log."""
    return [line for line in done.stderr.splitlines() if not re.match(r"\d{4}-\d\d-\d\d ", line)]


@MADE
def test_a_start_refuses_a_file_that_is_not_a_database(
    make: Callable[[Path], None], place: Path
) -> None:
    """A refused start gives one sentence and the exit code for configuration, and changes no file."""
    make(place)
    before = _folder_state(place.parent)
    done = run_command(place.parent, "run", RIBIT_DATABASE=str(place))
    assert done.returncode == UNCONFIGURED, done.stderr
    (sentence,) = error_lines(done)
    assert NO_DATABASE[make] in sentence
    assert str(place) in sentence
    assert _folder_state(place.parent) == before


@MADE
def test_no_command_changes_a_file_that_is_not_a_database(
    make: Callable[[Path], None], place: Path
) -> None:
    """Health, backup and transfer refuse other files in a sentence and change nothing."""
    make(place)
    other = place.parent.parent / "other.sqlite3"
    asyncio.run(_create_database(other))
    before = _folder_state(place.parent)
    for arguments, database in (
        (("health",), place),
        (("backup", str(place.with_name("copy"))), place),
        (("backup", str(place)), other),
        (("move", str(other), str(place)), other),
        (("doctor", "--offline"), place),
    ):
        done = run_command(place.parent, *arguments, RIBIT_DATABASE=str(database))
        empty_is_fine = make is _make_foreign_file and arguments[0] in ("health", "doctor")
        assert done.returncode == FAILED or empty_is_fine, (arguments, done.stdout)
        assert "Traceback" not in done.stderr
        assert arguments[0] == "doctor" or len(error_lines(done)) == 1, done.stderr
        assert _folder_state(place.parent) == before, arguments


@MADE
def test_a_restore_replaces_only_files(make: Callable[[Path], None], place: Path) -> None:
    """A restore keeps paths that are not files, and renames files that are not databases."""
    make(place)
    aside = place.parent.parent / "aside"
    aside.mkdir()
    asyncio.run(_create_database(aside / "source"))
    back_up(aside / "source", aside / "backup")
    is_file = place.is_file() or make is _make_dangling_link
    if place.is_symlink() and place.readlink() == Path("/etc/passwd"):
        pytest.skip("somebody else's file that is in use")
    before = _folder_state(place.parent)
    if is_file:
        restore(aside / "backup", place)
        assert place.with_name(place.resolve().name + ".before-restore").exists() or place.is_symlink()
        assert "sound" in " ".join(finding.sentence for finding in database_findings(place, NOW))
        return
    with pytest.raises(RibitError) as refusal:
        restore(aside / "backup", place)
    assert NO_DATABASE[make] in refusal.value.sentence
    assert _folder_state(place.parent) == before


async def _create_database(path: Path) -> None:
    database = await open_database(path)
    await store_live_match(database)
    await database.close()


async def test_a_link_to_a_database_works_and_gets_private_modes(path: Path) -> None:
    """A link to a database works, and its target and SQLite's files beside it get closed modes."""
    real = path.with_name("real")
    real.mkdir()
    await _create_database(real / "frogs.sqlite3")
    (real / "frogs.sqlite3").chmod(0o644)
    path.symlink_to(real / "frogs.sqlite3")
    with lock_alone(path):
        database = await open_database(path)
        await store_live_match(database, "another")
        assert {*file_modes(real).values()} == {0o600}
        assert len(file_modes(real)) == 4  # with its log, what maps that, and the lock
        await database.close()
    assert path.is_symlink()


@pytest.mark.parametrize("name", ["{}-wal", "{}-shm", "{}-journal", ".{}.lock"])
def test_a_link_in_place_of_a_side_file_is_not_followed(path: Path, name: str) -> None:
    """A link in place of a file beside the database is not followed to change its target's mode."""
    asyncio.run(_create_database(path))
    letter = path.with_name("letter")
    letter.write_text("Dear frog")
    letter.chmod(0o644)
    beside = path.with_name(name.format(path.name))
    beside.symlink_to(letter)
    run_command(path.parent, "restore", str(letter), RIBIT_DATABASE=str(path))
    keep_private(*(file for file in path.parent.iterdir()))
    assert S_IMODE(letter.lstat().st_mode) == 0o600  # it was named itself
    letter.chmod(0o644)
    keep_private(beside)
    assert S_IMODE(letter.lstat().st_mode) == 0o644
    assert letter.read_text() == "Dear frog"


# ---- what is damaged --------------------------------------------------------------------------------


def _damage_database(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(16384))


def test_a_start_reports_a_damaged_file(path: Path) -> None:
    """A start reports noise in the file before players use it, with the way to restore a backup."""
    asyncio.run(_create_database(path))
    _damage_database(path)
    before = path.read_bytes()
    done = run_command(path.parent, "run", RIBIT_DATABASE=str(path))
    assert done.returncode == UNCONFIGURED, done.stderr
    (sentence,) = error_lines(done)
    assert "damaged" in sentence
    assert "restore" in sentence
    assert path.read_bytes() == before


def test_a_start_skips_a_slow_check_of_a_large_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start skips a check that would take too long, and says so."""
    asyncio.run(_create_database(path))
    monkeypatch.setattr("bot.storage.database_file.MOST_CHECKED_BYTES", 4096)
    with capture_logs() as logs:
        require_sound(path)
    assert [line["event"] for line in logs] == [
        "the database is too large for a full check at start, run doctor to check it"
    ]


async def test_a_start_accepts_an_empty_database_file(path: Path) -> None:
    """A file that SQLite created without content becomes the database."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size
    await _create_database(path)


async def test_the_first_start_logs_the_new_databases_path(path: Path) -> None:
    """The first start names the path of the new database.

    A second start creates none.
    """
    with capture_logs() as logs:
        await _create_database(path)
        await (await open_database(path)).close()
    told = [line for line in logs if line["event"] == "creating a new database"]
    assert [line["path"] for line in told] == [str(path.resolve())]
