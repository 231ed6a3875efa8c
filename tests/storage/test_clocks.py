"""Clocks in the journal: stored with the move that sets them, or not at all."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.engine.match import Entry, Match, Player, Result, Stage, Timing
from bot.storage import Database, open_database
from bot.storage.connections import connect
from bot.storage.migrate import migrate, migrations
from tests.storage.matches import ADA, BO, FROGS, SEED, lobby, playing

NOW, LIMIT = 1_800_000_000, 3600


async def begun(database: Database, match_id: str = "m1") -> Match:
    """Store a match with a clock and start it."""
    match = lobby(match_id, ADA, BO, turn_seconds=LIMIT, rests_since=NOW)
    await database.journal.open(match, f"place of {match_id}")
    found = await database.journal.begin(match_id, SEED, NOW)
    assert found is not None
    return found


async def found(database: Database, match_id: str = "m1") -> Match:
    match = await database.journal.find(match_id)
    assert match is not None
    return match


async def test_a_clock_comes_back_as_it_was(database: Database) -> None:
    """The limit, and in a lobby since when nothing has happened, are stored with the match."""
    match = lobby("m1", ADA, BO, turn_seconds=LIMIT, rests_since=NOW)
    await database.journal.open(match, "here")
    assert await database.journal.find("m1") == match
    assert await database.journal.live() == [match]


async def test_the_start_winds_the_clock(database: Database) -> None:
    """The first turn's deadline is stored with the start; without a limit there is none."""
    assert (await begun(database)).timing == Timing(NOW + LIMIT, None, (0, 0))
    await database.journal.open(lobby("m2", ADA, BO, rests_since=NOW), "there")
    match = await database.journal.begin("m2", SEED, NOW)
    assert match is not None
    assert match.timing == Timing(None, None, (0, 0))


async def test_what_is_done_in_a_lobby_is_remembered(database: Database) -> None:
    """Sitting down and getting up count from then; a seat that is taken already changes nothing."""
    await database.journal.open(lobby("m1", ADA, rests_since=NOW), "here")
    for at, done in (
        (1, database.journal.sit("m1", BO, NOW + 1)),
        (1, database.journal.sit("m1", BO, NOW + 2)),
        (3, database.journal.stand("m1", BO.id, NOW + 3)),
    ):
        match = await done
        assert match is not None
        assert match.rests_since == NOW + at


async def test_a_move_and_its_clock_are_one(database: Database) -> None:
    """The move, the next deadline and the missed turns are stored together."""
    match = await begun(database)
    after = Timing(NOW + 2 * LIMIT, None, (1, 0))
    entry = Entry(0, 0, "end", NOW + LIMIT)
    assert await database.journal.append("m1", entry, clock=(match, match.timed(after)))
    assert await found(database) == match.timed(after)
    [stored] = await database.journal.entries("m1")
    assert stored.at == NOW + LIMIT


async def test_a_move_that_fails_leaves_the_clock(database: Database) -> None:
    """Where any part of it cannot be stored, none of it is."""
    match = await begun(database)
    after = Timing(NOW + 2 * LIMIT, None, (1, 0))
    with pytest.raises(ValueError, match="no seat 7"):
        await database.journal.append(
            "m1", Entry(0, 0, "end"), (Result(7, True, {}),), clock=(match, match.timed(after))
        )
    assert not await database.journal.append("m1", Entry(1, 0, "end"), clock=(match, match.timed(after)))
    assert await found(database) == match
    assert await database.journal.entries("m1") == []


async def test_a_move_by_an_old_clock_is_refused(database: Database) -> None:
    """Who acts on a deadline, a count or a rest that is no more has not seen how the match stands."""
    match = await begun(database)
    for changed in (
        replace(match.timing, turn_ends_at=NOW),
        replace(match.timing, rests_since=NOW),
        replace(match.timing, missed=(0, 2)),
    ):
        stale, match = match, await found(database)
        assert await database.journal.set_clock(match, match.timed(changed))
        for old in (stale, match):
            assert not await database.journal.append("m1", Entry(0, 0, "end"), clock=(old, old))
            assert not await database.journal.set_clock(old, old)
    assert await database.journal.entries("m1") == []
    match = await found(database)
    assert await database.journal.append("m1", Entry(0, 0, "end"), clock=(match, match))


