"""The deals of days, chosen once by a secret that the database stores."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.matches.match import Player, Stage
from bot.matches.match_type import DAY
from bot.sessions.match_creation import place_of_try
from bot.storage.backups import back_up
from bot.storage.daily_deals import DayDeal
from bot.storage.database import Database, open_database
from bot.storage.migrate import migrate, migrations
from bot.storage.sqlite_connections import connect
from bot.storage.transfer import move
from tests.messages.tables import text_of
from tests.storage.boards import day_board_reader
from tests.storage.database_types import on_sqlite
from tests.storage.matches import (
    ADA,
    FROGS,
    NOW,
    SEED,
    TOADS,
    end_match,
    find_match,
    new_change,
    new_lobby,
    store_finished_match,
    store_live_match,
)

GAME, TODAY, BEFORE = "american_toad", 20261121, 20261120


async def test_all_processes_use_the_first_deal_chosen_for_a_day(
    database: Database, other: Database
) -> None:
    """Processes whose versions find different deals at the same time all get one of these deals."""
    here, there = DayDeal(TODAY, 5, 80), DayDeal(TODAY, 6, 90)
    chosen = await asyncio.gather(database.days.choose(GAME, here), other.days.choose(GAME, there))
    assert chosen[0] == chosen[1] in (here, there)
    assert await database.days.choose(GAME, DayDeal(TODAY, 7, 70)) == chosen[0]
    assert await other.days.deal_of_day(GAME, TODAY) == chosen[0]
    assert await other.days.deal_of_day("toad", TODAY) is None


async def test_days_are_found_by_their_deals(database: Database) -> None:
    """A day is found by its deal, and earlier days are listed latest first."""
    days = [DayDeal(day, day % 100, 80) for day in range(20261101, 20261106)]
    for day in days:
        await database.days.choose(GAME, day)
    assert await database.days.with_deal(GAME, 3) == days[2]
    assert await database.days.with_deal(GAME, 9) is None
    assert await day_board_reader(database).deals_before(GAME, 20261104, 2) == [days[2], days[1]]


async def test_two_processes_create_the_secret_once(database: Database, other: Database) -> None:
    """Two processes that need the secret first get the same 32 bytes."""
    first, second = await asyncio.gather(database.days.secret(), other.days.secret())
    assert first == second == await other.days.secret()
    assert len(first) == 32


@on_sqlite
async def test_backups_and_transfers_include_the_secret(
    path: Path, database: Database, tmp_path: Path
) -> None:
    """Backups and transferred databases have the secret, and therefore the same later deals."""
    secret = await database.days.secret()
    await database.close()
    copies = tmp_path / "backup.sqlite3", tmp_path / "moved.sqlite3"
    back_up(path, copies[0])
    await move(path, copies[1])
    for place in copies:
        copy = await open_database(place)
        assert await copy.days.secret() == secret
        await copy.close()


async def test_days_begun_before_an_update_keep_their_deals(path: Path) -> None:
    """A day begun under the version that derived deals from the date keeps its deal for all players."""
    connection = await connect(path)
    await migrate(connection, migrations()[:20])
    await connection.close()
    with closing(sqlite3.connect(path)) as old, old:
        for n, day in enumerate((BEFORE, TODAY, TODAY, 0)):
            options = f'{{"deal": {5 + bool(day)}, "{DAY}": {day}, "par": 80}}'
            old.execute(
                "INSERT INTO matches (id, place, game, rules_version, channel_id, host_id, seat_limit,"
                " options, stage, day) VALUES (?, ?, ?, 1, 5, ?, 1, ?, 'playing', ?)",
                (f"m{n}", f"place {n}", GAME, n, options, day),
            )
        old.execute(
            "INSERT INTO day_wins VALUES (1, ?, ?, 'm1', 100, 'Ada', 43, 0, 9, 9)", (GAME, TODAY)
        )
        old.execute("INSERT INTO day_wins VALUES (2, ?, ?, 'm2', 100, 'Bo', 90, 0, 9, 9)", (GAME, TODAY))
        old.execute(
            "INSERT INTO day_wins VALUES (3, ?, ?, 'm0', 100, 'Cy', 20, 0, 86500, 100000)", (GAME, TODAY)
        )
        old.execute("INSERT INTO moves VALUES ('m1', 0, 0, 'peek: all up', 9, NULL)")
        old.execute("INSERT INTO moves VALUES ('m2', 0, 0, 'all up', 9, NULL)")
    database = await open_database(path)
    assert await database.days.deal_of_day(GAME, TODAY) == DayDeal(TODAY, 6, 80)
    assert await database.days.with_deal(GAME, 5) is None
    board = await day_board_reader(database).board(100, GAME, TODAY, 0, 10)
    assert [(row.rank, row.name, row.figures["helped"]) for row in board] == [
        (1, "Bo", 0),
        (2, "Ada", 1),
        (3, "Cy", 0),
    ], "Cy has won it on a later day"
    await database.close()


async def test_two_processes_cannot_deal_a_day_to_the_same_player(
    database: Database, other: Database
) -> None:
    """If two processes deal a day to the same player at once, one gets the other's match."""
    facts: dict[str, Any] = {"game": GAME, "limit": 1, "options": {"deal": 1, DAY: TODAY}}
    first, second = (
        new_lobby(name, ADA, stage=Stage.PLAYING, seed=SEED, **facts) for name in ("first", "second")
    )
    check = list[object]().append
    told = await asyncio.gather(
        database.journal.create(first, "here", check=check),
        other.journal.create(second, "there", check=check),
    )
    assert sum(one is None for one in told) == 1
    (dealt,) = await database.journal.live()
    assert dealt.id in [one.id for one in told if one is not None]


