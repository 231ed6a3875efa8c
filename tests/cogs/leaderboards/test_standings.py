"""Leaderboards and profiles."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.leaderboard_rules import AROUND, LeaderboardRow, page_of
from bot.matches.match import Entry, Player, Result
from bot.matches.match_type import AGAIN, DAY, PAR
from bot.storage.database import Database, open_database
from bot.storage.database_address import Location, Server
from bot.storage.migrate import migrate, migrations
from bot.storage.ranked_boards import CACHE_SECONDS, RankedBoards
from bot.storage.recount import recount
from bot.storage.sqlite_connections import connect
from bot.storage.writer import Session
from tests.storage.boards import day_board_reader, leaderboard_reader
from tests.storage.matches import (
    ADA,
    BO,
    CY,
    FROGS,
    TOADS,
    end_match,
    store_finished_match,
    store_live_match,
    store_move,
)

DI = Player(40, "Di")


async def test_an_empty_leaderboard_has_no_rows(database: Database) -> None:
    """A leaderboard without finished matches shows no players."""
    assert await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10) == []
    assert await leaderboard_reader(database).count(FROGS, "toad") == 0
    assert await leaderboard_reader(database).place_of(FROGS, "toad", ADA.id) is None
    assert await leaderboard_reader(database).profile(ADA.id, FROGS) == {}
    assert await leaderboard_reader(database).profile(ADA.id, None) == {}


async def test_only_finished_matches_count(database: Database) -> None:
    """A lobby, an active match and a closed one are not results."""
    await store_live_match(database, "m1", ADA, BO)
    await store_live_match(database, "m2", ADA, BO)
    await store_move(database, "m2", Entry(0, 0, "draw"))
    await end_match(database, "m2")
    assert await leaderboard_reader(database).count(FROGS, "toad") == 0


async def test_most_wins_come_first_then_fewest_matches(database: Database) -> None:
    """Equals share a rank, and the next rank counts them all."""
    await store_finished_match(database, "m1", ADA, BO, CY, winner=ADA)
    await store_finished_match(database, "m2", ADA, BO, winner=BO)
    await store_finished_match(database, "m3", ADA, DI, winner=ADA)
    rows = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)
    assert rows == [
        LeaderboardRow(1, ADA.id, "Ada", matches=3, wins=2, figures={}),
        LeaderboardRow(2, BO.id, "Bo", matches=2, wins=1, figures={}),
        LeaderboardRow(3, CY.id, "Cy", matches=1, wins=0, figures={}),
        LeaderboardRow(3, DI.id, "Di", matches=1, wins=0, figures={}),
    ]
    await store_finished_match(database, "m4", CY, DI, Player(50, "Ed"))
    ranks = [row.rank for row in await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)]
    assert ranks == [1, 2, 3, 4, 4]


async def test_a_page_ranks_players_by_wins_over_computer_players(database: Database) -> None:
    """Equal players share a rank. The user's own row is last on any other page.

    A number past the end gives the last page.
    """
    tadpole, toad = (Player(-1, "Pip", strength=each) for each in (Strength.TADPOLE, Strength.TOAD))
    for n in range(11):
        player = Player(100 + n, f"P{n}")
        await store_finished_match(database, f"w{n}", player, tadpole, winner=player)
    await store_finished_match(database, "m1", ADA, toad, winner=toad)
    first = await leaderboard_reader(database).computer_player_page(FROGS, ADA.id, 0)
    assert (first.number, first.count) == (0, 12)
    assert [(row.rank, row.name) for row in first.rows] == [
        *((1, f"P{n}") for n in range(10)),
        (12, "Ada"),
    ]
    for asked in (1, 9):
        last = await leaderboard_reader(database).computer_player_page(FROGS, 100, asked)
        assert last.number == 1
        assert [(row.rank, row.name) for row in last.rows] == [(1, "P10"), (12, "Ada"), (1, "P0")]
    assert (await leaderboard_reader(database).computer_player_page(TOADS, ADA.id, 3)).rows == []
    await database.players.forget(ADA.id, -(2**40))
    assert (await leaderboard_reader(database).computer_player_page(FROGS, ADA.id, 1)).count == 11


async def test_a_large_board_is_ranked_once_a_minute(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For 60 seconds the pages of a large board come from memory, without players deleted since."""
    monkeypatch.setattr("bot.storage.ranked_boards.LARGE", 3)
    pip, now = Player(-1, "Pip", strength=Strength.TADPOLE), [0.0]
    boards = leaderboard_reader(database, RankedBoards(lambda: now[0]))

    async def names() -> list[str]:
        return [row.name for row in (await boards.computer_player_page(FROGS, ADA.id, 0)).rows]

    players = [Player(100 + n, f"P{n}") for n in range(4)]
    for n, player in enumerate(players):
        assert await names() == [f"P{each}" for each in range(n)], "a small board is read each time"
        await store_finished_match(database, f"w{n}", player, pip, winner=player)
    assert await names() == ["P0", "P1", "P2", "P3"]
    await store_finished_match(database, "w4", ADA, pip, winner=ADA)
    await database.players.forget(101, -(2**40))
    assert await names() == ["P0", "P2", "P3"]
    now[0] += CACHE_SECONDS
    assert await names() == ["P0", "P2", "P3", "Ada"]


