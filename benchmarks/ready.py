"""How long it takes from the start of the program until Discord has it, beside a bare bot.

    python -m benchmarks.ready [--starts 8]

starts the program and the bare bot in turn, each as often, on a database that is there and with Python's
compiled files as every start but the first has them, and prints the medians of the time to the gateway's
first word, of the time to the first command's answer, and of the CPU time until then. Needs Linux.
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

from benchmarks.clicks import cpu_of
from tests.wire.program import LAUNCHER
from tests.wire.world import World, world

PROGRAMS = {"Ribit": (LAUNCHER, "toad start"), "bare bot": ("benchmarks.bare", "bare")}
"""What is started, and the command that is given to it."""

_UNWRITTEN = "PYTHONDONTWRITEBYTECODE"


class Start(NamedTuple):
    """How many seconds a start took until the bot was connected, had answered, and of a processor."""

    connected: float
    answered: float
    processor: float


async def measure(starts: int) -> None:
    """Start each program some times, and once before that, and print."""
    async with AsyncExitStack() as stack:
        measured: dict[str, list[Start]] = {name: [] for name in PROGRAMS}
        places: dict[str, World] = {}
        for name, (module, command) in PROGRAMS.items():
            folder = Path(stack.enter_context(TemporaryDirectory()))
            places[name] = await stack.enter_async_context(world(folder, seed=1, module=module))
            await _start(places[name], command, 0)
        for number in range(1, starts + 1):
            for name, (_module, command) in PROGRAMS.items():
                measured[name].append(await _start(places[name], command, number))
    say(f"{starts} starts      connected    answered         CPU")
    for name, taken in measured.items():
        middle = Start(*(median(times) for times in zip(*taken, strict=True)))
        say(f"{name:14}" + "".join(f"{seconds:10.2f} s" for seconds in middle))


async def _start(place: World, command: str, number: int) -> Start:
    """Start and stop the program of a world, with a command in between, in a channel of its own."""
    began = time.perf_counter()
    await place.begin()
    if not await place.connected():
        sys.exit(f"no bot connected; see {place.program.log}")
    connected = time.perf_counter()
    user, channel = place.server.person("starter"), place.server.channel(f"start-{number}")
    await place.crowd.slash(user, channel.id, command)
    answered = time.perf_counter()
    processor = cpu_of(place)
    place.program.ask_to_stop()
    await place.program.ended()
    return Start(connected - began, answered - began, processor)


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Measure, with compiled files of its own, whatever the environment says of such files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=8)
    starts = parser.parse_args().starts
    os.environ.pop(_UNWRITTEN, None)
    with TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        asyncio.run(measure(starts))


if __name__ == "__main__":
    main()
