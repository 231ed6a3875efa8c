"""Who knows a database's content knows every hand: its files are for their owner alone."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from bot.doctor.database import database_findings
from bot.storage import alone_on, back_up, open_database, restore
from tests.storage.matches import playing

if sys.platform == "win32":
    pytest.skip("there are no such rights", allow_module_level=True)

NOW = 1_800_000_000


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return the rights of every file in a folder."""
    return {file.name: S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


@pytest.mark.usefixtures("_umask")
async def test_whatever_the_umask(path: Path) -> None:
    """The database, what SQLite keeps beside it, the lock, a backup, what a restore puts and keeps."""
    with alone_on(path):
        database = await open_database(path)
        await playing(database)
        back_up(path, path.with_name("backup"))
        in_use = modes(path.parent)
        await database.close()
    restore(path.with_name("backup"), path, now=NOW)
    names = {"ribit.sqlite3", "ribit.sqlite3.lock", "backup"}
    assert in_use.keys() == names | {"ribit.sqlite3-wal", "ribit.sqlite3-shm"}
    assert modes(path.parent).keys() == names | {"ribit.sqlite3.before-restore"}
    assert {*in_use.values(), *modes(path.parent).values()} == {0o600}


async def test_what_was_open_to_others_is_closed(path: Path) -> None:
    """A database from before, and what a killed bot left beside it, is closed by the start."""
    database = await open_database(path)
    await playing(database)
    copy = path.with_name("copy.sqlite3")
    for end in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + end), copy.with_name(copy.name + end))
        copy.with_name(copy.name + end).chmod(0o644)
    await database.close()
    told = [finding.sentence for finding in database_findings(copy, NOW) if not finding.is_well]
    assert len(told) == 1
    assert f"chmod 600 {copy} {copy}-wal" in told[0]
    opened = await open_database(copy)
    assert {mode for name, mode in modes(copy.parent).items() if name.startswith("copy")} == {0o600}
    await opened.close()
    assert all(finding.is_well for finding in database_findings(copy, NOW))
