"""Tests of the command line for hosts with PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import time
from collections.abc import Awaitable
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.__main__ import UNCONFIGURED, main
from bot.console import FAILED
from bot.matches.shards import Shards
from bot.storage.database import open_database
from bot.storage.database_address import Server, locate
from bot.storage.database_lock import lock_database, note_alive, note_gone
from bot.storage.database_server import inspect
from bot.storage.migrate import newest_version
from tests.forked_processes import run_program_for_bytes
from tests.postgres import PASSWORD, Postgres
from tests.storage.database_types import query_rows
from tests.storage.matches import store_finished_match, store_live_match
from tests.test_doctor import SLOW_IMPORTS, packages_of_health_check
from tests.test_startup_and_docs import (
    ROOT,
    assert_single_error,
    run_bot_command,
    serve_refusing_discord,
    start_bot_at,
)

HOLDING = "matches: 2 (live: 1), players: 2"


@pytest.fixture(autouse=True)
def _programs_of_the_server(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the server's own programs on the path, because a machine may have older ones."""
    monkeypatch.setenv("PATH", f"{postgres.programs}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def settings(
    postgres: Postgres, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Server:
    """The settings of a host whose database is on a server, with a user and a password."""
    monkeypatch.chdir(tmp_path)
    name = server.address.partition("@/")[2].partition("?")[0]
    postgres.sql(
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO ribit; GRANT CREATE ON SCHEMA public TO ribit",
        database=name,
    )
    address = postgres.address(name, f"ribit:{quote(PASSWORD, safe='')}")
    monkeypatch.setenv("RIBIT_DATABASE", address)
    monkeypatch.setenv("DISCORD_TOKEN", "not.a.token")
    return Server(address)


async def fill_database(server: Server, alive_at: int | None = None) -> None:
    database = await open_database(server)
    await store_live_match(database, "live")
    await store_finished_match(database, "over")
    if alive_at is not None:
        await note_alive(database.notes, alive_at)
    await database.close()


def safe_output(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the output since the last call, after checking that it does not contain the password."""
    said = "".join(capsys.readouterr())
    assert PASSWORD not in said
    assert quote(PASSWORD, safe="") not in said
    return said


# ---- doctor and health -----------------------------------------------------------------------------


def test_the_doctor_reports_server_content_and_versions(
    postgres: Postgres, settings: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report names the server's version, the database's content and version, and backups."""
    asyncio.run(fill_database(settings))
    assert main(["doctor", "--offline"]) == 0
    lines = safe_output(capsys).splitlines()[-5:]
    version = postgres.sql("SHOW server_version").split()[0]
    words = (f"PostgreSQL {version} ", HOLDING, "up to date", "No bot is running", "pg_dump")
    for word, line in zip(words, lines, strict=True):
        assert word in line
        assert line.startswith("ok ")


def test_the_doctor_reports_a_missing_pg_dump_before_an_update(
    settings: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The start would end, because it could not back the database up."""
    asyncio.run(fill_database(settings))
    asyncio.run(query_rows(settings, f"DELETE FROM migrations WHERE version = {newest_version()}"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["doctor", "--offline"]) == FAILED
    [problem] = [line for line in safe_output(capsys).splitlines() if line.startswith("problem ")]
    assert "pg_dump" in problem
    assert "--backed-up" in problem


def test_the_doctor_creates_no_tables(
    postgres: Postgres,
    new_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Looking creates no tables. A foreign database is a problem and reported in a sentence."""
    monkeypatch.setenv("DISCORD_TOKEN", "not.a.token")
    monkeypatch.setenv("RIBIT_DATABASE", new_server.address)
    assert main(["doctor", "--offline"]) == 0
    assert "made at the start" in safe_output(capsys)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert asyncio.run(query_rows(new_server, tables)) == [(0,)]
    postgres.sql("CREATE DATABASE foreign_lake TEMPLATE template0")
    address = postgres.address("foreign_lake", f"ribit:{quote(PASSWORD, safe='')}")
    monkeypatch.setenv("RIBIT_DATABASE", address)
    assert main(["doctor", "--offline"]) == FAILED
    assert "owner of the database" in safe_output(capsys)
    postgres.drop("foreign_lake")


@pytest.mark.parametrize("verb", ["doctor", "health"])
def test_an_unreachable_server_is_named(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no server answers, the sentence names the address. The same holds for an invalid address."""
    monkeypatch.setenv("DISCORD_TOKEN", "not.a.token")
    for address, word in (
        (f"postgresql://ribit:{quote(PASSWORD, safe='')}@/ponds?host={tmp_path}", "cannot be reached"),
        (f"mysql://ribit:{quote(PASSWORD, safe='')}@localhost/ponds", "neither"),
    ):
        monkeypatch.setenv("RIBIT_DATABASE", address)
        assert main([verb, *(["--offline"] if verb == "doctor" else [])]) == FAILED
        assert word in safe_output(capsys).splitlines()[-1]


def test_health_reports_the_bots_connection(
    settings: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Healthy while the bot records its connection. Otherwise a sentence names the problem."""
    assert main(["health"]) == FAILED
    assert "No bot is running" in safe_output(capsys)

    async def held(beat: Awaitable[None], code: int) -> None:
        async with lock_database(settings):
            assert await asyncio.to_thread(main, ["health"]) == FAILED
            assert "not connected" in safe_output(capsys)
            await beat
            assert await asyncio.to_thread(main, ["health"]) == code

    asyncio.run(held(fill_database(settings, alive_at=1_800_000_000), FAILED))
    assert "was last connected" in safe_output(capsys)
    asyncio.run(query_rows(settings, "DELETE FROM notes"))
    asyncio.run(held(_store_heartbeat(settings), 0))
    assert "The bot is connected" in safe_output(capsys)
    assert main(["health"]) == FAILED
    assert "No bot is running" in safe_output(capsys)


async def _store_heartbeat(server: Server) -> None:
    database = await open_database(server)
    await note_alive(database.notes, int(time.time()))
    await database.close()


async def test_health_reports_a_server_that_cannot_write(
    settings: Server, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that cannot write is reported although the status of a running bot was good."""
    await _store_heartbeat(settings)
    await query_rows(
        server,
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END$$",
    )
    await query_rows(server, "CREATE TRIGGER refuses BEFORE INSERT ON notes EXECUTE FUNCTION refuse()")
    async with lock_database(server):
        assert await asyncio.to_thread(main, ["health"]) == FAILED
    assert "Nothing can be written" in safe_output(capsys)


# ---- backups and moves -----------------------------------------------------------------------------


def test_a_server_is_backed_up_by_pg_dump(
    postgres: Postgres,
    settings: Server,
    new_server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """PostgreSQL's own program creates the backup, readable only for its owner. `restore` reads it."""
    asyncio.run(fill_database(settings))
    assert main(["backup", "saturday.dump"]) == 0
    assert f"Backed up to saturday.dump: {HOLDING}" in safe_output(capsys)
    assert stat.S_IMODE((tmp_path / "saturday.dump").stat().st_mode) == 0o600
    assert main(["backup", "saturday.dump"]) == FAILED
    assert "exists already" in safe_output(capsys)
    monkeypatch.setenv("RIBIT_DATABASE", new_server.address)
    assert main(["restore", "saturday.dump"]) == FAILED
    advice = safe_output(capsys)
    command = advice[advice.index("pg_restore") :].split()
    subprocess.run(command, check=True, capture_output=True)
    assert main(["doctor", "--offline"]) == 0
    assert HOLDING in safe_output(capsys)


def test_a_server_backup_on_stdout_can_be_restored_from_a_pipe(
    postgres: Postgres, settings: Server, new_server: Server
) -> None:
    """PostgreSQL's own program restores it from a pipe, as docs/operating.md describes."""
    asyncio.run(fill_database(settings))
    made = run_program_for_bytes("bot", "backup", "-", folder=ROOT, environment=os.environ)
    assert made.returncode == 0
    command = ["pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction"]
    subprocess.run(
        [*command, f"--dbname={new_server.address}"], input=made.stdout, check=True, capture_output=True
    )
    assert HOLDING in made.stderr.decode()
    assert inspect(new_server).holding is not None


def test_a_failed_server_backup_leaves_no_file(
    postgres: Postgres,
    settings: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """If the program is missing or fails, there is a sentence and no file."""
    asyncio.run(fill_database(settings))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["backup", "saturday.dump"]) == FAILED
    assert "pg_dump, which is not installed" in safe_output(capsys)
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump: error: server version mismatch' >&2; exit 1\n")
    program.chmod(0o755)
    assert main(["backup", "saturday.dump"]) == FAILED
    assert "server version mismatch" in safe_output(capsys)
    assert [file.name for file in tmp_path.iterdir()] == ["pg_dump"]


def test_move_copies_a_server_to_a_file_and_another_server(
    settings: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], new_server: Server
) -> None:
    """Tests of `move` on the command line, from a server to a file and from there to another server."""
    asyncio.run(fill_database(settings))
    assert main(["move", settings.address, "ribit.sqlite3"]) == 0
    assert f"Moved {settings} to ribit.sqlite3: {HOLDING}." in safe_output(capsys)
    assert main(["move", "ribit.sqlite3", new_server.address]) == 0
    assert HOLDING in safe_output(capsys)
    assert main(["move", "ribit.sqlite3", new_server.address]) == FAILED
    assert "not empty" in safe_output(capsys)
    assert main(["move", "ribit.sqlite3", "oracle://x/y"]) == FAILED
    assert "neither" in safe_output(capsys)


# ---- a start -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("mysql://ribit:s3cret@localhost/ponds", "neither"),
        ("postgresql://ribit:s3cret@localhost", "nor an address of a database"),
        ("postgresql://ribit:s3cret@{host}", "does not let Ribit in"),
        ("postgresql://postgres@{none}", "does not exist"),
    ],
)
def test_a_permanent_server_error_is_not_retried(
    tmp_path: Path, server: Server, address: str, word: str
) -> None:
    """The error is one sentence without the password, and its exit code prevents another start."""
    host = server.address.partition("@")[2]
    none = host.replace("/", "/no_such_", 1)
    done = run_bot_command(
        tmp_path,
        "-m",
        "bot",
        DISCORD_TOKEN="x.y.z",
        RIBIT_DATABASE=address.format(host=host, none=none),
    )
    assert_single_error(done, word, code=UNCONFIGURED)
    assert "s3cret" not in done.stderr


def test_the_start_waits_for_an_unavailable_server(
    tmp_path: Path, stopping: Postgres, server: Server
) -> None:
    """The start waits for an unavailable server and then continues, here until a refused token."""
    stopping.stop()
    with serve_refusing_discord() as address:
        run, log = start_bot_at(address, tmp_path, RIBIT_DATABASE=server.address)
        assert str(locate(server.address)) in run.wait_for_line("retrying", log)
        stopping.start()
        assert run.join() == UNCONFIGURED
    assert "token" in log.read_text("utf-8")


# ---- several processes -----------------------------------------------------------------------------


async def test_health_checks_only_the_given_shards(
    settings: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With RIBIT_SHARDS only those shards are checked. Without it, every shard needs a process."""

    async def answers(*expected: tuple[str, int, str]) -> None:
        for shards, code, words in expected:
            monkeypatch.setenv("RIBIT_SHARDS", shards)
            assert await asyncio.to_thread(main, ["health"]) == code
            assert words in safe_output(capsys)

    database = await open_database(settings)
    low, high = Shards(0, 3, 8), Shards(4, 7, 8)
    async with lock_database(settings, low):
        await note_alive(database.notes, int(time.time()), low)
        await note_alive(database.notes, int(time.time()), high)
        await answers(
            ("0-3/8", 0, "shards 0-3/8 is connected"),
            ("4-7/8", FAILED, "No bot of the shards 4-7/8 is running"),
            ("", FAILED, "No process runs 4 shards, from 4/8 on"),
        )
        async with lock_database(settings, high):
            await answers(("", 0, "shards 4-7/8 is connected"))
            monkeypatch.setenv("RIBIT_SHARDS", "")
            assert await asyncio.to_thread(main, ["doctor", "--offline"]) == 0
            assert "All 8 shards are run" in safe_output(capsys)
            assert not SLOW_IMPORTS & await asyncio.to_thread(packages_of_health_check)
            await note_gone(database.notes, high)
            await answers(("", FAILED, "shards 4-7/8 on"), ("0-3/8", 0, "is connected"))
    await answers(("", FAILED, "No bot is running"))
    await database.close()


async def _doctor_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the doctor's lines about shards, and its problems."""
    await asyncio.to_thread(main, ["doctor", "--offline"])
    lines = safe_output(capsys).splitlines()
    return [line for line in lines if "hard" in line or line.startswith("problem") or "No " in line]


async def test_the_doctor_reports_the_process_of_each_shard(
    settings: Server,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The doctor names the host of each shard, its connection, missing shards and conflicts."""
    await store_holder_note(settings)
    monkeypatch.setenv("RIBIT_SHARDS", "0-3/8")
    assert await _doctor_lines(capsys) == ["ok       No process is running on the database."]
    async with lock_database(server, Shards(0, 3, 8)):
        [low, missing] = await _doctor_lines(capsys)
        assert low == (
            "ok       The shards 0-3/8 are run by process 7 on pond, not connected to Discord."
        )
        assert missing == "problem  Nobody runs 4 shards, from 4/8 on. Start a process that does."
        async with lock_database(server, Shards(4, 4, 8)), lock_database(server, Shards(5, 7, 8)):
            assert (await _doctor_lines(capsys))[-1] == "ok       All 8 shards are run."
            monkeypatch.setenv("RIBIT_SHARDS", "0-3/4")
            assert "with the shards 0-3/8" in (await _doctor_lines(capsys))[-1]
            monkeypatch.setenv("RIBIT_SHARDS", "3-4/8")
            assert "with the shards 0-3/8" in (await _doctor_lines(capsys))[-1]
            monkeypatch.setenv("RIBIT_SHARDS", "")
            assert (await _doctor_lines(capsys))[-1] == "ok       All 8 shards are run.", "it only looks"
    monkeypatch.setenv("RIBIT_SHARDS", "0-3/8")
    monkeypatch.setenv("RIBIT_DATABASE", "ribit.sqlite3")
    assert "postgresql://" in (await _doctor_lines(capsys))[0]


async def store_holder_note(server: Server) -> None:
    database = await open_database(server)
    await database.notes.store_note("holder 0-3/8", "process 7 on pond")
    await database.close()


@pytest.mark.parametrize(
    ("shards", "word"),
    [
        ("pond", "such as 0-3/16"),
        ("0-3", "such as 0-3/16"),
        ("3-0/4", "in a row"),
        ("2-4/4", "in a row"),
        ("0/0", "4/16 for one"),
        ("0/70000", "at most 65,535"),
        ("0-1/4", "is a file, for one process"),
    ],
)
def test_invalid_shards_are_not_retried(tmp_path: Path, shards: str, word: str) -> None:
    """The error is one sentence that names RIBIT_SHARDS, and its exit code prevents another start."""
    done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_SHARDS=shards)
    assert_single_error(done, "RIBIT_SHARDS", word, code=UNCONFIGURED)


async def test_conflicting_shards_are_not_retried(tmp_path: Path, server: Server) -> None:
    """A second process with the same shards, or another count, ends with the code not to try again."""
    program = (
        "import sys; from bot.storage import database_server; database_server.PATIENCE_SECONDS = 0;"
        "from bot.__main__ import main; sys.exit(main(['run']))"
    )
    async with lock_database(server, Shards(0, 1, 4)):
        for shards, word in (
            ("1-3/4", "with the shards 0-1/4"),
            ("2/8", "with the shards 0-1/4"),
            ("", "Another Ribit"),
        ):
            done = await asyncio.to_thread(
                run_bot_command,
                tmp_path,
                "-c",
                program,
                DISCORD_TOKEN="x.y.z",
                RIBIT_DATABASE=server.address,
                RIBIT_SHARDS=shards,
            )
            assert_single_error(done, word, code=UNCONFIGURED)
