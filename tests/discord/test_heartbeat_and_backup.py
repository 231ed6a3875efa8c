"""Heartbeat and backup, for the operators of the bot."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from bot.__main__ import main
from bot.app import _current_time
from bot.requests.invitation import invite_link
from bot.storage.database_file import lock_alone
from bot.storage.database_lock import BEAT_SECONDS, note_holder
from bot.storage.file_probe import read_note
from bot.storage.liveness import ALIVE, is_fresh
from tests.discord.bot_harness import bot_harness
from tests.discord.toad_player import true_state

LONG = 10 * 60


def database_path(folder: Path) -> Path:
    return folder / "ribit.sqlite3"


def alive_at(folder: Path) -> int | None:
    noted = read_note(database_path(folder), ALIVE)
    return None if noted is None else int(noted)


# ---- the heartbeat -------------------------------------------------------------------------------


async def test_a_connected_bot_renews_its_heartbeat(tmp_path: Path) -> None:
    """The heartbeat is current when the bot is ready, and is renewed often enough to stay fresh."""
    async with bot_harness(tmp_path) as place:
        assert alive_at(tmp_path) == _current_time()
        await place.env.advance_time(LONG)
        assert is_fresh(alive_at(tmp_path), _current_time())


async def test_a_disconnected_bot_is_not_reported_healthy(tmp_path: Path) -> None:
    """Without its gateway connection the heartbeat grows stale. Once reconnected it is fresh."""
    async with bot_harness(tmp_path) as place:
        shard = place.bot.shards[0]
        await shard.disconnect()
        cut_off_at = _current_time()
        await place.env.advance_time(LONG)
        assert alive_at(tmp_path) == cut_off_at
        assert not is_fresh(alive_at(tmp_path), _current_time())
        await shard.connect()
        await place.env.advance_time(LONG)
        assert is_fresh(alive_at(tmp_path), _current_time())


async def test_a_day_without_the_gateway_counts_as_an_outage(tmp_path: Path) -> None:
    """A day without a connection to Discord counts as an outage, even if the bot was running."""
    async with bot_harness(tmp_path) as place:
        shard, outages = place.bot.shards[0], place.bot.database.outages
        await shard.disconnect()
        await place.env.advance_time(13 * 60 * 60)
        assert await outages.off_days() == set()
        await shard.connect()
        await place.env.advance_time(LONG)
        assert await outages.off_days() == {place.env.now().date()}


async def test_a_clean_shutdown_removes_the_heartbeat(tmp_path: Path) -> None:
    """An orderly end removes the note of the heartbeat, so that a restore need not wait."""
    async with bot_harness(tmp_path) as place:
        await place.bot.close()
        assert alive_at(tmp_path) is None
        await place.restart()
        assert alive_at(tmp_path) == _current_time()


async def test_the_heartbeat_continues_after_a_failed_write(tmp_path: Path) -> None:
    """The heart does not stop for a database that fails for a while."""

    def rename(old: str, new: str) -> None:
        with closing(sqlite3.connect(database_path(tmp_path))) as connection:
            connection.execute(f"ALTER TABLE {old} RENAME TO {new}")

    async with bot_harness(tmp_path) as place:
        rename("notes", "lost")
        await place.env.advance_time(BEAT_SECONDS)
        assert [fault["event"] for fault in place.faults()] == ["sign of life not stored"]
        rename("lost", "notes")
        await place.env.advance_time(LONG)
        assert is_fresh(alive_at(tmp_path), _current_time())


async def test_the_heartbeat_continues_after_a_write_conflict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The heart does not stop for a PostgreSQL server that refuses a write again and again."""

    async def refuse(*_about: object) -> None:
        raise asyncpg.SerializationError

    async with bot_harness(tmp_path) as place:
        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.recovery.note_alive", refuse)
            await place.env.advance_time(BEAT_SECONDS)
        assert len(place.faults()) == 1
        await place.env.advance_time(LONG)
        assert is_fresh(alive_at(tmp_path), _current_time())


async def test_a_lost_database_is_logged_by_the_next_heartbeat(tmp_path: Path) -> None:
    """The next heartbeat logs that the database is lost, even if no user plays."""
    async with bot_harness(tmp_path) as place:
        database_path(tmp_path).unlink()
        await place.env.advance_time(BEAT_SECONDS)
        assert [fault["event"] for fault in place.faults()] == ["storage failed, games are paused"]


