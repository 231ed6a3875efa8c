"""Benchmarks of daily duels, in which all players play the same boards against computer players.

``python -m benchmarks.duels separation --game frogger --days 1000`` simulates days on which a toad and a
froglet, two strengths of computer players, play the same boards. It prints on how many days the toad has
more points, with the 95 % confidence interval, and how long a day takes if a player's turn takes
``--seconds``. The secret of day *n* is the SHA-256 hash of the game and *n*. ``field`` measures the time
in which a day's computer players are computed. ``same`` plays boards
under three hash seeds and compares the moves. With ``--python``, it also uses the given interpreters.
``tries`` measures the queries for a page and a rank on a day with 100,000 tries. ``--database`` selects
a PostgreSQL server for it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.duels import (
    WON,
    board_options,
    board_seed,
    computers,
    count_of,
    own_seat,
    play_board,
)
from bot.matches.match import Player
from bot.storage.database import open_database
from bot.storage.database_address import locate
from bot.storage.named_queries import Sql
from cogs.duels.store import DuelTries

NORMAL_95 = 1.96
DAY = 20261128
GUILD = 7
PAGE_SIZE = 10
BATCH = 500


def print_line(line: str) -> None:
    """Print a line of results."""
    sys.stdout.write(f"{line}\n")


def secret_of(game: str, day: int) -> bytes:
    """Return the secret of a simulated day."""
    return sha256(f"{game} {day}".encode()).digest()


def compare_strengths(key: str, days: int, boards: int, seconds: float) -> None:
    """Print on how many days a toad gets more points than a froglet, and how long a day takes.

    Args:
        key: The key of the game.
        days: The number of simulated days.
        boards: The number of boards per day.
        seconds: The time that a player needs for a turn, including the rival's turn before it.
    """
    game, better, tied, turns = games()[key], 0, 0, list[int]()
    for day in range(days):
        secret, points = secret_of(key, day), list[int]()
        for strength in (Strength.TOAD, Strength.FROGLET):
            moves: list[list[str]] = [[] for _board in range(boards)]
            boards_played = enumerate(moves)
            points.append(
                sum(int(play_board(game, secret, board, strength, 0, to)) for board, to in boards_played)
            )
            turns.append(sum(own_turns(game, secret, *board) for board in enumerate(moves)))
        better += points[0] > points[1]
        tied += points[0] == points[1]
    share = better / days
    off = NORMAL_95 * sqrt(share * (1 - share) / days)
    print_line(
        f"{key}, {boards} boards, days 0 to {days - 1}: the toad is better on {share:.1%} ± {off:.1%},"
    )
    print_line(f"equal on {tied / days:.1%}. Secrets are sha256('{key} N').")
    turns.sort()
    for share in (0.5, 0.9):
        most = turns[int(share * (len(turns) - 1))]
        print_line(f"{share:.0%} of days have at most {most} turns, {most * seconds / 60:.1f} minutes")


def own_turns(game: AnyGame, secret: bytes, board: int, moves: Sequence[str]) -> int:
    """Return the number of turns of the player who plays a board in place of a person."""
    state = game.deal(2, board_options(game, board), board_seed(secret, board))
    own, turns, previous = own_seat(game, secret, board), 0, None
    for move in moves:
        seat = game.to_move(state)
        turns += seat == own != previous
        previous, state = seat, game.play(state, game.read(move, state))
    return turns


def time_day_boards(key: str) -> None:
    """Print the time in which one process plays a day's boards with all computer players."""
    game, secret, began, used = games()[key], secret_of(key, 0), perf_counter(), process_time()
    for number, strength in enumerate(computers()):
        for board in range(count_of(game)):
            play_board(game, secret, board, strength, number)
    seconds, cpu = perf_counter() - began, process_time() - used
    print_line(f"{key}: the day's field takes {seconds:.0f} s, CPU {cpu:.0f} s")


def moves_digest(key: str, matches: int) -> str:
    """Let toads play ``matches`` boards, and return a hash of all moves."""
    made = sha256()
    for number in range(matches):
        game, told = games()[key], list[str]()
        play_board(game, secret_of(key, number), number % count_of(game), Strength.TOAD, 0, told)
        made.update("\n".join(told).encode())
    return made.hexdigest()


def check_determinism(key: str, matches: int, pythons: Sequence[str]) -> None:
    """Exit with code 0 if all interpreters and hash seeds give the same moves, otherwise with 1."""
    found = set[str]()
    for python in pythons:
        for hash_seed in ("0", "1", "2"):
            command = [python, "-m", "benchmarks.duels", "digest", "--game", key]
            done = subprocess.run(  # noqa: S603 — interpreters that the caller named
                [*command, "--matches", str(matches)],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                check=True,
                capture_output=True,
                text=True,
            )
            found.add(done.stdout.strip())
            print_line(f"{python}, hash seed {hash_seed}: {done.stdout.strip()[:16]}")
    sys.exit(len(found) != 1)


async def time_try_queries(key: str, count: int, address: str | None) -> None:
    """Print the time of the queries for a page and a rank on a day with ``count`` tries."""
    game, random = games()[key], Random(1)  # noqa: S311 — simulated results
    vectors = ["".join(each) for each in product("012", repeat=count_of(game))]
    with TemporaryDirectory() as folder:
        database = await open_database(locate(address or str(Path(folder) / "ribit.sqlite3")))
        store = DuelTries(database.writer, database.surveying, games())
        await store.begin(game, DAY, Player(1, "Ann"), GUILD, 1)

        async def fill(sql: Sql, first: int) -> None:
            for number in range(first, first + BATCH):
                scores = random.choice(vectors)
                of_try = {"game": key, "day": DAY, "player_id": number}
                await sql.begin_duel_try(**of_try, guild_id=GUILD, name=f"P{number}", at=1)
                await sql.score_duel(**of_try, board=0, score=scores, ended_at=number)
                for guild_id in (0, GUILD):
                    await sql.count_duel(game=key, day=DAY, guild_id=guild_id, scores=scores)

        for first in range(2, count + 2, BATCH):
            await database.writer.write(partial(fill, first=first))
        day = await store.day(game, DAY)
        assert day is not None
        for _time in range(3):
            began, used = perf_counter(), process_time()
            whole, among = await store.field(day), await store.counts(day, GUILD)
            place_of = whole.rank(WON * count_of(game), among)
            page = await store.best(day, GUILD, whole, among, PAGE_SIZE)
            seconds, cpu = perf_counter() - began, process_time() - used
            times = f"{1000 * seconds:.1f} ms, CPU {1000 * cpu:.1f} ms"
            print_line(f"{key}, {count} tries: page of {len(page)} and place {place_of} in {times}")
        await database.close()


def main() -> None:
    """Run the benchmark named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("separation", "field", "digest", "same", "tries"))
    parser.add_argument("--game", default="toad", choices=[key for key in games() if games()[key].duel])
    parser.add_argument("--days", type=int, default=1000)
    parser.add_argument("--boards", type=int)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--tries", type=int, default=100_000)
    parser.add_argument("--python", action="append", default=[sys.executable])
    parser.add_argument("--database")
    asked = parser.parse_args()
    match asked.what:
        case "separation":
            boards = asked.boards or count_of(games()[asked.game])
            compare_strengths(asked.game, asked.days, boards, asked.seconds)
        case "field":
            time_day_boards(asked.game)
        case "digest":
            print_line(moves_digest(asked.game, asked.matches))
        case "same":
            check_determinism(asked.game, asked.matches, asked.python)
        case _:
            asyncio.run(time_try_queries(asked.game, asked.tries, asked.database))


if __name__ == "__main__":
    main()
