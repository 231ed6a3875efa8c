"""Benchmark of a start after many turns have expired while the bot was off.

``python -m benchmarks.expired_turns --tables 10000`` starts the bot with this number of tables whose
turns have expired, while users click at them. The simulated Discord enforces its rate limits. The
benchmark prints the time until every table shows its current state, the number of requests that Discord
refused, and the slowest answer to a click. The baseline is the time that the same requests take at 50
per second.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.logs import configure_logs
from tests.wire.expired_turns import open_overdue
from tests.wire.limits import A_SECOND


async def measure(tables: int) -> None:
    """Run the benchmark with this number of tables, and print the results."""
    with TemporaryDirectory() as folder:
        async with open_overdue(Path(folder), tables) as crowd:
            await crowd.click_until_current()
            figures = crowd.figures()
    figures["floor (s)"] = round(figures["requests that count"] / A_SECOND, 1)
    sys.stdout.write("\n".join(f"{name:22}{value}" for name, value in figures.items()) + "\n")


if __name__ == "__main__":
    configure_logs("WARNING")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    asyncio.run(measure(parser.parse_args().tables))
