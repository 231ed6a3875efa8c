"""Tests of the demo's page: clicks, windows, time and languages."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

import aiohttp
import pytest
import simcord

from bot.demo import server as demo
from bot.demo import window_sync
from bot.games import games

STEP = "Turn the stock"
LOOKS = window_sync.LOOK_SECONDS + window_sync.QUIET_SECONDS
"""Seconds until the demo has checked for a page that needs an update."""

PATIENCE_SECONDS = 5.0
OPENS_SECONDS = 120.0
"""Seconds after which a demo that has not opened fails the test."""

TURN_SECONDS, FAST = 300, 30

PICTURES = 8
"""Number of pictures of a table when each computer player has moved more than once."""


class Page:
    """The page, with the state that it received last, as in a browser."""

    def __init__(self, http: aiohttp.ClientSession, state: dict[str, Any]) -> None:
        self._http = http
        self._clicks = 0
        self.state = state
        self.headers = {"X-Simcord-Context": state["context"]["id"]}

    @classmethod
    async def open(cls, http: aiohttp.ClientSession, viewer: str | None = None) -> Page:
        """Open a window as a user or as the first viewer."""
        async with http.post("/api/pages", json={"viewer_id": viewer}) as answer:
            return cls(http, await answer.json())

    async def open_other_window(self, name: str) -> Page:
        """Open another window as another user."""
        [viewer] = [each["id"] for each in self.state["viewers"] if each["name"] == name]
        return await self.open(self._http, viewer)

    async def look(self) -> None:
        """Receive the current state."""
        async with self._http.get("/api/state", headers=self.headers) as answer:
            self.state = await answer.json()

    async def press(self, label: str) -> None:
        """Press a button, and press it again if the page was redrawn meanwhile."""
        async with asyncio.timeout(OPENS_SECONDS):
            await self.look()
            while (await self.click(label))["rejected"]:
                self._clicks -= 1  # which counts those that were taken
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await self.look()

    async def wait_for_words(self, words: str) -> None:
        """Wait until the window shows some words."""
        async with asyncio.timeout(OPENS_SECONDS):
            while words not in json.dumps(self.state["messages"], ensure_ascii=False):
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await self.look()

    async def click(self, label: str) -> dict[str, Any]:
        """Press a button of the page and receive the result."""
        key = next(part["control_key"] for part in _records(self.state) if part.get("label") == label)
        self._clicks += 1
        asked = {
            "protocol_version": 3,
            "sequence": self._clicks,
            "request_id": f"click {self._clicks}",
            "generation": self.state["context"]["generation"],
            "bot_generation": self.state["botGeneration"],
            "published_revision": self.state["publishedRevision"],
            "kind": "click",
            "control_key": key,
            "target_id": key.split(":")[1],
        }
        async with self._http.post("/api/action", json=asked, headers=self.headers) as answer:
            assert answer.ok, "after an HTTP error the page's buttons stay grey for ever"
            result: dict[str, Any] = await answer.json()
        return result


def _records(whole: Any) -> Iterator[dict[str, Any]]:
    """Yield every record in a page's state."""
    for part in whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ():
        yield from _records(part)
    if isinstance(whole, dict):
        yield whole


def _move_labels(state: dict[str, Any]) -> Iterator[str]:
    """Yield the labels of the moves that the viewer can make, such as taking a card."""
    for part in _records(state):
        label = str(part.get("label"))
        if (
            (label.startswith(("Draw", "End turn", "Play ")) or "›" in label)
            and "control_key" in part
            and not part.get("disabled")
        ):
            yield label


def _table_picture(state: dict[str, Any]) -> str:
    """Return the picture of the one table, as the page has it."""
    [item] = next(part for part in _records(state) if part.get("items"))["items"]
    assert item["media"].get("available")
    return str(item["media"]["attachment_id"])


@asynccontextmanager
async def open_demo(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    game: str = "solitaire",
    patience: float = PATIENCE_SECONDS,
) -> AsyncIterator[Page]:
    """Open the demo with a game on a free port and return its page's connection.

    A solitaire is a deal by its number. No worker must find one and no computer player moves, so the
    test can wait for a click even on a busy machine.
    """
    if game == "solitaire":
        monkeypatch.setattr(demo, "_company", lambda _game: {"deal": 7})
        monkeypatch.setattr(demo, "PATIENCE_SECONDS", patience)
    shown, said = asyncio.create_task(demo.show(0, game)), ""
    try:
        async with asyncio.timeout(OPENS_SECONDS):
            while not (found := re.search(r"(http://\S+)/#(\S+)", said)):
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                said += capsys.readouterr().out
                assert not shown.done()
        headers = {"X-Simcord-Capability": found[2]}
        async with aiohttp.ClientSession(found[1], headers=headers) as http:
            page = await Page.open(http)
            async with asyncio.timeout(OPENS_SECONDS):
                while not any("control_key" in part for part in _records(page.state)):
                    await asyncio.sleep(window_sync.LOOK_SECONDS)
                    await page.look()
            yield page
    finally:
        shown.cancel()
        with suppress(asyncio.CancelledError):
            await shown


