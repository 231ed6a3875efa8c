"""Recomputing the boards from the journal on both databases."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.engine.opponent import Mover
from bot.games import games
from bot.matches.match import LEAVES, Entry, Result
from bot.storage.database import open_database
from bot.storage.database_address import DatabaseInUseError, Location, RefusedDatabaseError
from bot.storage.database_lock import OldDatabaseError, lock_database
from bot.storage.recount import recount
from bot.storage.transfer import move, tables
from tests import forked_processes
from tests.discord.old_databases import KEPT
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import query_rows
from tests.storage.matches import ADA, BO, CY, FROGS, store_finished_match, store_live_match, store_move

OLD = KEPT / "737c39a.db"


@pytest.fixture
async def kept(location: Location, path: Path) -> Location:
    """The database of version 737c39a after an update, in either type."""
    file = path if location == path else path.with_name("old.db")
    shutil.copy(OLD, file)
    await (await open_database(file)).close()
    if location != file:
        await move(file, location)
    return location


async def all_rows(location: Location) -> list[list[tuple[object, ...]]]:
    """Return every row of every table."""
    return [sorted(await query_rows(location, table.all_rows), key=repr) for table in tables()]


async def win_counts(location: Location) -> list[tuple[object, ...]]:
    """Return the wins and matches of Toad by player, in any server."""
    return await query_rows(
        location,
        "SELECT n.name, t.wins, t.matches FROM totals AS t INNER JOIN names AS n"
        " ON n.guild_id = t.guild_id AND n.player_id = t.player_id WHERE t.guild_id > 0 ORDER BY n.name",
    )


async def test_a_win_over_an_opponent_without_moves_no_longer_counts(kept: Location) -> None:
    """Ida's win because Jon gave up at once does not count by the current rules."""
    assert await win_counts(kept) == [("Ida", 1, 1), ("Jon", 0, 1)], (
        "an update takes them over as they were"
    )
    before = await all_rows(kept)
    told = await recount(kept, games(), is_applied=False)
    assert await all_rows(kept) == before, "it was only asked"
    changes = [line.split(": ", 1)[1] for line in told.changes]
    assert [line.split(" ")[0] for line in changes] == ["Ida", "Jon"] * 2
    assert all("0 of 0 won" in line.split(" → ")[1] for line in changes)
    assert (told.matches, told.unread) == (1, 0)
    assert await recount(kept, games(), is_applied=True) == told
    assert await win_counts(kept) == []
    assert await query_rows(kept, "SELECT uncounted FROM matches WHERE stage = 'finished'") == [
        ("unplayed",)
    ]
    assert (await recount(kept, games(), is_applied=True)).changes == ()
    assert await query_rows(kept, "SELECT DISTINCT key FROM figures WHERE key = 'quickest'"), (
        "what came later"
    )


async def test_a_recount_gives_the_same_boards_as_counting_each_match(location: Location) -> None:
    """Boards computed at once are the same as those added up match by match."""
    database = await open_database(location)
    for number in range(5):
        await store_finished_match(database, f"m{number}", ADA, BO, winner=ADA, figures={"pot": 1})
    await query_rows(
        location, "DELETE FROM wins_over"
    )  # as when more counted than today, or a day later
    await store_finished_match(database, "three", ADA, BO, CY, winner=CY, guild_id=None)
    for number in range(2):
        deal = {"options": {"deal": 7, "par": 3, "daily": 0}, "game": "american_toad"}
        await store_live_match(database, f"deal {number}", ADA, **deal)
        won = (Result(0, True, {"moves": 9}),)
        assert await store_move(database, f"deal {number}", Entry(0, 0, "turn"), won)
    await store_live_match(database, "left to a frog", BO, CY)
    for_bo = Entry(0, 0, "ribit", mover=Mover.HANDED_OVER)
    results = (Result(0, True, {"pot": 2}, handed_over=True), Result(1, False, {}))
    assert await store_move(database, "left to a frog", for_bo, results)
    bo = (await leaderboard_reader(database).profile(BO.id, FROGS))["toad"]
    assert (bo.wins, bo.matches) == (0, 6), "who had a frog win it has not won"
    await database.close()
    before = await all_rows(location)
    told = await recount(location, games(), is_applied=True)
    assert told.changes == ()
    assert told.unread == told.matches == 9, "their moves are made up, so what was stored is counted"
    assert await all_rows(location) == before


async def test_moves_are_replayed_if_the_outcome_was_not_stored(location: Location) -> None:
    """If it is not stored whether play decided a match, its moves are replayed."""
    database = await open_database(location)
    await store_live_match(database, "m1", ADA, BO, options={"lives": 1}, rules_version=2)
    ended = (Result(0, True, {"pot": 1}), Result(1, False, {}))
    assert await store_move(database, "m1", Entry(0, 1, LEAVES), ended)
    assert (await leaderboard_reader(database).profile(ADA.id, FROGS))["toad"].wins == 1
    await database.close()
    told = await recount(location, games(), is_applied=True)
    assert told.changes[0].startswith("everywhere, toad: ")
    assert len(told.changes) == 4
    database = await open_database(location)
    assert await leaderboard_reader(database).profile(ADA.id, FROGS) == {}
    await database.close()


async def test_a_recount_refuses_a_database_in_use(path: Path) -> None:
    """A database that a bot holds, or that needs an update, is refused in a sentence and unchanged."""
    with pytest.raises(RefusedDatabaseError, match="no database"):
        await recount(path, games(), is_applied=True)
    assert not path.exists()
    shutil.copy(OLD, path)
    with pytest.raises(OldDatabaseError, match="Start this Ribit on it once"):
        await recount(path, games(), is_applied=True)
    await (await open_database(path)).close()
    async with lock_database(path):
        with pytest.raises(DatabaseInUseError):
            await recount(path, games(), is_applied=False)


async def test_the_command_stores_nothing_without_confirmation(path: Path) -> None:
    """The command lists each changed rank, and stores nothing without confirmation."""
    shutil.copy(OLD, path)
    await (await open_database(path)).close()

    def said(*words: str) -> str:
        environment = {"RIBIT_DATABASE": str(path), "PATH": ""}
        done = forked_processes.run_program(
            "bot", "recount", *words, folder=path.parent, environment=environment
        )
        assert done.returncode == 0
        return done.stdout

    asked = said()
    assert "toad: Ida (" in asked
    assert "1 of 1 won → 0 of 0 won" in asked
    assert "Places that change: 4 (nothing is stored yet: recount --apply does that)." in asked
    assert said("--apply") == asked.replace("nothing is stored yet: recount --apply does that", "stored")
    assert "Places that change: 0" in said()
