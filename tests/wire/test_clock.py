"""A machine whose clock is wrong, or is set while the bot runs: turns take as long as they may."""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.wire.test_leaving import move, press
from tests.wire.world import World, until, world

if sys.platform == "win32":
    pytest.skip("there is no signal for it", allow_module_level=True)

TURN_SECONDS = 3600
DAY = 24 * 60 * 60
NEAR_SECONDS = 60


def asked(place: World, query: str) -> int:
    """Return the one number that is the answer of the database."""
    with closing(sqlite3.connect(place.program.database)) as connection:
        [(answer,)] = connection.execute(query)
    return int(answer)


@pytest.mark.parametrize("seconds", [DAY, -DAY], ids=["forward", "back"])
@pytest.mark.parametrize("when", ["before", "later"])
async def test_a_clock_that_is_set(tmp_path: Path, when: str, seconds: int) -> None:
    """By a day, before the start or in the middle of a turn: turns end when players expect it."""
    async with world(tmp_path, seed=13) as place:
        place.program.clock = (when, seconds)
        await place.begin()
        assert await place.connected()
        channel = place.server.channel("pond")
        people = [place.server.person(name) for name in ("Ann", "Ben")]
        assert (
            await place.crowd.slash(people[0], channel.id, "toad start", turn=TURN_SECONDS)
        ).acknowledged
        await press(place, people[1], channel, "join")
        await press(place, people[0], channel, "start")
        if when == "later":
            place.program.set_clock()
        await move(place, people)
        await until(lambda: asked(place, "SELECT count(*) FROM moves") == 1)
        ends_at = asked(place, "SELECT turn_ends_at FROM matches")
        assert abs(ends_at - time.time() - TURN_SECONDS) < NEAR_SECONDS
        place.program.ask_to_stop()
        assert await place.end(0) == []
        assert place.audit.moves == 1, "nobody's turn was passed"
