"""A database file that goes away, or has no room, under a bot that runs: players and health say so."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bot.__main__ import FAILED
from tests.wire.program import ROOT
from tests.wire.world import World, deal, until, world

TOLD = re.compile("play has stopped|das Spiel ruht")
TINY = 1024
"""No file can be written beyond so many bytes."""


def health(place: World, *, room: int | None = None) -> subprocess.CompletedProcess[str]:
    """Ask for the bot's health as a container does, with no more than this room on the disk."""
    prepare = None
    if room is not None:
        import resource  # noqa: PLC0415 — there is none on Windows

        prepare = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    return subprocess.run(
        [sys.executable, "-m", "bot", "health"],
        cwd=place.program.database.parent,
        env={**os.environ, "RIBIT_DATABASE": str(place.program.database), "PYTHONPATH": str(ROOT)},
        preexec_fn=prepare,
        capture_output=True,
        text=True,
        check=False,
    )


def delete(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
@pytest.mark.parametrize(("lose", "told"), [(delete, "was deleted"), (replace, "was replaced")])
async def test_a_file_that_goes_away(tmp_path: Path, lose: Callable[[Path], None], told: str) -> None:
    """The next click is told that play stops and makes no move; health says what happened."""
    async with world(tmp_path, seed=4) as place:
        await place.begin()
        assert await place.connected()
        user, channel = place.server.person("Ann"), place.server.channel("pond")
        await deal(place, user, channel)
        lose(place.program.database)
        [*_others, before] = [one for one in place.crowd.seen(user, channel.id) if one.move]
        assert (await place.crowd.press(user, before)).acknowledged
        answers = place.server.backend.messages[channel.id]
        await until(lambda: any(TOLD.search(str(answer.components)) for answer in answers.values()))
        [*_others, after] = [one for one in place.crowd.seen(user, channel.id) if one.move]
        assert after.move == before.move
        asked = health(place)
        assert (asked.returncode, asked.stdout) == (FAILED, "")
        assert told in asked.stderr
        place.program.kill()
        await place.program.ended()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on files")
async def test_health_on_a_full_disk(tmp_path: Path) -> None:
    """With room a bot that is connected is well; where nothing can be written it is not."""
    async with world(tmp_path, seed=4) as place:
        await place.begin()
        assert await place.connected()
        await until(lambda: health(place).returncode == 0)
        asked = health(place, room=TINY)
        assert asked.returncode == FAILED
        assert "Nothing can be written" in asked.stderr
        place.program.ask_to_stop()
        assert await place.end(0) == []
