"""The lock that allows one bot on a database file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from bot.storage.database import open_database
from bot.storage.database_address import DatabaseInUseError
from bot.storage.database_file import lock_alone
from bot.storage.database_lock import note_holder
from bot.storage.file_probe import is_held

ROOT = Path(__file__).parents[2]
HOLDS = """
import sys, time
from pathlib import Path
from bot.storage.database_file import lock_alone
with lock_alone(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_is_released_when_its_process_is_killed(path: Path) -> None:
    """A second process cannot open the database until the first exits or is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert is_held(path)
        with pytest.raises(DatabaseInUseError, match="Another Ribit runs"), lock_alone(path):
            pytest.fail("two hold it")
        other.kill()
        other.wait()
        assert not is_held(path)
        with lock_alone(path):
            assert is_held(path)
    assert not is_held(path)


def test_a_lock_of_version_1_0_0_is_respected(path: Path) -> None:
    """A lock of version 1.0.0, which has another name, is respected."""
    with FileLock(path.with_name(f"{path.name}.lock")) as former:
        with pytest.raises(DatabaseInUseError, match="Another Ribit runs"), lock_alone(path):
            pytest.fail("two hold it")
        former.release()
        with lock_alone(path):
            assert is_held(path)


async def test_the_error_names_the_lock_holder(path: Path) -> None:
    """The error names the process with the lock and its start.

    Another path to the file has the same lock.
    """
    database = await open_database(path)
    link = path.with_name("link.sqlite3")
    link.symlink_to(path)
    with lock_alone(path):
        await note_holder(database.notes, 1_800_000_000)
        with pytest.raises(DatabaseInUseError, match=r"process \d+ on .*, since 2027-01-15 08:00 UTC"):
            lock_alone(link).__enter__()
    await database.close()


def test_a_health_check_creates_no_lock_file(path: Path) -> None:
    """A health check creates no lock file, which as root's file the bot's user could not open."""
    assert not is_held(path)
    assert list(path.parent.iterdir()) == []
