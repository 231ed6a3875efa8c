"""Tests of cards, suits and computer players as application emojis, uploaded once and never needed."""

from __future__ import annotations

import asyncio
import base64
import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.engine.icons import SIGNS
from bot.games import games
from bot.rendering import drawing, theme
from bot.requests.budget import Budget
from bot.requests.emojis import AGAIN_SECONDS, FIRST_PAUSE, Emojis
from tests.discord.bot_harness import BUTTON, MENU, BotHarness, Person, Seen, bot_harness, response_of
from tests.discord.toad_player import true_state
from tests.messages.icons import CARD, SPELLED

MOST_BYTES = 256 * 1024
FEW = tuple(sign for sign in SIGNS if sign.name.startswith("frog") or sign.name.endswith("_hearts"))
LONE_SUITS = tuple(
    sign for sign in SIGNS if sign.name in {"moons", "suns", "waves", "leaves", "wyrms", "knots"}
)
NAME = re.compile(r"[a-z0-9_]{2,32}")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the upload without the delay of a real start."""
    monkeypatch.setattr("bot.requests.emojis.FIRST_PAUSE", 0.0)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use few custom emojis, because uploading all takes seconds."""
    monkeypatch.setattr("bot.requests.emojis.SIGNS", FEW)


def emoji_request_counts(place: BotHarness) -> Counter[str]:
    """The number of requests of each type about application emojis."""
    return Counter(r.method for r in place.env.http_requests if "/emojis" in r.path)


def application_emojis(place: BotHarness) -> dict[str, int]:
    """The application's emojis at Discord."""
    return {emoji.name: emoji.id for emoji in place.env.backend.application_emojis.values()}


def refuse_emoji_requests(
    place: BotHarness, method: str, status: int, times: int | None = None, code: int = 0
) -> None:
    place.env.inject_error(
        method, "/applications/*/emojis*", status=status, code=code, message="No emojis", times=times
    )


def emojis_in(seen: Seen) -> list[str]:
    """The application's emojis on the buttons and in the menus of a message."""
    parts: list[dict[str, Any]] = [*seen._parts(BUTTON)]
    parts += [option for menu in seen._parts(MENU) for option in menu["options"]]
    return [part["emoji"]["name"] for part in parts if (part.get("emoji") or {}).get("id")]


async def wait_for_upload(place: BotHarness) -> None:
    """Wait until the emojis are updated."""
    await place.wait(FIRST_PAUSE + 1)


async def start_with_taken_card(place: BotHarness) -> tuple[Person, Seen]:
    """Start a match of Toad in which the first player takes a card. Return player and hand."""
    mover, _waiting = await place.start_pair()
    hand = response_of(await mover.slash("toad hand"))
    await mover.send(hand, next(one for one in hand.custom_ids if one.endswith(":s1")))
    return mover, response_of(await mover.slash("toad hand"))


async def test_icons_are_uploaded_only_at_the_first_start(tmp_path: Path) -> None:
    """Each icon is uploaded once, as a small square. A later start with the same icons uploads none."""
    async with bot_harness(tmp_path, emojis=True) as place:
        await wait_for_upload(place)
        assert emoji_request_counts(place) == {"GET": 1, "POST": len(SIGNS)}
        assert len(application_emojis(place)) == len(SIGNS)
        assert all(map(NAME.fullmatch, application_emojis(place)))
        for request in place.env.http_requests:
            if request.method == "POST" and "/emojis" in request.path:
                assert isinstance(request.json, dict)
                data = base64.b64decode(request.json["image"].partition(",")[2])
                assert len(data) <= MOST_BYTES
                assert Image.open(io.BytesIO(data)).size == (theme.SIGN_PX, theme.SIGN_PX)
        mover, hand = await start_with_taken_card(place)
        await check_card_labels(place, hand)
        await place.restart()
        await wait_for_upload(place)
        assert emoji_request_counts(place) == {"GET": 1, "POST": len(SIGNS)}
        assert len(emojis_in(hand)) == len(emojis_in(response_of(await mover.slash("toad hand")))) > 0
        await check_suit_icons(place)


async def check_card_labels(place: BotHarness, hand: Seen) -> None:
    """A button shows a card by its emoji, and its label says only what happens to the card."""
    state = await true_state(place)
    held = games()["toad"].view(state, state.turn).hand
    spelled = {sign.text: sign.name for sign in SPELLED}
    on_buttons = [name.split("_ribit")[0] for name in emojis_in(hand)]
    assert on_buttons == [*(spelled[str(card)] for card in held), "frog"]
    assert all(re.fullmatch(r"› \d+🟥 \d+🔳", label) for label in hand.labels[: len(held)])
    taken = next(line for line in place.table.text.splitlines() if " took " in line)
    assert re.search(r"took <:\w+_ribit[0-9a-f]{6}:\d+>\.$", taken)
    assert not CARD.search(place.table.text)
    assert not CARD.search(place.table.alt), "what is read aloud is words"
    assert "<:" not in place.table.alt
    assert place.table.alt.startswith("Round 1: "), "what has happened comes first"


