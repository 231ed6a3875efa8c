"""Benchmark of the time in which Ribit starts, compared with a bare bot.

    python -m benchmarks.startup_time [--starts 8]

starts Ribit and the bare bot alternately. The database and the compiled Python files already exist, as
they do at every start but the first. The benchmark prints the median times until the gateway's READY
event and until the answer to a first command, and the median CPU time until that answer. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.clicks import cpu_seconds_of
from tests.wire.environment import World, open_world
from tests.wire.program import LAUNCHER

PROGRAMS = {"Ribit": (LAUNCHER, "toad start"), "bare bot": ("benchmarks.bare_bot", "bare")}
"""The module of each bot, and the command that is run first."""

_UNWRITTEN = "PYTHONDONTWRITEBYTECODE"


class Start(NamedTuple):
    """The measurements of one start.

    Attributes:
        connected: Seconds until the bot is connected.
        answered: Seconds until it has answered the first command.
        processor: CPU seconds used until that answer.
    """

    connected: float
    answered: float
    processor: float


async def measure(starts: int) -> None:
    """Start each bot once as a warm-up and then ``starts`` times, and print the median times."""
    async with AsyncExitStack() as stack:
        measured: dict[str, list[Start]] = {name: [] for name in PROGRAMS}
        places: dict[str, World] = {}
        for name, (module, command) in PROGRAMS.items():
            folder = Path(stack.enter_context(TemporaryDirectory()))
            places[name] = await stack.enter_async_context(open_world(folder, seed=1, module=module))
            await _measure_start(places[name], command, 0)
        for number in range(1, starts + 1):
            for name, (_module, command) in PROGRAMS.items():
                measured[name].append(await _measure_start(places[name], command, number))
    print_line(f"{starts} starts      connected    answered         CPU")
    for name, taken in measured.items():
        middle = Start(*(median(times) for times in zip(*taken, strict=True)))
        print_line(f"{name:14}" + "".join(f"{seconds:10.2f} s" for seconds in middle))


async def _measure_start(place: World, command: str, number: int) -> Start:
    """Start a bot, run a command in a new channel, and stop the bot."""
    began = time.perf_counter()
    await place.begin()
    if not await place.connected():
        sys.exit(f"no bot connected; see {place.program.log}")
    connected = time.perf_counter()
    user, channel = place.server.person("starter"), place.server.channel(f"start-{number}")
    await place.crowd.slash(user, channel.id, command)
    answered = time.perf_counter()
    processor = cpu_seconds_of(place)
    place.program.ask_to_stop()
    await place.program.ended()
    return Start(connected - began, answered - began, processor)


def print_line(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Run the benchmark from the command line.

    Compiled Python files go to a temporary folder, even if the environment disables them.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=8)
    starts = parser.parse_args().starts
    os.environ.pop(_UNWRITTEN, None)
    with TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        asyncio.run(measure(starts))


if __name__ == "__main__":
    main()