async def test_a_quick_second_click_is_not_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo does not show a click's result twice, so the next click is not refused.

    Six users can click, enough for the largest table, and the bot is Ribit with its own picture.
    """
    async with open_demo(capsys, monkeypatch) as page:
        assert [viewer["name"] for viewer in page.state["viewers"]] == list(demo.PEOPLE)
        assert len(demo.PEOPLE) == 6
        bots = [part for part in _records(page.state) if part.get("username") == "Ribit"]
        assert bots
        assert all(bot["avatar_kind"] == "custom" and bot["avatar_available"] for bot in bots)
        await asyncio.sleep(2 * LOOKS)
        await page.look()
        for _click in range(2):
            done = await page.click(STEP)
            assert not done["rejected"], done["diagnostics"]
            await page.look()
            await asyncio.sleep(2 * LOOKS)


async def test_the_demo_shows_the_answer_to_a_slow_click(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click whose work takes longer than the demo waits shows its answer too, and so does the next."""
    async with open_demo(capsys, monkeypatch, patience=0.0) as page:
        for _click in range(2):
            before = _table_picture(page.state)
            async with asyncio.timeout(OPENS_SECONDS):
                while _table_picture(page.state) == before:
                    if page.state["status"] == "current":
                        done = await page.click(STEP)
                        assert done["rejected"] or (done["settlement"], done["uncertain"]) == (
                            "settled",
                            False,
                        )
                    await asyncio.sleep(window_sync.LOOK_SECONDS)
                    await page.look()


async def test_the_previous_picture_stays_during_computer_moves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page without a computer player's latest move shows the previous picture, not an empty one."""
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", 1)
    async with open_demo(capsys, monkeypatch, "toad") as page:
        seen: set[str] = set()
        async with asyncio.timeout(OPENS_SECONDS):
            while len(seen) < PICTURES:
                seen.add(_table_picture(page.state))
                if own := next(_move_labels(page.state), None):
                    await page.click(own)
                await asyncio.sleep(window_sync.LOOK_SECONDS)  # a stale page lasts four times as long
                await page.look()


async def test_demo_windows_follow_each_other_and_the_clock(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each window follows moves in other windows and timeouts, and Fay's window is in German."""
    monkeypatch.setattr(demo, "_company", lambda _game: {"frogs": 1, "turn": TURN_SECONDS})
    # A computer player with a toad in its hand would end the round, and with it the history that both
    # must show.
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes(32))
    async with open_demo(capsys, monkeypatch, "toad") as ann:
        ben, fay = await ann.open_other_window("Ben"), await ann.open_other_window("Fay")
        await ann.wait_for_words("Ann's turn: take a card")
        await ann.press("Draw")
        await ben.wait_for_words("Ann's turn: discard a card")

        await fay.press("How to play")
        await fay.wait_for_words("Ein Spiel von Richard Smith")
        await ben.press("How to play")
        await ben.wait_for_words("A game by Richard Smith")

        began = monotonic()  # so fast that the heart still beats: in a leap nobody could have played
        monkeypatch.setattr(window_sync, "monotonic", lambda: began + FAST * (monotonic() - began))
        await asyncio.gather(
            ben.wait_for_words("ran out of time"), ann.wait_for_words("ran out of time")
        )


async def test_a_window_is_updated_while_the_bot_is_busy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window shows another window's move while the bot never becomes idle."""

    async def time_out(_env: simcord.Env, **_options: Any) -> None:
        raise TimeoutError

    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes(32))
    async with open_demo(capsys, monkeypatch, "toad") as ann:
        ben = await ann.open_other_window("Ben")
        await ann.wait_for_words("Ann's turn: take a card")
        monkeypatch.setattr(simcord.Env, "settle", time_out)
        await ann.press("Draw")
        await ben.wait_for_words("Ann's turn: discard a card")


@pytest.mark.parametrize("game", ["toad", "frogger"])
async def test_the_first_click_in_the_demo_is_a_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """The page opens with Ann's hand, the aim above it, and soon her moves as buttons."""
    async with open_demo(capsys, monkeypatch, game) as page:
        await page.wait_for_words("🎯")
        async with asyncio.timeout(OPENS_SECONDS):
            while next(_move_labels(page.state), None) is None:
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await page.look()


def test_the_console_shows_two_lines_for_each_game() -> None:
    """Besides the address, the console has two lines for each game."""
    for game in games().values():
        lines = [line for line in demo._greeting("http://x", game).split("\n") if line]
        assert len(lines) == 3
        assert all(len(line) <= 110 for line in lines)
