"""How long a click waits with many tables in play, beside a bare bot, and what holds the event loop.

    python -m benchmarks.pace [--tables 50] [--clicks 1000] [--seconds 2]

has people at tables of all games click at their own pace, one in so many seconds a table, at the program
and at the bare bot in turn, and prints the waits for the acknowledgement, and how many requests a click
made: those that Discord counts, and the others, by an interaction's token. Then the same is played under
``tests.wire.counting``, and it prints which callbacks used over 20 ms of CPU at a stretch. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks.clicks import SEATS, Bare, Seats, rested
from tests.wire.counting import told
from tests.wire.limits import Limits
from tests.wire.program import LAUNCHER
from tests.wire.world import World, world

PERCENT, MILLISECONDS = 100, 1000
COUNTING = "tests.wire.counting"


async def measure(tables: int, clicks: int, seconds: float) -> None:
    """Play in three programs, and print."""
    for name, module in (("Ribit", LAUNCHER), ("bare bot", "benchmarks.bare"), (None, COUNTING)):
        with TemporaryDirectory() as folder:
            limits = Limits()
            async with world(Path(folder), seed=1, module=module, limits=limits) as place:
                await place.begin()
                if not await place.connected():
                    sys.exit(f"no bot connected; see {place.program.log}")
                if name != "bare bot":
                    await rested(place)
                seats = await _opened(place, tables, is_bare=name == "bare bot")
                counted, free = limits.counted, limits.free
                waited = await _play(place, seats, clicks, seconds)
                requests = (limits.counted - counted, limits.free - free)
                place.program.ask_to_stop()
                await place.program.ended()
                if name is None:
                    _tell_held(*told(place.program.log), len(waited))
                else:
                    _tell_waits(name, waited, *requests)


async def _opened(place: World, tables: int, *, is_bare: bool) -> Sequence[Seats | Bare]:
    """Open tables of all games and sizes, one after the other."""
    opened: list[Seats | Bare] = []
    for number, name in enumerate(islice(cycle(SEATS), tables)):
        game = name.split(maxsplit=1)[0]
        table = (
            Bare(place, f"bare-{number}")
            if is_bare
            else Seats(place, game, f"pond-{number}", SEATS[name])
        )
        await table.open()
        opened.append(table)
    return opened


async def _play(
    place: World, tables: Sequence[Seats | Bare], clicks: int, seconds: float
) -> list[float]:
    """Have each table clicked at its own pace; returns how long each click waited."""
    waited: list[float] = []

    async def play(table: Seats | Bare) -> None:
        await asyncio.sleep(place.random.uniform(0, seconds))
        while len(waited) < clicks:
            took = await table.press()
            if took is not None:
                waited.append(took)
            await asyncio.sleep(place.random.uniform(0.5, 1.5) * seconds)

    await asyncio.gather(*map(play, tables))
    return waited


def _tell_waits(name: str, waited: Sequence[float], counted: int, free: int) -> None:
    cuts = quantiles(waited, n=PERCENT)
    middle, late = cuts[PERCENT // 2 - 1] * MILLISECONDS, cuts[-1] * MILLISECONDS
    each = f"requests a click {counted / len(waited):.2f} counted, {free / len(waited):.2f} not"
    sys.stdout.write(
        f"{name:10} {len(waited):6} clicks, p50 {middle:6.1f} ms, p99 {late:6.1f} ms; {each}\n"
    )


def _tell_held(callbacks: int, held: dict[str, int], clicks: int) -> None:
    sys.stdout.write(f"{clicks} clicks, {callbacks} callbacks, over 20 ms of CPU: {held}\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--clicks", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=2.0, help="between two clicks at a table")
    asked = parser.parse_args()
    asyncio.run(measure(asked.tables, asked.clicks, asked.seconds))


if __name__ == "__main__":
    main()
