"""Benchmark of leaderboard queries, and of updates of the totals they read, in a large database.

    python -m benchmarks.boards [--matches 1000000] [--file boards.sqlite3] [--server]

builds a database of finished matches, or uses an existing file. It prints the duration of each query
and, as a baseline, of the smallest possible query. With ``--server`` the database is first moved to a
temporary PostgreSQL server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.temporary_postgres import temporary_location
from bot.matches.match import Change, Entry, Match, Player, Result, Stage
from bot.storage.database import Database, open_database
from bot.storage.migrate import migrate, migrations
from bot.storage.sqlite_connections import connect
from tests.storage.boards import day_board_reader, leaderboard_reader

LARGEST = 1
"""The server in which every fifth match is played."""

SERVERS = 2_000
REGULARS = 300
"""Number of players with thousands of matches each. Every match of Toad has one of them."""

DAY = 20_261_121
OPENED_AT = 1_700_000_000
TIMES, BATCH = 15, 20_000
FIRST_RIBIT = 3
"""Schema version of commit 506b41b. Later migrations compute the totals."""

Row = tuple[Any, ...]


def print_line(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Build or open a database, and measure its queries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--file", type=Path, default=None)
    parser.add_argument("--server", action="store_true", help="on PostgreSQL")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = asked.file or Path(folder) / "boards.sqlite3"
        if not file.exists():
            asyncio.run(_build_database(file, asked.matches))
        asyncio.run(_measure_database(file, on_server=asked.server))


# ---- building ------------------------------------------------------------------------------------


async def _build_database(file: Path, matches: int) -> None:
    began = time.perf_counter()
    connection = await connect(file)
    await migrate(connection, migrations()[:FIRST_RIBIT])
    await connection.close()
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        for first in range(0, matches, BATCH):
            _insert_matches(raw, range(first, min(first + BATCH, matches)), matches)
    built = time.perf_counter()
    await (await open_database(file)).close()
    added = time.perf_counter()
    print_line(
        f"{matches:,} matches: written in {built - began:.0f} s, "
        f"brought up to date, figures and all, in {added - built:.0f} s"
    )


def _insert_matches(raw: sqlite3.Connection, numbers: range, matches: int) -> None:
    rows: dict[str, list[Row]] = {table: [] for table in ("matches", "seats", "results", "figures")}
    for number in numbers:
        for table, row in _match_rows(number, matches):
            rows[table].append(row)
    with raw:
        raw.executemany(
            "INSERT INTO matches (id, place, game, rules_version, guild_id, channel_id, host_id,"
            " seat_limit, options, stage, seed, opened_at, ended_at)"
            " VALUES (?, 'here', ?, 1, ?, 5, ?, 6, ?, 'finished', x'00', ?, ?)",
            rows["matches"],
        )
        raw.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, 0)", rows["seats"])
        raw.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)", rows["results"])
        raw.executemany("INSERT INTO figures VALUES (?, ?, ?, ?)", rows["figures"])


def _match_rows(number: int, matches: int) -> Iterator[tuple[str, Row]]:
    """Yield the database rows of one match, each with the name of its table.

    One match in five is in the largest server. One in three is a solitaire, and every other solitaire is
    a daily deal. All daily deals in the largest server are of the same day.
    """
    chance = random.Random(number)  # noqa: S311 — reproducible data
    guild_id = LARGEST if number % 5 == 0 else 2 + number % SERVERS
    players = max(10, matches // 5)
    match_id = f"m{number}"
    opened_at = OPENED_AT + number
    if number % 3 == 0:
        game, options = "american_toad", {"deal": number + 1, "daily": 0}
        seated = [1 + chance.randrange(players)]
        figures = {"moves": chance.randrange(60, 400), "undos": chance.randrange(20), "up": 104}
        if number % 2 == 0:
            seated = [players + number]
            options["daily"] = DAY if guild_id == LARGEST else DAY - chance.randrange(300)
    else:
        game, options = "toad", {"lives": 5}
        regular = 1 + chance.randrange(min(REGULARS, players // 2))
        seated = [regular, *chance.sample(range(regular + 1, players), 2)]
        figures = {"pot": chance.randrange(9), "maximus": chance.randrange(2)}
    ended_at = opened_at + chance.randrange(100, 4000)
    named = json.dumps(options)
    yield "matches", (match_id, game, guild_id, seated[0], named, opened_at, ended_at)
    for seat, player in enumerate(seated):
        yield "seats", (match_id, seat, player, f"Player {player}")
        yield "results", (match_id, seat, player, guild_id, game, seat == 0)
        for key, value in figures.items():
            yield "figures", (match_id, seat, key, value)


# ---- measuring -----------------------------------------------------------------------------------


async def _measure_database(file: Path, *, on_server: bool) -> None:
    async with temporary_location(file, on_server=on_server) as location:
        database = await open_database(location)
        await _measure_queries(database)
        await database.close()


async def _measure_queries(database: Database) -> None:
    boards, days, journal = leaderboard_reader(database), day_board_reader(database), database.journal
    count = await boards.count(LARGEST, "toad")
    player = (await boards.leaderboard(LARGEST, "toad", count - 1, 1))[0].player_id
    daily = await days.count(LARGEST, "american_toad", DAY)
    winner = (await days.board(LARGEST, "american_toad", DAY, daily - 1, 1))[0].player_id
    print_line(f"the largest server: {count:,} players of Toad, {daily:,} winners of the day")
    of_the_day = (LARGEST, "american_toad", DAY)
    questions: dict[str, Callable[[], Awaitable[object]]] = {
        "floor: one note": lambda: database.notes.get("none"),
        "largest server, first page": lambda: boards.leaderboard(LARGEST, "toad", 0, 10),
        "largest server, last page": lambda: boards.leaderboard(LARGEST, "toad", count - 10, 10),
        "largest server, own row": lambda: boards.place_of(LARGEST, "toad", player),
        "largest server, players": lambda: boards.count(LARGEST, "toad"),
        "profile there": lambda: boards.profile(player, LARGEST),
        "profile, all servers": lambda: boards.profile(player, None),
        "the day's board, first page": lambda: days.board(*of_the_day, 0, 10),
        "the day's board, last page": lambda: days.board(*of_the_day, daily - 10, 10),
        "the day's board, own row": lambda: days.board(*of_the_day, 0, 1, winner),
        "the day's board, players": lambda: days.count(*of_the_day),
        "days won": lambda: days.days_of(winner, "american_toad"),
        "the try of a day": lambda: journal.of_day("american_toad", winner, DAY),
    }
    questions["a move"] = await _move_storer(database, "a", is_last=False)
    questions["the last move of six"] = await _move_storer(database, "b", is_last=True)
    for name, ask in questions.items():
        print_line(f"{name:32}{await _median_milliseconds(ask):8.2f} ms")


async def _move_storer(
    database: Database, name: str, *, is_last: bool
) -> Callable[[], Awaitable[object]]:
    """Return a function that stores a move, each time in a different match of six players."""
    players = tuple(Player(10 + seat, f"Player {seat}") for seat in range(6))
    results = tuple(Result(seat, seat == 0, {"pot": 3, "maximus": 1}) for seat in range(6))
    run = time.time_ns()
    facts: dict[str, Any] = {"stage": Stage.PLAYING, "seed": b"seed", "opened_at": int(time.time())}
    changes = []
    for number in range(TIMES):
        match_id = f"{name}{run}-{number}"
        match = Match(match_id, "toad", 1, LARGEST, 5, 10, players, 6, {"lives": 5}, **facts)
        await database.journal.create(match, match_id)
        after = replace(match, version=1)
        if is_last:
            after = replace(after, stage=Stage.FINISHED, ended_at=match.opened_at)
        entry = Entry(0, 0, "end", match.opened_at)
        changes.append(Change(match, after, entry, results if is_last else ()))
    left = iter(changes)

    async def move() -> bool:
        return await database.journal.commit(next(left))

    return move


async def _median_milliseconds(ask: Callable[[], Awaitable[object]]) -> float:
    """Return the median duration of ``TIMES`` calls in milliseconds."""
    taken = []
    for _time in range(TIMES):
        began = time.perf_counter()
        await ask()
        taken.append(time.perf_counter() - began)
    return 1000 * median(taken)


if __name__ == "__main__":
    main()
