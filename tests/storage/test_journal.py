"""The journal of matches and moves."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import asyncpg
import pytest

from bot.engine.match import Entry, Player, Result, Stage
from bot.sessions import ports
from bot.storage import Database, Location
from tests.storage.kinds import ask
from tests.storage.matches import ADA, BO, CY, SEED, lobby, playing


async def _count(location: Location, table: str) -> int:
    [(number,)] = await ask(location, f"SELECT count(*) FROM {table}")
    return int(number)


# ---- opening a table -------------------------------------------------------------------------------


async def test_the_journal_fits_the_port(database: Database) -> None:
    """Sessions state what they need; storage has it, by shape."""
    journal: ports.Journal = database.journal
    assert await journal.live() == []


async def test_a_stored_match_comes_back_as_it_was(database: Database) -> None:
    """Every field survives, with ids of 63 bits and with none for a DM's server."""
    match = lobby("m1", ADA, BO, guild_id=None, options={"lives": 5, "speed": 2})
    assert await database.journal.open(match, "here") is None
    assert await database.journal.find("m1") == match
    assert await database.journal.live_at("here") == match
    assert await database.journal.live() == [match]


async def test_what_does_not_exist_is_none(database: Database) -> None:
    """Asking for the unknown is not an error."""
    assert await database.journal.find("m1") is None
    assert await database.journal.live_at("here") is None
    assert await database.journal.sit("m1", ADA) is None
    assert await database.journal.stand("m1", ADA.id) is None
    assert await database.journal.begin("m1", SEED) is None
    assert await database.journal.entries("m1") == []
    assert not await database.journal.append("m1", Entry(0, 0, "draw"))
    await database.journal.close("m1", Stage.STOPPED)


async def test_a_place_holds_one_live_match(database: Database) -> None:
    """The second to open at a place is given the match that has it, and stores nothing."""
    first = lobby("m1", ADA)
    assert await database.journal.open(first, "here") is None
    assert await database.journal.open(lobby("m2", BO), "here") == first
    assert await database.journal.find("m2") is None
    assert await database.journal.open(lobby("m3", BO), "there") is None


async def test_of_two_that_open_at_once_one_has_the_place(database: Database, other: Database) -> None:
    """Two processes agree on whose table it is."""
    for n in range(10):
        mine, theirs = lobby(f"a{n}", ADA), lobby(f"b{n}", BO)
        taken = await asyncio.gather(
            database.journal.open(mine, f"place {n}"), other.journal.open(theirs, f"place {n}")
        )
        assert tuple(taken) in [(None, mine), (theirs, None)]
        assert await database.journal.live_at(f"place {n}") == (mine if taken[0] is None else theirs)


async def test_an_ended_match_frees_its_place(database: Database) -> None:
    """The place is free for the next match, and the last one can still be found."""
    await database.journal.open(lobby("m1"), "here")
    await database.journal.close("m1", Stage.STOPPED)
    assert await database.journal.live_at("here") is None
    assert await database.journal.open(lobby("m2"), "here") is None
    ended = await database.journal.find("m1")
    assert ended is not None
    assert ended.stage is Stage.STOPPED


async def test_what_has_ended_stays_ended(database: Database) -> None:
    """A match ends once; a later end changes nothing."""
    await playing(database)
    await database.journal.append("m1", Entry(0, 0, "ribit"), (Result(0, True, {}),))
    await database.journal.close("m1", Stage.STOPPED)
    match = await database.journal.find("m1")
    assert match is not None
    assert match.stage is Stage.FINISHED


