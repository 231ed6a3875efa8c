"""Benchmark of the latency that other users see while a few abusive users click without pause.

    python -m benchmarks.abuse [--people 5] [--rate 5] [--seconds 60] [--moves 4000]
        [--only peeks|reads|toads|notice|boards|forget …]

simulates ``--people`` abusive users, each of whom clicks ``--rate`` times per second without waiting for
answers. ``peeks`` clicks at deals of their own, every other time on *Peek*. ``reads`` clicks, one after
the other, on the features that read a whole match of ``--moves`` moves or all of a user's rows.
``toads`` verifies matches with five toads, each of which takes some 15 s of CPU time. ``notice`` starts
and gives up the deal of the day in a server in which 10,000 users have already tried it. ``boards``
turns the pages of leaderboards with 50,000 names. ``forget`` deletes the data of new users in a bot that
has forgotten a million users.

Meanwhile, another user runs a command every two seconds in an empty channel. During ``peeks`` it starts
solitaires, for which the bot must find deals. During ``toads`` it first opens tables of Toad, and then
starts solitaires and asks for hints. Otherwise it opens tables of Toad. The benchmark prints the time
from the command to the table or hint, first without and then with the abusive users, the time until
commands were acknowledged, the time until the abusive users were answered, and the bot's memory. The
simulated Discord, the simulated users and the bot share the processors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from math import ceil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from simcord.backend.models import Channel, User

from benchmarks.clicks import wait_until_idle
from bot.engine.frozen import frozen
from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.match import LEAVES, Change, Entry, Match, Player, Stage
from bot.sessions.lobby import begun
from bot.sessions.match_creation import place_of_try
from bot.sessions.table_state import Table
from bot.storage.daily_deals import day_at
from bot.storage.database import open_database
from bot.storage.forgetting import CARRIED_OUT
from tests.wire.environment import World, deal_solitaire, open_world, wait_until
from tests.wire.ledger import Click
from tests.wire.simulated_players import Control

PEEK = ":peek"
EVERY_SECONDS = 2.0
"""Seconds between two commands of the users who do not abuse the bot."""


@frozen
class Beginning:
    """The actions of a user who does not abuse the bot, and whose waiting time is measured.

    Attributes:
        command: The command that the user runs.
        is_begun: Function that returns whether a control shows that the command has succeeded.
        question: The end of the custom_id of a button that the user then clicks, or empty.
    """

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
"""Functions that return the custom_id for each feature that reads a whole match or a user's rows."""

KINDS = ("peeks", "reads", "toads", "notice", "boards", "forget")
TRIES, NAMES, FORGOTTEN = 10_000, 50_000, 1_000_000
PAGES = NAMES // 10
BOARDS = ("toad", "frogs", "toad_puzzles", "frogger_puzzles")


@frozen
class Visit:
    """The only visit of a new user, who runs a command and clicks in the ephemeral response.

    Attributes:
        command: The command that the user runs.
        press: Function that returns the custom_id of the first click. It is called for each control of
            the response, and returns None for the wrong ones.
        then: The custom_ids of further clicks.
    """

    command: str
    press: Callable[[Control], str | None]
    then: Sequence[str] = ()


def _quit_custom_id(seen: Control) -> str | None:
    return f"a:{seen.move[0]}:quit" if seen.move else None


TRY = Visit("solitaire daily", _quit_custom_id)
FORGET = Visit("privacy", lambda seen: "y:me" if seen.custom_id == "y:me" else None, ["y:mesure"])
VISITS = 0.2
"""Number of visits that replace one click, because each visit takes several requests and pictures."""

VERIFYING = "How was this dealt?"
TOADS, MATCHES_WITH_TOADS = 5, 2


