"""A player who uses only texts, labels and alt texts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot import rendering
from bot.messages.text_mode import TURN_LETTERS
from tests.discord.admins import change_settings
from tests.discord.bot_harness import (
    BUTTON,
    MENU,
    TEXT,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    response_of,
)
from tests.messages.icons import EVERY

PAUSE = 8
MOST_STEPS = 600
EASY_DEAL = 33
SIGNS = re.compile(r"[♣♦♥♠①-⑨☀🌙🌊🍃🐉🪢🐸▫🔄⏮◀▶⏭]|<:")
_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
DIGITS = {word: str(number) for number, word in enumerate(_WORDS, 2)}
NUMBERS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10")

Choose = Callable[[str, list[str]], str | None]


@pytest.fixture(autouse=True)
def _computer_players_wait_for_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", PAUSE)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collect the drawn scenes."""
    asked: list[Any] = []

    def noted(scene: Any, news: Any = ()) -> Any:
        asked.append(scene)
        return rendering.draw_picture(scene, news)

    monkeypatch.setattr("bot.requests.layout_views.draw_picture", noted)
    return asked


def readable_text(seen: Seen) -> str:
    """Return the words of a message as Discord shows them, without escapes."""
    return re.sub(r"\\(\W)", r"\1", seen.text)


def readable_choices(seen: Seen) -> dict[str, tuple[str, str | None]]:
    """Return the available buttons and options by label, after checking that everything is readable."""
    controls = [part for kind in (BUTTON, MENU) for part in seen._parts(kind)]
    options = [(part, option) for part in controls for option in part.get("options", ())]
    said = [*(part["label"] for part in seen._parts(BUTTON)), *(one["label"] for _part, one in options)]
    texts = [part["content"] for part in seen._parts(TEXT)]
    assert not seen.alt
    assert not seen.message.attachments
    assert not any(part.get("disabled") for part in controls), "nobody hears that it is"
    assert not any(one.get("emoji") for one in (*controls, *(option for _part, option in options)))
    assert not [words for words in (*texts, *said) if SIGNS.search(words)]
    assert len(set(said)) == len(said), said
    assert all(label[:1] == label[:1].upper() for label in said), said
    if "Tell me everything" in said and any("turn" in text.lower() for text in texts):
        most = TURN_LETTERS + 50  # a newcomer who waits also hears the rules in three sentences
        assert sum(map(len, texts)) <= most, texts
    buttons = {part["label"]: (part["custom_id"], None) for part in seen._parts(BUTTON)}
    return buttons | {one["label"]: (part["custom_id"], one["value"]) for part, one in options}


async def _set_emojis(emojis: Any) -> None:
    """Set the application's emojis as if they were uploaded."""
    emojis.written = EVERY.emojis


async def add_text_mode_user(place: BotHarness, name: str = "Ann") -> Person:
    """Return a user that plays without pictures."""
    person = place.person(name)
    await place.bot.database.players.choose(person.id, text_table=True)
    return person


async def play_by_text(
    place: BotHarness, person: Person, look: Callable[[], Awaitable[Seen]], choose: Choose, end: str
) -> None:
    """Play by text until the table shows that the match is finished."""
    for _step in range(MOST_STEPS):
        if end in place.table.text:
            return
        seen = await look()
        controls = readable_choices(seen)
        moves = [label for label, (custom_id, _value) in controls.items() if custom_id[:2] == "m:"]
        label = choose(readable_text(seen), moves)
        if label is None:
            await place.wait(PAUSE)
            continue
        custom_id, value = controls[label]
        picked = {} if value is None else {"values": [value], "component_type": MENU}
        await person.send(seen, custom_id, **picked)
    raise AssertionError("no end to it")


def card_spots(label: str) -> tuple[int, int]:
    """Return the red and black spots of the card in a label."""
    found = re.search(r"(ace|jack|queen|king|\d+) of (clubs|diamonds|hearts|spades)", label)
    assert found is not None, label
    spots = NUMBERS.index(found[1]) + 1 if found[1] in NUMBERS else 2
    return (spots, 0) if found[2] in ("diamonds", "hearts") else (0, spots)


def choose_toad_move(text: str, labels: list[str]) -> str | None:
    """Play Toad towards ten red and ten black spots, by the sum that is read out."""
    if not labels:
        return None
    spots = re.search(r"Red spots: (\d+) of 10\.\s+Black spots: (\d+) of 10", text)
    assert spots is not None, text
    red, black = map(int, spots.groups())

    def distance(label: str, sign: int) -> int:
        more = card_spots(label)
        return abs(10 - red - sign * more[0]) + abs(10 - black - sign * more[1])

    now = abs(10 - red) + abs(10 - black)
    if not now:
        return "Ribit!"
    for start, sign in (("Take ", 1), ("Discard ", -1)):
        ways = [label for label in labels if label.startswith(start)]
        best = min(ways, key=lambda label: distance(label, sign), default=None)
        if best is not None and distance(best, sign) < now:
            return best
    ends = [label for label in labels if "end turn" in label.lower()]
    return "Draw" if "Draw" in labels else ends[0]