async def check_suit_icons(place: BotHarness) -> None:
    """Frogger's suits are shown by the same icons as in the pictures, not by symbols."""
    place.channel = place.guild.create_text_channel("reeds")
    await place.started("Ann", "Ben", game="frogger")
    mover = place.reminded_player
    hand = response_of(await mover.slash("frogger hand"))
    assert emojis_in(hand)
    step = hand.custom_ids[0]
    after = response_of(await mover.send(hand, step))
    for seen in (place.table, hand, after):
        assert not CARD.search(seen.text), seen.text
        assert not any(map(CARD.search, seen.labels)), seen.labels


@pytest.mark.usefixtures("few")
async def test_one_process_uploads_the_icons_for_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process with the DMs uploads the icons, and the other process uses them."""
    monkeypatch.setattr("bot.requests.emojis.AGAIN_SECONDS", 0.01)
    async with bot_harness(tmp_path) as place:
        database = place.bot.database
        processes = [
            Emojis(place.bot, database.emojis, Budget(None), drawing, uploads)
            for uploads in (False, True)
        ]
        for process in processes:
            await process.start()
        await asyncio.gather(*(process._tasks.settle() for process in processes))
        assert emoji_request_counts(place) == {"GET": 1, "POST": len(FEW)}
        for process in processes:
            assert len(process.written) == len(FEW)


async def test_a_changed_drawing_replaces_the_old_emoji(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed drawing is uploaded and used, and its old emoji is deleted. Others' emoji stay."""
    monkeypatch.setattr("bot.requests.emojis.SIGNS", suits_and_few := (*LONE_SUITS, *FEW))
    async with bot_harness(tmp_path, emojis=True) as place:
        await wait_for_upload(place)
        before = application_emojis(place)
        place.env.backend.create_application_emoji("operators_own")
        monkeypatch.setattr(theme, "SIGN_LONE_SUIT", (0.2, 0.2, 0.6))
        await place.restart()
        await wait_for_upload(place)
        after = application_emojis(place)
        assert emoji_request_counts(place) == {"GET": 2, "POST": len(suits_and_few) + 6, "DELETE": 6}
        assert len(after.keys() - before.keys()) == 7
        removed = {name.split("_ribit")[0] for name in before.keys() - after.keys()}
        assert removed == {sign.name for sign in LONE_SUITS}
        assert "operators_own" in after
        await place.restart()
        await wait_for_upload(place)
        assert emoji_request_counts(place)["GET"] == 2


@pytest.mark.usefixtures("few")
async def test_an_interrupted_upload_continues_at_the_next_start(tmp_path: Path) -> None:
    """After an interrupted upload, the next start uploads only the missing icons."""
    async with bot_harness(tmp_path) as place:
        place._emojis = True
        refuse_emoji_requests(place, "POST", 403, times=1)
        await place.restart()
        await wait_for_upload(place)
        assert emoji_request_counts(place) == {"GET": 1, "POST": 1}
        first = FEW[0]
        place.env.backend.create_application_emoji(f"{first.name}_ribit{drawing(first).digest}")
        await place.restart()
        await wait_for_upload(place)
        assert emoji_request_counts(place)["POST"] == len(FEW)
        assert len(application_emojis(place)) == len(FEW)
        _mover, hand = await start_with_taken_card(place)
        assert emojis_in(hand)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("method", "status"), [("GET", 403), ("POST", 403), ("GET", 500)])
async def test_text_replaces_icons_that_cannot_be_uploaded(
    tmp_path: Path, method: str, status: int
) -> None:
    """If Discord refuses an upload, text is used, and the upload is tried again after some minutes."""
    async with bot_harness(tmp_path) as place:
        place._emojis = True
        refuse_emoji_requests(place, method, status)
        await place.restart()
        await wait_for_upload(place)
        _mover, hand = await start_with_taken_card(place)
        assert emojis_in(hand) == []
        assert all(" › " in label for label in hand.labels[:3])
        assert CARD.search(place.table.text)
        if status == 403:
            assert emoji_request_counts(place)[method] == 1
        place.env.backend.faults.clear()
        await place.wait(AGAIN_SECONDS)
        assert len(application_emojis(place)) == len(FEW)


@pytest.mark.usefixtures("few")
async def test_text_replaces_a_deleted_emoji_until_the_next_upload(tmp_path: Path) -> None:
    """If Discord rejects a deleted emoji, text is used until it is uploaded again."""
    async with bot_harness(tmp_path, emojis=True) as place:
        await wait_for_upload(place)
        mover, _waiting = await place.start_pair()
        [gone] = [name for name in application_emojis(place) if name.startswith("frog_ribit")]
        place.env.backend.delete_application_emoji(application_emojis(place)[gone])
        for again in range(1, 4):
            place.env.inject_error(
                "POST", "/interactions/*", status=400, code=50035, message="Invalid emoji", times=1
            )
            hand = response_of(await mover.slash("toad hand"))
            assert emojis_in(hand) == []
            assert "<:" not in hand.text
            await place.wait(AGAIN_SECONDS)
            assert len(application_emojis(place)) == len(FEW)
            assert emojis_in(response_of(await mover.slash("toad hand"))), "and no fault was logged"
            assert emoji_request_counts(place) == {"GET": 1 + again, "POST": len(FEW) + 1}
