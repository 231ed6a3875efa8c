"""The backup that a start makes before it updates an older database."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from stat import S_IMODE

import pytest

from bot.__main__ import UNCONFIGURED, main
from bot.storage.backups import UnsafeUpdateError, back_up_before_update
from bot.storage.database import open_database
from bot.storage.database_address import Location, Server
from bot.storage.migrate import migrate_server, newest_version, server_migrations, server_version
from bot.storage.postgres import visiting
from tests.discord.old_databases import KEPT
from tests.storage.database_types import query_rows
from tests.test_startup_and_docs import (
    FIRST_RELEASE,
    RUN_AT,
    assert_single_error,
    run_bot_command,
    serve_refusing_discord,
)

pytestmark = pytest.mark.real("migrations")

OLD = {3: "506b41b", FIRST_RELEASE: "737c39a"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The database of 1.0.0, with live tables."""
    copy(KEPT / f"{OLD[FIRST_RELEASE]}.db", tmp_path / "ribit.sqlite3")
    return tmp_path / "ribit.sqlite3"


@pytest.fixture
def address() -> Iterator[str]:
    with serve_refusing_discord() as address:
        yield address


def run_bot(path: Path, address: str, *, code: str = RUN_AT) -> subprocess.CompletedProcess[str]:
    """Start the bot, which ends when Discord refuses the token."""
    return run_bot_command(
        path.parent, "-c", code, address, DISCORD_TOKEN="not.a.token", RIBIT_DATABASE=str(path)
    )


def database_version(path: Path) -> int:
    [(version,)] = asyncio.run(query_rows(path, "PRAGMA user_version"))
    return int(version)


def stored_moves(path: Path) -> list[tuple[object, ...]]:
    return asyncio.run(query_rows(path, "SELECT match_id, n, text FROM moves ORDER BY match_id, n"))


@pytest.mark.parametrize("version", OLD)
def test_a_backup_is_created_before_the_first_migration(
    tmp_path: Path, address: str, version: int
) -> None:
    """The backup has the old schema, all moves, a digest and mode 0600. The next start makes none."""
    path = tmp_path / "ribit.sqlite3"
    copy(KEPT / f"{OLD[version]}.db", path)
    before = stored_moves(path)
    done = run_bot(path, address)
    assert_single_error(done, "token", code=UNCONFIGURED)
    lines = [
        line for line in done.stderr.splitlines() if "before the update" in line or "migrated" in line
    ]
    assert len(lines) == 2
    backup = path.with_name(f"ribit.sqlite3.before-update-{version}")
    assert str(backup) in lines[0]
    assert (database_version(backup), database_version(path)) == (version, newest_version())
    assert stored_moves(backup) == before != []
    assert S_IMODE(backup.stat().st_mode) == 0o600
    subprocess.run(["sha256sum", "--check", f"{backup.name}.sha256"], cwd=tmp_path, check=True)
    made = backup.read_bytes()
    assert "before the update" not in run_bot(path, address).stderr
    assert backup.read_bytes() == made
    assert len(list(tmp_path.glob("*.before-update-*"))) == 2


def test_a_start_does_not_update_if_the_backup_fails(old: Path, address: str) -> None:
    """The start ends with the reason, and the old Ribit can go on. The host may vouch for a backup."""
    backup = old.with_name(f"ribit.sqlite3.before-update-{FIRST_RELEASE}")
    (backup / "taken").mkdir(parents=True)
    before = old.read_bytes()
    done = run_bot(old, address)
    assert_single_error(done, f"version {FIRST_RELEASE}", str(backup), "--backed-up", code=UNCONFIGURED)
    assert old.read_bytes() == before
    assert sorted(file.suffix for file in old.parent.iterdir() if "part" in file.name) == []
    vouched = RUN_AT.replace("main(['run'])", "main(['run', '--backed-up'])")
    assert_single_error(run_bot(old, address, code=vouched), "token", code=UNCONFIGURED)
    assert database_version(old) == newest_version()


def test_the_backup_of_an_update_can_be_restored(
    old: Path, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A repeated update replaces its backup, and ``restore`` takes it."""
    backup = old.with_name(f"ribit.sqlite3.before-update-{FIRST_RELEASE}")
    backup.write_text("of an earlier try", "utf-8")
    before = stored_moves(old)
    run_bot(old, address)
    monkeypatch.setenv("RIBIT_DATABASE", str(old))
    assert main(["restore", str(backup)]) == 0
    assert f"Restored {old}" in capsys.readouterr().out
    assert stored_moves(old) == before


async def test_a_server_is_not_updated_without_pg_dump(
    new_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If pg_dump is not installed, the start fails and the server keeps its schema version."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    *earlier, _last = server_migrations()
    async with visiting(new_server) as session:
        await migrate_server(session, earlier)

    def before_update(version: int) -> None:
        back_up_before_update(new_server, version)

    with pytest.raises(UnsafeUpdateError, match="pg_dump, which is not installed"):
        await open_database(new_server, before_update=before_update)
    async with visiting(new_server) as session:
        assert await server_version(session) == earlier[-1][0]


async def test_only_one_process_backs_up_the_server(new_server: Server) -> None:
    """Of several processes that start at once, the first makes the backup while the others wait."""
    *earlier, _last = server_migrations()
    async with visiting(new_server) as session:
        await migrate_server(session, earlier)
    backups = list[int]()
    opened = await asyncio.gather(
        *(open_database(new_server, before_update=backups.append) for _process in range(4))
    )
    for database in opened:
        await database.close()
    assert backups == [earlier[-1][0]]


async def test_neither_a_new_nor_a_current_database_is_backed_up(location: Location) -> None:
    """The first and the second start of a new database need no migration, and make no backup."""
    backups = list[int]()
    for _start in range(2):
        await (await open_database(location, before_update=backups.append)).close()
    assert backups == []
