"""Deleting a person's data in both databases, by concurrent requests and by a host's command."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.name_sanitizing import is_forgotten, new_placeholder
from bot.games import games
from bot.matches.leaderboard_rules import Uncounted
from bot.matches.match import Entry, Player, Result
from bot.storage.backups import back_up, restore
from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from bot.storage.database_file import is_private
from bot.storage.database_lock import lock_database
from bot.storage.forgetting import ForgottenListError, forget_by_id, own_data
from bot.storage.recount import recount
from bot.storage.sqlite_connections import Connection
from bot.storage.writer import UnreachableDatabaseError
from tests import forked_processes
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import on_sqlite, query_rows, rows_containing
from tests.storage.matches import (
    ADA,
    FROGS,
    NOW,
    TOADS,
    find_match,
    store_finished_match,
    store_live_match,
    store_move,
)
from tests.storage.test_counting import uncounted_reason
from tests.storage.test_recount import OLD

DEE, CY = Player(1234567890123456789, "Wren"), Player(1134567890123456788, "Cygnet")


async def test_two_concurrent_deletions_create_one_anonymous_player(
    database: Database, other: Database, location: Location
) -> None:
    """Two concurrent requests create one anonymous player, and a concurrent move is not lost."""
    for n in range(6):
        await store_finished_match(database, f"over{n}", ADA if n % 2 else DEE, CY)
    await store_live_match(database, "live", DEE, CY)
    before = await find_match(database, "live")
    await asyncio.gather(
        database.players.forget(DEE.id, new_placeholder()),
        other.players.forget(DEE.id, new_placeholder()),
        *(store_move(other, "live", Entry(n, n % 2, "pass")) for n in range(2)),
    )
    assert await rows_containing(location, DEE.id, DEE.name) == []
    ids = {row[0] for row in await query_rows(location, "SELECT player_id FROM seats")}
    assert len([each for each in ids if is_forgotten(each)]) == 1
    assert ids >= {ADA.id, CY.id}
    after = await find_match(database, "live")
    [(moves,)] = await query_rows(location, "SELECT count(*) FROM moves WHERE match_id = 'live'")
    assert after.version == before.version + 1 + moves


@pytest.mark.parametrize(
    "played",
    [
        f"duel_tries VALUES ('toad', 20260101, {DEE.id}, {FROGS}, 'Wren', '', 1, 0)",
        f"challenge_tries VALUES (7, {DEE.id}, 'Wren', '', 1, 0)",
    ],
)
async def test_the_data_download_includes_bans_before_the_first_match(
    database: Database, location: Location, played: str
) -> None:
    """The download names the servers that ban a player who has only played duels or challenges there."""
    challenge = f"7, 'toad', {FROGS}, 5, 5, '00', 3, 1, 1, 1, 2, 'over', 0"
    await query_rows(location, f"INSERT INTO challenges VALUES ({challenge})")
    await query_rows(location, f"INSERT INTO {played}")
    barred = frozenset({DEE.id})
    await database.servers.change(FROGS, lambda settings: replace(settings, barred=barred))
    own = await database.surveying.run(lambda sql: own_data(sql, DEE.id))
    assert own["barred_in"] == [{"guild_id": FROGS}]


async def test_attempts_at_a_deleted_challenge_are_downloadable_and_deletable(
    database: Database, location: Location
) -> None:
    """A challenge is deleted after 90 days, up to four days before the last attempts at it."""
    await query_rows(location, f"INSERT INTO challenge_tries VALUES (7, {DEE.id}, 'Wren', '2200', 1, 2)")
    own = await database.surveying.run(lambda sql: own_data(sql, DEE.id))
    assert [row["scores"] for row in own["challenge_tries"]] == ["2200"]
    await database.players.forget(DEE.id, new_placeholder())
    assert await rows_containing(location, DEE.id, "Wren") == []


async def test_dm_message_records_are_downloadable_and_deletable(
    database: Database, location: Location
) -> None:
    """Lines that the bot could not remove from a player's DMs are in the download, and are forgotten."""
    await store_finished_match(database, "over", DEE, CY)
    await database.players.dms(DEE.id, 4242)
    for slot, channel_id, message_id in (("turn 3", 4242, 5151), ("nudge 5", 77, 6161)):
        await database.posts.store_message("over", slot, channel_id, message_id)
    own = await database.surveying.run(lambda sql: own_data(sql, DEE.id))
    assert [row["message_id"] for row in own["messages"]] == [5151]
    await database.players.forget(DEE.id, new_placeholder())
    assert await rows_containing(location, 4242, 5151) == []
    assert len(await rows_containing(location, 6161)) == 1, "the other player's"


