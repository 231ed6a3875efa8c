"""Clocks in the journal, stored with the move that sets them or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.matches.match import Entry, Match, Player, Result, Stage
from bot.matches.shards import Shards
from bot.storage.database import Database, open_database
from bot.storage.migrate import migrate, migrations
from bot.storage.sqlite_connections import connect
from tests.storage.boards import leaderboard_reader
from tests.storage.matches import (
    ADA,
    BO,
    FROGS,
    NOW,
    SEED,
    end_match,
    find_match,
    move_change,
    new_change,
    new_lobby,
    store_live_match,
    store_move,
)

LIMIT = 3600


async def store_timed_match(database: Database, match_id: str = "m1") -> Match:
    """Store a match in play with a clock."""
    return await store_live_match(database, match_id, turn_seconds=LIMIT, turn_ends_at=NOW + LIMIT)


async def test_the_time_limit_is_stored_with_the_match(database: Database) -> None:
    """The time limit is stored with the match, and in a lobby the time of the last action."""
    match = new_lobby("m1", ADA, BO, turn_seconds=LIMIT, rests_since=NOW)
    await database.journal.create(match, "here")
    assert await database.journal.find("m1") == match
    assert await database.journal.live() == [match]


async def test_a_move_and_its_deadline_are_stored_together(database: Database) -> None:
    """The move, the next deadline and the missed turns are stored together."""
    match = await store_timed_match(database)
    players = (replace(match.players[0], missed=1), match.players[1])
    after = replace(match, players=players, turn_ends_at=NOW + 2 * LIMIT)
    change = move_change(after, Entry(0, 0, "end", NOW + LIMIT))
    assert await database.journal.commit(replace(change, before=match))
    assert await find_match(database) == after
    [stored] = await database.journal.entries("m1")
    assert stored.at == NOW + LIMIT


async def test_a_failed_move_does_not_change_the_clock(database: Database) -> None:
    """A move that cannot be stored as a whole changes no clock."""
    match = await store_timed_match(database)
    players = (replace(match.players[0], missed=1), match.players[1])
    after = replace(match, players=players, turn_ends_at=NOW + 2 * LIMIT)
    change = move_change(after, Entry(0, 0, "end"), (Result(7, True, {}),))
    with pytest.raises(ValueError, match="no seat 7"):
        await database.journal.commit(replace(change, before=match))
    assert await find_match(database) == match
    assert await database.journal.entries("m1") == []


async def test_a_finished_match_has_no_deadline(database: Database) -> None:
    """A match that is finished or stopped has no deadline."""
    for match_id in ("m1", "m2", "m3"):
        await store_timed_match(database, match_id)
    results = (Result(0, True, {}), Result(1, False, {}))
    assert await store_move(database, "m1", Entry(0, 0, "ribit"), results)
    assert await end_match(database, "m2")
    assert await end_match(database, "m3", unfinished=True)
    for match_id in ("m1", "m2", "m3"):
        match = await find_match(database, match_id)
        assert match.turn_ends_at is None
        assert match.unfinished == (match_id == "m3")
    assert await database.journal.live() == []
    assert (await leaderboard_reader(database).profile(ADA.id, FROGS))["toad"].matches == 1, (
        "only the first"
    )


async def test_a_migration_gives_old_matches_no_time_limit(path: Path) -> None:
    """A migration of a file older than clocks gives its live matches no time limit."""
    connection = await connect(path)
    await migrate(connection, migrations()[:2])
    with closing(sqlite3.connect(path)) as old, old:
        for match_id, stage, seed in (("m1", "playing", SEED), ("m2", "lobby", None)):
            old.execute(
                "INSERT INTO matches (id, place, game, rules_version, channel_id, host_id, seat_limit,"
                " options, stage, seed, opened_at) VALUES (?, ?, 'toad', 1, 5, 20, 3, '{}', ?, ?, ?)",
                (match_id, match_id, stage, seed, NOW),
            )
            old.execute("INSERT INTO seats VALUES (?, 0, 20, 'Bo')", (match_id,))
        old.execute("INSERT INTO moves VALUES ('m1', 0, 0, 'end', ?)", (NOW,))
    await connection.close()
    database = await open_database(path)
    for match_id in ("m1", "m2"):
        match = await find_match(database, match_id)
        assert match.players == (Player(20, "Bo", missed=0),)
        assert match.turn_seconds == 0
        assert (match.turn_ends_at, match.rests_since, match.players[0].missed) == (None, None, 0)
        assert not match.unfinished
    assert await store_move(database, "m1", Entry(1, 0, "end"))
    begun = new_change(await find_match(database, "m2"), stage=Stage.PLAYING, seed=SEED)
    assert await database.journal.commit(begun)
    assert (await find_match(database, "m2")).turn_ends_at is None
    await database.close()


async def test_a_process_gets_only_the_deadlines_of_its_shards(database: Database) -> None:
    """A process gets the deadlines of its shards, and those of DMs belong to shard 0."""
    for shard in range(4):
        await store_live_match(database, f"m{shard}", guild_id=(shard + 8 << 22) + 5)
    await store_live_match(database, "dm", guild_id=None)
    waiting = database.journal.waiting
    found = {
        shards: [each.match_id for each in await waiting(0, frozenset(shards), 4)]
        for shards in [(0,), (1,), (1, 3), (2, 3), ()]
    }
    assert {shards: set(matches) for shards, matches in found.items()} == {
        (0,): {"m0", "dm"},
        (1,): {"m1"},
        (1, 3): {"m1", "m3"},
        (2, 3): {"m2", "m3"},
        (): set(),
    }
    assert len(await waiting(0)) == 5


async def test_clocks_stop_at_the_start_of_an_outage(database: Database) -> None:
    """After an outage the clocks of its shards stop at its beginning or at a later last move."""
    ran = await store_timed_match(database)
    over = await store_live_match(database, "m2", turn_seconds=LIMIT, turn_ends_at=NOW - 9)
    await store_live_match(database, "m3", turn_seconds=0, active_at=NOW)
    await database.journal.stop_clocks(NOW, Shards(1, 1, 2))
    assert await find_match(database) == ran, "it is of shard 0"
    await database.journal.stop_clocks(NOW, Shards(0, 0, 2))
    stands = replace(ran, stands_since=NOW, wakes_at=NOW, version=ran.version + 1)
    assert await find_match(database) == stands
    assert (await find_match(database)).version == stands.version
    assert await find_match(database, "m2") == over
    await database.journal.stop_clocks(NOW + 60, None)
    assert await find_match(database) == stands, "it stood before"
    assert (await find_match(database, "m3")).stands_since == NOW, (
        "nor is a player silent who cannot play"
    )