async def test_live_matches_come_oldest_first(database: Database) -> None:
    """Those of the same second come by their ids, in every process; ended ones do not."""
    for at, match_id in enumerate(("c", "d", "b", "a")):
        await database.journal.open(lobby(match_id, ADA, BO, opened_at=1_000 + at // 2), match_id)
    await database.journal.close("d", Stage.STOPPED)
    assert [match.id for match in await database.journal.live()] == ["c", "a", "b"]


# ---- the lobby ---------------------------------------------------------------------------------------


async def test_players_sit_down_in_order_until_it_is_full(database: Database) -> None:
    """A seat each, once, while there is room; the match is returned as it then is."""
    await database.journal.open(lobby("m1", ADA, limit=3), "here")
    seated = [await database.journal.sit("m1", player) for player in (BO, BO, CY, Player(40, "Di"))]
    tables = [match.players for match in seated if match]
    assert tables == [(ADA, BO), (ADA, BO), (ADA, BO, CY), (ADA, BO, CY)]


async def test_a_rush_for_the_last_seat_fills_it_once(database: Database, other: Database) -> None:
    """However many processes ask at once, nobody sits beyond the limit or on a taken seat."""
    await database.journal.open(lobby("m1", ADA, limit=4), "here")
    rush = [Player(100 + n, f"P{n}") for n in range(12)]
    await asyncio.gather(
        *((database, other)[n % 2].journal.sit("m1", player) for n, player in enumerate(rush))
    )
    match = await database.journal.find("m1")
    assert match is not None
    assert len(match.players) == len(set(match.players)) == 4


async def test_seats_close_up_when_a_player_leaves(database: Database) -> None:
    """The seats stay numbered from 0 without gaps, and the host stays the host."""
    await database.journal.open(lobby("m1", ADA, BO, CY), "here")
    match = await database.journal.stand("m1", BO.id)
    assert match is not None
    assert (match.players, match.host_id) == ((ADA, CY), ADA.id)
    match = await database.journal.sit("m1", BO)
    assert match is not None
    assert match.players == (ADA, CY, BO)


async def test_a_leaving_host_hands_over(database: Database) -> None:
    """The next seat is the host."""
    await database.journal.open(lobby("m1", ADA, BO, CY), "here")
    match = await database.journal.stand("m1", ADA.id)
    assert match is not None
    assert (match.players, match.host_id, match.stage) == ((BO, CY), BO.id, Stage.LOBBY)


async def test_the_last_one_out_stops_the_match(database: Database) -> None:
    """A table nobody sits at gives its place back."""
    await database.journal.open(lobby("m1", ADA), "here")
    match = await database.journal.stand("m1", ADA.id)
    assert match is not None
    assert (match.players, match.stage) == ((), Stage.STOPPED)
    assert await database.journal.live_at("here") is None


async def test_leaving_without_a_seat_changes_nothing(database: Database) -> None:
    """Who does not sit at the table cannot stand up from it."""
    match = lobby("m1", ADA)
    await database.journal.open(match, "here")
    assert await database.journal.stand("m1", BO.id) == match


# ---- the start ---------------------------------------------------------------------------------------


async def test_a_match_begins_once(database: Database, other: Database) -> None:
    """Of two starts one deals: both are told of the same seed."""
    match = lobby("m1", ADA, BO)
    await database.journal.open(match, "here")
    begun = await asyncio.gather(
        database.journal.begin("m1", b"a" * 32), other.journal.begin("m1", b"b" * 32)
    )
    assert begun[0] == begun[1]
    assert begun[0] is not None
    assert begun[0].seed in (b"a" * 32, b"b" * 32)
    assert begun[0] == replace(match, stage=Stage.PLAYING, seed=begun[0].seed)


async def test_nobody_comes_or_goes_once_it_is_played(database: Database) -> None:
    """Seats are fixed from the deal on."""
    match = await playing(database)
    assert await database.journal.sit("m1", CY) == match
    assert await database.journal.stand("m1", ADA.id) == match


async def test_the_seed_is_not_shown(database: Database) -> None:
    """A match that is printed or logged does not give the deal away."""
    match = await playing(database)
    assert match.seed == SEED
    assert "seed" not in repr(match)
    assert repr(SEED) not in repr(match) + repr(database)


# ---- moves -------------------------------------------------------------------------------------------


async def test_moves_come_back_in_order(database: Database) -> None:
    """All of them, or those from a number on."""
    await playing(database)
    entries = [Entry(n, n % 2, f"discard {n}") for n in range(12)]
    assert [await database.journal.append("m1", entry) for entry in entries] == [True] * 12
    assert await database.journal.entries("m1") == entries
    assert await database.journal.entries("m1", after=10) == entries[10:]
    assert await database.journal.entries("m1", after=12) == []


@pytest.mark.parametrize("n", [0, 1, 3])
async def test_only_the_next_move_is_taken(database: Database, n: int) -> None:
    """A number that has a move, and one that would leave a gap, are refused."""
    await playing(database)
    stored = [Entry(0, 0, "draw"), Entry(1, 1, "draw")]
    for entry in stored:
        await database.journal.append("m1", entry)
    assert not await database.journal.append("m1", Entry(n, 0, "end"))
    assert await database.journal.entries("m1") == stored


@pytest.mark.parametrize("stage", [Stage.LOBBY, Stage.STOPPED])
async def test_moves_are_only_for_a_match_that_is_played(database: Database, stage: Stage) -> None:
    """Neither before the deal nor after the end."""
    await database.journal.open(lobby("m1", ADA, BO), "here")
    if stage is Stage.STOPPED:
        await database.journal.begin("m1", SEED)
        await database.journal.close("m1", Stage.STOPPED)
    assert not await database.journal.append("m1", Entry(0, 0, "draw"))
    assert await database.journal.entries("m1") == []


async def test_of_two_clicks_on_the_same_state_one_wins(database: Database) -> None:
    """The number of a move is the lock."""
    await playing(database)
    for n in range(20):
        done = await asyncio.gather(
            *(database.journal.append("m1", Entry(n, seat, f"by {seat}")) for seat in (0, 1))
        )
        assert sorted(done) == [False, True]
    assert [entry.n for entry in await database.journal.entries("m1")] == list(range(20))


async def test_two_processes_race_for_each_move(database: Database, other: Database) -> None:
    """The lock is in the file: it holds between processes, and each knows who made the move."""
    await playing(database)
    for n in range(20):
        done = await asyncio.gather(
            database.journal.append("m1", Entry(n, 0, "by 0")),
            other.journal.append("m1", Entry(n, 1, "by 1")),
        )
        assert sorted(done) == [False, True]
        for reader in (database, other):
            (last,) = await reader.journal.entries("m1", after=n)
            assert last.seat == done.index(True)


async def test_the_last_move_ends_the_match(location: Location, database: Database) -> None:
    """With results, the move, the results and the end are one transaction; the place is free."""
    await playing(database)
    results = (Result(0, True, {"pot": 3, "maximus": 1}), Result(1, False, {"pot": 0}))
    assert await database.journal.append("m1", Entry(0, 0, "ribit"), results)
    match = await database.journal.find("m1")
    assert match is not None
    assert match.stage is Stage.FINISHED
    assert await database.journal.live_at("place of m1") is None
    assert not await database.journal.append("m1", Entry(1, 0, "ribit"))
    assert (await _count(location, "results"), await _count(location, "figures")) == (2, 3)


@pytest.mark.parametrize(
    "results",
    [
        (Result(0, True, {"pot": 1}), Result(0, True, {})),
        (Result(0, True, {"pot": 1}), Result(7, False, {})),
        (Result(0, True, {"pot": "much"}),),  # type: ignore[dict-item]  # what a faulty game may say
    ],
    ids=["a seat twice", "no such seat", "no number"],
)
async def test_results_that_cannot_be_stored_undo_the_move(
    location: Location, database: Database, results: tuple[Result, ...]
) -> None:
    """All or nothing: the match stands as it did before the move, and goes on."""
    match = await playing(database)
    with pytest.raises((ValueError, sqlite3.IntegrityError, asyncpg.PostgresError)):
        await database.journal.append("m1", Entry(0, 0, "ribit"), results)
    assert await database.journal.find("m1") == match
    assert [await _count(location, table) for table in ("moves", "results", "figures")] == [0, 0, 0]
    assert await database.journal.append("m1", Entry(0, 0, "draw"))


async def test_a_lost_race_stores_no_results(location: Location, database: Database) -> None:
    """A refused last move ends nothing."""
    await playing(database)
    await database.journal.append("m1", Entry(0, 0, "draw"))
    assert not await database.journal.append("m1", Entry(0, 1, "ribit"), (Result(1, True, {"pot": 1}),))
    assert await _count(location, "results") == 0
    assert [match.id for match in await database.journal.live()] == ["m1"]


async def test_a_move_that_cannot_be_stored_takes_no_other_with_it(database: Database) -> None:
    """What is stored together stands or falls each by itself: the fault is told to its own asker."""
    for n in range(6):
        await playing(database, f"m{n}")
    faulty = (Result(0, True, {"pot": 1}), Result(7, False, {}))
    outcomes = await asyncio.gather(
        *(
            database.journal.append(f"m{n}", Entry(0, 0, "draw"), faulty if n in {2, 4} else ())
            for n in range(6)
        ),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [bool, bool, ValueError, bool, ValueError, bool]
    stored = [len(await database.journal.entries(f"m{n}")) for n in range(6)]
    assert stored == [1, 1, 0, 1, 0, 1]
