"""A database that another process holds: every click is acknowledged in time, and then it counts."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.wire.test_leaving import until
from tests.wire.world import world

HELD_SECONDS = 4.0


async def test_a_database_that_is_busy(tmp_path: Path) -> None:
    """Held for 4 s, while Discord waits for 3: the click is acknowledged, and the move made after it."""
    async with world(tmp_path, seed=6) as place:
        await place.begin()
        assert await place.connected()
        user, channel = place.server.person("Ann"), place.server.channel("pond")
        assert (await place.crowd.slash(user, channel.id, "solitaire start")).acknowledged
        control = [control for control in place.crowd.seen(user, channel.id) if control.move][-1]
        with closing(sqlite3.connect(place.program.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            click = place.crowd.send(user, control)
            await asyncio.sleep(HELD_SECONDS)
            assert click.acknowledged
            other.execute("ROLLBACK")
        match_id, n = control.move or ("", 0)
        await until(
            lambda: (match_id, n + 1) in {one.move for one in place.crowd.seen(user, channel.id)}
        )
        place.program.ask_to_stop()
        assert await place.end(0) == []
