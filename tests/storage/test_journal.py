"""The journal of matches and moves."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import asyncpg
import pytest

from bot.engine.opponent import Strength
from bot.matches.match import Entry, Player, Result, Stage
from bot.sessions import ports
from bot.storage.database import Database
from bot.storage.database_address import Location
from bot.storage.match_reader import PAGE, MatchReader
from bot.storage.writer import T, Work
from tests.storage.database_types import query_rows
from tests.storage.matches import (
    ADA,
    BO,
    CY,
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


async def _row_count(location: Location, table: str) -> int:
    [(number,)] = await query_rows(location, f"SELECT count(*) FROM {table}")
    return int(number)


# ---- opening a table -------------------------------------------------------------------------------


async def test_the_storage_journal_implements_the_sessions_port(database: Database) -> None:
    """The journal of the storage has the shape of the sessions' port."""
    journal: ports.Journal = database.journal
    assert await journal.hosted_matches(1) == []


async def test_a_match_is_stored_with_all_fields(database: Database) -> None:
    """Every field is stored, with IDs of 63 bits or without a server."""
    match = new_lobby("m1", ADA, BO, guild_id=None, options={"lives": 5, "speed": 2})
    assert await database.journal.create(match, "here") is None
    assert await database.journal.find("m1") == match
    assert await database.journal.live_at("here") == match
    assert await database.journal.live() == [match]


async def test_an_unknown_match_is_none(database: Database) -> None:
    """Asking for an unknown match returns None."""
    assert await database.journal.find("m1") is None
    assert await database.journal.live_at("here") is None
    assert await database.journal.load("m1") is None
    assert await database.journal.version_and_stage("m1") is None
    assert await database.journal.entries("m1") == []
    assert not await database.journal.commit(move_change(new_lobby("m1"), Entry(0, 0, "draw")))


async def test_a_channel_has_only_one_live_match(database: Database) -> None:
    """The second match opened in a channel is not stored, and the first one is returned."""
    first = new_lobby("m1", ADA)
    assert await database.journal.create(first, "here") is None
    assert await database.journal.create(new_lobby("m2", BO), "here") == first
    assert await database.journal.find("m2") is None
    assert await database.journal.create(new_lobby("m3", BO), "there") is None


async def test_two_processes_opening_a_match_in_a_channel_share_one(
    database: Database, other: Database
) -> None:
    """Two processes that open a match in a channel agree on one."""
    for n in range(10):
        mine, theirs = new_lobby(f"a{n}", ADA), new_lobby(f"b{n}", BO)
        taken = await asyncio.gather(
            database.journal.create(mine, f"place {n}"), other.journal.create(theirs, f"place {n}")
        )
        assert tuple(taken) in [(None, mine), (theirs, None)]
        assert await database.journal.live_at(f"place {n}") == (mine if taken[0] is None else theirs)


async def test_a_finished_match_frees_its_channel(database: Database) -> None:
    """A channel is free after a match, which can still be found."""
    await database.journal.create(new_lobby("m1"), "here")
    assert await end_match(database, "m1")
    assert await database.journal.live_at("here") is None
    assert await database.journal.create(new_lobby("m2"), "here") is None
    ended = await database.journal.find("m1")
    assert ended is not None
    assert ended.stage is Stage.STOPPED