class Abuser:
    """An abusive user, who has a channel and a solitaire deal of their own."""

    def __init__(self, place: World, number: int, visits: int) -> None:
        """Create the user, and at most ``visits`` new users who make one visit each."""
        self._place = place
        self.user: User = place.server.person(f"abuser-{number}")
        self.channel: Channel = place.server.channel(f"abuser-{number}")
        self.played: list[Match] = []
        self.with_toads: list[Match] = []
        self.clicks: list[Click] = []
        self.new_users = [place.server.person(f"abuser-{number}-{n}") for n in range(visits)]
        self._coming = iter(self.new_users)

    async def play(self, matches: int, moves: int) -> None:
        """Store finished solitaires of the user, whose moves alternately turn the stock and undo it."""
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

    async def store_toad_matches(self) -> None:
        """Store matches of the user against five toads in which a weaker player chose the moves.

        To find that the moves are not a toad's, a verification must compute what a toad would do.
        """
        database = await open_database(self._place.program.database)
        for number in range(MATCHES_WITH_TOADS):
            begun, entries = _match_against_toads(self.user.id, f"t{self.channel.id % 10**9}x{number}")
            match = replace(begun, channel_id=self.channel.id, guild_id=self.channel.guild_id)
            assert await database.journal.create(match, match.id, entries) is None
            over = replace(match, stage=Stage.STOPPED, ended_at=len(entries), version=1)
            assert await database.journal.commit(Change(match, over))
            self.with_toads.append(over)
        await database.close()

    async def click(
        self, rate: float, until_time: float, control: Callable[[int], Control | None]
    ) -> None:
        """Click ``rate`` times per second until the monotonic time ``until_time``.

        ``control`` returns the control for each click, or None to skip the click.
        """
        for number in count():
            if time.monotonic() >= until_time:
                return
            if (wanted := control(number)) is not None:
                self.clicks.append(self._place.crowd.send(self.user, wanted))
            self._place.crowd.dismiss_ephemeral(self.channel.id)
            await asyncio.sleep(1 / rate)

    async def visit_with_new_users(self, rate: float, until_time: float, visit: Visit) -> None:
        """Let ``rate * VISITS`` new users per second make one visit each, until ``until_time``."""
        visits = list[asyncio.Task[None]]()
        while time.monotonic() < until_time:
            visits.append(asyncio.create_task(self.visit(visit)))
            self._place.crowd.dismiss_ephemeral(self.channel.id)
            await asyncio.sleep(1 / (rate * VISITS))
        await asyncio.gather(*visits)

    async def visit(self, visit: Visit) -> None:
        user, crowd, channel_id = next(self._coming), self._place.crowd, self.channel.id
        self.clicks.append(await crowd.slash(user, channel_id, visit.command))

        def wanted() -> list[Control]:
            seen = crowd.seen(user, channel_id)
            made = ((one.message, visit.press(one)) for one in seen if one.message.is_ephemeral)
            return [Control(message, custom_id) for message, custom_id in made if custom_id]

        with suppress(TimeoutError):
            await wait_until(lambda: bool(wanted()))
            first = wanted()[0]
            for custom_id in (first.custom_id, *visit.then):
                self.clicks.append(await crowd.press(user, replace(first, custom_id=custom_id)))

    async def leaderboard_controls(self) -> Callable[[int], Control]:
        """Return a function that returns controls, each for a random page of a random leaderboard."""
        page = await self.whole(lambda _match_id, _n: "", self.played)
        chance = self._place.random

        def control(number: int) -> Control:
            board = f"b:{chance.choice(BOARDS)}:{chance.randrange(PAGES)}"
            return replace(page(number), custom_id=board)

        return control

    async def whole(
        self, custom_id: Callable[[str, int], str], matches: Sequence[Match]
    ) -> Callable[[int], Control]:
        """Return a function that returns controls in an ephemeral message of the user.

        Each control belongs to a random match, and has the custom_id that ``custom_id`` returns for the
        match's ID and a random move number.
        """
        await self._place.crowd.slash(self.user, self.channel.id, "privacy")
        await wait_until(lambda: any("y:" in one.custom_id for one in self._visible_controls()))
        private, chance = self._visible_controls()[-1].message, self._place.random

        def control(_number: int) -> Control:
            match = chance.choice(matches)
            return Control(private, custom_id(match.id, chance.randrange(match.ended_at or 1)))

        return control

    def _visible_controls(self) -> list[Control]:
        return self._place.crowd.seen(self.user, self.channel.id)

    def deal_control(self, number: int) -> Control | None:
        """Return the deal's *Peek* button for even numbers, and a random button for odd numbers."""
        peeks, seen = number % 2 == 0, self._visible_controls()
        wanted = [
            one for one in seen if (one.custom_id.endswith(PEEK) if peeks else one.move is not None)
        ]
        return self._place.random.choice(wanted) if wanted else None


