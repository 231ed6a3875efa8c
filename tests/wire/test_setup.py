"""From an empty folder to a table, by ``ribit setup`` alone."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.requests.invitation import invite_link
from bot.settings import NAMES
from bot.setup import CONTAINERS
from tests.local_discord import serve_discord
from tests.wire.environment import deal_solitaire, open_world
from tests.wire.program import ROOT, TOKEN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")

AT_ADDRESS = (
    "import signal, sys, discord.http; discord.http.Route.BASE = sys.argv.pop(1);"
    "signal.signal(signal.SIGINT, signal.default_int_handler);"  # some shells start tests without it
    "from bot.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


class Terminal:
    """The program on a terminal of its own, in an empty folder."""

    def __init__(self, folder: Path, address: str, *arguments: str) -> None:
        self._terminal, inner = pty.openpty()
        kept = {name: text for name, text in os.environ.items() if name not in CONTAINERS}
        for name in NAMES:
            kept.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_ADDRESS, address, *arguments],
            cwd=folder,
            env={**kept, "PYTHONPATH": str(ROOT)},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.screen = ""

    def wait_for(self, word: str) -> None:
        """Read the screen until it has a word."""
        until = time.monotonic() + 120
        while word not in self.screen:
            ready, _, _ = select.select([self._terminal], [], [], 1)
            assert time.monotonic() < until, self.screen
            if ready:
                try:
                    self.screen += os.read(self._terminal, 4096).decode()
                except OSError:  # the program has ended
                    assert word in self.screen, self.screen

    def type(self, line: str) -> None:
        os.write(self._terminal, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, and once more if the program still runs after 40 seconds.

        Python notices no signal that arrives between its last check and a blocking read.
        """
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)

    def join(self) -> int:
        """Wait for the end, read the rest of the screen and return the exit code."""
        code = self.process.wait(120)
        while True:
            try:
                self.screen += os.read(self._terminal, 4096).decode()
            except OSError:
                os.close(self._terminal)
                return code


@pytest.fixture
def address() -> Iterator[str]:
    with serve_discord() as (_handler, base):
        yield base


def test_the_terminal_does_not_show_the_token(tmp_path: Path, address: str) -> None:
    """The token is never on the screen."""
    host = Terminal(tmp_path, address, "setup")
    host.wait_for("Paste the token")
    host.type("good")
    host.wait_for("Start Ribit now? [Y/n]")
    host.type("n")
    assert host.join() == 0, host.screen
    assert "good" not in host.screen
    assert (tmp_path / ".env").read_text("utf-8") == "DISCORD_TOKEN=good\n"


def test_ctrl_c_during_the_setup_writes_nothing(tmp_path: Path, address: str) -> None:
    """``run`` offers the setup. Ctrl-C ends it with a sentence, and nothing is written."""
    host = Terminal(tmp_path, address)
    host.wait_for("Set Ribit up now? [Y/n]")
    host.type("")
    host.wait_for("Paste the token")
    host.interrupt()
    assert host.join() == 1
    assert host.screen.splitlines()[-1] == "Stopped, and nothing was written."
    assert list(tmp_path.iterdir()) == []


async def test_a_new_host_can_set_up_and_play(tmp_path: Path) -> None:
    """The host answers two questions, follows the link, and a player deals a solitaire."""
    async with open_world(tmp_path, seed=3) as place:
        place.ledger.begin_life(place.process)
        folder = tmp_path / "empty"
        folder.mkdir()
        host = Terminal(folder, f"http://{place.server.address}/api/v10", "setup")

        def answer() -> None:
            host.wait_for("Paste the token")
            host.type(TOKEN)
            host.wait_for("Start Ribit now? [Y/n]")
            host.type("")

        await asyncio.to_thread(answer)
        async with asyncio.timeout(60):
            await place.gateway.connected.wait()
        assert invite_link(place.server.backend.application_id) in host.screen
        place.program.database = folder / "ribit.sqlite3"
        await deal_solitaire(place, place.server.person("Ann"), place.server.channel("pond"))
        host.process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(host.join) == 0, host.screen
        assert TOKEN not in host.screen
