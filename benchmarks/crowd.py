"""Turns that all ran out while the bot was away, over a real socket with Discord's limits.

``python -m benchmarks.crowd --tables 10000`` starts the bot on so many tables whose turns are over,
has people click at them all the while, and prints how long it took until every table showed the
truth, how many requests Discord refused, and how long the slowest click waited for its answer. The
floor, measured in the same run, is what 50 requests a second would take for as many requests.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.logs import configure_logs
from tests.wire.limits import A_SECOND
from tests.wire.overdue import overdue


async def measure(tables: int) -> None:
    """Run and print."""
    with TemporaryDirectory() as folder:
        async with overdue(Path(folder), tables) as crowd:
            await crowd.until_true()
            figures = crowd.figures()
    figures["floor (s)"] = round(figures["requests that count"] / A_SECOND, 1)
    sys.stdout.write("\n".join(f"{name:22}{value}" for name, value in figures.items()) + "\n")


if __name__ == "__main__":
    configure_logs("WARNING")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    asyncio.run(measure(parser.parse_args().tables))
