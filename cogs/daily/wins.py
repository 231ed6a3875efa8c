"""Who has won the deals of days, and how many days in a row."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from bot.matches.leaderboard import HELPED, LATE, Row
from bot.messages.daily_deal import as_date, day_of, ends_at, row_up_to
from bot.storage import DayDeal
from bot.storage.sql import Record, Sql
from bot.storage.tallying import shown_names
from bot.storage.writer import Asker


class DayWins(Asker):
    """The winners of each day, as the end of a match adds them, and the days that there were."""

    async def board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> list[Row]:
        """Return a day's winners in a server, or one of them, by moves and then seconds.

        Who was late, and then who was helped, stands below all who were not. The figures are
        ``moves``, ``undos``, ``seconds``, and ``late`` and ``helped``, 1 or 0.
        """
        of_the_day = {"guild_id": guild_id, "game": game, "day": day}

        async def work(sql: Sql) -> list[Row]:
            if player_id is None:
                found = [row async for row in sql.day_page(**of_the_day, offset=offset, limit=limit)]
            else:
                row = await sql.day_win_of(**of_the_day, player_id=player_id)
                found = [] if row is None else [row]
            return await shown_names(sql, guild_id, map(_row, found))

        return await self._reader.run(work)

    async def count(self, guild_id: int, game: str, day: int) -> int:
        """Return how many players of a server have won a day's deal."""
        return int(await self._ask("day_count", guild_id=guild_id, game=game, day=day))

    async def days_of(self, player_id: int, game: str) -> dict[int, int]:
        """Return the days whose deal a player has won anywhere, such as 20261121, latest first.

        With each comes when that was, in seconds since 1970.
        """
        found = await self._list("days_won", player_id=player_id, game=game)
        return {row["day"]: row["ended_at"] for row in found}

    async def deals_before(self, game: str, day: int, limit: int) -> list[DayDeal]:
        """Return the deals of the last days before this one, latest first."""
        found = await self._list("days_before", game=game, day=day, limit=limit)
        return [DayDeal(row["day"], row["deal"], row["par"]) for row in found]


def _row(row: Record) -> Row:
    figures = {key: row[key] for key in (LATE, HELPED, "moves", "undos", "seconds")}
    return Row(
        row["rank"], row["player_id"], row["name"], 1, 1, figures, user_name=row["user_name"] or ""
    )


def streak(won_at: Mapping[int, int], day: int) -> int:
    """Return how many days in a row were won in time, up to this day, or up to the day before it."""
    won, last = _in_time(won_at), as_date(day)
    return row_up_to(won, last) or row_up_to(won, last - timedelta(days=1))


def longest_streak(won_at: Mapping[int, int]) -> int:
    """Return how many days in a row were won in time at the most."""
    won = _in_time(won_at)
    return max((row_up_to(won, day) for day in won if day + timedelta(days=1) not in won), default=0)


def _in_time(won_at: Mapping[int, int]) -> set[date]:
    """Return the days that count for a row of days: won before the next-but-one deal."""
    seconds = int(timedelta(days=1).total_seconds())
    return {as_date(day) for day, at in won_at.items() if at < ends_at(day) + seconds}


def day_of_text(text: str) -> int | None:
    """Return the day that is written so, as 20261121 or 2026-11-21; None where it is no day."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return day_of(datetime.combine(found, time(), UTC))