async def test_a_match_can_move_to_another_channel(database: Database) -> None:
    """A match that moves to another channel has it alone and leaves the former one."""
    match = await store_live_match(database, "m1", ADA, game=GAME, options={"deal": 1, DAY: TODAY})
    moved = new_change(match, guild_id=None, channel_id=9, guest=True)
    assert await database.journal.commit(replace(moved, place="there"))
    assert await database.journal.live_at("place of m1") is None
    assert await database.journal.live_at("there") == await find_match(database, "m1") == moved.after
    assert await database.journal.newest_at("there") == "m1"
    assert not await database.journal.commit(replace(moved, place="elsewhere")), "it has moved on"


async def test_a_win_counts_on_the_boards_chosen_by_the_player(
    database: Database, other: Database
) -> None:
    """A win counts on the channel's board and on the player's chosen ones.

    A choice can be undone.
    """
    for guild_id in (TOADS, FROGS):
        await database.days.show(ADA.id, guild_id, is_shown=True)
    await other.days.show(ADA.id, TOADS, is_shown=True)
    assert await other.days.is_shown(ADA.id, TOADS)
    await other.days.show(ADA.id, FROGS, is_shown=False)
    assert not await database.days.is_shown(ADA.id, FROGS)
    for n, place in enumerate((None, TOADS, FROGS)):
        day = {"deal": 1 + n, DAY: TODAY + n}
        facts: dict[str, Any] = {
            "game": GAME,
            "guild_id": place,
            "options": day,
            "figures": {"moves": 80},
        }
        await store_finished_match(database, f"m{n}", ADA, winner=ADA, **facts)
    counts = [
        [
            await day_board_reader(database).count(guild_id, GAME, TODAY + n)
            for guild_id in (FROGS, TOADS)
        ]
        for n in range(3)
    ]
    assert counts == [[0, 1], [0, 1], [1, 1]]
    assert len(await day_board_reader(database).days_of(ADA.id, GAME)) == 3


async def test_a_days_notice_names_at_most_twenty_players_per_group(database: Database) -> None:
    """The notice of a day reads at most twenty names of each group, in the order of their start."""
    content = pytest.importorskip("cogs.daily.content")
    facts: dict[str, Any] = {"game": GAME, "limit": 1, "options": {"deal": 1, DAY: TODAY}, "seed": SEED}
    for n in range(43):
        match = new_lobby(
            f"m{n}", Player(n + 1, f"P{n}"), opened_at=NOW + n, stage=Stage.PLAYING, **facts
        )
        place = place_of_try(GAME, TODAY, FROGS, str(n + 1))
        assert await database.journal.create(match, place) is None
        if n < 22:
            await end_match(database, match.id)
    over, active = await day_board_reader(database).tries(FROGS, GAME, TODAY)
    assert [(over.count, len(over.players)), (active.count, len(active.players))] == [
        (22, 20),
        (21, 20),
    ]
    text = text_of(content.notice_of_day(TODAY, over, active))
    assert "Played: P0, P1, " in text
    assert "P18, P19, 2 more\n" in text
    assert "Playing: P22, P23, " in text
    assert text.rstrip().endswith("P41, 1 more")
