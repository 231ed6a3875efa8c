"""Benchmark of the CPU time of a click with many live tables, compared with few.

    python -m benchmarks.many_tables [--tables 10000] [--busy 2000] [--blocks 5] [--clicks 300]

runs two bots in separate processes. One has ``--tables`` idle tables and ``--busy`` solitaires that were
clicked a moment ago, the other has ten tables. Further solitaires are played at both bots as fast as
they answer, in alternating blocks of the same run. The benchmark prints the CPU time per click with many
and with few tables, their ratio by block, and the memory of an idle table. Needs Linux.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.clicks import Seats, blocks_parser, measure_block, wait_until_idle
from bot.logs import configure_logs
from tests.wire.expired_turns import TURN_SECONDS, Overdue, open_overdue

FEW, BUSY, AT_ONCE = 10, 2_000, 8
JUST_BEGUN = -TURN_SECONDS
"""Seconds since the turns at the tables expired. They have just begun, so no player gets a reminder."""

MILLISECONDS, KILOBYTES_A_PAGE = 1000, 4


async def measure(tables: int, busy: int, blocks: int, clicks: int) -> None:
    """Play at a bot with few tables and at a bot with many, and print the CPU times per click."""
    async with AsyncExitStack() as stack:
        folders = [Path(stack.enter_context(TemporaryDirectory())) for _world in range(2)]
        few = await stack.enter_async_context(open_overdue(folders[0], FEW, JUST_BEGUN))
        many = await stack.enter_async_context(open_overdue(folders[1], tables, JUST_BEGUN))
        # After a start, the bot prepares card images for a while. That must not count for the clicks.
        for crowd in (few, many):
            await wait_until_idle(crowd.place)
        idle = (_memory_kilobytes(many) - _memory_kilobytes(few)) / (tables - FEW)
        await _make_moves(many, busy)
        seats = [
            [Seats(crowd.place, "solitaire", f"busy-{number}", 1) for number in range(AT_ONCE)]
            for crowd in (few, many)
        ]
        await asyncio.gather(*(table.open() for each in seats for table in each))
        for crowd, each in zip((few, many), seats, strict=True):
            await measure_block(crowd.place, each, AT_ONCE)
        pairs = [
            (
                await measure_block(many.place, seats[1], clicks),
                await measure_block(few.place, seats[0], clicks),
            )
            for _pair in range(blocks)
        ]
    ratios = sorted(one.each / other.each for one, other in pairs)
    with_many, with_few = (
        median(one.each for one in each) * MILLISECONDS for each in zip(*pairs, strict=True)
    )
    sys.stdout.write(
        f"{tables + busy:,} tables: {with_many:.2f} ms a click\n"
        f"{FEW:,} tables: {with_few:.2f} ms\n"
        f"ratio {median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})\n"
        f"memory of an idle table: {idle:.1f} KB\n"
    )


async def _make_moves(crowd: Overdue, tables: int) -> None:
    """Deal ``tables`` solitaires, ``AT_ONCE`` at a time, and make one move in each of them."""
    left = iter(range(tables))

    async def play() -> None:
        for number in left:
            table = Seats(crowd.place, "solitaire", f"once-{number}", 1)
            await table.open()
            await table.press()

    await asyncio.gather(*(play() for _hand in range(AT_ONCE)))


def _memory_kilobytes(crowd: Overdue) -> int:
    """Return the memory that the bot uses without its worker processes, in KB."""
    words = Path(f"/proc/{crowd.place.program.process.pid}/statm").read_text("ascii").split()
    return int(words[1]) * KILOBYTES_A_PAGE


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = blocks_parser(__doc__, tables=10_000)
    parser.add_argument("--busy", type=int, default=BUSY, help="of many, clicked a moment ago")
    asked = parser.parse_args()
    configure_logs("WARNING")
    asyncio.run(measure(asked.tables, asked.busy, asked.blocks, asked.clicks))


if __name__ == "__main__":
    main()
