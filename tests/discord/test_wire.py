"""The judge can condemn; and what it is judged by is at hand, or the test says that it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.types import HttpLogEntry

from tests.discord.judge import ENVIRONMENT_VARIABLE, V2_FLAG, by_hand, complaints, description_path
from tests.discord.pond import pond


def button(**changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": "a", **changes}


def row(*items: dict[str, Any]) -> dict[str, Any]:
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
    "too many components": {"components": [row(button(custom_id=str(n))) for n in range(21)]},
    "stands twice": {"components": [row(button(), button())]},
    "custom_id is too long": {"components": [row(button(custom_id="x" * 101))]},
    "row is too long": {"components": [row(*(button(custom_id=str(n)) for n in range(6)))]},
    "label is too long": {"components": [row(button(label="x" * 81))]},
    "menu is too long": {"components": [row({"type": 3, "custom_id": "m", "options": [{}] * 26})]},
    "alt text is missing": {"flags": V2_FLAG, "components": [{"type": 12, "items": [{"media": {}}]}]},
    "texts too long": {"flags": V2_FLAG, "components": [{"type": 10, "content": "x" * 4001}]},
}


@pytest.mark.parametrize("words", BAD)
def test_the_hand_written_limits_condemn(words: str) -> None:
    """Each limit that Discord's description misses is held by hand."""
    assert any(words in complaint for complaint in by_hand(BAD[words]))


def test_a_good_message_passes() -> None:
    """A plain message with a button has nothing against it."""
    assert list(by_hand({"content": "hello", "components": [row(button())]})) == []


def test_discords_description_condemns() -> None:
    """A body that Discord would refuse is refused here, by Discord's own words."""
    if description_path() is None:
        pytest.skip(
            f"Discord's OpenAPI description is not at hand; set {ENVIRONMENT_VARIABLE} to its path"
        )
    good = {"content": "hello", "flags": 0}
    bad = {"content": "hello", "tts": "maybe"}
    path = "/channels/123/messages"
    assert complaints([HttpLogEntry("POST", path, {}, good, None)]) == []
    assert complaints([HttpLogEntry("POST", path, {}, bad, None)])
    assert complaints([HttpLogEntry("POST", "/channels/123/nonsense", {}, good, None)])


async def test_every_request_is_judged(tmp_path: Path) -> None:
    """The requests of a test are at hand to be judged, with their bodies; the pond judges them all."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        requests = place.env.http_requests
        assert sum(request.json is not None for request in requests) > 5
        assert complaints(requests) == []
