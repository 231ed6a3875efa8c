"""Queries about the deals of the day: tries, wins and streaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from bot.engine.frozen import frozen
from bot.matches.leaderboard_rules import (
    BEYOND,
    HELPED,
    LATE,
    Facts,
    LeaderboardRow,
    is_with_help,
)
from bot.matches.match import Match, Player, Result
from bot.messages.deal_calendar import as_date, counts_until
from bot.messages.streaks import streak_lately
from bot.sessions.match_creation import place_of_try
from bot.storage.bot_downtime import off_days
from bot.storage.daily_deals import DayDeal
from bot.storage.leaderboard_totals import shown_names
from bot.storage.named_queries import Record, Sql
from bot.storage.writer import ReadStore

MOST_NAMED = 20


STREAK, FROZEN = "days in a row", "days missed in between"


PLACE, PLAYERS = "place of the day", "players of the day"
"""Keys of the facts that are stored when a player wins a deal of the day."""


@frozen
class DayTries:
    """The tries of one day's deal in a server: either the finished ones or those in progress.

    A try is the one match with the day's deal that counts for a player.

    Attributes:
        count: The total number of these tries.
        players: The players of the first ``MOST_NAMED`` tries, by start time.
    """

    count: int
    players: tuple[Player, ...]


class DayWins(ReadStore):
    """Queries for the players who have tried or won a day's deal."""

    async def board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> list[LeaderboardRow]:
        """Return a page of winners for the leaderboard of a day's deal.

        Winners are ordered by moves, then by seconds. Late wins and wins with help come last.

        Args:
            guild_id: The server's ID.
            game: The game's key.
            day: The day, such as 20261121.
            offset: The number of winners to skip.
            limit: The maximum number of winners.
            player_id: If given, return only this player's row.
        """
        of_the_day = {"guild_id": guild_id, "game": game, "day": day}

        async def work(sql: Sql) -> list[LeaderboardRow]:
            if player_id is None:
                rows = [row async for row in sql.day_page(**of_the_day, offset=offset, limit=limit)]
            else:
                row = await sql.day_win_of(**of_the_day, player_id=player_id)
                rows = [] if row is None else [row]
            return await shown_names(sql, guild_id, map(_row, rows))

        return await self._reader.run(work)

    async def position(self, guild_id: int, game: str, day: int, player_id: int) -> int:
        """Return the number of players who rank above a given winner of a day's deal."""
        where = {"guild_id": guild_id, "game": game, "day": day}
        return int(await self._ask("day_position", **where, player_id=player_id))

    async def count(self, guild_id: int, game: str, day: int) -> int:
        return int(await self._ask("day_count", guild_id=guild_id, game=game, day=day))

    async def days_of(self, player_id: int, game: str) -> dict[int, int]:
        """Return the days on which a player has won the deal of the day, latest first.

        Wins with help are not included, because they do not count for a streak.

        Returns:
            The Unix time of the win, by day.
        """
        return await self._reader.run(lambda sql: days_won(sql, player_id, game))

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Return the facts to store when a player has won the deal of the day.

        They are the streak, the player's place and the number of players. Return an empty dict if the
        match was not a deal of the day, was lost, or was won with help. Place and number of players are
        missing for matches outside servers.
        """
        if not match.day or not any(result.won and not is_with_help(result) for result in results):
            return {}
        won = won_in_time(await days_won(sql, match.host_id, match.game))
        streak = streak_lately(won, as_date(match.day), await off_days(sql))
        facts = {STREAK: streak.length, FROZEN: streak.frozen}
        of_the_day = {"guild_id": match.guild_id, "game": match.game, "day": match.day}
        if match.guild_id is not None:
            row = await sql.day_win_of(**of_the_day, player_id=match.host_id)
            if row is not None:
                facts |= {PLACE: row["rank"], PLAYERS: int(await sql.day_count(**of_the_day))}
        return {0: facts}

    async def tries(self, guild_id: int, game: str, day: int) -> tuple[DayTries, DayTries]:
        """Return a server's finished tries of a day's deal, and the tries in progress."""
        first, beyond = (place_of_try(game, day, guild_id, who) for who in ("", "~"))
        places = {"first": first, "beyond": beyond}

        async def work(sql: Sql) -> tuple[DayTries, DayTries]:
            return await _tries(sql, places, is_over=1), await _tries(sql, places, is_over=0)

        return await self._reader.run(work)

    async def deals_before(self, game: str, day: int, limit: int) -> list[DayDeal]:
        rows = await self._list("days_before", game=game, day=day, limit=limit)
        return [DayDeal(row["day"], row["deal"], row["par"]) for row in rows]


async def days_won(sql: Sql, player_id: int, game: str) -> dict[int, int]:
    rows = sql.days_won(player_id=player_id, game=game, beyond=BEYOND)
    return {row["day"]: row["ended_at"] async for row in rows}


async def _tries(sql: Sql, places: Mapping[str, str], is_over: int) -> DayTries:
    count = await sql.day_try_count(**places, is_over=is_over)
    rows = sql.day_tries(**places, is_over=is_over, limit=MOST_NAMED)
    players = [
        Player(row["host_id"], row["name"], user_name=row["user_name"] or "") async for row in rows
    ]
    return DayTries(int(count), tuple(players))


def _row(row: Record) -> LeaderboardRow:
    figures = {key: row[key] for key in (LATE, HELPED, "moves", "undos", "seconds")}
    rank = row["rank"] if row[HELPED] < BEYOND else 0
    return LeaderboardRow(
        rank, row["player_id"], row["name"], 1, 1, figures, user_name=row["user_name"] or ""
    )


def won_in_time(won_at: Mapping[int, int]) -> set[date]:
    """Return the days that count for a player's streak.

    A day counts if the player won its deal before the end of the following day. ``won_at`` is the Unix
    time of each win, by day.
    """
    return {as_date(day) for day, at in won_at.items() if at < counts_until(day)}