async def test_of_the_clock_and_a_player_who_comes_back_one_wins(
    database: Database, other: Database
) -> None:
    """Two processes: one passes a turn, the other has its player back at the same moment."""
    for n in range(10):
        match = await begun(database, f"m{n}")
        passed, back = Timing(NOW + 1, None, (3, 0)), Timing(NOW + 9, None, (0, 0))
        won = await asyncio.gather(
            database.journal.append(f"m{n}", Entry(0, 0, "end"), clock=(match, match.timed(passed))),
            other.journal.set_clock(match, match.timed(back)),
        )
        assert sorted(won) == [False, True]
        assert (await found(database, f"m{n}")).timing == (passed if won[0] else back)
        assert len(await database.journal.entries(f"m{n}")) == won[0]


async def test_the_end_stops_the_clock(database: Database) -> None:
    """A match that is over, or ended, has no deadline."""
    for match_id in ("m1", "m2"):
        await begun(database, match_id)
    await database.journal.append("m1", Entry(0, 0, "ribit"), (Result(0, True, {}),))
    await database.journal.close("m2", Stage.STOPPED)
    for match_id in ("m1", "m2"):
        match = await found(database, match_id)
        assert match.turn_ends_at is None
        assert not match.unfinished
        assert not await database.journal.set_clock(match, match)


async def test_a_match_left_unfinished(database: Database) -> None:
    """It is ended once, with its mark and without a result, unless somebody has come back."""
    match = await begun(database)
    for since in (NOW, match.opened_at or 0):
        assert not await database.journal.leave_unfinished("m1", since, NOW), "it does not rest"
    await database.journal.set_clock(match, match.timed(Timing(None, NOW, (3, 3))))
    assert not await database.journal.leave_unfinished("m1", NOW - 1, NOW), "it rests since later"
    assert await database.journal.leave_unfinished("m1", NOW, NOW + 9)
    assert not await database.journal.leave_unfinished("m1", NOW, NOW + 10)
    ended = await found(database)
    assert (ended.stage, ended.unfinished, ended.ended_at) == (Stage.STOPPED, True, NOW + 9)
    assert await database.journal.live_at("place of m1") is None
    assert await database.standings.count(FROGS, "toad") == 0
    assert await database.standings.profile(ADA.id, FROGS) == {}


async def test_a_lobby_left_unfinished(database: Database) -> None:
    """A lobby counts from the last that was done in it; one of before clocks, from its opening."""
    await database.journal.open(lobby("m1", ADA, rests_since=NOW, opened_at=NOW - 9), "here")
    await database.journal.open(lobby("m2", ADA, opened_at=NOW - 9), "there")
    assert not await database.journal.leave_unfinished("m1", NOW - 9, NOW)
    assert await database.journal.leave_unfinished("m1", NOW, NOW)
    assert await database.journal.leave_unfinished("m2", NOW - 9, NOW)


async def test_a_file_of_before_clocks(path: Path) -> None:
    """Its live matches go on without a limit: no clock starts to run by an update."""
    connection = await connect(str(path))
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
        match = await found(database, match_id)
        assert match.players == (Player(20, "Bo", missed=0),)
        assert match.turn_seconds == 0
        assert match.timing == Timing(None, None, (0,))
        assert not match.unfinished
    assert await database.journal.append("m1", Entry(1, 0, "end"))
    begun = await database.journal.begin("m2", SEED, NOW)
    assert begun is not None
    assert begun.turn_ends_at is None
    await database.close()


async def test_a_match_without_a_clock_is_as_before(database: Database) -> None:
    """A move that says nothing of the clock leaves it."""
    match = await playing(database)
    assert await database.journal.append("m1", Entry(0, 0, "draw"))
    assert await found(database) == match


async def test_what_waits_in_some_shards(database: Database) -> None:
    """Who cares for some shards is told of their matches; those of no server are shard 0's."""
    for shard in range(4):
        await playing(database, f"m{shard}", guild_id=(shard + 8 << 22) + 5)
    await playing(database, "dm", guild_id=None)
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
