"""How long a deal of solitaire takes others while a few people click without end.

    python -m benchmarks.rude [--people 5] [--rate 5] [--seconds 60] [--moves 4000] [--no-peeks]
        [--no-reads]

has so many people click so often a second each, without waiting for any answer: at deals of their own,
half of it *Peek*, half any other button; and, one kind after the other, on what is made from a whole
match, each at matches of their own that have so many moves, or from all of a person's rows. The last
kind verifies matches with five toads, each of which takes some 15 s of CPU. Meanwhile somebody else
begins every two seconds, in a channel where nobody is: a deal beside *Peek*, for which one that can be
won is looked for, a deal and a hint beside the verifications, else a table of Toad. It prints from the
command to the table, or to the hint, how long that took, alone and beside the rude, how soon commands
were acknowledged, how soon the rude were answered, and how much memory the bot had. Discord, the people
and the program share the processors.
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

from simcord.backend.models import Channel, User

from benchmarks.clicks import rested
from bot.engine.immutable import frozen
from bot.engine.thinking import Lots, Strength
from bot.games import games
from bot.matches.match import LEAVES, Change, Entry, Match, Player, Stage
from bot.sessions.lobby import begun
from bot.sessions.table import Table
from bot.storage.database import open_database
from tests.wire.crowd import Control
from tests.wire.ledger import Click
from tests.wire.world import World, deal, until, world

PEEK = ":peek"
EVERY_SECONDS = 2.0
"""How often somebody else begins a deal, or opens a table."""


@frozen
class Beginning:
    """What other users do: a command, what they see then, and the question that they ask there."""

    command: str
    is_begun: Callable[[Control], bool]
    question: str = ""


DEALS = Beginning("solitaire start", lambda one: one.move is not None)
OPENS = Beginning("toad start", lambda one: one.action == "join")
HINTS = replace(DEALS, question=":hint")

WHOLE: dict[str, Callable[[str, int], str]] = {
    "How was this dealt?": lambda match_id, _n: f"a:{match_id}:dealt",
    "Download of a match": lambda match_id, _n: f"dr:{match_id}",
    "pages of replays": lambda match_id, n: f"v:{match_id}:{n}:on",
    "Download of one's own data": lambda _match_id, _n: "y:download",
}
"""What is made from a whole match, or of all of a person's rows, and what a click on it carries."""

VERIFYING = "How was this dealt?"
TOADS, MATCHES_WITH_TOADS = 5, 2


class Rude:
    """Somebody with a deal, who clicks and clicks."""

    def __init__(self, place: World, number: int) -> None:
        self._place = place
        self.user: User = place.server.person(f"rude-{number}")
        self.channel: Channel = place.server.channel(f"rude-{number}")
        self.played: list[Match] = []
        self.with_toads: list[Match] = []
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

    async def play_with_toads(self) -> None:
        """Have some matches with five toads behind oneself, which froglets have played for them.

        A verification thinks for each toad before it finds that the move is a froglet's.
        """
        database = await open_database(self._place.program.database)
        for number in range(MATCHES_WITH_TOADS):
            begun, entries = _played_by_toads(self.user.id, f"t{self.channel.id % 10**9}x{number}")
            match = replace(begun, channel_id=self.channel.id, guild_id=self.channel.guild_id)
            assert await database.journal.create(match, match.id, entries) is None
            over = replace(match, stage=Stage.STOPPED, ended_at=len(entries), version=1)
            assert await database.journal.commit(Change(match, over))
            self.with_toads.append(over)
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

    async def whole(
        self, custom_id: Callable[[str, int], str], matches: Sequence[Match]
    ) -> Callable[[int], Control]:
        """Return what clicks of a kind are made on: anything of these matches."""
        await self._place.crowd.slash(self.user, self.channel.id, "privacy")
        await until(lambda: any("y:" in one.custom_id for one in self._seen()))
        private, chance = self._seen()[-1].message, self._place.random

        def control(_number: int) -> Control:
            match = chance.choice(matches)
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


