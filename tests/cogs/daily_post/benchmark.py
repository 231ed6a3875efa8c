"""Ten thousand servers whose daily post is due in the same minute.

``python -m tests.cogs.daily_post.benchmark`` sends them within the budget of one process, to a Discord
that answers in 50 ms, while a click asks for a request every second. It prints how long the posts and
the clicks took.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import structlog

from bot.delivery.regular_posts import PostSchedule, PostType, due_at
from bot.matches.match import Player
from bot.matches.shards import ALL_SHARDS
from bot.messages.appearance import PLAIN
from bot.messages.channel_access import ChannelAccess
from bot.messages.daily_items import DailyItem, DayNews
from bot.requests.answers import InFlightAnswers
from bot.requests.budget import Budget
from bot.storage.database import Database, open_database
from bot.storage.regular_posts import PostChange, PostSettings, RegularPost
from cogs.daily_post.cog import DAILY, DailyPost

SERVERS, DAY, NOW = 10_000, 20270115, 1_800_000_000
ANSWER_SECONDS, CLICK_SECONDS = 0.05, 1.0


class Discord:
    """A client, its channels and their permissions, which take everything."""

    def __init__(self, budget: Budget, database: Database) -> None:
        self.budget, self.players, self.under_way, self.sent = (
            budget,
            database.players,
            InFlightAnswers(),
            0,
        )
        self.requests, self.permissions, self.pubsub = self, self, database.pubsub
        self.appearances, self.is_done = self, asyncio.Event()

    def clock(self) -> int:
        return NOW

    def channel_access(self, guild_id: int, channel_id: int) -> ChannelAccess:
        return ChannelAccess(guild_id, channel_id)

    def channel(self, _channel_id: int) -> Discord:
        return self

    def turn(self, channel_id: int, *, is_urgent: bool) -> Any:
        return self.budget.turn(channel_id)

    async def wait_until_ready(self) -> None: ...

    async def language_in(self, _guild_id: int) -> str:
        return "en-GB"

    async def of_channel(self, *_where: int) -> Any:
        return PLAIN

    async def send(self, **_shown: Any) -> Any:
        await asyncio.sleep(ANSWER_SECONDS)
        self.sent += 1
        if self.sent == SERVERS:
            self.is_done.set()
        return SimpleNamespace(id=self.sent)


async def click_latencies(budget: Budget) -> list[float]:
    """Make requests as clicks do until cancelled, and return their waits in milliseconds."""
    waits = list[float]()
    with suppress(asyncio.CancelledError):
        while True:
            began = time.perf_counter()
            async with budget.turn(1):
                waits.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(CLICK_SECONDS)
    return sorted(waits)


async def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder, "ribit.sqlite3"))
        budget = Budget()
        discord: Any = Discord(budget, database)
        schedule = PostSchedule(
            discord, database.regular_posts, discord, discord, database.pubsub, ALL_SHARDS
        )

        async def news(guild_id: int, _day: int) -> DayNews:
            await database.regular_posts.of_server(guild_id)
            return DayNews("🏆 Ann", [(Player(1, "Ann"), 3)], 3, 5)

        schedule.items += [DailyItem(key, lambda: "Deal", news, lambda _day: ()) for key in "abc"]
        cog = DailyPost(schedule, database.players)
        schedule.types[DAILY] = PostType(DAILY, cog.content, is_main=True)
        for guild_id in range(1, SERVERS + 1):
            settings = PostSettings(guild_id, guild_id, 8, is_on=True, played_at=NOW)
            post = RegularPost(guild_id, DAILY, DAY, guild_id, wakes_at=due_at(DAY, settings))
            change = PostChange(settings, [post])
            await database.regular_posts.change(guild_id, lambda *_before, change=change: change)
        began, cpu = time.perf_counter(), time.process_time()
        clicking = asyncio.create_task(click_latencies(budget))
        schedule.start()
        await discord.is_done.wait()
        seconds, milliseconds = time.perf_counter() - began, 1000 * (time.process_time() - cpu)
        clicking.cancel()
        waits = await clicking
        late = waits[len(waits) * 99 // 100]
        sys.stdout.write(
            f"{SERVERS:,} posts in {seconds:.0f} s, {milliseconds / SERVERS:.1f} ms of CPU each\n"
            f"a click waited {median(waits):.0f} ms, one of a hundred {late:.0f} ms\n"
        )
        await schedule.close()
        await database.close()


if __name__ == "__main__":
    asyncio.run(main())
