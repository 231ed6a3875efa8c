"""How long a deal of solitaire takes others while a few people click without end.

    python -m benchmarks.rude [--people 5] [--rate 5] [--seconds 60] [--moves 4000] [--no-peeks]

has so many people click so often a second each, without waiting for any answer: at deals of their own,
half of it *Peek*, half any other button; and, one kind after the other, on what is made from a whole
match, each at matches of their own that have so many moves, or from all of a person's rows. Meanwhile
somebody else begins every two seconds, in a channel where nobody is: a deal beside *Peek*, for which one
that can be won is looked for, else a table of Toad. It prints from the command to the table how long
that took, alone and beside the rude, how soon the rude were answered, and how much memory the bot had.
Discord, the people and the program share the processors.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeAlias

from simcord.backend.models import Channel, User

from benchmarks.clicks import rested
from bot.matches.match import LEAVES, Change, Entry, Match, Player, Stage
from bot.storage.database import open_database
from tests.wire.crowd import Control
from tests.wire.ledger import Click
from tests.wire.world import World, deal, until, world

PEEK = ":peek"
EVERY_SECONDS = 2.0
"""How often somebody else begins a deal, or opens a table."""

Beginning: TypeAlias = tuple[str, Callable[[Control], bool]]
DEALS: Beginning = "solitaire start", lambda one: one.move is not None
OPENS: Beginning = "toad start", lambda one: one.action == "join"
"""What they say, and what they see then."""

WHOLE: dict[str, Callable[[str, int], str]] = {
    "How was this dealt?": lambda match_id, _n: f"a:{match_id}:dealt",
    "Download of a match": lambda match_id, _n: f"dr:{match_id}",
    "pages of replays": lambda match_id, n: f"v:{match_id}:{n}:on",
    "Download of one's own data": lambda _match_id, _n: "y:download",
}
"""What is made from a whole match, or of all of a person's rows, and what a click on it carries."""


class Rude:
    """Somebody with a deal, who clicks and clicks."""

    def __init__(self, place: World, number: int) -> None:
        self._place = place
        self.user: User = place.server.person(f"rude-{number}")
        self.channel: Channel = place.server.channel(f"rude-{number}")
        self.played: list[Match] = []
        self.clicks: list[Click] = []

    async def play(self, matches: int, moves: int) -> None:
        """Have so many deals behind oneself, in which the stock was turned and that taken back."""
        database = await open_database(self._place.program.database)
        player, entries = Player(self.user.id, "Rude", interaction=1), list[Entry]()
        entries += (Entry(n, 0, ("turn", "undo")[n % 2], n) for n in range(moves))
        for number in range(matches):
            match = Match(
                id=f"r{self.channel.id % 10**9}x{number}",
                game="american_toad",
                rules_version=1,
                guild_id=self.channel.guild_id,
                channel_id=self.channel.id,
                host_id=self.user.id,
                players=(player,),
                limit=1,
                options={"deal": 8 + number, "daily": 0},
                stage=Stage.PLAYING,
                seed=bytes(32),
                started_by=1,
                opened_at=0,
            )
            assert await database.journal.create(match, match.id, entries) is None
            over = replace(match, stage=Stage.STOPPED, ended_at=moves, version=1)
            assert await database.journal.commit(Change(match, over, Entry(moves, 0, LEAVES, moves)))
            self.played.append(over)
        await database.close()

    async def click(
        self, rate: float, until_time: float, control: Callable[[int], Control | None]
    ) -> None:
        """Click so often a second."""
        for number in count():
            if time.monotonic() >= until_time:
                return
            if (wanted := control(number)) is not None:
                self.clicks.append(self._place.crowd.send(self.user, wanted))
            self._place.crowd.tidy(self.channel.id)
            await asyncio.sleep(1 / rate)

    async def whole(self, custom_id: Callable[[str, int], str]) -> Callable[[int], Control]:
        """Return what clicks of a kind are made on: anything of the matches that were played."""
        await self._place.crowd.slash(self.user, self.channel.id, "privacy")
        await until(lambda: any("y:" in one.custom_id for one in self._seen()))
        private, chance = self._seen()[-1].message, self._place.random

        def control(_number: int) -> Control:
            match = chance.choice(self.played)
            return Control(private, custom_id(match.id, chance.randrange(match.ended_at or 1)))

        return control

    def _seen(self) -> list[Control]:
        return self._place.crowd.seen(self.user, self.channel.id)

    def at_deal(self, number: int) -> Control | None:
        """Return *Peek*, or every other time any other button of the deal."""
        peeks, seen = number % 2 == 0, self._seen()
        wanted = [
            one for one in seen if (one.custom_id.endswith(PEEK) if peeks else one.move is not None)
        ]
        return self._place.random.choice(wanted) if wanted else None