def _played_by_toads(player_id: int, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a match with five toads, without its last move; its host passes every turn."""
    game, joined = games()["toad"], 1 << 60
    frogs = (Player(-1 - seat, f"Frog {seat}", strength=Strength.TOAD) for seat in range(TOADS))
    players = (Player(player_id, "Rude", interaction=joined), *frogs)
    version, options = game.info.rules_version, {"lives": 5}
    match = Match(match_id, "toad", version, 1, 2, player_id, players, len(players), options)
    match = replace(match, secret=bytes(32), opened_by=joined, opened_at=0)
    table, entries = begun(Table(match, game), b"", 0, joined + 1), list[Entry]()
    assert game.thinking is not None, "it has opponents"
    while (seat := game.to_move(table.state)) is not None:
        if (move := game.automatic(table.state)) is None:
            lots = Lots(table.lot)
            is_toad = seat in table.memories
            move = (
                game.thinking.choose(table.memories[seat], Strength.FROGLET, lots)
                if is_toad
                else game.passing(table.state)
            )
        entries.append(Entry(len(entries), seat, game.write(move), len(entries)))
        table = table.after(entries[-1])
    return table.match, entries[:-1]


class Others:
    """Everybody else, who begins a deal now and then."""

    def __init__(self, place: World) -> None:
        self._place = place
        self._number = count()

    async def begin_for(self, name: str, seconds: float, beginning: Beginning) -> None:
        """Have other users begin now and then, and print how long each took until it could be seen."""
        ends_at, began = time.monotonic() + seconds, list[asyncio.Task[tuple[float, Click]]]()
        while time.monotonic() < ends_at:
            began.append(asyncio.create_task(self._begin(beginning)))
            await asyncio.sleep(EVERY_SECONDS)
        took = await asyncio.gather(*began)
        _tell(name, [seconds for seconds, _click in took])
        acknowledged = [click.seconds for _seconds, click in took if click.seconds is not None]
        _tell("  acknowledged", acknowledged)

    async def _begin(self, beginning: Beginning) -> tuple[float, Click]:
        """Return how many seconds it took to begin, or for the answer to a question, and the command."""
        server, name, began = self._place.server, f"other-{next(self._number)}", time.monotonic()
        user, channel, crowd = server.person(name), server.channel(name), self._place.crowd

        def seen() -> list[Control]:
            return crowd.seen(user, channel.id)

        click = await crowd.slash(user, channel.id, beginning.command)
        with suppress(TimeoutError):
            await until(lambda: any(map(beginning.is_begun, seen())))
            if beginning.question:
                asked = next(one for one in seen() if one.custom_id.endswith(beginning.question))
                before, began = {one.move for one in seen()}, time.monotonic()
                crowd.send(user, asked)
                await until(lambda: {one.move for one in seen()} - before != set())
        return time.monotonic() - began, click


async def measure(
    people: int,
    rate: float,
    seconds: float,
    moves: int,
    matches: int,
    *,
    is_peeking: bool,
    is_reading: bool,
) -> None:
    """Have deals begun without the rude, and with them, and print."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        place = await stack.enter_async_context(world(folder, seed=1))
        rude, others = [Rude(place, number) for number in range(people)], Others(place)
        for one in rude:
            await one.play(matches, moves)
            await one.play_with_toads()
        await place.begin()
        if not await place.connected():
            sys.exit(f"no bot connected; see {place.program.log}")
        for one in rude:
            await deal(place, one.user, one.channel)
        await rested(place)
        beside = partial(_beside, place, rude, others, seconds, rate)
        if is_peeking:
            await others.begin_for("a deal alone", seconds, DEALS)
            await beside("Peek", [one.at_deal for one in rude], DEALS)
        await others.begin_for("a table alone", seconds, OPENS)
        for kind, custom_id in WHOLE.items() if is_reading else ():
            await beside(kind, [await one.whole(custom_id, one.played) for one in rude], OPENS)
        await others.begin_for("a hint alone", seconds, HINTS)
        for beginning in (OPENS, HINTS):
            verifying = [await one.whole(WHOLE[VERIFYING], one.with_toads) for one in rude]
            await beside("matches with five toads", verifying, beginning)
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
    await others.begin_for(f"beside: {kind}", seconds, beginning)
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
    parser.add_argument("--no-reads", action="store_true", help="only the matches with five toads")
    asked = parser.parse_args()
    sizes = (asked.people, asked.rate, asked.seconds, asked.moves, asked.matches)
    kinds = {"is_peeking": not asked.no_peeks, "is_reading": not asked.no_reads}
    asyncio.run(measure(*sizes, **kinds))


if __name__ == "__main__":
    main()
