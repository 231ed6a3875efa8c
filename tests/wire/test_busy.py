"""While another process holds the database, every click is acknowledged in time and counts later."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.wire.environment import deal_solitaire, open_world, wait_until


async def test_a_click_during_a_database_lock_is_acknowledged(tmp_path: Path) -> None:
    """A click during the lock is acknowledged, and its move is made after the lock."""
    async with open_world(tmp_path, seed=6) as place:
        await place.begin()
        assert await place.connected()
        user, channel = place.server.person("Ann"), place.server.channel("pond")
        await deal_solitaire(place, user, channel)
        control = [control for control in place.crowd.seen(user, channel.id) if control.move][-1]
        with closing(sqlite3.connect(place.program.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            click = place.crowd.send(user, control)
            await wait_until(lambda: click.acknowledged)
            other.execute("ROLLBACK")
        match_id, n = control.move or ("", 0)
        await wait_until(
            lambda: (match_id, n + 1) in {one.move for one in place.crowd.seen(user, channel.id)}
        )
        place.program.ask_to_stop()
        assert await place.end(0) == []