async def test_a_replaced_player_loses_a_match_between_people(database: Database) -> None:
    """A player replaced by a computer player has lost. The others' results count as between people."""
    replaced = Player(BO.id, "Bo", strength=Strength.TOAD)
    await store_finished_match(database, "m1", ADA, replaced, CY, winner=ADA, figures={"maximus": 1})
    assert await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10) == [
        LeaderboardRow(1, ADA.id, "Ada", matches=1, wins=1, figures={"maximus": 1}),
        LeaderboardRow(2, BO.id, "Bo", matches=1, wins=0, figures={}),
        LeaderboardRow(2, CY.id, "Cy", matches=1, wins=0, figures={"maximus": 1}),
    ]
    await store_finished_match(database, "m2", ADA, replaced, winner=replaced)
    rows = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)
    assert [(row.player_id, row.wins, row.matches) for row in rows] == [
        (ADA.id, 1, 2),
        (CY.id, 0, 1),
        (BO.id, 0, 2),
    ]


async def test_a_players_statistics_are_summed_over_matches(database: Database) -> None:
    """Each number is summed over a player's matches, and each match counts once."""
    await store_finished_match(database, "m1", ADA, BO, winner=ADA, figures={"pot": 3, "maximus": 1})
    await store_finished_match(database, "m2", ADA, winner=ADA, figures={"pot": 4})
    await store_finished_match(database, "m3", BO, winner=BO)
    ada, bo = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)
    assert ada == LeaderboardRow(1, ADA.id, "Ada", matches=2, wins=2, figures={"maximus": 1, "pot": 7})
    assert bo == LeaderboardRow(2, BO.id, "Bo", matches=2, wins=1, figures={"maximus": 1, "pot": 3})


async def test_a_page_holds_a_fixed_number_of_players(database: Database) -> None:
    """Ten players fill pages of 4, 4 and 2. A user's own row equals the row on the page."""
    players = [Player(1000 + n, f"P{n:02}") for n in range(10)]
    for n, player in enumerate(players):
        for won in range(10 - n):
            await store_finished_match(
                database, f"{n}-{won}", player, winner=player, figures={"pot": 1, "lives": 2}
            )
    assert await leaderboard_reader(database).count(FROGS, "toad") == 10
    pages = [
        await leaderboard_reader(database).leaderboard(FROGS, "toad", at, 4) for at in (0, 4, 8, 12)
    ]
    assert [len(page) for page in pages] == [4, 4, 2, 0]
    rows = [row for page in pages for row in page]
    assert [(row.rank, row.player_id) for row in rows] == [
        (rank, player.id) for rank, player in enumerate(players, 1)
    ]
    assert await leaderboard_reader(database).place_of(FROGS, "toad", players[7].id) == rows[7]
    assert rows[7].figures == {"lives": 6, "pot": 3}


@pytest.mark.real("threads")
async def test_a_slow_board_does_not_delay_clicks(location: Location, database: Database) -> None:
    """Slow boards are read on a connection of their own, so that they do not delay clicks."""
    begun, may_end = threading.Event(), threading.Event()

    async def slow(_connection: Session) -> None:
        begun.set()
        await asyncio.to_thread(may_end.wait) if isinstance(location, Server) else may_end.wait()

    boards = [asyncio.create_task(leaderboard_reader(database)._reader.run(slow)) for _board in range(6)]
    await asyncio.to_thread(begun.wait)
    try:
        assert await database.journal.find("none") is None
        assert not any(board.done() for board in boards)
    finally:
        may_end.set()
        await asyncio.gather(*boards)


