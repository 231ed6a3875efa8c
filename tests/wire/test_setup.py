"""From an empty folder to a table, by ``ribit setup`` alone."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bot.requests.invitation import invite_link
from tests.test_setup import Terminal
from tests.wire.program import TOKEN
from tests.wire.world import deal, world

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")


async def test_a_new_host_plays_at_once(tmp_path: Path) -> None:
    """The host answers two questions, follows the link, and a player deals a solitaire."""
    async with world(tmp_path, seed=3) as place:
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
        await deal(place, place.server.person("Ann"), place.server.channel("pond"))
        host.process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(host.join) == 0, host.screen
        assert TOKEN not in host.screen
