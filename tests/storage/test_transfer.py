"""The transfer of a database of either type into an empty one of either type."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.games import games
from bot.matches.match import Entry, Player, Result, fold, opening
from bot.matches.server_settings import ServerSettings
from bot.storage.database import open_database
from bot.storage.database_address import DatabaseInUseError, Location, RefusedDatabaseError, Server
from bot.storage.database_lock import OldDatabaseError, lock_database, note_alive
from bot.storage.migrate import migrate, migrations
from bot.storage.sqlite_connections import connect
from bot.storage.transfer import MoveError, move, tables
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import BOTH, query_rows
from tests.storage.matches import ADA, BO, CY, FROGS, store_finished_match, store_live_match, store_move

TOAD = games()["toad"]
NAMES = ("Ångström 🐸", "Фрог", "ab", "Ab", "aB", "ÿ", "蛙", "z\u0301")
"""Names whose order depends on the language by which texts are compared."""


async def fill_database(location: Location) -> None:
    """Fill a database with live and finished matches of real moves, notes, messages and settings."""
    database, chance = await open_database(location), random.Random(7)
    for number in range(3):
        match = await store_live_match(database, f"live {number}", ADA, BO)
        state, n = opening(TOAD, match), 0
        while n < 12 and (seat := TOAD.to_move(state)) is not None:
            move = chance.choice(TOAD.legal_moves(state))
            assert await store_move(database, match.id, Entry(n, seat, TOAD.write(move)))
            state, n = TOAD.play(state, move), n + 1
    for number, name in enumerate(NAMES):
        player = Player(2**62 + number, name)
        await store_finished_match(database, name, player, CY, winner=player, figures={"pot": number})
        await database.posts.store_message(name, f"spot of {name}", 5, 2**63 - 1)
        await database.notes.store_note(name, name)
    await database.servers.change(FROGS, lambda _before: ServerSettings(60, language="de"))
    await database.players.record_locale(ADA.id, "de")
    await note_alive(database.notes, 1_800_000_000)
    await database.close()


async def all_rows(location: Location) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table except temporary notes."""
    return {
        table.name: [
            row
            for row in await query_rows(location, table.all_rows)
            if row[0] not in ("alive", "holder")
        ]
        for table in tables()
    }


@pytest.fixture(params=BOTH)
async def source(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Location:
    """A database with content in every table."""
    location: Location = tmp_path / "source.sqlite3" if request.param == "sqlite" else server
    await fill_database(location)
    return location


@pytest.fixture(params=BOTH)
def target(request: pytest.FixtureRequest, tmp_path: Path, new_server: Server) -> Location:
    """An empty target of the transfer."""
    return tmp_path / "target.sqlite3" if request.param == "sqlite" else new_server


async def test_a_transfer_copies_every_row_and_live_matches_continue(
    source: Location, target: Location
) -> None:
    """Every row is copied in the same order, and a live match goes on with the next move."""
    holding = await move(source, target)
    assert str(holding) == f"matches: {3 + len(NAMES)} (live: 3), players: {3 + len(NAMES)}"
    assert await all_rows(target) == await all_rows(source)
    assert await query_rows(target, "SELECT * FROM notes WHERE key = 'alive'") == []
    before, after = await open_database(source), await open_database(target)
    records = [await database.journal.load("live 1") for database in (before, after)]
    states = [fold(TOAD, *record) for record in records if record is not None]
    assert states[0] == states[1]
    assert await store_move(after, "live 1", Entry(12, 0, "draw"), (Result(0, True, {"pot": 1}),))
    board = await leaderboard_reader(after).leaderboard(FROGS, "toad", 0, 20)
    assert board[0].name in {"Ada", *NAMES}
    for database in (before, after):
        await database.close()


async def test_a_transfer_never_overwrites_existing_data(source: Location, target: Location) -> None:
    """A target with any content is left unchanged, even after a transfer."""
    await move(source, target)
    before = await all_rows(target)
    with pytest.raises(MoveError, match="not empty"):
        await move(source, target)
    assert await all_rows(target) == before


async def test_a_row_changed_during_the_transfer_aborts_it(tmp_path: Path, server: Server) -> None:
    """A row that changes in the transfer raises an error, and the target stays empty."""
    source = tmp_path / "source.sqlite3"
    await fill_database(source)
    await query_rows(
        server,
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN NEW.name := lower(NEW.name); RETURN NEW; END$$",
    )
    each = "BEFORE INSERT ON seats FOR EACH ROW"
    await query_rows(server, f"CREATE TRIGGER spoils {each} EXECUTE FUNCTION spoil()")
    with pytest.raises(MoveError, match="seats"):
        await move(source, server)
    assert not any((await all_rows(server)).values())


async def test_a_running_bot_prevents_the_transfer(
    source: Location, target: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that runs on either database prevents the transfer."""
    monkeypatch.setattr("bot.storage.database_server.PATIENCE_SECONDS", 0)
    for held in (source, target):
        async with lock_database(held):
            with pytest.raises(DatabaseInUseError, match="Another Ribit runs"):
                await move(source, target)


async def test_invalid_transfer_sources_are_refused(tmp_path: Path, new_server: Server) -> None:
    """Some sources are refused with a sentence each.

    They are a missing one, the target itself, an unused database and one of an older version.
    """
    missing, old = tmp_path / "missing.sqlite3", tmp_path / "old.sqlite3"
    connection = await connect(old)
    await migrate(connection, migrations()[:5])
    await connection.close()
    with pytest.raises(RefusedDatabaseError, match="no database"):
        await move(missing, new_server)
    assert not missing.exists()
    with pytest.raises(MoveError, match="into itself"):
        await move(old, old)
    with pytest.raises(MoveError, match="has not used"):
        await move(new_server, tmp_path / "target.sqlite3")
    with pytest.raises(OldDatabaseError, match="version 5"):
        await move(old, new_server)