async def test_a_leaderboard_excludes_other_servers_and_games(database: Database) -> None:
    """A leaderboard excludes matches of other servers, DMs and other games."""
    await store_finished_match(database, "m1", ADA, BO, winner=ADA)
    await store_finished_match(database, "m2", ADA, CY, winner=CY, guild_id=TOADS)
    await store_finished_match(database, "m3", ADA, winner=ADA, guild_id=None)
    await store_finished_match(database, "m4", BO, winner=BO, game="frogger")
    board = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)
    assert [(row.player_id, row.matches, row.wins) for row in board] == [(ADA.id, 1, 1), (BO.id, 1, 0)]
    assert await leaderboard_reader(database).count(TOADS, "toad") == 2
    assert await leaderboard_reader(database).place_of(TOADS, "toad", BO.id) is None
    frogger = await leaderboard_reader(database).leaderboard(FROGS, "frogger", 0, 10)
    assert [row.player_id for row in frogger] == [BO.id]


async def test_results_include_seats_quickest_toad_and_opponents(database: Database) -> None:
    """Results have wins by number of seats, the quickest toad and the most frequent opponents."""
    await store_finished_match(database, "m1", ADA, BO, winner=ADA, figures={"quickest": 4})
    await store_finished_match(database, "m2", ADA, BO, CY, winner=BO, figures={"quickest": 3})
    await store_finished_match(database, "m3", ADA, BO, winner=BO, figures={"quickest": 0})
    await store_finished_match(
        database, "m4", ADA, CY, winner=ADA, guild_id=TOADS, figures={"quickest": 2}
    )
    await store_finished_match(
        database, "m5", ADA, Player(-1, "Pip", strength=Strength.TOAD), winner=ADA
    )
    here = await leaderboard_reader(database).results(ADA.id, FROGS)
    assert here.sizes == {("toad", 2): (2, 1), ("toad", 3): (1, 0)}
    assert here.quickest == 3
    assert [(rival.name, rival.matches, rival.wins) for rival in here.rivals] == [
        ("Bo", 3, 1),
        ("Cy", 1, 0),
    ]
    everywhere = await leaderboard_reader(database).results(ADA.id, None)
    assert (everywhere.sizes["toad", 2], everywhere.quickest) == ((3, 2), 2)


async def test_a_profile_has_each_game(database: Database) -> None:
    """A profile has each game, for one server or for all servers and DMs together."""
    await store_finished_match(database, "m1", ADA, BO, winner=BO, figures={"pot": 1})
    await store_finished_match(database, "m2", ADA, winner=ADA, game="american_toad")
    await store_finished_match(database, "m3", ADA, BO, winner=ADA, guild_id=TOADS, figures={"pot": 2})
    await store_finished_match(database, "m4", ADA, winner=ADA, guild_id=None, figures={"pot": 4})
    here = await leaderboard_reader(database).profile(ADA.id, FROGS)
    assert here == {
        "american_toad": LeaderboardRow(1, ADA.id, "Ada", matches=1, wins=1, figures={}),
        "toad": LeaderboardRow(2, ADA.id, "Ada", matches=1, wins=0, figures={"pot": 1}),
    }
    everywhere = await leaderboard_reader(database).profile(ADA.id, None)
    assert everywhere["toad"] == LeaderboardRow(1, ADA.id, "Ada", matches=3, wins=2, figures={"pot": 7})
    assert list(everywhere) == ["american_toad", "toad"]


async def test_the_latest_name_in_the_server_is_shown(database: Database) -> None:
    """A player who changed names is one player, under the name last played with there."""
    await store_finished_match(database, "m1", ADA, winner=ADA)
    await store_finished_match(database, "m2", Player(ADA.id, "Ada the Frog"), game="frogger")
    await store_finished_match(database, "m3", Player(ADA.id, "Somebody"), guild_id=TOADS)
    (row,) = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 10)
    assert row.name == "Ada the Frog"


