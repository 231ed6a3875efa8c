"""Clicks by the wrong person, at the wrong time, twice, or with nonsense: answered, and harmless."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.actors import _component_interaction
from simcord.results import InteractionResult
from structlog.testing import capture_logs

from bot.sessions.tables import Tables
from tests.discord.pond import Person, Pond, Seen, pond

BUTTON = 2


def shown(result: InteractionResult) -> Seen:
    assert result.response is not None
    return Seen(result.response)


async def send(
    place: Pond, person: Person, seen: Seen, custom_id: str, **data: Any
) -> InteractionResult:
    """Send a click as Discord would, whether or not the message has that control."""
    stored = place.env.backend.get_message(place.channel.id, seen.id)
    asked = {"custom_id": custom_id, "component_type": BUTTON, **data}
    result = await _component_interaction(person.actor, stored, asked)
    assert isinstance(result, InteractionResult)
    assert result.acknowledged
    return result


def other(people: list[Person], mover: Person) -> Person:
    return next(person for person in people if person is not mover)


async def test_a_stranger_gets_a_private_word(tmp_path: Path) -> None:
    """Who does not sit at the table changes nothing, and is told so alone; My hand has none to show."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        before = place.table.alt
        for label in ("Pass", "Draw", "Ribit!", "My hand"):
            answer = await place.person("Stranger").press(label)
            assert answer.ephemeral
            assert "do not sit at this table" in shown(answer).text
        assert place.table.alt == before


async def test_not_your_turn(tmp_path: Path) -> None:
    """The other player's click is answered with whose turn it is."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = place.awaited
        answer = await other(people, mover).press("Pass")
        assert answer.ephemeral
        assert f"{mover.actor.user.global_name}'s turn" in shown(answer).text
        assert place.awaited is mover


async def test_a_double_click_counts_once(tmp_path: Path) -> None:
    """The second of two clicks on the same button does nothing, and is not scolded."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, table = place.awaited, place.table
        custom_id = table.custom_id("Pass")
        await mover.press("Pass")
        again = await send(place, mover, table, custom_id)
        assert again.followups == []
        assert place.awaited is other(people, mover)
        assert place.table.text.count("passed") == 1


async def test_a_stale_click_gets_the_fresh_view(tmp_path: Path) -> None:
    """A button of a state that is no more: nothing is played, the table is shown as it stands."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, table = place.awaited, place.table
        stale = table.custom_id("Draw")
        await mover.press("Pass")
        await other(people, mover).press("Pass")
        await place.pause()
        fresh = place.table.alt
        for person in people:
            answer = await send(place, person, table, stale)
            assert "moved on" in Seen(answer.followups[-1]).text
            assert answer.followups[-1].ephemeral
        assert place.table.alt == fresh


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "x",
        "m::::",
        "m:nothing0:0:t:s1",
        "a:nothing0:join",
        "a:nothing0:fly",
        "b:chess:0:on",
        "ö" * 100,
    ],
)
async def test_forged_ids_are_answered(tmp_path: Path, custom_id: str) -> None:
    """A custom_id that Ribit never sent is answered in private, and is no fault."""
    async with pond(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        before = place.table.alt
        with capture_logs() as logs:
            answer = await send(place, ann, place.table, custom_id)
        assert answer.ephemeral
        assert shown(answer).text.strip()
        assert [line for line in logs if line["log_level"] == "error"] == []
        assert place.table.alt == before


async def test_a_forged_choice_of_a_real_match(tmp_path: Path) -> None:
    """A choice that the panel does not have, or of a move yet to come, plays nothing."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover, table = place.awaited, place.table
        match_id = table.custom_ids[0].split(":")[1]
        for forged in (f"m:{match_id}:0:t:h1", f"m:{match_id}:7:t:end", f"m:{match_id}:0:h:deal"):
            await send(place, mover, table, forged)
        assert place.awaited is mover
        assert "passed" not in place.table.text


async def test_a_menu_for_a_large_hand(tmp_path: Path) -> None:
    """With more than ten cards the discard is a menu, in private."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        first = place.awaited
        for _turn in range(8):
            result = await first.press("Draw")
            await first.press("Keep all, end turn", Seen(result.followups[-1]))
            await place.awaited.press("Pass")
        result = await first.press("Draw")
        hand = Seen(result.followups[-1])
        menu = next(custom_id for custom_id in hand.custom_ids if custom_id.endswith(":h:"))
        answer = await first.actor.select(hand.message, ["h1"], custom_id=menu)
        assert answer.acknowledged
        assert "discarded" in place.table.text
        assert len(people) == 2


async def test_a_fault_is_an_apology_with_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is logged once with an id that the player gets; the table lives on."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.awaited

        async def broken(*_arguments: object) -> None:
            raise RuntimeError("the pond has dried up")

        with monkeypatch.context() as patched, capture_logs() as logs:
            patched.setattr(Tables, "choose", broken)
            answer = await mover.press("Pass")
        faults = [line for line in logs if line["log_level"] == "error"]
        assert len(faults) == 1
        assert answer.ephemeral
        assert faults[0]["id"] in shown(answer).text
        assert "dried" not in shown(answer).text
        await mover.press("Pass")
        assert place.awaited is not mover