async def test_live_matches_are_sorted_oldest_first(database: Database) -> None:
    """Live matches are ordered by time and ID in every process, without finished ones."""
    for at, match_id in enumerate(("c", "d", "b", "a")):
        await database.journal.create(new_lobby(match_id, ADA, BO, opened_at=1_000 + at // 2), match_id)
    assert await end_match(database, "d")
    assert [match.id for match in await database.journal.live()] == ["c", "a", "b"]


# ---- changes -----------------------------------------------------------------------------------------


async def test_every_changed_field_is_stored(database: Database) -> None:
    """Seats, host, stage, seed, end and clock are stored as in the change."""
    match = new_lobby("m1", ADA, BO, turn_seconds=60, rests_since=NOW)
    await database.journal.create(match, "here")
    clock = {"turn_ends_at": NOW + 60, "rests_since": None, "wakes_at": NOW + 45}
    for what in (
        {"players": (ADA, BO, CY)},
        {"players": (BO, CY), "host_id": BO.id, "rests_since": NOW + 1},
        {"stage": Stage.PLAYING, "seed": SEED, **clock},
        {"players": (replace(BO, missed=2, strength=Strength.TOAD), CY)},
        {"stage": Stage.STOPPED, "ended_at": NOW, "unfinished": True, "turn_ends_at": None},
    ):
        change = new_change(match, **what)
        assert await database.journal.commit(change)
        match = await find_match(database)
        assert match == change.after
        facts = match.version, match.wakes_at, match.ended_at
        assert facts == (change.after.version, change.after.wakes_at, change.after.ended_at)
    assert await database.journal.live() == []


async def test_only_one_of_several_concurrent_changes_is_stored(
    database: Database, other: Database
) -> None:
    """Of four concurrent changes of a match by two processes, exactly one is stored."""
    for n in range(10):
        match = await store_live_match(database, f"m{n}")
        changes = (
            move_change(match, Entry(0, 0, "draw")),
            new_change(match, players=(replace(ADA, missed=1), BO), turn_ends_at=NOW),
            new_change(match, stage=Stage.STOPPED, ended_at=NOW),
            move_change(match, Entry(0, 1, "ribit"), (Result(0, True, {}), Result(1, False, {}))),
        )
        won = await asyncio.gather(
            *((database, other)[k % 2].journal.commit(each) for k, each in enumerate(changes))
        )
        assert sorted(won) == [False, False, False, True]
        assert await find_match(database, match.id) == changes[won.index(True)].after
        entry = changes[won.index(True)].entry
        assert await database.journal.entries(match.id) == [entry] * (entry is not None)


async def test_two_players_cannot_take_the_same_last_seat(database: Database, other: Database) -> None:
    """A player who was not first for the last seat gets an error, and seats are never shared."""
    match = new_lobby("m1", ADA, limit=4)
    await database.journal.create(match, "here")
    rush = [new_change(match, players=(ADA, Player(100 + n, f"P{n}"))) for n in range(12)]
    won = await asyncio.gather(
        *((database, other)[n % 2].journal.commit(each) for n, each in enumerate(rush))
    )
    assert won.count(True) == 1
    assert await find_match(database) == rush[won.index(True)].after


async def test_the_repr_of_a_match_hides_the_seed(database: Database) -> None:
    """The repr of a match does not reveal the deal."""
    match = await store_live_match(database)
    assert match.seed == SEED
    assert "seed" not in repr(match)
    assert repr(SEED) not in repr(match) + repr(database)


# ---- moves -------------------------------------------------------------------------------------------


async def test_moves_are_read_in_order(database: Database) -> None:
    """The journal returns all entries of a match, or those from a given number on."""
    await store_live_match(database)
    entries = [Entry(n, n % 2, f"discard {n}") for n in range(12)]
    assert [await store_move(database, "m1", entry) for entry in entries] == [True] * 12
    assert await database.journal.entries("m1") == entries
    assert await database.journal.entries("m1", after=10) == entries[10:]
    assert await database.journal.entries("m1", after=12) == []


async def test_a_long_match_is_read_in_pages(database: Database) -> None:
    """A long match is read in pages between other reads.

    A match stored meanwhile is returned whole or not at all.
    """
    match = replace(new_lobby("m1", ADA, BO), stage=Stage.PLAYING, seed=SEED)
    entries = [Entry(n, n % 2, f"discard {n}", NOW) for n in range(2 * PAGE + 1)]
    assert await database.journal.create(match, "here", entries) is None
    assert await database.journal.load("m1") == (match, entries)
    last = Entry(len(entries), 0, "end", NOW)
    later = [move_change(match, last)]

    class Between:
        async def run(self, work: Work[T]) -> T:
            result = await database.reading.run(work)
            if later:
                assert await database.journal.commit(later.pop())
            return result

    assert await MatchReader(Between()).load("m1") == (move_change(match, last).after, [*entries, last])


async def test_a_move_number_cannot_be_reused(database: Database) -> None:
    """A change with the number of a stored move is refused and logged as an error."""
    match = await store_live_match(database)
    first = move_change(match, Entry(0, 0, "draw"))
    assert await database.journal.commit(first)
    with pytest.raises((sqlite3.IntegrityError, asyncpg.PostgresError)):
        await database.journal.commit(move_change(first.after, Entry(0, 0, "end")))
    assert await database.journal.entries("m1") == [Entry(0, 0, "draw")]
    assert await find_match(database) == first.after


async def test_two_processes_cannot_store_the_same_move(database: Database, other: Database) -> None:
    """The lock of a move holds between processes, each of which knows the author of the move."""
    match = await store_live_match(database)
    for n in range(20):
        moves = [move_change(match, Entry(n, seat, f"by {seat}")) for seat in (0, 1)]
        done = await asyncio.gather(database.journal.commit(moves[0]), other.journal.commit(moves[1]))
        assert sorted(done) == [False, True]
        for reader in (database, other):
            (last,) = await reader.journal.entries("m1", after=n)
            assert last.seat == done.index(True)
        match = moves[0].after


async def test_the_last_move_results_and_end_are_one_transaction(
    location: Location, database: Database
) -> None:
    """The last move, the results and the end are one transaction, and the channel is free."""
    await store_live_match(database)
    results = (Result(0, True, {"pot": 3, "maximus": 1}), Result(1, False, {"pot": 0}))
    assert await store_move(database, "m1", Entry(0, 0, "ribit"), results)
    match = await database.journal.find("m1")
    assert match is not None
    assert match.stage is Stage.FINISHED
    assert await database.journal.live_at("place of m1") is None
    assert not await store_move(database, "m1", Entry(1, 0, "ribit"))
    assert (await _row_count(location, "results"), await _row_count(location, "figures")) == (2, 3)


@pytest.mark.parametrize(
    "results",
    [
        (Result(0, True, {"pot": 1}), Result(0, True, {})),
        (Result(0, True, {"pot": 1}), Result(7, False, {})),
        (Result(0, True, {"pot": "much"}),),  # type: ignore[dict-item]  # what a faulty game may say
    ],
    ids=["a seat twice", "no such seat", "no number"],
)
async def test_unstorable_results_undo_the_move(
    location: Location, database: Database, results: tuple[Result, ...]
) -> None:
    """If results cannot be stored, the move is not stored either, and the match goes on."""
    match = await store_live_match(database)
    with pytest.raises((ValueError, sqlite3.IntegrityError, asyncpg.PostgresError)):
        await store_move(database, "m1", Entry(0, 0, "ribit"), results)
    assert await database.journal.find("m1") == match
    assert [await _row_count(location, table) for table in ("moves", "results", "figures")] == [0, 0, 0]
    assert await store_move(database, "m1", Entry(0, 0, "draw"))


async def test_a_last_move_that_comes_too_late_stores_no_results(
    location: Location, database: Database
) -> None:
    """A last move that comes too late does not end the match."""
    match = await store_live_match(database)
    assert await store_move(database, "m1", Entry(0, 0, "draw"))
    late = move_change(match, Entry(0, 1, "ribit"), (Result(1, True, {"pot": 1}),))
    assert not await database.journal.commit(late)
    assert await _row_count(location, "results") == 0
    assert [match.id for match in await database.journal.live()] == ["m1"]


async def test_a_failing_change_does_not_affect_others_in_its_commit(database: Database) -> None:
    """Of several changes in one commit a failing one raises its error for its own caller only."""
    matches = [await store_live_match(database, f"m{n}") for n in range(6)]
    faulty = (Result(0, True, {"pot": 1}), Result(7, False, {}))
    outcomes = await asyncio.gather(
        *(
            database.journal.commit(
                move_change(match, Entry(0, 0, "draw"), faulty if n in {2, 4} else ())
            )
            for n, match in enumerate(matches)
        ),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [bool, bool, ValueError, bool, ValueError, bool]
    stored = [len(await database.journal.entries(f"m{n}")) for n in range(6)]
    assert stored == [1, 1, 0, 1, 0, 1]