def test_a_heartbeat_from_the_future_is_not_fresh() -> None:
    """A clock that was set back does not keep a bot that has ended alive."""
    assert is_fresh(1_000_000, 1_000_000 - 1)
    assert not is_fresh(1_000_000, 1_000_000 - LONG)


# ---- the story of a backup -------------------------------------------------------------------------


async def test_a_match_continues_from_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a restore, a match continues from its state at the time of the backup."""
    monkeypatch.chdir(tmp_path)
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        await place.reminded_player.press("End turn")
        mover, at_backup = place.reminded_player, await true_state(place)
        capsys.readouterr()
        assert main(["backup", "saturday.sqlite3"]) == 0
        assert capsys.readouterr().out == (
            "Backed up to saturday.sqlite3: matches: 1 (live: 1), players: 2.\n"
        )

        await mover.press("End turn")
        assert "Round 1 is over" in place.table.text
        with lock_alone(database_path(tmp_path)):
            assert main(["restore", "saturday.sqlite3"]) == 1
        assert "Stop it first" in capsys.readouterr().err

        await place.bot.close()
        capsys.readouterr()
        assert main(["restore", "saturday.sqlite3"]) == 0
        assert "ribit.sqlite3.before-restore" in capsys.readouterr().out
        await place.restart()
        assert await true_state(place) == at_backup
        assert "Round 1 is over" not in place.table.text
        await mover.press("End turn")
        assert "Round 1 is over" in place.table.text


async def test_a_restored_bot_syncs_its_commands_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restore, the commands are synced again, because they may have changed since the backup."""
    monkeypatch.chdir(tmp_path)
    async with bot_harness(tmp_path) as place:

        def synced() -> int:
            return sum(request.method == "PUT" for request in place.env.http_requests)

        assert main(["backup", "copy"]) == 0
        await place.restart()
        assert synced() == 1
        await place.bot.close()
        assert main(["restore", "copy"]) == 0
        await place.restart()
        assert synced() == 2


# ---- health, asked on the command line -------------------------------------------------------------


async def test_health_distinguishes_fresh_stale_and_missing_heartbeats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``health`` exits with 0 only while the bot is connected, and otherwise with 1 and advice."""
    monkeypatch.chdir(tmp_path)
    assert main(["health"]) == 1
    assert "No bot is running" in capsys.readouterr().err

    async def said(ago: int, code: int) -> str:
        capsys.readouterr()
        await place.bot.database.notes.store_note("alive", str(int(time.time()) - ago))
        assert await asyncio.to_thread(main, ["health"]) == code
        said = capsys.readouterr()
        await asyncio.to_thread(main, ["doctor", "--offline"])
        (judged,) = [each for each in capsys.readouterr().out.splitlines() if "ot is running" in each]
        assert ("No bot is running" in judged) == ("No bot is running" in said.err)
        return said.err if code else said.out

    async with bot_harness(tmp_path) as place:
        with lock_alone(database_path(tmp_path)):
            await note_holder(place.bot.database.notes, 0)
            assert "is connected: noted " in await said(0, 0)
            assert "was last connected 36" in await said(3600, 1)
            assert "before the clock was set back" in await said(-86392, 1)
        assert "No bot is running" in await said(0, 1)  # as after a ``kill -9``
    capsys.readouterr()
    assert main(["health"]) == 1
    assert "No bot is running" in capsys.readouterr().err


def test_health_rejects_an_unreadable_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``health`` exits with 1 for a file that is not a database."""
    monkeypatch.chdir(tmp_path)
    database_path(tmp_path).write_text("Dear frog" * 1000)
    assert main(["health"]) == 1
    assert "No bot is running" in capsys.readouterr().err
    with lock_alone(database_path(tmp_path)):
        assert main(["health"]) == 1
    assert "is not a database" in capsys.readouterr().err


async def test_a_bot_in_no_server_logs_its_invite_link(tmp_path: Path) -> None:
    """The log has the link after a login while the bot is in no server, and only then."""
    async with bot_harness(tmp_path) as place:
        link = invite_link(place.env.backend.application_id)
        told = ["info"]  # before the harness adds the bot to a server
        assert [line["log_level"] for line in place.logs if link in line["event"]] == told
        await place.restart()
        assert [line["log_level"] for line in place.logs if link in line["event"]] == told