async def test_the_command_lists_data_and_deletes_it_on_confirmation(path: Path) -> None:
    """The command lists the data and deletes it on confirmation.

    Boards can be recomputed as before.
    """
    shutil.copy(OLD, path)
    await (await open_database(path)).close()
    await recount(path, games(), is_applied=True)

    def said(*words: str, code: int = 0) -> str:
        environment = {"RIBIT_DATABASE": str(path), "PATH": ""}
        done = forked_processes.run_program(
            "bot", "forget", *words, folder=path.parent, environment=environment
        )
        assert done.returncode == code
        return done.stdout + done.stderr

    [(ida,)] = await query_rows(path, "SELECT player_id FROM seats WHERE name = 'Ida' LIMIT 1")
    before = await rows_containing(path, ida, "Ida")
    asked = said(str(ida))
    assert "They are called Ida" in asked
    assert "Nobody is forgotten yet" in asked
    assert await rows_containing(path, ida, "Ida") == before != []
    assert "the number that Discord has" in said("Ida", code=2)
    async with lock_database(path):
        assert "Stop" in said(str(ida), "--yes", code=1)
    assert "They are forgotten" in said(str(ida), "--yes")
    assert await rows_containing(path, ida, "Ida") == []
    file = path.read_bytes()
    assert not [trace for trace in (b"Ida", ida.to_bytes(8, "big")) if trace in file], "between the rows"
    assert "sat: 0." in said(str(ida), "--yes")
    assert (await recount(path, games(), is_applied=True)).changes == ()
    database = await open_database(path)
    left = await database.players.seats_left()
    await database.close()
    assert all(is_forgotten(player_id) for _match_id, player_id in left)


async def test_a_deleted_player_cannot_retry_the_days_deal(
    database: Database, location: Location
) -> None:
    """An account that is forgotten keeps today's deal until the day is over, but nobody's wins."""
    deal = {"options": {"deal": 8}, "game": "american_toad"}
    await store_live_match(database, "try", DEE, **deal)
    await store_finished_match(database, "m", ADA, DEE, winner=ADA)
    await database.players.forget(DEE.id, new_placeholder())
    assert await query_rows(location, "SELECT * FROM wins_over WHERE loser_id <> 0") == []
    assert await database.journal.knows_deal("american_toad", DEE.id, 8)
    assert not await database.journal.knows_deal("american_toad", DEE.id, 9)
    assert not await database.journal.knows_deal("american_toad", CY.id, 8)
    await store_live_match(database, "again", DEE, **deal, opened_at=NOW + 9)
    assert await store_move(database, "again", Entry(0, 0, "up"), (Result(0, True, {}),))
    assert await uncounted_reason(database, "again") is Uncounted.AGAIN
    await database.players.forget(DEE.id, new_placeholder())
    assert await rows_containing(location, DEE.id, DEE.name) == []


