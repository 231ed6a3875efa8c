"""Leaderboards and profiles."""

from __future__ import annotations

from bot.engine.match import Entry, Player, Stage
from bot.storage import Database, Row
from tests.storage.matches import ADA, BO, CY, FROGS, TOADS, finished, playing

DI = Player(40, "Di")


async def test_an_empty_leaderboard_has_no_rows(database: Database) -> None:
    """Where nothing has been finished there is nobody to show."""
    assert await database.standings.leaderboard(FROGS, "toad", 0, 10) == []
    assert await database.standings.count(FROGS, "toad") == 0
    assert await database.standings.place_of(FROGS, "toad", ADA.id) is None
    assert await database.standings.profile(ADA.id, FROGS) == {}
    assert await database.standings.profile(ADA.id, None) == {}


async def test_only_finished_matches_count(database: Database) -> None:
    """A lobby, a match in play and a stopped one are no results."""
    await playing(database, "m1", ADA, BO)
    await playing(database, "m2", ADA, BO)
    await database.journal.append("m2", Entry(0, 0, "draw"))
    await database.journal.close("m2", Stage.STOPPED)
    assert await database.standings.count(FROGS, "toad") == 0


async def test_most_wins_come_first_then_fewest_matches(database: Database) -> None:
    """Equals share a rank, and the next rank counts them all."""
    await finished(database, "m1", ADA, BO, CY, winner=ADA)
    await finished(database, "m2", ADA, BO, winner=BO)
    await finished(database, "m3", ADA, DI, winner=ADA)
    rows = await database.standings.leaderboard(FROGS, "toad", 0, 10)
    assert rows == [
        Row(1, ADA.id, "Ada", matches=3, wins=2, figures={}),
        Row(2, BO.id, "Bo", matches=2, wins=1, figures={}),
        Row(3, CY.id, "Cy", matches=1, wins=0, figures={}),
        Row(3, DI.id, "Di", matches=1, wins=0, figures={}),
    ]
    await finished(database, "m4", CY, DI, Player(50, "Ed"))
    ranks = [row.rank for row in await database.standings.leaderboard(FROGS, "toad", 0, 10)]
    assert ranks == [1, 2, 3, 4, 4]


async def test_figures_are_summed(database: Database) -> None:
    """Each figure by itself over all of a player's matches, without counting a match twice."""
    await finished(database, "m1", ADA, BO, winner=ADA, figures={"pot": 3, "maximus": 1})
    await finished(database, "m2", ADA, winner=ADA, figures={"pot": 4})
    await finished(database, "m3", BO, winner=BO)
    ada, bo = await database.standings.leaderboard(FROGS, "toad", 0, 10)
    assert ada == Row(1, ADA.id, "Ada", matches=2, wins=2, figures={"maximus": 1, "pot": 7})
    assert bo == Row(2, BO.id, "Bo", matches=2, wins=1, figures={"maximus": 1, "pot": 3})


async def test_pages_hold_so_many_players_each(database: Database) -> None:
    """A page is counted in players, not in figures; the own row is found on any page."""
    players = [Player(1000 + n, f"P{n:02}") for n in range(25)]
    for n, player in enumerate(players):
        for won in range(25 - n):
            await finished(database, f"{n}-{won}", player, winner=player, figures={"pot": 1, "lives": 2})
    assert await database.standings.count(FROGS, "toad") == 25
    pages = [await database.standings.leaderboard(FROGS, "toad", at, 10) for at in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    rows = [row for page in pages for row in page]
    assert [(row.rank, row.player_id) for row in rows] == [
        (rank, player.id) for rank, player in enumerate(players, 1)
    ]
    assert await database.standings.place_of(FROGS, "toad", players[17].id) == rows[17]
    assert rows[17].figures == {"lives": 16, "pot": 8}


async def test_servers_and_games_stand_apart(database: Database) -> None:
    """What happens in one server, in DMs or in another game is not on a leaderboard."""
    await finished(database, "m1", ADA, BO, winner=ADA)
    await finished(database, "m2", ADA, CY, winner=CY, guild_id=TOADS)
    await finished(database, "m3", ADA, winner=ADA, guild_id=None)
    await finished(database, "m4", BO, winner=BO, game="frogger")
    board = await database.standings.leaderboard(FROGS, "toad", 0, 10)
    assert [(row.player_id, row.matches, row.wins) for row in board] == [(ADA.id, 1, 1), (BO.id, 1, 0)]
    assert await database.standings.count(TOADS, "toad") == 2
    assert await database.standings.place_of(TOADS, "toad", BO.id) is None
    frogger = await database.standings.leaderboard(FROGS, "frogger", 0, 10)
    assert [row.player_id for row in frogger] == [BO.id]


async def test_a_profile_has_each_game(database: Database) -> None:
    """In one server, or everywhere: all servers and DMs together."""
    await finished(database, "m1", ADA, BO, winner=BO, figures={"pot": 1})
    await finished(database, "m2", ADA, winner=ADA, game="american_toad")
    await finished(database, "m3", ADA, BO, winner=ADA, guild_id=TOADS, figures={"pot": 2})
    await finished(database, "m4", ADA, winner=ADA, guild_id=None, figures={"pot": 4})
    here = await database.standings.profile(ADA.id, FROGS)
    assert here == {
        "american_toad": Row(1, ADA.id, "Ada", matches=1, wins=1, figures={}),
        "toad": Row(2, ADA.id, "Ada", matches=1, wins=0, figures={"pot": 1}),
    }
    everywhere = await database.standings.profile(ADA.id, None)
    assert everywhere["toad"] == Row(1, ADA.id, "Ada", matches=3, wins=2, figures={"pot": 7})
    assert list(everywhere) == ["american_toad", "toad"]


async def test_the_latest_name_in_a_server_is_shown(database: Database) -> None:
    """A player who changed names is one player, under the name last played with there."""
    await finished(database, "m1", ADA, winner=ADA)
    await finished(database, "m2", Player(ADA.id, "Ada the Frog"), game="frogger")
    await finished(database, "m3", Player(ADA.id, "Somebody"), guild_id=TOADS)
    (row,) = await database.standings.leaderboard(FROGS, "toad", 0, 10)
    assert row.name == "Ada the Frog"
