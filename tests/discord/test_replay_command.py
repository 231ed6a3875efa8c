"""Matches that are over, printed on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from bot.matches.match import Stage
from tests.discord.bot_harness import bot_harness
from tests.discord.recorded_matches import read_recording, store_recording
from tests.test_startup_and_docs import ROOT, assert_single_error, run_bot_command


async def test_replay_prints_only_finished_matches(tmp_path: Path) -> None:
    """``python -m bot replay`` prints a finished match while the bot runs, and refuses a live one.

    Characters outside the console's encoding are escaped, and a closed pipe is no error.
    """
    names = ["Łucja 🐸", "Zoë", "Cleo"]
    async with bot_harness(tmp_path) as place:
        people = [place.person(name) for name in names]
        await store_recording(place, "toad", *people)
        await store_recording(place, "toad", *people, match_id="live", stage=Stage.PLAYING)
        settings = {"RIBIT_DATABASE": str(tmp_path / "ribit.sqlite3")}

        def console(*asked: str, encoding: str) -> str:
            done = run_bot_command(tmp_path, "-m", "bot", *asked, **settings, PYTHONIOENCODING=encoding)
            assert done.returncode == 0, done.stderr
            return done.stdout

        printed = console("replay", "k3v9", encoding="utf-8").splitlines()
        entries = read_recording("toad").entries
        moves = [line.split(": ", 1)[1] for line in printed if not line.startswith("#")]
        assert moves == [entry.text for entry in entries]
        assert "# players: Łucja 🐸, Zoë, Cleo" in printed
        assert "1 Łucja 🐸: draw" in printed
        assert printed[-1] == "# won: Cleo"
        lines = console("replay", "k3v9", encoding="cp1252").splitlines()
        assert "# players: \\u0141ucja \\U0001f438, Zoë, Cleo" in lines
        found = json.loads(console("replay", "k3v9", "--json", encoding="ascii"))
        assert found["players"] == names
        assert [move["move"] for move in found["moves"]] == moves
        assert found["winners"] == [2]
        refused = run_bot_command(tmp_path, "-m", "bot", "replay", "live", **settings)
        assert_single_error(refused, "still being played")
        print_to_closed_pipe(settings)


def print_to_closed_pipe(settings: dict[str, str]) -> None:
    """Print a match to a pipe that is closed, which writes no error."""
    reader, writer = os.pipe()
    os.close(reader)
    cut = subprocess.run(
        [sys.executable, "-m", "bot", "replay", "k3v9"],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=True,
    )
    os.close(writer)
    assert cut.stderr == b""
