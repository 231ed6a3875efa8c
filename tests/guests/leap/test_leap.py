"""A game for exactly two in one module, which computer players play by its rules alone."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

import bot.games
from bot.games import games
from tests import guests
from tests.discord.bot_harness import bot_harness, ephemeral_reply, response_of
from tests.discord.test_demo import LOOKS, OPENS_SECONDS, Page
from tests.test_startup_and_docs import PACKAGES


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the guests' folders to ``bot.games``, so that every search for games finds them."""
    monkeypatch.setattr(bot.games, "__path__", [*bot.games.__path__, *guests.__path__])
    games.cache_clear()
    yield
    monkeypatch.undo()
    games.cache_clear()


@pytest.mark.usefixtures("at_home")
async def test_a_computer_player_plays_leap_and_gives_hints(tmp_path: Path) -> None:
    """A computer player moves at once, also after a restart, up to the end.

    A hint is a move without a reason.
    """
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("leap start", frogs=1)
        assert "0 cards" not in place.table.alt
        assert "lives" not in place.table.alt
        for leap in range(5):
            await place.wait(60)
            assert "Ann leaps." in place.table.text
            if leap == 1:
                asked = await ann.press("Hint")
                hint = re.search(
                    r"\*\*(Leap (left|right) to [^*]+)\*\*$", response_of(asked).text, re.MULTILINE
                )
                assert hint is not None
            if leap == 2:
                await place.restart()
            await ann.press(place.table.label("Leap"))
        await place.wait(60)
        assert re.search(r" won!|Nobody won\.", place.table.text)


@pytest.mark.usefixtures("at_home")
async def test_a_timeout_leaps_left_and_giving_up_is_refused(tmp_path: Path) -> None:
    """A player whose time runs out leaps to the left, and giving up is refused."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", game="leap", turn=60)
        waits = ben if "Ann leaps." in place.table.text else ann
        before = place.table.label("Leap left")
        await place.wait(90)
        assert f"{waits.name} leaps." in place.table.text
        assert place.table.label("Leap left") != before
        assert "Nobody can give up" in ephemeral_reply(await ann.slash("leap leave")).text


def start_demo(folder: Path) -> subprocess.Popen[str]:
    """Start the demo of Leap with the packages in a folder."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "bot", "demo", "--port", "0", "--game", "leap"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_the_demo_opens_with_leap(tmp_path: Path) -> None:
    """A demo with this game deals it against a computer player that answers."""
    for name, package in PACKAGES.items():
        (tmp_path / name).mkdir()
        for part in package.iterdir():
            if (name, part.name) != ("bot", "games"):
                (tmp_path / name / part.name).symlink_to(part)
    (tmp_path / "bot" / "games").mkdir()
    for part in (*(PACKAGES["bot"] / "games").iterdir(), Path(__file__).parent):
        (tmp_path / "bot" / "games" / part.name).symlink_to(part)
    demo = await asyncio.to_thread(start_demo, tmp_path)
    assert demo.stdout is not None
    greeting = ""
    while "Ctrl-C" not in greeting:
        greeting += await asyncio.to_thread(demo.stdout.readline)
    [(home, secret)] = re.findall(r"(http://\S+)/#(\S+)", greeting)
    try:
        async with (
            asyncio.timeout(OPENS_SECONDS),
            aiohttp.ClientSession(home, headers={"X-Simcord-Capability": secret}) as http,
        ):
            page = await Page.open(http)
            await page.wait_for_words("Ann leaps.")
            await page.press(re.findall(r"Leap left to [^'\"]+", str(page.state))[0])
            while re.search(r"counts 0\b", str(page.state)):
                await asyncio.sleep(LOOKS)
                await page.look()
    finally:
        demo.send_signal(signal.SIGINT)
        await asyncio.to_thread(demo.communicate, timeout=300)
    assert "You are Ann, against frogs" in greeting