async def test_deleting_a_player_keeps_the_removal_from_boards(
    database: Database, location: Location
) -> None:
    """A player removed from boards stays removed by ID, and so does the anonymous player."""
    for kind in ("player", "name"):
        off = f"({FROGS}, '{kind}', '{DEE.id}', 9, 20, NULL, NULL)"
        await query_rows(location, f"INSERT INTO removals VALUES {off}")
    await store_finished_match(database, "m1", DEE, CY, winner=DEE)
    await store_finished_match(database, "m2", DEE, CY, winner=DEE, guild_id=TOADS)
    await database.players.forget(DEE.id, new_placeholder())
    kept = await rows_containing(location, DEE.id, DEE.name)
    assert [row.split()[0] for row in kept] == ["removals", "removals"]
    await store_finished_match(database, "m3", DEE, CY, winner=DEE)
    assert [row.name for row in await leaderboard_reader(database).leaderboard(FROGS, "toad", 0, 9)] == [
        CY.name
    ]
    await database.close()
    await recount(location, games(), is_applied=True)
    board = "SELECT count(*) FROM totals WHERE guild_id = 100 AND wins > 0"
    assert await query_rows(location, board) == [(0,)]


async def test_each_server_gets_its_own_anonymous_player(database: Database, location: Location) -> None:
    """After deletion a player's matches in different servers cannot be linked to each other."""
    seen = Player(DEE.id, DEE.name, interaction=77)
    facts: dict[str, Any] = {"secret": b"s" * 32, "started_by": 78}
    await store_finished_match(database, "m1", seen, CY, winner=CY, **facts)
    await store_finished_match(database, "m2", seen, CY, winner=CY, guild_id=TOADS, **facts)
    await store_finished_match(database, "m3", seen, CY, winner=CY, guild_id=TOADS, **facts)
    await store_finished_match(database, "alone", seen, **facts)
    await database.players.forget(DEE.id, new_placeholder())
    nameless = "FROM seats AS s WHERE s.player_id > 4611686018427387903 AND s.match_id"
    ids = await query_rows(
        location, f"SELECT s.player_id {nameless} IN ('m1', 'm2', 'm3') ORDER BY s.match_id"
    )
    assert len({row[0] for row in ids}) == 2
    assert ids[1] == ids[2]
    assert (
        len(
            await query_rows(
                location, "SELECT DISTINCT player_id FROM totals WHERE wins = 0 AND matches > 0"
            )
        )
        == 3
    )
    assert await query_rows(location, f"SELECT interaction {nameless} = 'm1'") == [(77,)]
    assert await query_rows(location, f"SELECT interaction {nameless} = 'alone'") == [(0,)]
    alone_ = "SELECT secret, started_by FROM matches WHERE id = 'alone'"
    assert await query_rows(location, alone_) == [(None, 0)]


async def test_deleting_a_player_empties_the_write_ahead_log(path: Path) -> None:
    """SQLite's write-ahead log is emptied, if necessary after a reader has finished."""
    log, sought = path.with_name(path.name + "-wal"), (DEE.name.encode(), DEE.id.to_bytes(8, "big"))
    database = await open_database(path)
    await store_finished_match(database, "m1", DEE, CY, winner=DEE)
    await database.players.record_names(DEE.id, DEE.name, "dee", FROGS, DEE.name)
    assert [each for each in sought if each in log.read_bytes()] == [*sought]
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM seats").fetchone()
        await database.players.forget(DEE.id, new_placeholder())
        await database.writer.empty_log()
        assert DEE.name.encode() in log.read_bytes()
        reader.execute("COMMIT")
    await database.writer.empty_log()
    assert not [each for each in sought if each in log.read_bytes() + path.read_bytes()]
    await database.close()


