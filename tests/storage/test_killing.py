"""Acknowledged moves survive ``kill -9``."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.matches.match import Entry
from bot.storage.database import open_database
from bot.storage.database_address import Location, Server, locate
from tests import forked_processes
from tests.examples import few_or_all
from tests.storage.database_types import query_rows
from tests.storage.matches import store_live_match, store_move

MATCHES = 3
KILLED_AFTER = few_or_all((1, 40), (1, 7, 40, 90))
"""Number of acknowledgements before each kill."""


async def _play_endlessly(location: Location) -> None:
    """Make moves in several matches at once without end, and print each acknowledged move."""
    database = await open_database(location)

    async def play(match_id: str) -> None:
        n = len(await database.journal.entries(match_id))
        while await store_move(database, match_id, Entry(n, 0, f"move {n}")):
            print(match_id, n, flush=True)  # noqa: T201 — the parent process reads it
            n += 1

    await asyncio.gather(*(play(f"m{number}") for number in range(MATCHES)))


async def test_acknowledged_moves_survive_a_kill(location: Location) -> None:
    """After several kills during writes the file is sound, without gaps, and has every move."""
    database = await open_database(location)
    for number in range(MATCHES):
        await store_live_match(database, f"m{number}")
    await database.close()
    for acknowledgements in KILLED_AFTER:
        acknowledged = await asyncio.to_thread(_kill_while_playing, location, acknowledgements)
        assert len(acknowledged) >= acknowledgements
        database = await open_database(location)
        stored = {
            (match.id, entry.n)
            for match in await database.journal.live()
            for entry in await database.journal.entries(match.id)
        }
        await database.close()
        assert acknowledged <= stored
        assert stored == _gapless_moves(stored)
        if isinstance(location, Path):
            assert await query_rows(location, "PRAGMA integrity_check") == [("ok",)]


def _gapless_moves(stored: set[tuple[str, int]]) -> set[tuple[str, int]]:
    counts = {match_id: sum(1 for other, _n in stored if other == match_id) for match_id, _n in stored}
    return {(match_id, n) for match_id, count in counts.items() for n in range(count)}


def _kill_while_playing(location: Location, acknowledgements: int) -> set[tuple[str, int]]:
    """Kill another process while it plays, and return its acknowledged moves."""
    address = location.address if isinstance(location, Server) else str(location)
    arguments = ["tests.storage.test_killing", address]
    with TemporaryDirectory() as folder:
        out, errors = Path(folder, "out"), Path(folder, "errors")
        process = forked_processes.Program(arguments, forked_processes.ROOT, os.environ, out, errors)
        while out.read_bytes().count(b"\n") < acknowledgements:
            assert process.returncode is None, errors.read_text("utf-8")
            time.sleep(0.01)
        process.kill()
        process.join()
        lines = out.read_text("utf-8").splitlines(keepends=True)
    said = [line.split() for line in lines if line.endswith("\n")]
    return {(match_id, int(n)) for match_id, n in said}


if __name__ == "__main__":
    asyncio.run(_play_endlessly(locate(sys.argv[1])))
