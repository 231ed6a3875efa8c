"""Tests of the report's exclusions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.discord.bot_harness import Person, bot_harness, ephemeral_reply
from tests.discord.regular_posts import DAY, enable_daily_post, store_toad_win, weekly_reports


async def test_removed_results_and_repeated_wins_earn_no_points(tmp_path: Path) -> None:
    """Removed results earn no points, nor do more than three wins a day over one player."""
    async with bot_harness(tmp_path) as place:
        ada = await enable_daily_post(place)
        ann, ben, cy = (place.person(name) for name in ("Ann", "Ben", "Cy"))
        for number in range(5):
            await store_toad_win(place, number, ann, ben)
        await place.wait(60)
        await store_toad_win(place, 9, cy, ben)
        await place.wait(4 * DAY)
        [report] = weekly_reports(place)
        assert "Place 1: Ann, 30 points. Place 2: Cy, 10 points. Place 3: Ben, 8 points." in report.alt
        await correct_leaderboard(ada, what="player", player=ann.actor.user)
        assert "Place 1: Cy, 10 points. Place 2: Ben, 8 points." in weekly_reports(place)[0].alt
        await correct_leaderboard(ada, what="match", match="toad9")
        assert "Place 1: Ben, 6 points." in weekly_reports(place)[0].alt


async def correct_leaderboard(ada: Person, **what: Any) -> None:
    question = ephemeral_reply(await ada.slash("correct", **what))
    await ada.press("Take it off", question)
    await ada._harness.wait(60)
