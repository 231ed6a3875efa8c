"""The stress test as a command, ``python -m tests.wire --kills 300``."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from secrets import randbelow

from bot.storage.database_address import Server
from tests.postgres import Postgres
from tests.wire.environment import open_world, open_worlds
from tests.wire.fleet import FleetStressTest
from tests.wire.stress import StressTest

TABLES = 6
SHARDS_A_PROCESS = 2
SECONDS_A_KILL = 20
"""Seconds a kill. An idle machine needs three, most of them for the start, and a busy machine more."""


async def run_stress_test(
    folder: Path, kills: int, seconds: float, seed: int, processes: int
) -> list[str]:
    """Run a stress test, print its metrics and return its errors."""
    began = time.monotonic()
    async with AsyncExitStack() as opened:
        if processes == 1:
            stress = StressTest(await opened.enter_async_context(open_world(folder, seed)), TABLES)
        else:
            stress = await opened.enter_async_context(open_fleet(folder, seed, processes))
        telling = asyncio.create_task(print_progress(stress))
        await stress.run(kills, seconds)
        telling.cancel()
    for name, value in stress.figures().items():
        print_line(f"{name:24} {value}")
    print_line(f"{'minutes':24} {(time.monotonic() - began) / 60:.1f}")
    wrong, held = stress.violations, stress.kills.total()
    if held < kills and not wrong:
        wrong.append(f"only {held} of {kills} kills fitted into {seconds / 60:.0f} minutes")
    return wrong


@asynccontextmanager
async def open_fleet(folder: Path, seed: int, processes: int) -> AsyncIterator[FleetStressTest]:
    """Open a world with several processes and a PostgreSQL server for them."""
    folders = [folder / str(process) for process in range(processes)]
    for each in folders:
        each.mkdir()
    postgres = await asyncio.to_thread(Postgres)
    try:
        location = Server(postgres.address(postgres.create()))
        async with open_worlds(folders, location, seed, SHARDS_A_PROCESS * processes) as places:
            yield FleetStressTest(places, postgres, TABLES)
    finally:
        postgres.remove()


async def print_progress(stress: StressTest) -> None:
    """Print the progress every minute."""
    while True:
        await asyncio.sleep(60)
        figures = stress.figures()
        print_line(f"… {figures['kills']} kills, {figures['clicks']} clicks, {figures['moves']} moves")


def main() -> int:
    """Parse the command line, run a stress test and print its metrics."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=None, help="at most; else as the kills need")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--processes", type=int, default=1, help="several of them use PostgreSQL")
    args = parser.parse_args()
    seed = randbelow(10**9) if args.seed is None else args.seed
    folder = Path(tempfile.mkdtemp(prefix="ribit-wire-"))
    print_line(f"seed {seed}, files in {folder}")
    seconds = args.kills * SECONDS_A_KILL if args.minutes is None else args.minutes * 60
    wrong = asyncio.run(run_stress_test(folder, args.kills, seconds, seed, args.processes))
    for words in wrong:
        print_line(f"WRONG: {words}")
    if wrong:
        again = f"--kills {args.kills} --seed {seed} --processes {args.processes}"
        print_line(f"The same again: python -m tests.wire {again}")
        return 1
    shutil.rmtree(folder)
    return 0


def print_line(line: str) -> None:
    """Print a line and flush."""
    print(line, flush=True)  # noqa: T201 — this is the answer to a command line


if __name__ == "__main__":
    sys.exit(main())
