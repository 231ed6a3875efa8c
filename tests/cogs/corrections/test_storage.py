"""Tests of stored corrections of a match, a player or a name, in a server or by the operator."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.games import games
from bot.matches.leaderboard_rules import EVERYWHERE, LeaderboardRow, Removal, RemovalTarget
from bot.matches.match import Entry, Player, Result
from bot.matches.match_type import AGAIN, DAY
from bot.sessions.errors import TableError
from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from bot.storage.recount import recount
from cogs.corrections.cog import Removals, store
from tests.storage.boards import day_board_reader, leaderboard_reader
from tests.storage.database_types import query_rows
from tests.storage.matches import (
    ADA,
    BO,
    CY,
    FROGS,
    NOW,
    TOADS,
    store_finished_match,
    store_live_match,
    store_move,
)
from tests.storage.test_recount import OLD

ADMIN = 77


def removal_of(kind: RemovalTarget, subject: object, guild_id: int = FROGS) -> tuple[Removal, bool]:
    """Return the entries that an admin removes."""
    return Removal(guild_id, kind, str(subject)), False


def restoration_of(kind: RemovalTarget, subject: object, guild_id: int = FROGS) -> tuple[Removal, bool]:
    """Return the items that an admin restores."""
    return Removal(guild_id, kind, str(subject)), True


async def store_correction(database: Database, asked: tuple[Removal, bool]) -> None:
    """Run the correction in an open database."""
    removal, is_back = asked
    await Removals(database.writer, database.surveying).change(removal, ADMIN, NOW, is_back=is_back)


async def store_matches(database: Database) -> None:
    """Store some matches, and the deal of a day, on the boards of two servers."""
    await store_finished_match(database, "m1", ADA, BO, winner=ADA, figures={"pot": 3})
    await store_finished_match(database, "m2", ADA, BO, CY, winner=BO, figures={"pot": 2})
    await store_finished_match(database, "m3", ADA, CY, winner=ADA, guild_id=TOADS, figures={"pot": 1})
    day = {"options": {"deal": 4, "par": 80, DAY: 20261125}, "game": "american_toad"}
    await store_live_match(database, "day", ADA, **day)
    won = (Result(0, True, {"moves": 87, "undos": 0}),)
    assert await store_move(database, "day", Entry(0, 0, "turn"), won)


async def server_boards(database: Database) -> list[list[LeaderboardRow]]:
    """Return the boards of one server."""
    found, days = leaderboard_reader(database), day_board_reader(database)
    return [
        await found.leaderboard(FROGS, "toad", 0, 10),
        await found.leaderboard(FROGS, "american_toad", 0, 10),
        await days.board(FROGS, "american_toad", 20261125, 0, 10),
    ]


def board_rows(board: list[LeaderboardRow]) -> list[tuple[int, str, int, int]]:
    """Return the ranks and players of a board."""
    return [(row.rank, row.name, row.wins, row.matches) for row in board]


async def test_a_removed_match_counts_for_no_player_until_restored(
    database: Database, location: Location
) -> None:
    """A removed match counts for no player on the server's boards, until it is restored."""
    await store_matches(database)
    before, everywhere = (
        await server_boards(database),
        await leaderboard_reader(database).profile(ADA.id, None),
    )
    await store_correction(database, removal_of(RemovalTarget.MATCH, "m1"))
    assert board_rows((await server_boards(database))[0]) == [
        (1, "Bo", 1, 1),
        (2, "Cy", 0, 1),
        (2, "Ada", 0, 1),
    ]
    assert (await server_boards(database))[0][0].figures == {"pot": 2}
    assert await leaderboard_reader(database).profile(ADA.id, None) == everywhere
    with pytest.raises(TableError, match="already off the leaderboards"):
        await store_correction(database, removal_of(RemovalTarget.MATCH, "m1"))
    with pytest.raises(TableError, match="no such match"):
        await store_correction(database, removal_of(RemovalTarget.MATCH, "m3"))
    await store_correction(database, restoration_of(RemovalTarget.MATCH, "m1"))
    assert await server_boards(database) == before
    kept = "SELECT subject, at, by_id, back_at, back_by FROM removals"
    assert await query_rows(location, kept) == [("m1", NOW, ADMIN, NOW, ADMIN)]
    with pytest.raises(TableError, match="already on the leaderboards"):
        await store_correction(database, restoration_of(RemovalTarget.MATCH, "m1"))


async def test_a_servers_boards_exclude_a_removed_player(database: Database) -> None:
    """A removed player's matches, past and future, are off the server's boards.

    Others' results and the player's streak stay.
    """
    await store_matches(database)
    before = await server_boards(database)
    await store_correction(database, removal_of(RemovalTarget.PLAYER, ADA.id))
    assert board_rows((await server_boards(database))[0]) == [(1, "Bo", 1, 2), (2, "Cy", 0, 1)]
    assert (await server_boards(database))[1:] == [[], []]
    assert await day_board_reader(database).count(FROGS, "american_toad", 20261125) == 0
    assert list(await day_board_reader(database).days_of(ADA.id, "american_toad")) == [20261125]
    await store_finished_match(database, "m4", ADA, CY, winner=ADA)
    assert board_rows((await server_boards(database))[0]) == [(1, "Bo", 1, 2), (2, "Cy", 0, 2)]
    assert (await leaderboard_reader(database).profile(ADA.id, TOADS))["toad"].wins == 1
    await store_correction(database, restoration_of(RemovalTarget.PLAYER, ADA.id))
    assert (await server_boards(database))[1:] == before[1:]
    assert board_rows((await server_boards(database))[0])[0] == (1, "Ada", 2, 3)


