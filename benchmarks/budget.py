"""Check that a click's CPU time and latency are within the performance budget.

``python -m benchmarks.budget`` measures in the same way as ``benchmarks.clicks`` and
``benchmarks.click_latency``, and prints each number with its limit. The exit code is 1 if a limit is
exceeded. Needs Linux and two processors that are otherwise idle.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from statistics import median, quantiles

import uvloop

from benchmarks import click_latency, clicks

CPU = {"toad 3": 7.0, "toad 6": 7.0, "frogger 3": 7.0, "frogger 5": 7.0, "solitaire": 4.0}
"""Maximum CPU time of a click under full load, as a multiple of the bare bot's CPU time."""

TIMES, MORE_MILLISECONDS = 2.0, 15.0
"""Limit for the p99 latency at 50 tables: a multiple of the bare bot's, plus milliseconds."""

TABLES, SECONDS, MILLISECONDS = 50, 2.0, 1000


def main() -> None:
    """Print each measured number with its limit. The exit code is 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=300, help="in a block")
    asked = parser.parse_args()
    over = [_is_cpu_over_limit(name, asked.blocks, asked.clicks) for name in CPU]
    over.append(_is_latency_over_limit(asked.blocks, asked.clicks))
    sys.exit(int(any(over)))


def _is_cpu_over_limit(name: str, blocks: int, a_block: int) -> bool:
    pairs = asyncio.run(clicks.measure_blocks(name, clicks.TABLES, blocks, a_block))
    return _is_over_limit(
        f"{name}, CPU ÷ bare", median(ours.each / floor.each for ours, floor in pairs), CPU[name]
    )


def _is_latency_over_limit(blocks: int, a_block: int) -> bool:
    waited = uvloop.run(click_latency.measured_latencies(TABLES, blocks, a_block, SECONDS))
    ours, floor = (quantiles(each, n=click_latency.PERCENT)[-1] * MILLISECONDS for each in waited)
    return _is_over_limit("p99 at 50 tables, ms", ours, TIMES * floor + MORE_MILLISECONDS)


def _is_over_limit(what: str, measured: float, most: float) -> bool:
    is_over = measured > most
    sys.stdout.write(f"{what:24}{measured:8.1f} of at most {most:5.1f}{'  OVER' if is_over else ''}\n")
    sys.stdout.flush()
    return is_over


if __name__ == "__main__":
    main()
