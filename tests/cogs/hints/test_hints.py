"""Tests of hints, which show a toad's move in the player's own hand."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.delivery.message_plans import Plans
from bot.matches.match import Match
from tests.discord.bot_harness import (
    HERE,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    other_person,
    response_of,
)
from tests.discord.paused_workers import Working
from tests.discord.test_text_mode import add_text_mode_user, readable_text
from tests.discord.toad_player import is_over, true_state

MARK = "💡"


async def hint_count(place: BotHarness, person: Person) -> int:
    """Return the number of hints counted for a player in the table's match."""
    match = await place.bot.database.journal.find(place.table.match_id)
    assert isinstance(match, Match)
    return next(player.hints for player in match.players if player.id == person.id)


def marked_labels(seen: Seen) -> list[str]:
    """Return the labels of the choices that are marked."""
    buttons = [part for part in seen._parts(2) if part["label"] != "Hint"]
    return [part["label"] for part in buttons if (part.get("emoji") or {}).get("name") == MARK]


async def test_a_hint_marks_the_best_choice_and_gives_a_reason(tmp_path: Path) -> None:
    """A hint marks the best choice with a reason. It makes no move, and counts once per move."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair(lives=1, hints=1)
        before = await true_state(place)
        old = mover.dm
        await mover.press_dm("Hint")
        hinted = mover.dm
        assert len(marked_labels(hinted)) == 1
        assert f" {marked_labels(hinted)[0].partition(' ›')[0]}**" in hinted.text
        assert any(each in hinted.text for each in ("Swap", "best", "Take", "Discard", "a toad"))
        assert await true_state(place) == before
        await mover.send(hinted, f"a:{place.table.match_id}:hint")
        assert await hint_count(place, mover) == 1
        assert old.id == hinted.id
        await mover.press("Give up", response_of(await mover.slash("toad leave")))
        assert is_over(place)
        assert f"{MARK} 1 hint used" in place.table.text, "everybody sees it in the end"


async def test_a_hint_guides_the_player_through_a_turn_of_toad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hint stays through take, discard and end, is one for the turn, also over a restart, and ends."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes([7]) * 32)
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair(hints=1)
        seat = (await true_state(place)).turn
        await mover.press_dm("Hint")
        (first,) = marked_labels(mover.dm)
        planned = "›" in first
        await mover.press_dm(first)
        assert len(marked_labels(mover.dm)) == planned, "what is drawn unseen is not planned with"
        await place.restart()
        assert await hint_count(place, mover) == 1
        await mover.send(mover.dm, f"a:{place.table.match_id}:hint")
        while (await true_state(place)).turn == seat:
            (way,) = marked_labels(mover.dm)
            assert MARK in mover.dm.text
            assert way.partition(" ›")[0] in mover.dm.text
            assert "Hint" not in mover.dm.labels
            await mover.press_dm(way)
        assert MARK not in mover.dm.text
        assert await hint_count(place, mover) == 1, "a turn is one hint"
        await waiting.press_dm("Hint")
        (way,) = marked_labels(waiting.dm)
        others = [each for each in waiting.dm.labels if ("›" in each or each == "Draw") and each != way]
        await waiting.press_dm(others[0])
        assert MARK not in waiting.dm.text, "another way was gone"


async def test_a_hint_guides_the_player_through_a_move_in_frogger(tmp_path: Path) -> None:
    """A hint in Frogger marks each step of a move."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair(game="frogger", hints=1)
        await mover.press_dm("Hint")
        (first,) = marked_labels(mover.dm)
        hint = next(line for line in mover.dm.text.splitlines() if line.startswith(f"{MARK} **{first}"))
        assert any(words in hint for words in ("brings a frog", "moves a frog", "gets you"))
        plays = [each for each in mover.dm.labels if each.startswith("Play") and each != first]
        for wrong in [each for each in plays if " to place" not in each and "home" not in each][:1]:
            await mover.press_dm(wrong)
            assert (marked_labels(mover.dm), hint in mover.dm.text) == ([], True), (
                "a step, and no move yet"
            )
            await mover.press_dm("Back")
        for way in hint.split("**")[1].split(" · "):
            assert (marked_labels(mover.dm), hint in mover.dm.text) == ([way], True)
            await mover.press_dm(way)
        assert hint not in mover.dm.text, "the move is made"
        assert "Action 2" in mover.dm.text or "End turn" not in mover.dm.labels


