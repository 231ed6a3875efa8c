"""How long a deal of solitaire takes others while a few people click without end.

    python -m benchmarks.rude [--people 5] [--rate 5] [--seconds 60]

has so many people click so often a second each at deals of their own, without waiting for any answer:
half of it *Peek*, half any other button. Meanwhile somebody else begins a deal every two seconds, in a
channel where nobody is. It prints from the command to the picture how long that took, alone and beside
the rude, and how soon the rude were answered. Discord, the people and the program share the processors.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import AsyncExitStack, suppress
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from simcord.backend.models import Channel, User

from benchmarks.clicks import rested
from tests.wire.crowd import Control
from tests.wire.ledger import Click
from tests.wire.world import World, deal, until, world

PEEK = ":peek"
EVERY_SECONDS = 2.0
"""How often somebody else begins a deal."""


class Rude:
    """Somebody with a deal, who clicks and clicks."""

    def __init__(self, place: World, number: int) -> None:
        self._place = place
        self.user: User = place.server.person(f"rude-{number}")
        self.channel: Channel = place.server.channel(f"rude-{number}")
        self.clicks: list[Click] = []

    async def click(self, rate: float, until_time: float) -> None:
        """Click so often a second, every other time on *Peek*."""
        for number in count():
            if time.monotonic() >= until_time:
                return
            control = self._control(peeks=number % 2 == 0)
            if control is not None:
                self.clicks.append(self._place.crowd.send(self.user, control))
            self._place.crowd.tidy(self.channel.id)
            await asyncio.sleep(1 / rate)

    def _control(self, *, peeks: bool) -> Control | None:
        seen = self._place.crowd.seen(self.user, self.channel.id)
        wanted = [
            one for one in seen if (one.custom_id.endswith(PEEK) if peeks else one.move is not None)
        ]
        return self._place.random.choice(wanted) if wanted else None


class Others:
    """Everybody else, who begins a deal now and then."""

    def __init__(self, place: World) -> None:
        self._place = place
        self._number = count()

    async def begin_for(self, seconds: float) -> list[float]:
        """Have a deal begun now and then; returns how long each took until it could be seen."""
        ends_at, began = time.monotonic() + seconds, list[asyncio.Task[float]]()
        while time.monotonic() < ends_at:
            began.append(asyncio.create_task(self._begin()))
            await asyncio.sleep(EVERY_SECONDS)
        return await asyncio.gather(*began)

    async def _begin(self) -> float:
        server, name, began = self._place.server, f"other-{next(self._number)}", time.monotonic()
        user, channel = server.person(name), server.channel(name)
        await self._place.crowd.slash(user, channel.id, "solitaire start")
        with suppress(TimeoutError):
            await until(lambda: any(one.move for one in self._place.crowd.seen(user, channel.id)))
        return time.monotonic() - began


async def measure(people: int, rate: float, seconds: float) -> None:
    """Have deals begun without the rude, and with them, and print."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        place = await stack.enter_async_context(world(folder, seed=1))
        await place.begin()
        if not await place.connected():
            sys.exit(f"no bot connected; see {place.program.log}")
        rude, others = [Rude(place, number) for number in range(people)], Others(place)
        for one in rude:
            await deal(place, one.user, one.channel)
        await rested(place)
        _tell("alone", await others.begin_for(seconds))
        until_time = time.monotonic() + seconds
        clicking = [asyncio.create_task(one.click(rate, until_time)) for one in rude]
        _tell("beside the rude", await others.begin_for(seconds))
        await asyncio.gather(*clicking)
        clicks = [click for one in rude for click in one.clicks]
        answered = [click.seconds for click in clicks if click.seconds is not None]
        _tell(f"the rude's own {len(clicks)} clicks", answered)
        place.program.ask_to_stop()
        await place.program.ended()


def _tell(name: str, took: list[float]) -> None:
    slowest = sorted(took)[-max(len(took) // 20, 1)]
    sys.stdout.write(
        f"{name:28} {len(took):5} times: median {median(took):.2f} s, slowest twentieth from "
        f"{slowest:.2f} s, slowest {max(took):.2f} s\n"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=5)
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    asyncio.run(measure(asked.people, asked.rate, asked.seconds))


if __name__ == "__main__":
    main()