async def test_the_deletion_list_has_no_duplicate_ids(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forgetting an unknown player again lists nothing, and the list is not read each time."""
    listed, reads = path.with_name(path.name + ".forgotten"), list[Path]()
    read_text = Path.read_text

    def read(file: Path, *asked: Any) -> str:
        reads.extend([file] * (file == listed))
        return read_text(file, *asked)

    monkeypatch.setattr(Path, "read_text", read)
    database = await open_database(path)
    for life in (1, 2):
        await store_finished_match(database, f"m{life}", DEE, CY, winner=DEE)
        for _press in range(3):
            await database.players.forget(DEE.id, new_placeholder())
        assert len(listed.read_bytes().splitlines()) == 1 + life, "a key, and a line for each life"
    await database.close()
    assert reads == []


async def test_a_restore_deletes_data_of_deleted_players_again(path: Path, tmp_path: Path) -> None:
    """A restore deletes the data of forgotten players again.

    A player who had returned before the backup stays. The list holds no names.
    """
    copies = [tmp_path / f"copy{n}" for n in range(3)]
    database = await open_database(path)
    await store_finished_match(database, "m1", DEE, CY, winner=DEE)
    back_up(path, copies[0])
    await database.players.forget(DEE.id, new_placeholder())
    back_up(path, copies[1])
    await store_finished_match(database, "m2", DEE, ADA, winner=DEE)
    back_up(path, copies[2])
    await database.close()
    listed = path.with_name(path.name + ".forgotten")
    assert is_private(listed)
    assert str(DEE.id) not in listed.read_text("utf-8")
    for copy, is_known in ((copies[2], True), (copies[1], False), (copies[0], False)):
        restore(copy, path)
        await (await open_database(path)).close()
        assert bool(await rows_containing(path, DEE.id, DEE.name)) is is_known
    database = await open_database(path)
    await database.players.forget(CY.id, new_placeholder())
    await database.close()
    restore(copies[0], path)
    await (await open_database(path)).close()
    assert await rows_containing(path, DEE.id, DEE.name, CY.name) == []

    listed.unlink()  # a new list knows how many were forgotten before it
    for is_known in (True, False):
        restore(copies[1], path)
        database = await open_database(path)
        assert bool(await rows_containing(path, CY.id, CY.name)) is is_known
        await database.players.forget(CY.id, new_placeholder())
        await database.close()


async def test_a_recreated_deletion_list_keeps_returning_players(path: Path) -> None:
    """Empty lines of a recreated list delete no player, so a player who came back keeps new matches."""
    database = await open_database(path)
    await store_finished_match(database, "m1", DEE, CY, winner=DEE)
    await database.players.forget(DEE.id, new_placeholder())
    await store_finished_match(database, "m2", DEE, CY, winner=DEE)
    await database.close()
    listed = path.with_name(path.name + ".forgotten")
    key, line = listed.read_text("ascii").splitlines()
    listed.write_text("\n".join((key, *[""] * 10, line)), "ascii")
    await query_rows(path, "UPDATE notes SET value = '11' WHERE key = 'forgettings'")
    database = await open_database(path)
    await database.players.forget(CY.id, new_placeholder())
    await database.close()
    await (await open_database(path)).close()
    assert await rows_containing(path, DEE.id) != []
    assert await rows_containing(path, CY.id) == []


# ---- a list that cannot be used ------------------------------------------------------------------


async def test_a_start_refuses_an_unusable_deletion_list(path: Path) -> None:
    """A start with an unusable list names the list and exits with 78, since retries do not help."""
    await (await open_database(path)).close()
    path.with_name(f"{path.name}.forgotten").mkdir()
    with pytest.raises(ForgottenListError, match=r"ribit\.sqlite3\.forgotten"):
        await open_database(path)
    with pytest.raises(ForgottenListError, match=r"ribit\.sqlite3\.forgotten"):
        await forget_by_id(path, DEE.id, is_applied=True)


@on_sqlite
async def test_a_locked_database_asks_the_player_to_try_again(database: Database, path: Path) -> None:
    """A player whose request meets a locked database is asked to try again.

    All waiting requests fail at once, and later ones succeed.
    """
    writing = database._connections[0]
    assert isinstance(writing, Connection)
    await writing.hop(lambda raw: raw.execute("PRAGMA busy_timeout = 0"))
    await store_live_match(database, "live", DEE, CY)
    told_of: list[bool] = []
    database.halt.watch(told_of.append)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnreachableDatabaseError):
            await database.players.forget(DEE.id, new_placeholder())
        assert not await writing.empty_log()
    await writing.hop(lambda raw: raw.execute("PRAGMA busy_timeout = 0"))
    await database.players.forget(DEE.id, new_placeholder())
    assert told_of == [True, False]
    assert await rows_containing(path, DEE.id, DEE.name) == []
