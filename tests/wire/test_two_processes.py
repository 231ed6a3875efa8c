"""The short form of the siege on two processes that share a PostgreSQL.

The long form is ``python -m tests.wire --processes 2 --kills 300``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.storage import Server
from tests.postgres import Postgres
from tests.wire.fleet import FleetSiege
from tests.wire.world import worlds

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

SEED = 20261122
SHARDS, TABLES = 4, 4


async def test_each_blow(tmp_path: Path, stopping: Postgres, server: Server) -> None:
    """Each, both and the database are killed: no move is lost or made twice, and every table goes on.

    Each click that a living process got is answered, nobody is called twice to one turn, no process
    writes to another's match, and in the end every message shows the truth.
    """
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    async with worlds(folders, server, SEED, SHARDS) as places:
        siege = FleetSiege(places, stopping, TABLES)
        await siege.each()
        assert not siege.violations, siege.violations
        assert siege.kills.keys() >= {"all", "the database", "a process and the database"}
        assert places[0].audit.moves > 0, "the crowd should get somewhere"