def _match_against_toads(player_id: int, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a match against five toads and its moves except the last one. The user always passes."""
    game, joined = games()["toad"], 1 << 60
    computer_players = (
        Player(-1 - seat, f"Frog {seat}", strength=Strength.TOAD) for seat in range(TOADS)
    )
    players = (Player(player_id, "Rude", interaction=joined), *computer_players)
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
        table = table.after_move(entries[-1])
    return table.match, entries[:-1]


def fill_database(database: Path, guild_id: int, known: Sequence[User]) -> None:
    """Fill the database, so that the bot's queries have to work on many rows.

    It gets tries of today's deal, names on a server's leaderboards, and the users in ``known``. The list
    of forgotten users gets ``FORGOTTEN`` entries.
    """
    today, now = day_at(int(time.time())), int(time.time())
    options = json.dumps({"deal": 1, "daily": today, "private": 1})
    players = range(10**6, 10**6 + NAMES)
    places = [place_of_try("american_toad", today, guild_id, f"player {each}") for each in players]
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.executemany(
            "INSERT INTO matches (id, place, game, rules_version, guild_id, channel_id, host_id,"
            " seat_limit, options, stage, seed, day, opened_at, ended_at)"
            " VALUES (?, ?, 'american_toad', 1, ?, 5, ?, 1, ?, 'finished', x'00', ?, ?, ?)",
            (
                (f"try{each}", place, guild_id, each, options, today, now, now)
                for each, place in zip(players[:TRIES], places, strict=False)
            ),
        )
        raw.executemany(
            "INSERT INTO seats (match_id, seat, player_id, name) VALUES (?, 0, ?, ?)",
            ((f"try{each}", each, f"Player {each}") for each in players[:TRIES]),
        )
        raw.executemany(
            "INSERT INTO names (guild_id, player_id, name) VALUES (?, ?, ?)",
            ((guild_id, each, f"Player {each}") for each in players),
        )
        raw.executemany(
            "INSERT INTO totals (guild_id, game, player_id, matches, wins) VALUES (?, 'toad', ?, ?, ?)",
            ((guild_id, each, each % 90, each % 70) for each in players),
        )
        raw.executemany(
            "INSERT INTO frog_totals (guild_id, game, player_id, strength, matches, wins)"
            " VALUES (?, 'toad', ?, 'toad', ?, ?)",
            ((guild_id, each, each % 90, each % 70) for each in players),
        )
        raw.executemany(
            "INSERT INTO puzzle_answers (player_id, game, day, is_right) VALUES (?, ?, ?, ?)",
            ((each, game, today, each % 2) for each in players for game in ("toad", "frogger")),
        )
        raw.executemany(
            "INSERT INTO players (player_id, name) VALUES (?, ?)",
            ((each.id, each.name) for each in known),
        )
        raw.execute("INSERT INTO notes (key, value) VALUES (?, ?)", (CARRIED_OUT, str(FORGOTTEN)))
    lines = ("0" * 64, *(f"{number:064x}" for number in range(FORGOTTEN)))
    database.with_name(f"{database.name}.forgotten").write_text("\n".join(lines), "ascii")


class Others:
    """Users who do not abuse the bot, and whose waiting times are measured."""

    def __init__(self, place: World) -> None:
        self._place = place
        self._number = count()

    async def measure_for(self, name: str, seconds: float, beginning: Beginning) -> None:
        """Let a new user perform the actions every ``EVERY_SECONDS``, and print the waiting times."""
        ends_at, began = time.monotonic() + seconds, list[asyncio.Task[tuple[float, Click]]]()
        while time.monotonic() < ends_at:
            began.append(asyncio.create_task(self._begin(beginning)))
            await asyncio.sleep(EVERY_SECONDS)
        took = await asyncio.gather(*began)
        _print_waiting_times(name, [seconds for seconds, _click in took])
        acknowledged = [click.seconds for _seconds, click in took if click.seconds is not None]
        _print_waiting_times("  acknowledged", acknowledged)

    async def _begin(self, beginning: Beginning) -> tuple[float, Click]:
        """Perform the actions as a new user.

        Returns:
            The seconds until the user saw the result or the answer, and the record of the command.
        """
        server, name, began = self._place.server, f"other-{next(self._number)}", time.monotonic()
        user, channel, crowd = server.person(name), server.channel(name), self._place.crowd

        def seen() -> list[Control]:
            return crowd.seen(user, channel.id)

        click = await crowd.slash(user, channel.id, beginning.command)
        with suppress(TimeoutError):
            await wait_until(lambda: any(map(beginning.is_begun, seen())))
            if beginning.question:
                asked = next(one for one in seen() if one.custom_id.endswith(beginning.question))
                before, began = {one.move for one in seen()}, time.monotonic()
                crowd.send(user, asked)
                await wait_until(lambda: {one.move for one in seen()} - before != set())
        return time.monotonic() - began, click


async def measure(
    people: int,
    rate: float,
    seconds: float,
    moves: int,
    matches: int,
    kinds: Sequence[str],
) -> None:
    """Measure the waiting times without and with abusive users, and print them."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        place = await stack.enter_async_context(open_world(folder, seed=1))
        visits = 2 * ceil(rate * VISITS * seconds) + 1
        abusers, others = [Abuser(place, number, visits) for number in range(people)], Others(place)
        for one in abusers:
            await one.play(matches, moves)
            if "toads" in kinds:
                await one.store_toad_matches()
        guild_id = abusers[0].channel.guild_id
        assert guild_id is not None, "it is in a server"
        fill_database(
            place.program.database, guild_id, [user for one in abusers for user in one.new_users]
        )
        await place.begin()
        if not await place.connected():
            sys.exit(f"no bot connected; see {place.program.log}")
        for one in abusers:
            await deal_solitaire(place, one.user, one.channel)
        await wait_until_idle(place)
        beside = partial(_measure_under_abuse, place, abusers, others, seconds, rate)
        if "peeks" in kinds:
            await others.measure_for("a deal alone", seconds, DEALS)
            await beside(
                "Peek", [partial(one.click, control=one.deal_control) for one in abusers], DEALS
            )
        await others.measure_for("a table alone", seconds, OPENS)
        for kind, custom_id in WHOLE.items() if "reads" in kinds else ():
            reading = [await one.whole(custom_id, one.played) for one in abusers]
            clicks = [
                partial(one.click, control=each) for one, each in zip(abusers, reading, strict=True)
            ]
            await beside(kind, clicks, OPENS)
        if "toads" in kinds:
            await others.measure_for("a hint alone", seconds, HINTS)
        for beginning in (OPENS, HINTS) if "toads" in kinds else ():
            verifying = [await one.whole(WHOLE[VERIFYING], one.with_toads) for one in abusers]
            clicks = [
                partial(one.click, control=each) for one, each in zip(abusers, verifying, strict=True)
            ]
            await beside("matches with five toads", clicks, beginning)
        if "notice" in kinds:
            await abusers[0].visit(TRY)  # the day's deal is found once
            await beside(
                "tries of the day",
                [partial(one.visit_with_new_users, visit=TRY) for one in abusers],
                OPENS,
            )
        if "boards" in kinds:
            turning = [partial(one.click, control=await one.leaderboard_controls()) for one in abusers]
            await beside("pages of boards", turning, OPENS)
        if "forget" in kinds:
            await beside(
                "Forget me", [partial(one.visit_with_new_users, visit=FORGET) for one in abusers], OPENS
            )
        place.program.ask_to_stop()
        await place.program.ended()


async def _measure_under_abuse(
    place: World,
    abusers: list[Abuser],
    others: Others,
    seconds: float,
    rate: float,
    kind: str,
    doings: Sequence[Callable[[float, float], Coroutine[None, None, None]]],
    beginning: Beginning,
) -> None:
    """Measure the waiting times while abusive users click on one type of control, and print them."""
    until_time, sent = time.monotonic() + seconds, [len(one.clicks) for one in abusers]
    clicking = [asyncio.create_task(doing(rate, until_time)) for doing in doings]
    await others.measure_for(f"beside: {kind}", seconds, beginning)
    await asyncio.gather(*clicking)
    clicks = [click for one, before in zip(abusers, sent, strict=True) for click in one.clicks[before:]]
    _print_waiting_times(
        f"  their {len(clicks)} clicks", [one.seconds for one in clicks if one.seconds is not None]
    )
    sys.stdout.write(f"  the bot has {_resident_mebibytes(place):.0f} MiB\n")
    await wait_until_idle(place)


def _resident_mebibytes(place: World) -> float:
    """Return the memory in MiB that the bot uses without its worker processes."""
    words = Path(f"/proc/{place.program.process.pid}/statm").read_text("ascii").split()
    return int(words[1]) * resource.getpagesize() / 2**20


def _print_waiting_times(name: str, took: list[float]) -> None:
    slowest = sorted(took)[-max(len(took) // 20, 1)]
    sys.stdout.write(
        f"{name:36} {len(took):5} times: median {median(took):.2f} s, slowest twentieth from "
        f"{slowest:.2f} s, slowest {max(took):.2f} s\n"
    )


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=5)
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--moves", type=int, default=4000)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    asked = parser.parse_args()
    sizes = (asked.people, asked.rate, asked.seconds, asked.moves, asked.matches)
    asyncio.run(measure(*sizes, asked.only))


if __name__ == "__main__":
    main()
