"""Players and the health check learn of a database file that is deleted or has no room."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.__main__ import UNCONFIGURED
from bot.console import FAILED
from tests.wire.environment import World, deal_solitaire, open_world, wait_until
from tests.wire.program import ROOT, Program

TOLD = re.compile("play has stopped|das Spiel ruht")
TINY = 1024
"""Limit of a file's size in bytes."""


def run_health_check(place: World, *, room: int | None = None) -> subprocess.CompletedProcess[str]:
    """Check the bot's health like a container, with at most this much room on the disk."""
    return run_command(place, "health", room=room)


def run_command(place: World, *words: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command beside the bot."""
    prepare = None
    if room is not None:
        import resource  # noqa: PLC0415 — there is none on Windows

        prepare = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=place.program.database.parent,
        env={**os.environ, "RIBIT_DATABASE": str(place.program.database), "PYTHONPATH": str(ROOT)},
        preexec_fn=prepare,
        capture_output=True,
        text=True,
        check=False,
    )


def delete_file(path: Path) -> None:
    path.unlink()


def replace_with_copy(path: Path) -> None:
    copy = path.with_name("copy")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # with all that the bot has noted, a moment ago
    copy.replace(path)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("lose", [delete_file, replace_with_copy])
async def test_a_deleted_database_stops_moves_and_fails_health(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    """The next click reports the stop without a move, and health reports the deleted file.

    Stopping, ``restore`` and a new start repair it, as the docs say.
    """
    async with open_world(tmp_path, seed=4) as place:
        await place.begin()
        assert await place.connected()
        user, channel = place.server.person("Ann"), place.server.channel("pond")
        await deal_solitaire(place, user, channel)
        await wait_until(lambda: run_health_check(place).returncode == 0)
        assert run_command(place, "backup", "saturday").returncode == 0
        lose(place.program.database)
        [*_others, before] = [one for one in place.crowd.seen(user, channel.id) if one.move]
        assert (await place.crowd.press(user, before)).acknowledged
        answers = place.server.backend.messages[channel.id]
        await wait_until(lambda: any(TOLD.search(str(answer.components)) for answer in answers.values()))
        [*_others, after] = [one for one in place.crowd.seen(user, channel.id) if one.move]
        assert after.move == before.move
        if lose is delete_file:
            asked = run_health_check(place)
            assert (asked.returncode, asked.stdout) == (FAILED, "")
            assert "was deleted" in asked.stderr
        place.program.ask_to_stop()
        await place.gone(0)
        restored = run_command(place, "restore", "saturday")
        assert restored.returncode == 0, restored.stderr
        await place.begin()
        assert await place.connected()
        await wait_until(lambda: run_health_check(place).returncode == 0)
        place.program.kill()
        await place.program.ended()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
async def test_a_deleted_database_does_not_allow_a_second_bot(tmp_path: Path) -> None:
    """No second bot starts after a database's files are deleted.

    Without the lock file the first bot ends.
    """
    async with open_world(tmp_path, seed=4) as place:
        await place.begin()
        assert await place.connected()
        for file in tmp_path.glob("ribit.sqlite3*"):
            file.unlink()
        second = Program(tmp_path, place.program.address)
        second.starts = 7
        await second.start()
        try:
            async with asyncio.timeout(60):
                assert await second.ended() == UNCONFIGURED
        finally:
            second.kill()
            await second.ended()
        assert "Another Ribit runs" in second.log.read_text("utf-8")
        for file in tmp_path.glob(".ribit*"):
            file.unlink()
        async with asyncio.timeout(60):
            assert await place.program.ended() == UNCONFIGURED
        assert "was deleted or replaced" in place.program.log.read_text("utf-8").splitlines()[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on files")
async def test_health_fails_on_a_full_disk(tmp_path: Path) -> None:
    """Health is good for a connected bot with room on the disk, and bad if nothing can be written."""
    async with open_world(tmp_path, seed=4) as place:
        await place.begin()
        assert await place.connected()
        await wait_until(lambda: run_health_check(place).returncode == 0)
        asked = run_health_check(place, room=TINY)
        assert asked.returncode == FAILED
        assert "Nothing can be written" in asked.stderr
        place.program.ask_to_stop()
        assert await place.end(0) == []
