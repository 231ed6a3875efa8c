"""The demo, as its page in the browser has it: clicks, windows, time and languages."""

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

from bot.demo import serving as demo
from bot.demo import window_sync
from bot.games import games

STEP = "Turn the stock"
LOOKS = window_sync.LOOK_SECONDS + window_sync.QUIET_SECONDS
"""After so long the demo has looked whether the page has to be shown anew."""

PATIENCE_SECONDS = 5.0
OPENS_SECONDS = 120.0
"""After so long the demo will not open any more: a test that waits for ever tells nothing."""

TURN_SECONDS, FAST = 300, 30

PICTURES = 8
"""So many pictures of a table are seen when each frog has moved, more than once."""


class Page:
    """The page, which knows what it has heard last, as a browser does."""

    def __init__(self, http: aiohttp.ClientSession, state: dict[str, Any]) -> None:
        self._http = http
        self._clicks = 0
        self.state = state
        self.headers = {"X-Simcord-Context": state["context"]["id"]}

    @classmethod
    async def open(cls, http: aiohttp.ClientSession, viewer: str | None = None) -> Page:
        """Open a window, as somebody or as the first viewer."""
        async with http.post("/api/pages", json={"viewer_id": viewer}) as answer:
            return cls(http, await answer.json())

    async def other(self, name: str) -> Page:
        """Open another window, as somebody else."""
        [viewer] = [each["id"] for each in self.state["viewers"] if each["name"] == name]
        return await self.open(self._http, viewer)

    async def look(self) -> None:
        """Hear how it stands."""
        async with self._http.get("/api/state", headers=self.headers) as answer:
            self.state = await answer.json()

    async def press(self, label: str) -> None:
        """Press a button, again where the page was shown anew in the same moment."""
        async with asyncio.timeout(OPENS_SECONDS):
            await self.look()
            while (await self.click(label))["rejected"]:
                self._clicks -= 1  # which counts those that were taken
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await self.look()

    async def sees(self, words: str) -> None:
        """Look until the window shows some words, by itself."""
        async with asyncio.timeout(OPENS_SECONDS):
            while words not in json.dumps(self.state["messages"], ensure_ascii=False):
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await self.look()

    async def click(self, label: str) -> dict[str, Any]:
        """Press a button as the page has it, and hear what became of that."""
        key = next(part["control_key"] for part in _parts(self.state) if part.get("label") == label)
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


def _parts(whole: Any) -> Iterator[dict[str, Any]]:
    """Yield every record in a page's state."""
    for part in whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ():
        yield from _parts(part)
    if isinstance(whole, dict):
        yield whole


def _moves(state: dict[str, Any]) -> Iterator[str]:
    """Yield the labels of the moves that the viewer can make, such as taking a card."""
    for part in _parts(state):
        label = str(part.get("label"))
        if (
            (label.startswith(("Draw", "End turn", "Play ")) or "›" in label)
            and "control_key" in part
            and not part.get("disabled")
        ):
            yield label


def _picture(state: dict[str, Any]) -> str:
    """Return the picture of the one table, as the page has it."""
    [item] = next(part for part in _parts(state) if part.get("items"))["items"]
    assert item["media"].get("available")
    return str(item["media"]["attachment_id"])


@asynccontextmanager
async def opened(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    game: str = "solitaire",
    patience: float = PATIENCE_SECONDS,
) -> AsyncIterator[Page]:
    """Open the demo with a game on a free port, as a browser does with the printed address.

    A solitaire is a deal by its number: no other process has to find one, and nothing moves by itself,
    so a click can be waited for on a machine that is busy with other things.
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
                while not any("control_key" in part for part in _parts(page.state)):
                    await asyncio.sleep(window_sync.LOOK_SECONDS)
                    await page.look()
            yield page
    finally:
        shown.cancel()
        with suppress(asyncio.CancelledError):
            await shown


async def test_a_second_click_soon_after_the_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo does not show a click's result twice, so the next click is not refused.

    Six users can click, enough for the largest table, and the bot is Ribit with its own picture.
    """
    async with opened(capsys, monkeypatch) as page:
        assert [viewer["name"] for viewer in page.state["viewers"]] == list(demo.PEOPLE)
        assert len(demo.PEOPLE) == 6
        bots = [part for part in _parts(page.state) if part.get("username") == "Ribit"]
        assert bots
        assert all(bot["avatar_kind"] == "custom" and bot["avatar_available"] for bot in bots)
        await asyncio.sleep(2 * LOOKS)
        await page.look()
        for _click in range(2):
            done = await page.click(STEP)
            assert not done["rejected"], done["diagnostics"]
            await page.look()
            await asyncio.sleep(2 * LOOKS)


async def test_a_click_that_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click whose work takes longer than the demo waits shows its answer too, and so does the next."""
    async with opened(capsys, monkeypatch, patience=0.0) as page:
        for _click in range(2):
            before = _picture(page.state)
            async with asyncio.timeout(OPENS_SECONDS):
                while _picture(page.state) == before:
                    if page.state["status"] == "current":
                        done = await page.click(STEP)
                        assert done["rejected"] or (done["settlement"], done["uncertain"]) == (
                            "settled",
                            False,
                        )
                    await asyncio.sleep(window_sync.LOOK_SECONDS)
                    await page.look()


async def test_a_picture_is_there_while_frogs_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that has not heard of a frog's move yet shows the picture from before, and not none."""
    async with opened(capsys, monkeypatch, "toad") as page:
        seen: set[str] = set()
        async with asyncio.timeout(OPENS_SECONDS):
            while len(seen) < PICTURES:
                seen.add(_picture(page.state))
                if own := next(_moves(page.state), None):
                    await page.click(own)
                await asyncio.sleep(window_sync.LOOK_SECONDS / 5)
                await page.look()


async def test_two_windows_and_the_clock(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each window follows moves in other windows and timeouts, and Fay's window is in German."""
    monkeypatch.setattr(demo, "_company", lambda _game: {"frogs": 1, "turn": TURN_SECONDS})
    # A frog with a toad at hand would end the round, and with it the story that both have to see.
    monkeypatch.setattr("bot.sessions.lobby.deal_seed", lambda *_of: bytes(32))
    async with opened(capsys, monkeypatch, "toad") as ann:
        ben, fay = await ann.other("Ben"), await ann.other("Fay")
        await ann.sees("Ann's turn: take a card")
        await ann.press("Draw")
        await ben.sees("Ann's turn: discard a card")

        await fay.press("How to play")
        await fay.sees("Ein Spiel von Richard Smith")
        await ben.press("How to play")
        await ben.sees("A game by Richard Smith")

        began = monotonic()  # so fast that the heart still beats: in a leap nobody could have played
        monkeypatch.setattr(window_sync, "monotonic", lambda: began + FAST * (monotonic() - began))
        await asyncio.gather(ben.sees("ran out of time"), ann.sees("ran out of time"))


@pytest.mark.parametrize("game", ["toad", "frogger"])
async def test_the_first_click_is_a_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """The page opens with Ann's hand, the aim above it, and soon her moves as buttons."""
    async with opened(capsys, monkeypatch, game) as page:
        await page.sees("🎯")
        async with asyncio.timeout(OPENS_SECONDS):
            while next(_moves(page.state), None) is None:
                await asyncio.sleep(window_sync.LOOK_SECONDS)
                await page.look()


def test_the_greeting_explains_the_page_in_two_lines() -> None:
    """Besides the address, the console has two lines for each game."""
    for game in games().values():
        lines = [line for line in demo._greeting("http://x", game).split("\n") if line]
        assert len(lines) == 3
        assert all(len(line) <= 110 for line in lines)
