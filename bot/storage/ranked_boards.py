"""Leaderboards whose order is computed for all players at once, because no database index provides it.

Features pass the query that ranks a server's players.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterable, Callable, Hashable, Sequence

from cachetools import TTLCache

from bot.matches.leaderboard_rules import LeaderboardRow, page_of
from bot.storage.leaderboard_totals import shown_names
from bot.storage.named_queries import Record, Sql

LARGE = 1_000
"""Leaderboards with more players than this number are cached."""

CACHE_SECONDS = 60
CACHED_PLAYERS = 100_000
"""Maximum total number of players in all cached leaderboards. They need about 25 MB."""


class RankedBoards:
    """Pages of leaderboards that are ranked as a whole. A large leaderboard is cached for CACHE_SECONDS.

    Names are read again for each page. If a moderator removes a player, or if a player's data is
    deleted, the player therefore disappears immediately.
    """

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._cache: TTLCache[Hashable, Sequence[Record]] = TTLCache(
            CACHED_PLAYERS, CACHE_SECONDS, timer, lambda places: min(len(places), CACHED_PLAYERS)
        )

    async def page(
        self,
        sql: Sql,
        key: Hashable,
        find: Callable[[], AsyncIterable[Record]],
        number: int,
        size: int,
        guild_id: int,
        player_id: int,
        figures: Sequence[str] = (),
    ) -> tuple[int, int, list[LeaderboardRow]]:
        """Return one page of a leaderboard. If the page number is too high, return the last page.

        Args:
            sql: The named SQL statements, on a connection.
            key: The cache key of the leaderboard.
            find: Yields the server's players with their ranks.
            number: The page number, counted from 0, or ``AROUND`` for the players near ``player_id``.
            size: The number of rows per page.
            guild_id: The server of the leaderboard.
            player_id: The player whose row is added to the page if it is not on it.
            figures: The names of the columns for additional numbers in each row.

        Returns:
            The page number, the number of players on the leaderboard, and the rows.
        """
        places = await self._places(key, find)
        own = (at for at, place in enumerate(places) if place["player_id"] == player_id)
        number, offset, size = page_of(number, size, len(places), next(own, None))
        page = places[offset : offset + size]
        if all(place["player_id"] != player_id for place in page):
            page = [*page, *(place for place in places if place["player_id"] == player_id)]
        rows = [row for place in page if (row := await _row(sql, guild_id, place, figures)) is not None]
        return number, len(places), await shown_names(sql, guild_id, rows)

    async def _places(
        self, key: Hashable, find: Callable[[], AsyncIterable[Record]]
    ) -> Sequence[Record]:
        places = self._cache.get(key)
        if places is None:
            places = [row async for row in find()]
            if len(places) > LARGE:
                self._cache[key] = places
        return places


async def _row(sql: Sql, guild_id: int, place: Record, figures: Sequence[str]) -> LeaderboardRow | None:
    """Return a player's leaderboard row for the current page.

    Return None if the player was removed, or the player's data deleted, since the leaderboard was
    cached.
    """
    player = place["player_id"]
    name_row = await sql.name_on_board(guild_id=guild_id, player_id=player, subject=str(player))
    if name_row is None:
        return None
    rank, matches, wins = (int(place[column]) for column in ("rank", "matches", "wins"))
    values = {figure: int(place[figure]) for figure in figures}
    return LeaderboardRow(
        *(rank, player, name_row["name"], matches, wins, values), user_name=name_row["user_name"] or ""
    )
