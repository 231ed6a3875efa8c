"""Estimate of the load that a day's matches put on the host, the database and Discord's rate limits.

    python -m benchmarks.day [--servers 1000 100000] [--share 0.1] [--matches 3] [--pause 12]

plays whole matches of each game, and counts their clicks and their bytes in the database. From these
numbers and the results of other benchmarks (the defaults of --cpu, --requests and --hops), it simulates
a day. Each match begins at a random time, more often in the evening, and has a click every --pause
seconds on average. The benchmark prints the busiest minute and second, and the resources that they need.
The habits of players are assumptions, which the options can change.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import count, islice
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.reference_players import greedy_move
from bot.engine.game import AnyGame
from bot.engine.shuffle import SEED_BYTES
from bot.games import games
from bot.games.american_toad.solver import best_line
from bot.matches.match import Change, Entry, Match, Player, Result, Stage
from bot.storage.database import Database, open_database
from tests.computer_matches import update_memory

SHAPES = (("toad", 2, 4), ("toad", 4, 2), ("frogger", 2, 2), ("frogger", 4, 1), ("american_toad", 1, 6))
"""Types of matches, each with the game, the number of seats and the relative frequency."""

PLAYED = 8
"""Number of matches of each type that are played to the end."""

HOURS = (5, 3, 2, 2, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 11, 12, 12, 11, 9, 7)
"""Relative number of matches that begin in each hour, if players are spread unevenly over time zones."""

MOVES_MOST = 1500
COPIES = 5
"""Number of copies of each match to store, so that the size of an empty database does not matter."""

SNOWFLAKE, LONG_AGO = 10**17, 1_700_000_000
SECONDS_A_DAY, SECONDS_AN_HOUR, SECONDS_A_MINUTE, MINUTES_A_DAY = 86_400, 3_600, 60, 1_440
KILO, MILLISECONDS, GIGABYTE, DAYS = 1_000, 1_000, 1e9, 365
CPU_MILLISECONDS, COUNTED, HOPS = 12.0, 0.34, 2.0
SERVERS_A_SHARD, SHARDS_A_PROCESS = 1_000, 16
PROCESS_MEGABYTES, SERVER_KILOBYTES, TABLE_KILOBYTES = 370, 15, 9
BUSY = 0.6
"""Maximum utilization of a processor in the busiest second, so that clicks do not queue."""

Shape = tuple[str, int]


@dataclass
class Costs:
    """The average clicks, moves and bytes in the database of one type of match."""

    clicks: float
    moves: float
    bytes: float = 0.0


def print_line(line: str = "") -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


# ---- a match -------------------------------------------------------------------------------------


def least_clicks(game: AnyGame, state: Any, seat: int, move: Any) -> int:
    """Return the smallest number of clicks with which a player can make a move."""
    view = game.view(state, seat)
    ways: deque[tuple[str, ...]] = deque([()])
    while ways:
        path = ways.popleft()
        for choice in game.panel(view, path).choices():
            if choice.move == move:
                return len(path) + 1
            if choice.move is None:
                ways.append((*path, choice.key))
    return 1


def play_match(key: str, seats: int, seed: bytes) -> tuple[Match, list[Entry], int]:
    """Play a match to its end, and return the match, its moves and the number of clicks.

    Greedy players make the moves. In a solitaire, the solver makes them. If the solver cannot win the
    deal, there are no moves.
    """
    game = games()[key]
    options = {option.key: option.default for option in game.info.options}
    state, entries, clicks = game.deal(seats, options, seed), list[Entry](), 0
    line = list(best_line(state.position, nodes=20_000)) if game.info.is_solo else []
    memories: list[Any] = [None] * seats
    while (turn := game.to_move(state)) is not None and len(entries) < MOVES_MOST:
        if game.info.is_solo:
            if not line:
                break
            move = line.pop(0)
        else:
            memories = [
                update_memory(key, memories[seat], game.view(state, seat)) for seat in range(seats)
            ]
            move = greedy_move(key, memories[turn])
        clicks += least_clicks(game, state, turn, move)
        entries.append(Entry(len(entries), turn, game.write(move), LONG_AGO + len(entries)))
        state = game.play(state, move)
    players = tuple(Player(SNOWFLAKE + seat, f"Player {seat}") for seat in range(seats))
    match = Match(
        id="",
        game=key,
        rules_version=game.info.rules_version,
        guild_id=SNOWFLAKE,
        channel_id=SNOWFLAKE,
        host_id=players[0].id,
        players=players,
        limit=seats,
        options=options,
        seed=seed,
        opened_at=LONG_AGO,
    )
    return match, entries, clicks


async def measure_costs(key: str, seats: int) -> Costs:
    """Play and store ``PLAYED`` matches of one type, and return the average costs of a match."""
    tries = (play_match(key, seats, number.to_bytes(SEED_BYTES, "big")) for number in count(1))
    found = list(islice((each for each in tries if each[1]), PLAYED))
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "day.sqlite3"
        for copies in (0, COPIES):
            database = await open_database(file)
            for number in range(copies * PLAYED):
                match, entries, _clicks = found[number % PLAYED]
                await _store_match(database, replace(match, id=f"{number:08}"), entries)
            await database.close()
            sizes.append(file.stat().st_size)
    return Costs(
        clicks=fmean(clicks for _match, _entries, clicks in found),
        moves=fmean(len(entries) for _match, entries, _clicks in found),
        bytes=(sizes[1] - sizes[0]) / (COPIES * PLAYED),
    )


async def _store_match(database: Database, match: Match, entries: list[Entry]) -> None:
    """Store a finished match move by move. The results are stored with the last move."""
    assert match.seed is not None
    journal, last = database.journal, len(entries) - 1
    results = tuple(Result(seat, won=seat == 0, figures={}) for seat in range(match.limit))
    match = replace(match, stage=Stage.PLAYING, version=0)
    await journal.create(match, match.id)
    for entry in entries:
        after = replace(match, version=match.version + 1)
        if entry.n == last:
            after = replace(after, stage=Stage.FINISHED, ended_at=entry.at)
        assert await journal.commit(Change(match, after, entry, results if entry.n == last else ()))
        match = after


# ---- a day ---------------------------------------------------------------------------------------


@dataclass
class Day:
    """The load of a simulated day.

    Attributes:
        clicks: The number of clicks in each second.
        tables: The number of tables in play in each minute.
        matches: The number of matches.
        moves: The number of moves.
        bytes: The number of bytes by which the database grows.
    """

    clicks: list[int] = field(default_factory=lambda: [0] * SECONDS_A_DAY)
    tables: list[int] = field(default_factory=lambda: [0] * (MINUTES_A_DAY + 1))
    matches: int = 0
    moves: float = 0.0
    bytes: float = 0.0


def simulate_day(servers: int, habits: argparse.Namespace, costs: dict[Shape, Costs]) -> Day:
    """Simulate a day of a bot in this number of servers. Equal arguments give equal days."""
    lots, day = random.Random(servers), Day()  # noqa: S311 — reproducible, no secret
    shapes, weights = [(key, seats) for key, seats, _often in SHAPES], [often for *_, often in SHAPES]
    for shape in lots.choices(shapes, weights, k=round(servers * habits.share * habits.matches)):
        cost = costs[shape]
        hour = lots.choices(range(len(HOURS)), HOURS)[0]
        second = began = (hour + lots.random()) * SECONDS_AN_HOUR
        for _click in range(round(cost.clicks)):
            day.clicks[int(second) % SECONDS_A_DAY] += 1
            second += lots.expovariate(1 / habits.pause)
        for minute in range(int(began // SECONDS_A_MINUTE), int(second // SECONDS_A_MINUTE) + 1):
            day.tables[minute % MINUTES_A_DAY] += 1
        day.matches += 1
        day.moves += cost.moves
        day.bytes += cost.bytes
    return day


def print_load(servers: int, day: Day, habits: argparse.Namespace) -> None:
    """Print the load of a simulated day."""
    most, clicks = max(day.clicks), sum(day.clicks)
    minute = max(
        sum(day.clicks[second : second + SECONDS_A_MINUTE])
        for second in range(0, SECONDS_A_DAY, SECONDS_A_MINUTE)
    )
    busiest = minute / SECONDS_A_MINUTE
    cores = most * habits.cpu / MILLISECONDS / BUSY
    shards = max(1, ceil(servers / SERVERS_A_SHARD))
    processes = max(1, ceil(cores), ceil(shards / SHARDS_A_PROCESS))
    memory = processes * PROCESS_MEGABYTES + servers * SERVER_KILOBYTES / KILO
    memory += max(day.tables) * TABLE_KILOBYTES / KILO
    print_line(f"{servers:,} servers")
    print_line(f"  matches, clicks a day            {day.matches:,}, {clicks:,}")
    print_line(f"  tables in play at most           {max(day.tables):,}")
    print_line(f"  clicks a second, busiest minute  {busiest:,.1f}")
    print_line(f"  clicks in the busiest second     {most:,}")
    print_line(f"  processors at that second        {cores:.1f}, {BUSY:.0%} of each in use")
    print_line(f"  shards, processes                {shards:,}, {processes:,}")
    print_line(f"  memory of all processes          {memory / KILO:.1f} GB")
    print_line(
        f"  requests that count a second     {busiest * habits.requests:,.1f} of 50, busiest minute"
    )
    print_line(f"  transactions a second            {busiest * habits.hops:,.0f}, busiest minute")
    print_line(f"  database grows a year            {DAYS * day.bytes / GIGABYTE:,.1f} GB")
    print_line()


def main() -> None:
    """Measure the costs of matches, simulate a day for each number of servers, and print the loads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--servers", type=int, nargs="+", default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--share", type=float, default=0.1, help="of servers, that play that day")
    parser.add_argument("--matches", type=float, default=3, help="at such a server")
    parser.add_argument("--pause", type=float, default=12, help="seconds between two clicks at a table")
    parser.add_argument("--cpu", type=float, default=CPU_MILLISECONDS, help="ms of a click")
    parser.add_argument("--requests", type=float, default=COUNTED, help="of a click that Discord counts")
    parser.add_argument("--hops", type=float, default=HOPS, help="transactions of a click")
    habits = parser.parse_args()
    costs = {}
    for key, seats, _often in SHAPES:
        cost = costs[key, seats] = asyncio.run(measure_costs(key, seats))
        words = f"{cost.clicks:.0f} clicks, {cost.moves:.0f} moves, {cost.bytes / KILO:.1f} KB"
        print_line(f"{key} for {seats}: {words} in the database")
    print_line()
    for servers in habits.servers:
        print_load(servers, simulate_day(servers, habits, costs), habits)


if __name__ == "__main__":
    main()
