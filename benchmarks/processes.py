"""Benchmark of the CPU time of a click if the bot runs as two processes, compared with one.

    python -m benchmarks.processes [--tables 12] [--blocks 5] [--clicks 300]

plays Toad for three and solitaire with one and with two processes as fast as the bot answers, in
alternating blocks of the same run. The two processes share a PostgreSQL database. The tables are spread
over the shards. Hands are played in DMs, which all arrive at the first process. The benchmark prints the
CPU time per click over all processes, and how many times more clicks two processes with a processor each
can serve than one. PostgreSQL's own work is not included. Needs Linux.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.clicks import Seats, blocks_parser, cpu_seconds_of, measure_block
from bot.logs import configure_logs
from bot.storage.database_address import Server
from tests.postgres import Postgres
from tests.wire.environment import World, open_worlds

SHARDS_A_PROCESS = 2
GAMES = (("toad", 3), ("solitaire", 1))
REST_SECONDS, MILLISECONDS = 25.0, 1000


async def _start_processes(stack: AsyncExitStack, postgres: Postgres, processes: int) -> list[World]:
    """Start a bot with a new PostgreSQL database and this number of processes."""
    folders = [Path(stack.enter_context(TemporaryDirectory())) for _each in range(processes)]
    location = Server(postgres.address(postgres.create()))
    shards = SHARDS_A_PROCESS * processes if processes > 1 else 1
    places = await stack.enter_async_context(open_worlds(folders, location, 1, shards))
    for place in places:
        await place.begin()
    for place in places:
        if not await place.connected():
            sys.exit(f"no bot connected:\n{place.program.log.read_text()}")
    return places


async def _cpu_seconds_per_click(places: Sequence[World], seats: Sequence[Seats], clicks: int) -> float:
    """Click ``clicks`` times, and return the CPU seconds per click, summed over all processes."""
    before = sum(map(cpu_seconds_of, places))
    played = await measure_block(places[0], seats, clicks)
    return (sum(map(cpu_seconds_of, places)) - before) / played.clicks


async def measure(tables: int, blocks: int, clicks: int) -> None:
    """Play with one and with two processes, and print the CPU times per click."""
    postgres = await asyncio.to_thread(Postgres)
    try:
        async with AsyncExitStack() as stack:
            one = await _start_processes(stack, postgres, 1)
            two = await _start_processes(stack, postgres, 2)
            await asyncio.sleep(REST_SECONDS)
            at = []
            for places in (one, two):
                kinds = islice(cycle(GAMES), tables)
                some = [
                    Seats(
                        places[0], game, f"pond-{number}", seats, number % len(places[0].server.guilds)
                    )
                    for number, (game, seats) in enumerate(kinds)
                ]
                await asyncio.gather(*(table.open() for table in some))
                await measure_block(places[0], some, tables)
                at.append(some)
            pairs = [
                (
                    await _cpu_seconds_per_click(one, at[0], clicks),
                    await _cpu_seconds_per_click(two, at[1], clicks),
                )
                for _pair in range(blocks)
            ]
    finally:
        postgres.remove()
    alone, both = (median(costs) * MILLISECONDS for costs in zip(*pairs, strict=True))
    times = sorted(2 * first / second for first, second in pairs)
    sys.stdout.write(
        f"one process: {alone:.2f} ms a click; two: {both:.2f} ms\n"
        f"two serve {median(times):.2f} times the clicks of one ({times[0]:.2f}-{times[-1]:.2f})\n"
    )


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    asked = blocks_parser(__doc__, tables=12).parse_args()
    configure_logs("WARNING")
    asyncio.run(measure(asked.tables, asked.blocks, asked.clicks))


if __name__ == "__main__":
    main()