DAY_ONE, DAY_TWO = 20261120, 20261121
SOLITAIRE = "american_toad"


async def store_day_win(
    database: Database, player: Player, moves: int, seconds: int, *, helped: int = 0, **changes: Any
) -> None:
    """Store a player's win of a day's deal in this number of moves and seconds."""
    facts: dict[str, Any] = {"options": {"deal": 2, DAY: DAY_TWO}, "opened_at": 1_000, "game": SOLITAIRE}
    match = await store_live_match(
        database, f"{player.id}-{len(changes)}-{moves}", player, **facts | changes
    )
    figures = {"moves": moves, "undos": 1, "helped": helped}
    last = Entry(0, 0, "up", 1_000 + seconds)
    results = (Result(0, True, figures),)
    assert await store_move(database, match.id, last, results, ended_at=1_000 + seconds)


async def test_a_days_winners_rank_by_moves_and_then_by_time(database: Database) -> None:
    """A day's winners are ordered by moves, then time. Equal players share a rank.

    Other days and servers have other boards, and DMs have none.
    """
    await store_day_win(database, ADA, 90, 300)
    await store_day_win(database, BO, 80, 900)
    await store_day_win(database, CY, 90, 200)
    await store_day_win(database, DI, 90, 300)
    await store_day_win(database, ADA, 70, 100, options={"deal": 1, DAY: DAY_ONE})
    await store_day_win(database, Player(50, "Ed"), 60, 100, guild_id=TOADS)
    await store_day_win(database, Player(60, "Flo"), 60, 100, guild_id=None)
    board = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 10)
    assert [(row.rank, row.name) for row in board[:2]] == [(1, "Bo"), (2, "Cy")]
    assert {(row.rank, row.name) for row in board[2:]} == {(3, "Ada"), (3, "Di")}
    assert board[0].figures == {"moves": 80, "undos": 1, "seconds": 900, "late": 0, "helped": 0}
    assert await day_board_reader(database).count(FROGS, SOLITAIRE, DAY_TWO) == 4
    assert await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 3, 10) == board[3:]
    for row in board:
        own = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 1, row.player_id)
        assert own == [row]
    assert await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 1, 60) == []
    won_at = await day_board_reader(database).days_of(ADA.id, SOLITAIRE)
    assert list(won_at.items()) == [(DAY_TWO, 1_300), (DAY_ONE, 1_100)]
    assert await day_board_reader(database).days_of(60, SOLITAIRE) == {DAY_TWO: 1_100}, "won in DMs"


async def test_wins_with_help_rank_below_all_wins_without(database: Database) -> None:
    """Wins with much help rank below all others, and are not part of the mean."""
    par: dict[str, Any] = {"options": {"deal": 1, DAY: DAY_TWO, PAR: 60}}
    await store_day_win(database, ADA, 40, 100, helped=43, **par)
    await store_day_win(database, BO, 90, 900, **par)
    await store_day_win(database, CY, 40, 50, helped=4, **par)
    await store_day_win(database, DI, 80, 50, helped=3, **par)
    board = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 10)
    placed = [(1, "Di"), (2, "Bo"), (0, "Cy"), (0, "Ada")]
    assert [(row.rank, row.name) for row in board] == placed, "three hints and peeks take no place"
    assert [bool(row.figures["helped"]) for row in board] == [False, False, True, True]
    assert await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 1, 1) == board[1:2]
    for row in board:
        own = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 1, row.player_id)
        assert own == [row]
    assert await leaderboard_reader(database).pars(ADA.id, None, SOLITAIRE) == {}
    assert await leaderboard_reader(database).pars(BO.id, None, SOLITAIRE) == {30: 1}


AFTER_THE_DAY = 1_795_305_600 - 1_000
"""Seconds between the deal and the end of its day."""


