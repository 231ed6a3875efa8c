"""Tests of the report's exclusions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.discord.bot_harness import Person, bot_harness, told
from tests.discord.regular_posts import DAY, beat, reports, switched_on


async def test_removed_results_and_repeated_wins_earn_no_points(tmp_path: Path) -> None:
    """Removed results earn no points, nor do more than three wins a day over one player."""
    async with bot_harness(tmp_path) as place:
        ada = await switched_on(place)
        ann, ben, cy = (place.person(name) for name in ("Ann", "Ben", "Cy"))
        for number in range(5):
            await beat(place, number, ann, ben)
        await place.wait(60)
        await beat(place, 9, cy, ben)
        await place.wait(4 * DAY)
        [report] = reports(place)
        assert "Place 1: Ann, 30 points. Place 2: Cy, 10 points. Place 3: Ben, 8 points." in report.alt
        await correct(ada, what="player", player=ann.actor.user)
        assert "Place 1: Cy, 10 points. Place 2: Ben, 8 points." in reports(place)[0].alt
        await correct(ada, what="match", match="toad9")
        assert "Place 1: Ben, 6 points." in reports(place)[0].alt


async def correct(ada: Person, **what: Any) -> None:
    question = told(await ada.slash("correct", **what))
    await ada.press("Take it off", question)
    await ada._harness.wait(60)
