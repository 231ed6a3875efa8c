"""Storage of the bot's downtime: the number of seconds for each day and each process's shards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.shards import Shards
from bot.storage.daily_deals import day_at
from bot.storage.named_queries import Sql
from bot.storage.writer import Store

MOST_OFF_SECONDS = DAY_SECONDS // 2
"""Seconds of outage on a day. If a day had more, it does not break a player's streak."""


class Outages(Store):
    """Store of the times during which the bot's processes were not connected to Discord."""

    async def add(self, since: int, until: int, shards: Shards | None = None) -> None:
        """Store an outage of some or all of the bot's shards.

        Args:
            since: The Unix time at which the outage began.
            until: The Unix time at which the outage ended.
            shards: The affected shards, or None for all.
        """

        async def work(sql: Sql) -> None:
            for day, seconds in _seconds_by_day(since, until):
                await sql.add_outage(day=day, shards=str(shards or ""), seconds=seconds)

        await self._writer.write(work)

    async def off_days(self) -> frozenset[date]:
        """Return the UTC days on which some of the bot's shards were down for over MOST_OFF_SECONDS."""
        return await self._reader.run(off_days)


async def off_days(sql: Sql) -> frozenset[date]:
    rows = sql.off_days(most=MOST_OFF_SECONDS)
    return frozenset([date.fromisoformat(str(row["day"])) async for row in rows])


def _seconds_by_day(since: int, until: int) -> Iterator[tuple[int, int]]:
    while since < until:
        midnight = (since // DAY_SECONDS + 1) * DAY_SECONDS
        yield day_at(since), min(midnight, until) - since
        since = midnight