async def test_a_late_win_ranks_below_all_wins_of_the_day(
    database: Database, location: Location
) -> None:
    """A win after its day ranks below all of the day, even after a recount."""
    await store_day_win(database, ADA, 40, AFTER_THE_DAY)
    await store_day_win(database, BO, 90, AFTER_THE_DAY - 1, helped=3)
    await store_day_win(database, CY, 30, AFTER_THE_DAY, helped=4)
    await store_day_win(database, DI, 50, AFTER_THE_DAY + 9)
    for _time in range(2):
        board = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 10)
        assert [(row.rank, row.name) for row in board] == [(1, "Bo"), (2, "Ada"), (3, "Di"), (0, "Cy")]
        assert [row.figures["late"] for row in board] == [0, 1, 1, 1]
        assert await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 1, 2) == board[1:3]
        for row in board:
            own = await day_board_reader(database).board(FROGS, SOLITAIRE, DAY_TWO, 0, 1, row.player_id)
            assert own == [row]
        await database.close()
        await recount(location, games(), is_applied=True)
        database = await open_database(location)
    await database.close()


async def test_a_players_try_is_found_by_its_day(database: Database) -> None:
    """A player's try of a day is found by the day, live or not."""
    match = await store_live_match(
        database, "m1", ADA, limit=1, game=SOLITAIRE, options={"deal": 1, DAY: DAY_ONE}
    )
    assert await database.journal.of_day(SOLITAIRE, ADA.id, DAY_ONE) == match
    assert await database.journal.of_day(SOLITAIRE, ADA.id, DAY_TWO) is None
    assert await database.journal.of_day(SOLITAIRE, BO.id, DAY_ONE) is None
    await store_live_match(database, "m2", ADA, limit=1, game=SOLITAIRE, options={"deal": 1, DAY: 0})
    assert await database.journal.of_day(SOLITAIRE, ADA.id, 0) is None


async def store_par_deal(
    database: Database, name: str, moves: int, *, won: bool = True, **changes: Any
) -> None:
    """Store a finished deal of Ada's with par 80."""
    facts: dict[str, Any] = {"options": {"deal": 1, PAR: 80}, "game": SOLITAIRE}
    facts |= changes
    facts["options"] = {**facts["options"], "deal": int(name.removeprefix("m"))}
    match = await store_live_match(database, name, ADA, **facts)
    results = (Result(0, won, {"moves": moves}),)
    assert await store_move(database, match.id, Entry(0, 0, "up"), results)


async def test_won_deals_are_counted_against_par(database: Database) -> None:
    """Won deals are counted by their difference to par, in a server and everywhere."""
    await store_par_deal(database, "m1", 92)
    await store_par_deal(database, "m2", 92)
    await store_par_deal(database, "m3", 77, guild_id=TOADS)
    await store_par_deal(database, "m4", 80, guild_id=None)
    await store_par_deal(database, "m5", 99, won=False)
    await store_par_deal(database, "m6", 99, options={"deal": 1, PAR: 0})
    await store_par_deal(database, "m7", 99, options={"deal": 1, DAY: 0})
    assert await leaderboard_reader(database).pars(ADA.id, FROGS, SOLITAIRE) == {12: 2}
    assert await leaderboard_reader(database).pars(ADA.id, TOADS, SOLITAIRE) == {-3: 1}
    assert await leaderboard_reader(database).pars(ADA.id, None, SOLITAIRE) == {-3: 1, 0: 1, 12: 2}
    assert await leaderboard_reader(database).pars(BO.id, None, SOLITAIRE) == {}


async def test_a_second_try_does_not_count(database: Database) -> None:
    """A match continued from one that was given up changes no total, no statistic and no par."""
    await store_par_deal(database, "m1", 92)
    before = await leaderboard_reader(database).profile(ADA.id, None)
    await store_par_deal(database, "m2", 70, options={"deal": 1, PAR: 80, AGAIN: 1})
    assert await leaderboard_reader(database).profile(ADA.id, None) == before
    assert await leaderboard_reader(database).pars(ADA.id, FROGS, SOLITAIRE) == {12: 1}


