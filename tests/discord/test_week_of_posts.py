"""A simulated week of a server of eight, with a kill and a clock change in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.storage.regular_posts import RegularPosts
from bot.storage.writer import UnreachableDatabaseError
from tests.discord.bot_harness import BotHarness, bot_harness
from tests.discord.regular_posts import (
    EIGHT,
    ZONE,
    daily_posts,
    enable_daily_post,
    store_deal_win,
    store_toad_win,
    weekly_reports,
)

FIRST, KILLED, CLOCKS = 23, 25, 29
"""Days in March: the first with a post, the day of the kill, and the day that skips 2:00."""


async def wait_until_time(place: BotHarness, day: int, hour: int) -> None:
    at = datetime(2026, 3, day, hour, tzinfo=UTC).timestamp()
    await place.wait(at - place.now)


async def test_a_server_gets_one_post_a_day_for_a_week(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each day has one post, even after a kill or a clock change, and the week has one report."""
    pytest.importorskip("cogs.weekly_report")
    async with bot_harness(tmp_path) as place:
        await wait_until_time(place, FIRST - 1, 12)
        await enable_daily_post(place, 2, ZONE)
        people = [place.person(name) for name in EIGHT]
        for day in range(FIRST, CLOCKS + 1):
            if day == KILLED:
                kill_after_sending(place, monkeypatch)
            await wait_until_time(place, day, 2)
            if day == KILLED:
                await place.restart(after=60 * 60)
            today = [post for post in daily_posts(place) if f"2026-03-{day}" in post.text]
            assert len(today) == 1, day
            sent_at = today[0].message.created_at
            assert (sent_at.day, sent_at.hour, sent_at.minute) == (day, 1, 0)
            await wait_until_time(place, day, 4)
            assert [bool(post.labels) for post in daily_posts(place)] == [False] * (day - FIRST) + [True]
            for person in people[: 1 + day % 6]:
                await store_deal_win(place, person)
            await people[-1 - day % 2].press("Play the deal", daily_posts(place)[-1])
            await store_toad_win(place, day, people[day % 3], people[3 + day % 5])
            await wait_until_time(place, day, 12)
        last = daily_posts(place)[-1]
        assert "👥 7 played, 6 the day before" in last.text
        assert (
            "🏆 Best on 2026-03-27: 1. Cy (82 moves), 2. Ann (83 moves), 2. Ben (83 moves)" in last.text
        )
        assert "🔥 Days in a row: Ann 7, Ben 5, Cy 4" in last.text
        assert "Ann" not in daily_posts(place)[0].text, "a closed post names nobody"
        [report] = weekly_reports(place)
        assert "2026-03-21 to 2026-03-27" in report.text
        assert report.alt.startswith("Place 1: Ann, 32 points. Place 2: Cy, 26 points. Place 3: Ben, 19")
        assert "Longest streak: Ann, 4 days. Closest match: Cy – Gil (Toad)." in report.alt
        assert "Greatest comeback: Cy. Unbeaten: Ann, Cy." in report.alt
        assert report.labels == ["Watch"]


def kill_after_sending(place: BotHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot store nothing any more once it has sent the next post."""
    killed, change, before = (
        place.bot.database.regular_posts,
        RegularPosts.change,
        len(daily_posts(place)),
    )

    async def change_while_alive(store: RegularPosts, *asked: Any) -> None:
        if store is killed and len(daily_posts(place)) > before:
            raise UnreachableDatabaseError
        await change(store, *asked)

    monkeypatch.setattr(RegularPosts, "change", change_while_alive)
