"""Outages: how long the bot could not be played on each day, by the shards of its processes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from bot.matches.leaderboard import DAY_SECONDS
from bot.matches.shards import Shards
from bot.storage.daily_deals import day_at
from bot.storage.sql import Sql
from bot.storage.writer import Store

MOST_OFF_SECONDS = DAY_SECONDS // 2
"""A day with a longer outage than this breaks no streak."""


class Outages(Store):
    """The outages of all processes."""

    async def add(self, since: int, until: int, shards: Shards | None = None) -> None:
        """Add an outage of some shards, or with None of all, between two Unix times."""

        async def work(sql: Sql) -> None:
            for day, seconds in _seconds_by_day(since, until):
                await sql.add_outage(day=day, shards=str(shards or ""), seconds=seconds)

        await self._writer.write(work)

    async def off_days(self) -> frozenset[date]:
        """Return the UTC days on which some shards could not be played for most of the hours."""
        return await self._reader.run(off_days)


async def off_days(sql: Sql) -> frozenset[date]:
    found = sql.off_days(most=MOST_OFF_SECONDS)
    return frozenset([date.fromisoformat(str(row["day"])) async for row in found])


def _seconds_by_day(since: int, until: int) -> Iterator[tuple[int, int]]:
    while since < until:
        midnight = (since // DAY_SECONDS + 1) * DAY_SECONDS
        yield day_at(since), min(midnight, until) - since
        since = midnight
