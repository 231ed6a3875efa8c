"""Benchmark of the CPU time of a start with many live tables, and the memory of an idle table.

    python -m benchmarks.restart [--tables 10000] [--moves 60] [--server]

fills a database with live solitaires, each after ``--moves`` moves and with an up-to-date message. Then
it resumes them in the same way as a start of the bot. The baseline is a start with an empty database.
For comparison, the benchmark also replays the moves of some matches, which a start does not do. Times
are CPU times of this process. With ``--server``, the database is first moved to a temporary PostgreSQL
server, whose own CPU time is not included.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from time import process_time, time

from benchmarks.temporary_postgres import temporary_location
from bot.games import games
from bot.matches.match import Entry, Match, Player, Stage, advance
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.storage.database import Database, open_database

SEED = bytes(range(32))
FOLDED = 50
IN_MEMORY = 200
SEATS = {"toad": 6, "frogger": 5, "american_toad": 1}


def print_line(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--server", action="store_true", help="on PostgreSQL")
    asked = parser.parse_args()
    for key, seats in SEATS.items():
        print_line(
            f"an idle table of {key} for {seats}: {_kilobytes_per_table(key, seats, asked.moves):.1f} KB"
        )
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure_starts(Path(folder), asked.tables, asked.moves, on_server=asked.server))


# ---- memory --------------------------------------------------------------------------------------


def _live_match(match_id: str, key: str, seats: int) -> Match:
    info = games()[key].info
    return Match(
        id=match_id,
        game=key,
        rules_version=info.rules_version,
        guild_id=1,
        channel_id=5,
        host_id=10,
        players=tuple(Player(10 + seat, f"Player {seat}") for seat in range(seats)),
        limit=seats,
        options={option.key: option.default for option in info.options},
        stage=Stage.PLAYING,
        seed=SEED,
        opened_at=int(time()),
    )


def _first_entries(match: Match, moves: int) -> list[Entry]:
    """Return a match's first moves if players always choose the middle one of the legal moves."""
    game, entries = games()[match.game], list[Entry]()
    state = Table.deal(match, game).state
    while len(entries) < moves and (seat := game.to_move(state)) is not None:
        legal = game.legal_moves(state)
        entry = Entry(len(entries), seat, game.write(legal[len(legal) // 2]), int(time()))
        entries.append(entry)
        state = advance(game, state, entry)
    return entries


def _kilobytes_per_table(key: str, seats: int, moves: int) -> float:
    """Return the average memory in KB of a table in memory, measured over ``IN_MEMORY`` tables."""
    game, texts = games()[key], _first_entries(_live_match("m", key, seats), moves)
    tracemalloc.start()
    kept = []
    for number in range(IN_MEMORY):
        table = Table.deal(_live_match(f"m{number}", key, seats), game)
        for entry in texts:
            table = table.after_move(Entry(entry.n, entry.seat, str(entry.text), entry.at))
        kept.append(table)
    size, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept) / 1024


# ---- starts --------------------------------------------------------------------------------------


async def _measure_starts(folder: Path, tables: int, moves: int, *, on_server: bool) -> None:
    empty, full = folder / "empty.sqlite3", folder / "full.sqlite3"
    for file in (empty, full):
        await (await open_database(file)).close()
    await _store_matches(full, tables, moves)
    print_line(f"{tables:,} live tables of {moves} moves")
    for name, file in (("floor: an empty database", empty), ("all of them", full)):
        async with temporary_location(file, on_server=on_server) as location:
            database = await open_database(location)
            seconds, live = await _measure_cpu(partial(_resume_matches, database))
            print_line(f"{name + ' is taken up in':40}{seconds:8.3f} s, {live:,} tables")
            await database.close()
    database = await open_database(full)
    seconds, _none = await _measure_cpu(lambda: _read_matches(database))
    print_line(f"{'(folding them all would take':40}{seconds * tables / FOLDED:8.1f} s)")
    await database.close()


async def _store_matches(file: Path, tables: int, moves: int) -> None:
    """Store ``tables`` copies of a live match of ``moves`` moves."""
    match = _live_match("m0", "american_toad", 1)
    entries = _first_entries(match, moves)
    database = await open_database(file)
    for number in range(tables):
        one = _live_match(f"m{number}", "american_toad", 1)
        await database.journal.create(one, f"place {number}")
    await database.close()
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("PRAGMA synchronous = OFF")
        raw.executemany(
            "INSERT INTO moves (match_id, n, seat, text, at) VALUES (?, ?, ?, ?, ?)",
            (
                (f"m{number}", entry.n, entry.seat, entry.text, entry.at)
                for number in range(tables)
                for entry in entries
            ),
        )
        raw.execute("UPDATE matches SET shown = version")


async def _resume_matches(database: Database) -> int:
    tables = Tables(games=games(), journal=database.journal, clock=lambda: int(time()))
    live = await tables.resume()
    differ = [match for match in live if not match.is_shown]
    await tables.close()
    return len(live) - len(differ)


async def _read_matches(database: Database) -> int:
    tables = Tables(games=games(), journal=database.journal, clock=lambda: int(time()))
    for number in range(FOLDED):
        await tables.read(f"m{number}")
    return FOLDED


async def _measure_cpu(work: Callable[[], Awaitable[int]]) -> tuple[float, int]:
    began = process_time()
    result = await work()
    return process_time() - began, result


if __name__ == "__main__":
    main()