def _write_old_database(path: Path, *, seed: int, matches: int) -> None:
    """Fill a file of the first Ribit with finished matches, as that stored them."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(path)) as old, old:
        for n in range(matches):
            guild_id, game = chance.choice([FROGS, TOADS, None]), chance.choice(["toad", SOLITAIRE])
            players = chance.sample(range(1, 9), 1 if game == SOLITAIRE else chance.randint(2, 4))
            day = chance.choice([0, 20_000_101 + n]) if game == SOLITAIRE else 0
            dealt = {"deal": 5, "daily": day, **chance.choice([{}, {"par": 0}, {"par": 9}])}
            options = json.dumps(dealt if game == SOLITAIRE else {"lives": 3})
            old.execute(
                "INSERT INTO matches (id, place, game, rules_version, guild_id, channel_id, host_id,"
                " seat_limit, options, stage, seed, opened_at, ended_at)"
                " VALUES (?, 'here', ?, 1, ?, 5, ?, 6, ?, 'finished', x'00', ?, ?)",
                (f"m{n}", game, guild_id, players[0], options, 1_000 + n, 2_000 + chance.randint(0, 9)),
            )
            winner = chance.randrange(len(players))
            for seat, player in enumerate(players):
                name = f"{player} {chance.choice('abc')}"
                old.execute("INSERT INTO seats VALUES (?, ?, ?, ?, 0)", (f"m{n}", seat, player, name))
                old.execute(
                    "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)",
                    (f"m{n}", seat, player, guild_id, game, seat == winner),
                )
                for key in ("moves", "undos") if game == SOLITAIRE else ("pot",):
                    value = chance.randint(0, 20)
                    old.execute("INSERT INTO figures VALUES (?, ?, ?, ?)", (f"m{n}", seat, key, value))


async def test_an_update_adds_up_earlier_matches(path: Path) -> None:
    """An update adds up the matches before it, and later matches are added to these totals."""
    connection = await connect(path)
    await migrate(connection, migrations()[:3])
    await connection.close()
    _write_old_database(path, seed=7, matches=200)
    with closing(sqlite3.connect(path)) as old:
        results = old.execute("SELECT player_id, guild_id, game, won FROM results").fetchall()
        pots = dict(
            old.execute(
                "SELECT r.player_id, sum(f.value) FROM results AS r INNER JOIN figures AS f"
                " ON f.match_id = r.match_id AND f.seat = r.seat"
                " WHERE r.guild_id = ? AND f.key = 'pot' GROUP BY r.player_id",
                (FROGS,),
            )
        )
        names = dict(
            old.execute(
                "SELECT player_id, name FROM (SELECT s.player_id, s.name, row_number() OVER"
                " (PARTITION BY s.player_id ORDER BY m.ended_at DESC, m.rowid DESC) AS age"
                " FROM seats AS s INNER JOIN matches AS m ON m.id = s.match_id"
                " WHERE m.guild_id = ?) WHERE age = 1",
                (FROGS,),
            )
        )
        days = old.execute(
            "SELECT count(*) FROM results AS r INNER JOIN matches AS m ON m.id = r.match_id"
            " WHERE r.won AND json_extract(m.options, '$.daily') > 0 AND r.player_id = 3"
        ).fetchone()
        moves = old.execute(
            "SELECT m.options, f.value, r.player_id FROM results AS r"
            " INNER JOIN matches AS m ON m.id = r.match_id INNER JOIN figures AS f"
            " ON f.match_id = r.match_id AND f.seat = r.seat AND f.key = 'moves' WHERE r.won = 1"
        ).fetchall()
    database = await open_database(path)
    there = [
        (player, won) for player, guild_id, game, won in results if (guild_id, game) == (FROGS, "toad")
    ]
    played, wins = (
        Counter(player for player, _won in there),
        Counter(player for player, won in there if won),
    )
    board = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 20)
    assert {row.player_id: (row.matches, row.wins) for row in board} == {
        player: (played[player], wins[player]) for player in played
    }
    assert [(-row.wins, row.matches) for row in board] == sorted(
        (-row.wins, row.matches) for row in board
    )
    assert {row.player_id: row.figures["pot"] for row in board} == pots
    assert {row.player_id: row.name for row in board} == {
        row.player_id: names[row.player_id] for row in board
    }
    everywhere = (await leaderboard_reader(database).profile(3, None))["toad"]
    assert everywhere.matches == sum(player == 3 and game == "toad" for player, _g, game, _w in results)
    assert len(await day_board_reader(database).days_of(3, SOLITAIRE)) == days[0] > 0
    pars = [(player, count - json.loads(options).get("par", 0)) for options, count, player in moves]
    had_par = [bool(json.loads(options).get("par")) for options, _count, _player in moves]
    for player in range(1, 9):
        known = Counter(
            each for (who, each), had in zip(pars, had_par, strict=True) if had and who == player
        )
        assert await leaderboard_reader(database).pars(player, None, SOLITAIRE) == known
    assert any(had_par)
    best = board[0]
    await store_finished_match(
        database, "new", Player(best.player_id, "new"), winner=Player(best.player_id, "new")
    )
    after = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 20)
    assert after[0] == LeaderboardRow(
        1, best.player_id, "new", best.matches + 1, best.wins + 1, best.figures
    )
    assert after[1:] == board[1:]
    await database.close()


async def test_a_rank_is_one_more_than_the_number_of_better_players(database: Database) -> None:
    """A row's rank is one more than the number of better players, on any page."""
    chance = random.Random(11)
    players = [Player(100 + n, f"P{n}") for n in range(12)]
    for n in range(80):
        seated = chance.sample(players, 3)
        await store_finished_match(database, f"m{n}", *seated, winner=seated[0])
    board = await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 50)
    for row in board:
        better = sum((one.wins, -one.matches) > (row.wins, -row.matches) for one in board)
        assert row.rank == better + 1
        assert await leaderboard_reader(database).place_of(FROGS, "toad", row.player_id) == row
    pages = [
        await leaderboard_reader(database).leaderboard(FROGS, "toad", at, 5) for at in range(0, 15, 5)
    ]
    assert [row for page in pages for row in page] == board
    assert await leaderboard_reader(database).count(FROGS, "toad") == len(board)


