"""Processes that share a server's database, each with its own shards."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bot.matches.shards import Shards
from bot.storage.database import open_database
from bot.storage.database_address import DatabaseInUseError, Location, RefusedDatabaseError, Server
from bot.storage.database_lock import lock_database, note_holder
from bot.storage.database_server import _CLAIM, LOCK
from bot.storage.postgres import _SETTINGS, connect
from bot.storage.writer import Session

ROOT = Path(__file__).parents[2]
COUNT = 4
LOW, HIGH = Shards(0, 1, COUNT), Shards(2, 3, COUNT)
PAUSE = 0.01

RUNS = """
import asyncio, sys
from bot.matches.shards import read_shards
from bot.storage.database_address import locate
from bot.storage.database_lock import lock_database
async def run():
    async with lock_database(locate(sys.argv[1]), read_shards(sys.argv[2])):
        print("runs", flush=True)
        await asyncio.Event().wait()
asyncio.run(run())
"""


async def _start_other_process(server: Server) -> asyncio.subprocess.Process:
    """Start a process with the low shards, and return it when it runs."""
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUNS, server.address, str(LOW), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert other.stdout is not None
    assert await other.stdout.readline() == b"runs\n"
    return other


async def _refusal_of(location: Location, shards: Shards | None) -> str:
    """Return the error of a process that cannot have these shards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.storage.database_server.PATIENCE_SECONDS", 0)
        with pytest.raises((DatabaseInUseError, RefusedDatabaseError)) as refused:
            async with lock_database(location, shards):
                pytest.fail("it should not run")
    return str(refused.value)


@pytest.mark.parametrize("shards", [HIGH, Shards(1, 2, COUNT), Shards(3, 3, COUNT)])
async def test_a_shard_cannot_run_in_two_processes(server: Server, shards: Shards) -> None:
    """A second process for a running shard gets the shard's number, its process and its start."""
    database = await open_database(server)
    async with lock_database(server, HIGH):
        await note_holder(database.notes, 1_800_000_000, HIGH)
        told = await _refusal_of(server, shards)
        assert "with the shards 2-3/4" in told
        assert "since 2027" in told
    async with lock_database(server, shards):
        pass
    await database.close()


async def test_all_processes_must_use_the_same_shard_count(server: Server) -> None:
    """A process with 8 shards is refused while another process runs with 4 shards."""
    async with lock_database(server, LOW):
        assert "out of the same total" in await _refusal_of(server, Shards(2, 3, 8))


async def test_a_bot_with_all_shards_excludes_sharded_processes(server: Server) -> None:
    """A bot with all shards does not start beside processes with some, nor they beside it."""
    async with lock_database(server, LOW), lock_database(server, HIGH):
        told = await _refusal_of(server, None)
        assert "with the shards 0-1/4" in told
        assert "with the shards 2-3/4" in told
    async with lock_database(server):
        assert "Another Ribit runs" in await _refusal_of(server, LOW)


async def test_two_processes_on_a_new_database(new_server: Server) -> None:
    """Two processes with different shards can start before the first of them has created the tables."""
    async with lock_database(new_server, LOW), lock_database(new_server, HIGH):
        assert "with the shards 0-1/4" in await _refusal_of(new_server, LOW)


async def test_a_process_waits_while_many_others_start(server: Server) -> None:
    """Processes check one after the other which shards are free, and the last may wait long."""
    others = await connect(server)
    await others.execute("SELECT pg_advisory_lock($1)", _CLAIM)
    release = asyncio.get_running_loop().create_task(
        close_after(others, int(_SETTINGS["lock_timeout"]) / 1000 + 0.3)
    )
    async with lock_database(server, LOW):
        await release


async def close_after(session: Session, seconds: float) -> None:
    """Close a session, which releases its locks, after some seconds."""
    await asyncio.sleep(seconds)
    await session.close()


async def test_a_session_with_an_unknown_name_counts_as_all_shards(server: Server) -> None:
    """The lock may be held by a session whose name a connection pooler has changed."""
    other = await connect(server)
    await other.fetchval("SELECT set_config('application_name', 'ribit - 10.0.0.1:5', false)")
    await other.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
    assert "runs on" in await _refusal_of(server, LOW)
    await other.close()


async def test_shards_require_postgres(tmp_path: Path) -> None:
    """Shards need PostgreSQL, and the error for a file names the setting to change."""
    told = await _refusal_of(tmp_path / "ribit.sqlite3", LOW)
    assert "postgresql://" in told
    assert list(tmp_path.iterdir()) == []


async def test_a_starting_process_waits_for_locks_of_a_stopping_one(server: Server) -> None:
    """A process that starts waits for the locks of one that is ending."""
    first = await _start_other_process(server)
    asyncio.get_running_loop().call_later(PAUSE, first.kill)
    async with lock_database(server, LOW):
        await first.wait()