class Others:
    """Everybody else, who begins a deal now and then."""

    def __init__(self, place: World) -> None:
        self._place = place
        self._number = count()

    async def begin_for(self, seconds: float, beginning: Beginning) -> list[float]:
        """Have somebody begin now and then; returns how long each took until the table could be seen."""
        ends_at, began = time.monotonic() + seconds, list[asyncio.Task[float]]()
        while time.monotonic() < ends_at:
            began.append(asyncio.create_task(self._begin(*beginning)))
            await asyncio.sleep(EVERY_SECONDS)
        return await asyncio.gather(*began)

    async def _begin(self, command: str, begun: Callable[[Control], bool]) -> float:
        server, name, began = self._place.server, f"other-{next(self._number)}", time.monotonic()
        user, channel = server.person(name), server.channel(name)
        await self._place.crowd.slash(user, channel.id, command)
        with suppress(TimeoutError):
            await until(lambda: any(map(begun, self._place.crowd.seen(user, channel.id))))
        return time.monotonic() - began


async def measure(
    people: int, rate: float, seconds: float, moves: int, matches: int, *, is_peeking: bool
) -> None:
    """Have deals begun without the rude, and with them, and print."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        place = await stack.enter_async_context(world(folder, seed=1))
        rude, others = [Rude(place, number) for number in range(people)], Others(place)
        for one in rude:
            await one.play(matches, moves)
        await place.begin()
        if not await place.connected():
            sys.exit(f"no bot connected; see {place.program.log}")
        for one in rude:
            await deal(place, one.user, one.channel)
        await rested(place)
        beside = partial(_beside, place, rude, others, seconds, rate)
        if is_peeking:
            _tell("a deal alone", await others.begin_for(seconds, DEALS))
            await beside("Peek", [one.at_deal for one in rude], DEALS)
        _tell("a table alone", await others.begin_for(seconds, OPENS))
        for kind, custom_id in WHOLE.items():
            await beside(kind, [await one.whole(custom_id) for one in rude], OPENS)
        place.program.ask_to_stop()
        await place.program.ended()


async def _beside(
    place: World,
    rude: list[Rude],
    others: Others,
    seconds: float,
    rate: float,
    kind: str,
    controls: Sequence[Callable[[int], Control | None]],
    beginning: Beginning,
) -> None:
    """Have deals begun beside the rude, who all click on the same kind of thing, and print."""
    until_time, sent = time.monotonic() + seconds, [len(one.clicks) for one in rude]
    clicking = [
        asyncio.create_task(one.click(rate, until_time, control))
        for one, control in zip(rude, controls, strict=True)
    ]
    _tell(f"beside: {kind}", await others.begin_for(seconds, beginning))
    await asyncio.gather(*clicking)
    clicks = [click for one, before in zip(rude, sent, strict=True) for click in one.clicks[before:]]
    _tell(f"  their {len(clicks)} clicks", [one.seconds for one in clicks if one.seconds is not None])
    sys.stdout.write(f"  the bot has {_resident(place):.0f} MiB\n")
    await rested(place)


def _resident(place: World) -> float:
    """Return how much memory the bot has, without its workers, in MiB."""
    words = Path(f"/proc/{place.program.process.pid}/statm").read_text("ascii").split()
    return int(words[1]) * resource.getpagesize() / 2**20


def _tell(name: str, took: list[float]) -> None:
    slowest = sorted(took)[-max(len(took) // 20, 1)]
    sys.stdout.write(
        f"{name:36} {len(took):5} times: median {median(took):.2f} s, slowest twentieth from "
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
    parser.add_argument("--moves", type=int, default=4000)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--no-peeks", action="store_true")
    asked = parser.parse_args()
    sizes = (asked.people, asked.rate, asked.seconds, asked.moves, asked.matches)
    asyncio.run(measure(*sizes, is_peeking=not asked.no_peeks))


if __name__ == "__main__":
    main()