async def test_only_the_player_to_move_gets_a_hint(tmp_path: Path) -> None:
    """A hint is refused to a player who is not to move, and to a user without a seat."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", hints=1)
        waiting = other_person(people, place.reminded_player)
        ask = f"a:{place.table.match_id}:hint"
        assert "Hint" not in waiting.dm.labels
        assert "your own turn" in ephemeral_reply(await waiting.send(place.table, ask)).text
        assert (
            "not at this table" in ephemeral_reply(await place.person("Zoe").send(place.table, ask)).text
        )
        assert [await hint_count(place, person) for person in people] == [0, 0]


async def test_the_host_decides_if_a_shared_table_has_hints(tmp_path: Path) -> None:
    """A table with several people has hints only if the host allows them."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        assert "Hint" not in mover.dm.labels
        said = ephemeral_reply(await mover.send(mover.dm, f"a:{place.table.match_id}:hint")).text
        assert "no hints at this table" in said
        assert await hint_count(place, mover) == 0


async def test_a_single_player_with_computer_players_has_hints(tmp_path: Path) -> None:
    """A table with one person and computer players has hints."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=0)
        while (await true_state(place)).turn != 0:
            await place.wait(5)
        assert "Hint" in response_of(await ann.press("My hand")).labels


async def test_a_hint_is_computed_once_per_position(tmp_path: Path) -> None:
    """A hint is computed once, however often *Hint* is pressed."""
    workers = Working()
    async with bot_harness(tmp_path, opponents=workers) as place:
        mover, _waiting = await place.start_pair(hints=1)
        for _click in range(3):
            await mover.send(mover.dm, f"a:{place.table.match_id}:hint")
        assert workers.asked.count("ChooseHint") == 1


async def test_a_late_hint_does_not_replace_the_link_in_the_dm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the hand is opened at the table before a hint in the DM is shown, the DM links to the table.

    Otherwise the hint and its buttons would stay in the DM without updates.
    """
    monkeypatch.setattr("bot.requests.answers.YIELD_SECONDS", 0.0)
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.start_pair(hints=1)
        await ann.move_hand_to_dm()
        make, low_priority, goes_on = Plans.hand, asyncio.Event(), asyncio.Event()

        async def make_late(contents: Plans, *asked: Any, **how: Any) -> Any:
            if not low_priority.is_set():
                low_priority.set()
                await goes_on.wait()
            return await make(contents, *asked, **how)

        monkeypatch.setattr(Plans, "hand", make_late)
        asked = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("Hint")))
        await low_priority.wait()
        opened = asyncio.create_task(ann.send(place.table, place.table.custom_id("My hand")))
        for _turn in range(50):
            await asyncio.sleep(0.01)
        goes_on.set()
        await asyncio.gather(asked, opened)
        assert ann.dm.labels == [HERE]


async def test_text_mode_shows_a_hint_as_a_line_without_an_icon(tmp_path: Path) -> None:
    """In text mode, a hint is one line that names the button in bold and then gives the reason."""
    async with bot_harness(tmp_path) as place:
        ann = await add_text_mode_user(place)
        await ann.slash("toad start", frogs=1, strength=0)
        while (await true_state(place)).turn != 0:
            await place.wait(5)
        await ann.press_dm("Hint")
        await ann.move_hand_to_dm()
        assert re.search(r"\nHint: \*\*(Take|Draw)[^*]*\*\*: \w", readable_text(ann.dm))
