"""Benchmark of click latency with many tables. It also finds callbacks that block the event loop.

    python -m benchmarks.click_latency [--tables 50] [--blocks 5] [--clicks 500] [--seconds 2]

plays at tables of all games with one click per table every ``--seconds`` seconds. Blocks of clicks at
Ribit and at a bare bot alternate in the same run. It prints the time until clicks are acknowledged, and
the requests per click: those that count against Discord's rate limit, and those with an interaction's
token. The first two clicks per table, when all tables are dealt at once, are printed separately. The
simulated Discord and the players have a processor of their own, because otherwise the operating system
would run them on the bot's. The benchmark is then repeated under ``tests.wire.loop_blocking``, which
prints the callbacks that used more than 20 ms of CPU time without a break. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.clicks import SEATS, Bare, Seats, wait_until_idle
from tests.wire.environment import World, open_world
from tests.wire.limits import Limits
from tests.wire.loop_blocking import callback_counts
from tests.wire.program import LAUNCHER

PERCENT, MILLISECONDS = 100, 1000
FIRST = 2
"""Number of first clicks per table that are reported separately."""

BARE, COUNTING = "benchmarks.bare_bot", "tests.wire.loop_blocking"


class Play:
    """A running bot with its tables. It collects the latency of each click in seconds."""

    def __init__(self, place: World, limits: Limits, tables: Sequence[Seats | Bare]) -> None:
        self._place = place
        self._limits = limits
        self._tables = tables
        self._counted = self._free = 0
        self.waited: list[float] = []

    async def block(self, clicks: int, seconds: float) -> None:
        """Click at all tables until ``clicks`` clicks are answered.

        At each table, ``seconds`` is the average pause between two clicks.
        """
        counted, free, most = self._limits.counted, self._limits.free, len(self.waited) + clicks

        async def play(table: Seats | Bare) -> None:
            await asyncio.sleep(self._place.random.uniform(0, seconds))
            while len(self.waited) < most:
                took = await table.press()
                if took is not None:
                    self.waited.append(took)
                await asyncio.sleep(self._place.random.uniform(0.5, 1.5) * seconds)

        await asyncio.gather(*map(play, self._tables))
        self._counted += self._limits.counted - counted
        self._free += self._limits.free - free

    def tell(self, name: str) -> None:
        """Print the latencies and the number of requests per click."""
        clicks, cuts = len(self.waited), quantiles(self.waited, n=PERCENT)
        middle, late = cuts[PERCENT // 2 - 1] * MILLISECONDS, cuts[-1] * MILLISECONDS
        each = f"requests a click {self._counted / clicks:.2f} counted, {self._free / clicks:.2f} not"
        sys.stdout.write(
            f"{name:15} {clicks:6} clicks, p50 {middle:6.1f} ms, p99 {late:6.1f} ms; {each}\n"
        )

    def reset_measurements(self) -> None:
        """Discard the measurements so far."""
        self._counted = self._free = 0
        self.waited.clear()

    async def ended(self) -> Path:
        """Stop the bot, and return the path of its log."""
        self._place.program.ask_to_stop()
        await self._place.program.ended()
        return self._place.program.log


async def measured_latencies(
    tables: int, blocks: int, clicks: int, seconds: float
) -> tuple[list[float], list[float]]:
    """Measure the latencies of clicks at Ribit and at a bare bot, and print them.

    Returns:
        Ribit's latencies and the bare bot's, in seconds, without the first clicks at each table.
    """
    async with AsyncExitStack() as stack:
        ribit = await _start_bot_with_tables(stack, LAUNCHER, tables)
        floor = await _start_bot_with_tables(stack, BARE, tables)
        gc.freeze()
        both = {"Ribit": ribit, "bare bot": floor}
        for name, play in both.items():
            await play.block(FIRST * tables, seconds)
            play.tell(f"{name}, first")
            play.reset_measurements()
        for _block in range(blocks):
            for play in both.values():
                await play.block(clicks, seconds)
        for name, play in both.items():
            play.tell(name)
            await play.ended()
        return ribit.waited, floor.waited


async def measure(tables: int, blocks: int, clicks: int, seconds: float) -> None:
    """Measure the latencies at both bots, then find callbacks that block Ribit, and print both."""
    await measured_latencies(tables, blocks, clicks, seconds)
    async with AsyncExitStack() as stack:
        counted = await _start_bot_with_tables(stack, COUNTING, tables)
        await counted.block(clicks, seconds)
        _print_blocking_callbacks(*callback_counts(await counted.ended()), len(counted.waited))


async def _start_bot_with_tables(stack: AsyncExitStack, module: str, tables: int) -> Play:
    """Start a bot, and open tables of all games and sizes one after the other."""
    folder, limits = Path(stack.enter_context(TemporaryDirectory())), Limits()
    place = await stack.enter_async_context(open_world(folder, seed=1, module=module, limits=limits))
    await _start_on_other_processors(place)
    if not await place.connected():
        sys.exit(f"no bot connected; see {place.program.log}")
    if module != BARE:
        await wait_until_idle(place)
    opened: list[Seats | Bare] = []
    for number, name in enumerate(islice(cycle(SEATS), tables)):
        game = name.split(maxsplit=1)[0]
        table = (
            Bare(place, f"bare-{number}")
            if module == BARE
            else Seats(place, game, f"pond-{number}", SEATS[name])
        )
        await table.open()
        opened.append(table)
    return Play(place, limits, opened)


async def _start_on_other_processors(place: World) -> None:
    """Start a bot on all processors but the first, which is left to the benchmark itself.

    If there is only one processor, they share it.
    """
    mine, *others = sorted(_PROCESSORS)
    os.sched_setaffinity(0, others or [mine])
    await place.begin()
    os.sched_setaffinity(0, [mine])


_PROCESSORS = os.sched_getaffinity(0)


def _print_blocking_callbacks(callbacks: int, held: dict[str, int], clicks: int) -> None:
    sys.stdout.write(f"{clicks} clicks, {callbacks} callbacks, over 20 ms of CPU: {held}\n")


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=500, help="in a block")
    parser.add_argument("--seconds", type=float, default=2.0, help="between two clicks at a table")
    asked = parser.parse_args()
    uvloop.run(measure(asked.tables, asked.blocks, asked.clicks, asked.seconds))


if __name__ == "__main__":
    main()
