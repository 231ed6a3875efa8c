"""The upload of the application's emojis by the real program, which is killed meanwhile."""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bot.engine.icons import SIGNS
from tests.wire.environment import World, open_world, wait_until
from tests.wire.fast_launcher import HASTY
from tests.wire.program import KILLED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

SOME = 10


def emoji_counts(place: World) -> Counter[str]:
    """Return the number of emojis of each name."""
    return Counter(emoji.name for emoji in place.server.backend.application_emojis.values())


def is_upload_recorded(place: World) -> bool:
    """Return whether the program has recorded that all emojis are uploaded."""
    with closing(sqlite3.connect(f"file:{place.program.database}?mode=ro", uri=True)) as reading:
        return bool(reading.execute("SELECT count(*) FROM emojis").fetchone()[0])


async def test_emojis_are_not_uploaded_twice_after_a_kill(tmp_path: Path) -> None:
    """Emojis uploaded before ``kill -9`` are kept, so that each exists once in the end."""
    async with open_world(tmp_path, seed=3, module=HASTY) as place:
        await place.begin()
        assert await place.connected()
        await wait_until(lambda: emoji_counts(place).total() >= SOME)
        place.program.kill()
        assert await place.end(KILLED) == []
        before = emoji_counts(place).total()
        assert not is_upload_recorded(place)
        await place.begin()
        assert await place.connected()
        await wait_until(lambda: is_upload_recorded(place))
        assert before < len(SIGNS)
        assert emoji_counts(place).total() == len(emoji_counts(place)) == len(SIGNS)
        place.program.ask_to_stop()
        assert await place.end(0) == []
