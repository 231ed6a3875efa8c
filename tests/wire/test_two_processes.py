"""The short stress test of two processes that share a PostgreSQL.

The long form is ``python -m tests.wire --processes 2 --kills 300``.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bot.storage.database_address import Server
from tests.postgres import Postgres
from tests.wire.environment import PATIENCE_SECONDS, open_worlds, wait_until
from tests.wire.fleet import FleetStressTest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

SEED = 20261122
SHARDS, TABLES = 4, 4


async def test_no_move_is_lost_after_kills_of_processes_and_database(
    tmp_path: Path, stopping: Postgres, server: Server
) -> None:
    """If one process, both or the database is killed, no move is lost or made twice and play goes on.

    Each click that a living process got is answered, no player is mentioned twice in a turn, no process
    writes to another's match, and in the end every message shows the current state.
    """
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    async with open_worlds(folders, server, SEED, SHARDS) as places:
        stress = FleetStressTest(places, stopping, TABLES)
        await stress.each()
        assert not stress.violations, stress.violations
        assert stress.kills.keys() >= {"all", "the database", "a process and the database"}
        assert places[0].audit.moves > 0, "the crowd should get somewhere"


async def test_sigterm_before_two_shards_reidentify_exits_cleanly(
    tmp_path: Path, server: Server
) -> None:
    """SIGTERM while two shards are about to connect and identify again ends the process in order."""
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    async with open_worlds(folders, server, SEED, SHARDS) as [place, _other]:
        await place.begin()
        assert await place.connected()
        gateway = place.gateway
        taken = gateway.taken
        gateway.greeting.clear()
        gateway.invalidate()
        await wait_until(lambda: gateway.taken == taken + 1)
        place.program.ask_to_stop()
        await wait_until(
            lambda: gateway.taken == taken + 2
        )  # the first is given up, the next has its turn
        gateway.greeting.set()
        async with asyncio.timeout(PATIENCE_SECONDS / 2):  # discord.py's own patience is a minute
            assert await place.end(0) == []
