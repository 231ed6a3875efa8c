"""Tests that the request checks detect faults, and that their description of Discord is available.

The bot harness calls them at the end of every test, for every request that the bot made in it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simcord.types import HttpLogEntry

from bot.messages.table_view import TableView, table_view
from bot.sessions.table_state import Table
from tests.discord.bot_harness import TEXT, bot_harness
from tests.discord.request_checks import (
    ENVIRONMENT_VARIABLE,
    V2_FLAG,
    description_path,
    request_faults,
    undocumented_faults,
)
from tests.discord.secrecy import Message, cards_in
from tests.discord.toad_player import true_state


def new_button(**changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": "a", **changes}


def new_row(*items: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(items)}


BAD: dict[str, dict[str, Any]] = {
    "content too long": {"content": "x" * 2001},
    "empty message": {"content": ""},
    "content beside V2": {
        "content": "x",
        "flags": V2_FLAG,
        "components": [{"type": 10, "content": "y"}],
    },
    "without the flag": {"components": [{"type": 10, "content": "y"}]},
    "V2 components without the flag": {"components": [{"type": 17, "components": []}]},
    "too many components": {"components": [new_row(new_button(custom_id=str(n))) for n in range(21)]},
    "stands twice": {"components": [new_row(new_button(), new_button())]},
    "custom_id is too long": {"components": [new_row(new_button(custom_id="x" * 101))]},
    "row is too long": {"components": [new_row(*(new_button(custom_id=str(n)) for n in range(6)))]},
    "label is too long": {"components": [new_row(new_button(label="x" * 81))]},
    "menu is too long": {"components": [new_row({"type": 3, "custom_id": "m", "options": [{}] * 26})]},
    "alt text is missing": {"flags": V2_FLAG, "components": [{"type": 12, "items": [{"media": {}}]}]},
    "inside a card": {"components": [new_row(new_button(label="Take 8\N{WORD JOINER}🌙☀️"))]},
    "inside a card: to 12": {"flags": V2_FLAG, "components": [{"type": 10, "content": "to 12, 3🌊"}]},
    "texts too long": {"flags": V2_FLAG, "components": [{"type": 10, "content": "x" * 4001}]},
}


@pytest.mark.parametrize("words", BAD)
def test_the_check_applies_limits_missing_from_discords_schema(words: str) -> None:
    """Each limit that Discord's description lacks is checked by our own code."""
    assert any(words in complaint for complaint in undocumented_faults(BAD[words]))


def test_a_valid_message_passes_the_check() -> None:
    """A plain message with a button has nothing against it."""
    assert list(undocumented_faults({"content": "hello", "components": [new_row(new_button())]})) == []


def test_the_check_applies_discords_schema() -> None:
    """A body that Discord would refuse is refused here, by Discord's own words."""
    if description_path() is None:
        pytest.skip(
            f"Discord's OpenAPI description is not at hand; set {ENVIRONMENT_VARIABLE} to its path"
        )
    good = {"content": "hello", "flags": 0}
    bad = {"content": "hello", "tts": "maybe"}
    path = "/channels/123/messages"
    assert request_faults([HttpLogEntry("POST", path, {}, good, None)]) == []
    assert request_faults([HttpLogEntry("POST", path, {}, bad, None)])
    assert request_faults([HttpLogEntry("POST", "/channels/123/nonsense", {}, good, None)])


async def test_every_request_is_recorded_and_checked(tmp_path: Path) -> None:
    """The harness records the body of each request and checks it."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        requests = place.env.http_requests
        assert sum(request.json is not None for request in requests) > 5
        assert request_faults(requests) == []


def test_interaction_responses_are_checked() -> None:
    """A message inside an interaction's response is checked by the same limits."""
    path = "/interactions/1/token/callback"
    bad = {"type": 4, "data": {"content": "x" * 2001}}
    found = request_faults([HttpLogEntry("POST", path, {}, bad, None)])
    assert any("content too long" in complaint for complaint in found)


TOLD = {
    "the picture's words": {"type": 12, "items": [{"description": "Ann holds 7♠"}]},
    "a label": new_button(label="Discard 7♠"),
    "an option": new_row({"type": 3, "custom_id": "m", "options": [{"label": "7♠", "value": "h1"}]}),
    "a custom_id": new_button(custom_id="m:abcd:3:h:7S"),
    "an option's value": new_row(
        {"type": 3, "custom_id": "m", "options": [{"label": "x", "value": "7S"}]}
    ),
    "the text": {"type": 10, "content": "Ann drew 7♠"},
}


@pytest.mark.parametrize("where", TOLD)
def test_the_check_finds_a_hidden_card_anywhere(where: str) -> None:
    """A hidden card is found in any part of a message, and a visible card is allowed."""
    seven = cards_in("7♠")
    message = Message("", [TOLD[where]])
    assert list(message.complaints(set(), set()))
    if "custom_id" not in where and "value" not in where:
        assert list(message.complaints(seven, set())) == []


async def test_a_public_table_with_a_hand_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the public table were drawn from a player's view, every test here would fail."""

    def indiscreet(table: Table, viewer: int | None = None) -> TableView:
        return replace(table_view(table, table.to_move if viewer is None else viewer), viewer=viewer)

    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.message_plans.table_view", indiscreet)
            with pytest.raises(AssertionError, match=r"tells? of"):
                await place.person("Ann").slash("toad table")
        await place.person("Ann").slash("toad table")


async def test_a_hand_sent_to_another_player_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a player were sent a neighbour's hand, every test here would fail."""

    def mistaken(table: Table, viewer: int | None = None) -> TableView:
        return table_view(table, None if viewer is None else (viewer + 1) % len(table.match.players))

    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.message_plans.table_view", mistaken)
            with pytest.raises(AssertionError, match=r"tells? of"):
                await place.person("Ann").press("My hand")
        await place.person("Ann").press("My hand")  # what was wrong is put right


async def test_an_edited_message_is_checked_again(tmp_path: Path) -> None:
    """A message that was checked before is checked again after an edit."""
    async with bot_harness(tmp_path) as place:
        await place.start_pair()
        [hidden, *_cards] = (await true_state(place)).hands[0]
        message = place.env.backend.get_message(place.channel.id, place.table.id)
        parts = [*message.components, {"type": TEXT, "content": f"Ann has {hidden}."}]
        place.env.backend.edit_message(place.channel.id, place.table.id, {"components": parts})
        with pytest.raises(AssertionError, match="text tells of"):
            await place.check()


async def test_a_card_or_seed_in_a_log_line_fails_the_test(tmp_path: Path) -> None:
    """A card or a seed in a log line would fail the test in which it was written."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        seed = (await true_state(place)).seed
        for said in ("took 7♠", "discard 7S", f"seed={seed!r}", seed.hex()):
            place.logs.append({"event": said, "log_level": "info"})
            with pytest.raises(AssertionError):
                place.check_records()
            place.logs.pop()


async def test_an_unexpected_logged_error_fails_the_test(tmp_path: Path) -> None:
    """A logged error fails the test unless the test expects it."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        place.logs.append({"event": "fault", "log_level": "error"})
        with pytest.raises(AssertionError):
            place.check_records()