async def test_matches_that_end_simultaneously_are_all_counted(
    database: Database, other: Database
) -> None:
    """Two processes that end matches of the same players at the same time add up all of them."""
    players = (ADA, BO)
    await asyncio.gather(
        *(
            store_finished_match(
                (database, other)[n % 2], f"m{n}", *players, winner=players[n % 2], figures={"pot": 1}
            )
            for n in range(20)
        )
    )
    board = await leaderboard_reader(other).leaderboard(FROGS, "toad", 0, 10)
    assert [(row.rank, row.matches, row.wins, row.figures) for row in board] == [
        (1, 20, 10, {"pot": 20}),
        (1, 20, 10, {"pot": 20}),
    ]


async def test_every_player_has_a_different_position(database: Database) -> None:
    """Players of an equal rank have different positions, in the order of the page."""
    await store_finished_match(database, "m1", ADA, BO, CY, winner=ADA)
    await store_finished_match(database, "m2", ADA, BO, winner=BO)
    await store_finished_match(database, "m3", ADA, DI, winner=ADA)
    found = leaderboard_reader(database)
    rows = await found.leaderboard(FROGS, "toad", 0, 10)
    positions = [await found.position_of(FROGS, "toad", row.player_id) for row in rows]
    assert positions == [0, 1, 2, 3]


async def test_a_board_shows_two_ranks_above_and_below_a_player(database: Database) -> None:
    """Two above and two below. A player who is not on the board, or a short board, begins at its top."""
    pip = Player(-1, "Pip", strength=Strength.TADPOLE)
    for n in range(12):
        player = Player(100 + n, f"P{n}")
        await store_finished_match(database, f"w{n}", player, pip, winner=player)
    page = await leaderboard_reader(database).computer_player_page(FROGS, 106, AROUND)
    assert (page.number, [row.name for row in page.rows]) == (AROUND, ["P4", "P5", "P6", "P7", "P8"])
    assert (await leaderboard_reader(database).computer_player_page(FROGS, 100, AROUND)).rows[
        0
    ].name == "P0"
    assert (await leaderboard_reader(database).computer_player_page(FROGS, ADA.id, AROUND)).number == 0
    assert page_of(AROUND, 10, 10, 4) == (0, 0, 10)


async def test_equal_winners_of_a_day_have_different_positions(database: Database) -> None:
    """Winners with equal results have different positions, in the order of the page."""
    of_the_day = (FROGS, "american_toad", 20261125)
    for player in (ADA, BO, CY):
        facts = {"game": of_the_day[1], "limit": 1, "options": {DAY: of_the_day[2]}}
        await store_finished_match(
            database, f"d{player.id}", player, winner=player, figures={"moves": 50}, **facts
        )
    found = day_board_reader(database)
    rows = await found.board(*of_the_day, 0, 10)
    assert [row.rank for row in rows] == [1, 1, 1]
    assert [await found.position(*of_the_day, row.player_id) for row in rows] == [0, 1, 2]