def choose_frogger_move(_text: str, labels: list[str]) -> str | None:
    """Play Frogger: home if possible, else the frog that is furthest, else back for a card."""

    def worth(label: str) -> tuple[bool, bool, bool, bool, int]:
        at = re.search(r"from (?:place )?(\d+)", label.lower())
        home, ends = " home" in label.lower(), label == "End turn"
        back = label.startswith(("Move a frog back", "Back"))
        return home, not ends, not back, "sending back" not in label, int(at[1]) if at else 0

    return max(labels, key=worth, default=None)


def choose_solitaire_move(text: str, labels: list[str]) -> str | None:
    """Play solitaire: to a foundation if possible, then a safe move, else the stock."""
    ups = [label for label in labels if label in ("All up", "Finish the game")]
    tops = [
        f"{DIGITS.get(rank, rank)} of {suit}"
        for rank, suit in re.findall(r"(?:Reserve|Waste): (\w+) of (\w+)", text)
    ]
    helps = [label for label in labels if label.endswith(" up") or label.lower().startswith(tuple(tops))]
    turns = [label for label in labels if label.startswith(("All up, keep", "Turn", "Redeal"))]
    return next(iter((*ups, *helps, *sorted(turns))), None)


async def test_a_toad_match_is_playable_in_a_text_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[Any]
) -> None:
    """A whole match in a text channel draws no picture, and buttons have words instead of icons."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes([7]) * 32)
    monkeypatch.setattr("bot.requests.emojis.Emojis.start", _set_emojis)
    async with bot_harness(tmp_path) as place:
        await change_settings(place, text_channels=frozenset({place.channel.id}))
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=0, lives=1)

        async def look() -> Seen:
            readable_choices(place.table)
            await ann.move_hand_to_dm()
            return ann.dm

        assert "Commitment" not in place.table.text, "nobody hears digits"
        while not readable_choices(await look()).get("Draw"):
            await place.wait(PAUSE)
        takes = [label for label in ann.dm.labels if label.startswith("Take ")]
        assert all(re.match(r"Take (\d+|ace|jack|queen|king) of \w+", label) for label in takes)
        assert re.search(
            r"Your hand: [a-z]+ (and [a-z]+ )?of [a-z]+, (red|black)", readable_text(ann.dm)
        )
        whole = response_of(await ann.press_dm("Tell me everything"))
        assert readable_choices(whole) == {}
        assert "Stock: " in readable_text(whole)
        assert "Pot: 0 lives." in readable_text(whole)
        assert ": 1 of 1 life" in readable_text(whole)
        hand = await ann.slash("toad hand", in_words=True)
        assert hand.ephemeral
        assert readable_text(response_of(hand)) == readable_text(whole)
        table = await place.person("Ben").slash("toad table", in_words=True)
        assert table.ephemeral
        assert readable_choices(response_of(table)) == {}
        assert "Stock: " in readable_text(response_of(table))
        await play_by_text(place, ann, look, choose_toad_move, "wins the match")
        assert drawn == []


async def test_a_frogger_match_is_playable_in_text_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's text mode applies to the player's own messages. The table keeps its picture."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes([7]) * 32)
    async with bot_harness(tmp_path) as place:
        ann = await add_text_mode_user(place)
        await ann.slash("frogger start", frogs=1, strength=0)

        async def look() -> Seen:
            await ann.move_hand_to_dm()
            return ann.dm

        assert readable_choices(response_of(await ann.slash("frogger hand")))
        await play_by_text(place, ann, look, choose_frogger_move, " wins")
        assert place.table.alt
        assert not SIGNS.search(place.table.alt)
        assert not [one for one in ann.dms if one.attachments]


async def test_a_solitaire_deal_can_be_won_in_text_mode(tmp_path: Path, drawn: list[Any]) -> None:
    """The text of a deal names columns, foundations, reserve, stock and waste."""
    async with bot_harness(tmp_path) as place:
        ann = await add_text_mode_user(place)
        await ann.slash("solitaire start", deal=EASY_DEAL)
        told = readable_text(response_of(await ann.slash("solitaire table", in_words=True)))
        for words in ("Base ace", "\n8: ", "Spades: ", "next ", "Reserve: ", "Stock: ", "Waste: "):
            assert words in told

        async def look() -> Seen:
            return place.table

        await play_by_text(place, ann, look, choose_solitaire_move, "wins deal")
        assert "104 of 104 cards up" in place.table.text
        assert drawn == []


async def test_the_daily_deal_is_text_in_text_mode(tmp_path: Path, drawn: list[Any]) -> None:
    """In text mode, the daily deal is shown as text after each move, and no picture is drawn."""
    async with bot_harness(tmp_path) as place:
        ann = await add_text_mode_user(place)
        for turn in ("0 moves", "1 move"):
            seen = response_of(await ann.slash("solitaire daily"))
            readable_choices(seen)
            assert turn in readable_text(seen)
            assert "Only you can see this." in readable_text(seen)
            whole = readable_text(response_of(await ann.press("Tell me everything", seen)))
            assert "Reserve: " in whole
            await ann.press("Turn the stock", seen)
        readable_choices(place.notice)
        assert drawn == []
