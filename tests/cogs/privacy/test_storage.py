"""Tests that a user's export is complete and that data is kept as docs/privacy.md promises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.engine.name_sanitizing import new_placeholder
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.match import Entry, Player, Stage
from bot.opponents import Opponents, pool
from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from cogs.privacy.forgetting import UnshownNames
from cogs.privacy.own_data import OwnData
from tests.storage.database_types import query_rows, rows_containing
from tests.storage.matches import ADA, BO, NOW, SEED, new_lobby, store_live_match

DEE, CY = Player(1234567890123456789, "Wren"), Player(1134567890123456788, "Cygnet")


async def process_names(names: UnshownNames, *days: int) -> None:
    """Go through all names on some days."""
    for day in days:
        for _page in range(3):
            await names.pass_on(NOW + day * DAY_SECONDS)


async def test_a_worker_reads_only_the_users_own_moves(
    database: Database, location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker reads all moves of one user, and no others."""
    entries = [Entry(n, n % 2, f"move {n}", n) for n in range(2003)]
    for match_id in ("m1", "m2"):
        match = new_lobby(match_id, ADA, BO, stage=Stage.PLAYING, seed=SEED)
        assert await database.journal.create(match, match_id, entries) is None
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    async with Opponents(workers=1) as workers:
        file, is_packed = await workers.ask(OwnData(location, ADA.id, NOW, 1), who=ADA.id)
    assert not is_packed
    told = json.loads(file)
    mine = [entry.n for entry in entries if not entry.seat]
    moves = [(move["match_id"], move["n"]) for move in told["moves"]]
    assert moves == [(match_id, n) for match_id in ("m1", "m2") for n in mine]
    assert (told["form"], told["made_at"], told["names"]) == (3, NOW, [])


async def test_forgetting_a_player_deletes_names_of_earlier_versions(
    database: Database, location: Location
) -> None:
    """An old name is deleted even if an earlier version stored it only at a seat."""
    ended = new_lobby("m1", DEE, CY, stage=Stage.STOPPED, ended_at=NOW)
    assert await database.journal.create(ended, "channel 5") is None
    await database.players.dms(DEE.id, 7)
    await process_names(UnshownNames(database), 0, 2, 93, 95)
    assert await rows_containing(location, DEE.name) == []
    assert await rows_containing(location, DEE.id) != [], "who sat there stays"


async def test_tries_are_stored_only_until_their_day_ends(
    database: Database, location: Location
) -> None:
    """After it, no stored data can connect a question with a forgotten user."""
    await store_live_match(database, "try", DEE, options={"deal": 8}, game="american_toad")
    await database.players.forget(DEE.id, new_placeholder())
    assert await database.journal.knows_deal("american_toad", DEE.id, 8)
    await process_names(UnshownNames(database), 3)
    assert await query_rows(location, "SELECT * FROM forgotten_days") == []
    assert not await database.journal.knows_deal("american_toad", DEE.id, 8)


async def test_the_write_ahead_log_keeps_no_deleted_names(path: Path) -> None:
    """SQLite's write-ahead log no longer contains deleted rows."""
    log = path.with_name(path.name + "-wal")
    database = await open_database(path)
    await database.players.record_names(ADA.id, "Zebedee", "zeb", None, "Zebedee")
    await process_names(UnshownNames(database), 0, 91)
    await database.writer.empty_log()
    assert b"Zebedee" not in log.read_bytes() + path.read_bytes()
    await database.close()
