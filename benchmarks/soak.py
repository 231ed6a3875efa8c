"""Benchmark of the bot's memory after a day of play, including cached pictures.

    python -m benchmarks.soak [--tables 1900] [--acts 10] [--again 0.5] [--people 4]

runs the bot. ``--people`` simulated users open tables of all games one after the other, with ``--acts``
clicks and commands at each. Then they visit random ones of these tables again, ``--tables`` times
``--again`` in total. There are no pauses, because the bot's memory depends on the tables and clicks of
the last 15 minutes and not on its uptime. The benchmark regularly prints the memory of the bot and its
workers, the number of open files and the size of the database's log. With ``--deals 1000``, this number
of solitaires is dealt and given up instead. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from simcord.backend.models import Channel, User

from benchmarks.clicks import POLL_SECONDS, wait_until_idle
from bot.logs import configure_logs
from tests.wire.channel_players import Party
from tests.wire.environment import World, open_world

SEATS = (2, 3, 4, 5)
SAMPLES = 20
CLICKS_A_DEAL = 3
DEALT_SECONDS = 25.0
"""Seconds after which the bot has dealt a solitaire or has asked the player to try again."""

STALLED_SECONDS = 100.0
"""Seconds after which the bot or the benchmark must be stuck. Late answers are awaited for a minute."""

MEGABYTE, KILOBYTE = 1_000_000, 1024


@dataclass
class Curve:
    """The progress of the benchmark, printed with the bot's current memory and open files."""

    place: World
    acts: int = 0
    tables: int = 0
    refused: int = 0
    """Number of deals that were not found in time."""
    began: float = field(default_factory=time.monotonic)

    def line(self) -> str:
        """Return a line with the progress, the current memory and the number of open files."""
        process = Path(f"/proc/{self.place.program.process.pid}")
        workers = [_memory_of(worker).own for worker in _child_processes(process)]
        log = self.place.program.database.with_name(self.place.program.database.name + "-wal")
        taken = _memory_of(process)
        return (
            f"{(time.monotonic() - self.began) / 60:7.1f}{self.tables:8,}{self.acts:9,}"
            f"{taken.resident:8.0f}{taken.own:8.0f}{len(list((process / 'fd').iterdir())):7}"
            f"{log.stat().st_size / MEGABYTE if log.exists() else 0:8.1f}"
            f"   {' '.join(f'{worker:.0f}' for worker in workers)}"
        )


class Memory(NamedTuple):
    """The memory that a process uses, in MB.

    Attributes:
        resident: Resident memory (RSS).
        own: Resident memory in which shared pages are divided by the number of their processes (PSS).
    """

    resident: float
    own: float


def _memory_of(process: Path) -> Memory:
    """Return the memory of a process, or zeros if it has ended."""
    try:
        lines = (process / "smaps_rollup").read_text("ascii").splitlines()[1:]
    except OSError:
        return Memory(0.0, 0.0)
    sizes = {words[0]: int(words[1]) * KILOBYTE / MEGABYTE for words in map(str.split, lines)}
    return Memory(sizes["Rss:"], sizes["Pss:"])


def _child_processes(process: Path) -> list[Path]:
    """Return the ``/proc`` folders of a process's children.

    The bot's children are its workers and multiprocessing's resource tracker.
    """
    found = list[str]()
    for task in (process / "task").iterdir():
        with suppress(OSError):
            found += (task / "children").read_text("ascii").split()
    return [Path("/proc") / child for child in found]


class StalledError(Exception):
    """Raised when the bot has stopped answering."""


async def play_tables(place: World, curve: Curve, asked: argparse.Namespace) -> None:
    """Play at new tables one after the other, and then at some of them again."""
    parties = list[Party]()

    def tables() -> Iterator[Party]:
        for number in range(asked.tables):
            seats = SEATS[number % len(SEATS)]
            people = [place.server.person(f"frog-{number}-{seat}") for seat in range(seats)]
            channel = place.server.channel(f"pond-{number}")
            parties.append(Party(place.crowd, place.ledger, channel, people, number))
            curve.tables += 1
            yield parties[-1]
        for _number in range(round(asked.tables * asked.again)):
            yield place.random.choice(parties)

    waiting = tables()

    async def play() -> None:
        for party in waiting:
            for _act in range(asked.acts):
                await await_in_time(party.act())
                curve.acts += 1

    await run_concurrently(play, asked.people)


