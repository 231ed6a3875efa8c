"""A bot closes every file that it opens, so that several can run in turn in one process."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

from tests.discord.bot_harness import bot_harness
from tests.examples import few_or_all

BOTS = few_or_all(8, 50)
TOLERANCE = 5


def _open_file_count() -> int:
    gc.collect()
    return len(list(Path("/dev/fd").iterdir()))


def test_bots_leave_no_files_open(tmp_path: Path) -> None:
    """Several bots start and end in turn, each on its own event loop, without leaving files open."""

    async def live() -> None:
        async with bot_harness(tmp_path):
            pass

    asyncio.run(live())  # what the first one opens for all of them stays
    before = _open_file_count()
    for _bot in range(BOTS):
        asyncio.run(live())
    assert _open_file_count() <= before + TOLERANCE