async def test_removing_a_match_keeps_days_won_elsewhere(database: Database) -> None:
    """Removing a match leaves the player's days from elsewhere. Removing the player hides them."""
    await store_finished_match(database, "m1", ADA, BO, winner=ADA)
    won = (Result(0, True, {"moves": 87, "undos": 0}),)
    for day, guild_id, is_shown in (
        (20261124, None, False),
        (20261125, None, True),
        (20261126, TOADS, True),
    ):
        await database.days.show(ADA.id, FROGS, is_shown=is_shown)
        options = {"deal": day, "par": 80, DAY: day}
        await store_live_match(
            database, str(day), ADA, guild_id=guild_id, options=options, game="american_toad"
        )
        assert await store_move(database, str(day), Entry(0, 0, "turn"), won)

    async def shown() -> list[int]:
        found, days = day_board_reader(database), (20261124, 20261125, 20261126)
        return [await found.count(FROGS, "american_toad", day) for day in days]

    for removing in (removal_of(RemovalTarget.MATCH, "m1"), restoration_of(RemovalTarget.MATCH, "m1")):
        await store_correction(database, removing)
        assert await shown() == [0, 1, 1]
    await store_correction(database, removal_of(RemovalTarget.PLAYER, ADA.id))
    assert await shown() == [0, 0, 0]
    await store_correction(database, restoration_of(RemovalTarget.PLAYER, ADA.id))
    assert await shown() == [1, 1, 1], "by what she has chosen by now"
    assert await day_board_reader(database).count(TOADS, "american_toad", 20261126) == 1
    assert list(await day_board_reader(database).days_of(ADA.id, "american_toad")) == [
        20261126,
        20261125,
        20261124,
    ]


async def test_restoring_a_player_does_not_add_an_uncounted_deal(
    database: Database, location: Location
) -> None:
    """An undone deal from before the reason was stored is not among them."""
    await store_matches(database)
    facts = {"options": {"deal": 9, AGAIN: 1}, "game": "american_toad"}
    await store_live_match(database, "again", ADA, **facts)
    assert await store_move(database, "again", Entry(0, 0, "turn"), (Result(0, True, {}),))
    await query_rows(location, "UPDATE matches SET uncounted = NULL WHERE id = 'again'")
    before = await server_boards(database)
    await store_correction(database, removal_of(RemovalTarget.PLAYER, ADA.id))
    await store_correction(database, restoration_of(RemovalTarget.PLAYER, ADA.id))
    assert await server_boards(database) == before


async def test_a_removed_name_stays_hidden_until_restored(database: Database) -> None:
    """The place stays, without a name, whatever they call themselves later, until it is put back."""
    await store_matches(database)
    await store_correction(database, removal_of(RemovalTarget.NAME, ADA.id))
    await store_finished_match(database, "m4", Player(ADA.id, "Worse"), BO, winner=BO)
    assert [row.name for row in (await server_boards(database))[0]] == ["Bo", "", "Cy"]
    assert [row.name for row in (await server_boards(database))[2]] == [""]
    own = await leaderboard_reader(database).place_of(FROGS, "toad", ADA.id)
    assert own is not None
    assert own.name == ""
    await store_correction(database, restoration_of(RemovalTarget.NAME, ADA.id))
    assert [row.name for row in (await server_boards(database))[0]] == ["Bo", "Worse", "Cy"]


async def test_the_operator_can_remove_a_player_from_all_boards(location: Location) -> None:
    """The operator can remove a player from all boards. A server's removals survive a recount."""
    database = await open_database(location)
    await store_matches(database)
    await store_correction(database, removal_of(RemovalTarget.MATCH, "m2"))
    before = await server_boards(database)
    await database.close()
    told = await recount(location, games(), is_applied=True)
    assert told.changes == ()
    gone, _is_back = removal_of(RemovalTarget.PLAYER, ADA.id, EVERYWHERE)
    told = await recount(
        location, games(), is_applied=True, first=lambda sql: store(sql, gone, 0, NOW, is_back=False)
    )
    assert all(f": Ada ({ADA.id}) " in change for change in told.changes)
    database = await open_database(location)
    assert board_rows((await server_boards(database))[0]) == [(1, "Bo", 0, 1)]
    for guild_id in (None, TOADS):
        assert await leaderboard_reader(database).profile(ADA.id, guild_id) == {}
    await database.close()
    await recount(
        location, games(), is_applied=True, first=lambda sql: store(sql, gone, 0, NOW, is_back=True)
    )
    database = await open_database(location)
    assert await server_boards(database) == before
    await database.close()


async def test_the_command_line_lists_and_validates_removals(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line lists each changed place, and refuses repeated and unknown removals."""
    shutil.copy(OLD, path)
    await (await open_database(path)).close()
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("RIBIT_DATABASE", str(path))

    async def said(*words: str, code: int = 0) -> str:
        assert await asyncio.to_thread(main, ["remove", *words]) == code
        return "".join(capsys.readouterr())

    (ida,) = await query_rows(path, "SELECT player_id FROM names WHERE name = 'Ida' AND guild_id = 0")
    assert "1 of 1 won → 0 of 0 won" in await said("player", str(ida[0]))
    assert "already off the leaderboards" in await said("player", str(ida[0]), code=1)
    await said("player", str(ida[0]), "--back")
    nobody = (("player", "1"), ("name", "99999999999999999999"), ("name", "frog"), ("match", "m0"))
    assert ["Nothing is known" in await said(*each, code=1) for each in nobody] == [True] * 4
    assert await query_rows(path, "SELECT subject FROM removals") == [(str(ida[0]),)]