async def play_solitaires(place: World, curve: Curve, asked: argparse.Namespace) -> None:
    """Let each user deal and give up solitaires in a channel of their own."""
    numbers = count(1)

    async def ask() -> None:
        name = f"loser-{next(numbers)}"
        user, channel = place.server.person(name), place.server.channel(name)
        while curve.tables < asked.deals:
            curve.tables += 1
            while not await _deal_in_time(place, user, channel):
                curve.refused += 1
            await await_in_time(place.crowd.slash(user, channel.id, "solitaire stop"))
            [sure] = [one for one in place.crowd.seen(user, channel.id, last=1) if one.action == "quit"]
            await await_in_time(place.crowd.press(user, sure))
            place.crowd.dismiss_ephemeral(channel.id)
            curve.acts += CLICKS_A_DEAL

    await run_concurrently(ask, asked.people)
    print_line(f"{curve.refused} starts found no deal in time")


async def _deal_in_time(place: World, user: User, channel: Channel) -> bool:
    """Request a deal, and return whether it was dealt in time."""
    await await_in_time(place.crowd.slash(user, channel.id, "solitaire start"))
    with suppress(TimeoutError):
        async with asyncio.timeout(DEALT_SECONDS):
            while not any(one.move for one in place.crowd.seen(user, channel.id)):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
            return True
    return False


async def run_concurrently(work: Callable[[], Coroutine[None, None, None]], people: int) -> None:
    """Call a coroutine function ``people`` times and run the coroutines concurrently."""
    async with asyncio.TaskGroup() as group:
        for _person in range(people):
            group.create_task(work())


async def await_in_time(doing: Awaitable[object]) -> None:
    """Await an action of a simulated user, and raise StalledError after ``STALLED_SECONDS``."""
    try:
        async with asyncio.timeout(STALLED_SECONDS):
            await doing
    except TimeoutError:
        raise StalledError from None


async def measure(asked: argparse.Namespace) -> None:
    """Run the bot with simulated users, and print its memory regularly."""
    with TemporaryDirectory() as folder:
        async with open_world(Path(folder), seed=asked.seed) as place:
            await place.begin()
            if not await place.connected():
                sys.exit(f"no bot connected; see {place.program.log}")
            await wait_until_idle(place)
            print_line("minutes  tables     acts  RSS MB  PSS MB  files  log MB   workers, MB each")
            curve, work = Curve(place), play_solitaires if asked.deals else play_tables
            all_tables = asked.deals or asked.tables * (1 + asked.again)
            each = CLICKS_A_DEAL if asked.deals else asked.acts
            telling = asyncio.create_task(_print_memory(curve, all_tables * each))
            try:
                await work(place, curve, asked)
            except* StalledError:
                print_line("\n".join(("STALLED", *_stall_report(place))))
                raise
            finally:
                telling.cancel()
                print_line(curve.line())
            place.program.ask_to_stop()
            await place.program.ended()
            if place.ledger.wrong:
                sys.exit("\n".join(place.ledger.wrong))


def _stall_report(place: World) -> Iterator[str]:
    """Yield a line for each unanswered click, and the last lines of the bot's log."""
    for click in place.ledger.clicks.values():
        if not click.acknowledged and click.sent is not None:
            yield f"not acknowledged: {click.custom_id}"
    yield from place.program.log.read_text("utf-8").splitlines()[-SAMPLES:]


async def _print_memory(curve: Curve, acts: float) -> None:
    """Print the memory at the start and after each twentieth of the work."""
    for part in count():
        while curve.acts < part * acts / SAMPLES:  # noqa: ASYNC110 — there is no event for this
            await asyncio.sleep(0.1)
        print_line(curve.line())


def print_line(line: str) -> None:
    """Print a line and flush the output."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_900)
    parser.add_argument("--acts", type=int, default=10, help="clicks and commands at a table, one visit")
    parser.add_argument("--again", type=float, default=0.5, help="visits of a table after the first")
    parser.add_argument("--people", type=int, default=4, help="who play at a time")
    parser.add_argument("--deals", type=int, default=0, help="dealt and given up, instead of all that")
    parser.add_argument("--seed", type=int, default=1)
    configure_logs("WARNING")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
