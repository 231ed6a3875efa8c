"""Leaderboards and profiles, from the results of finished matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import aiosqlite

from bot.storage.sql import Queries


@dataclass(frozen=True, slots=True)
class Row:
    """A player's place in a game, over finished matches, with the sums of the game's figures.

    ``name`` is the player's at the latest of them.
    """

    rank: int
    player_id: int
    name: str
    matches: int
    wins: int
    figures: Mapping[str, int]


class Standings:
    """Who has done how well where: most wins first, then fewest matches; equals share a rank."""

    def __init__(self, queries: Queries, reader: aiosqlite.Connection) -> None:
        self._sql = queries
        self._reader = reader

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Row]:
        """Return some rows of a server's leaderboard, best first."""
        return await self._board(guild_id, game, None, offset, limit)

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row."""
        return next(iter(await self._board(guild_id, game, player_id, 0, 1)), None)

    async def count(self, guild_id: int, game: str) -> int:
        """Return how many players a leaderboard has."""
        return int(await self._sql.players_of(self._reader, guild_id=guild_id, game=game))

    async def profile(self, player_id: int, guild_id: int | None) -> dict[str, Row]:
        """Return a player's row for each game played, in one server or everywhere."""
        rows = self._sql.games_of(self._reader, player_id=player_id, guild_id=guild_id)
        games = [str(row["game"]) async for row in rows]
        return {
            game: row for game in games for row in await self._board(guild_id, game, player_id, 0, 1)
        }

    async def day_board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> list[Row]:
        """Return a day's winners in a server, or one of them, by moves and then seconds.

        The figures are ``moves``, ``undos`` and ``seconds``.
        """
        found = self._sql.day_board(
            self._reader,
            guild_id=guild_id,
            game=game,
            day=day,
            offset=offset,
            limit=limit,
            player_id=player_id,
        )
        return [
            Row(
                row["rank"],
                row["player_id"],
                row["name"],
                1,
                1,
                {key: row[key] for key in ("moves", "undos", "seconds")},
            )
            async for row in found
        ]

    async def day_count(self, guild_id: int, game: str, day: int) -> int:
        """Return how many players of a server have won a day's deal."""
        return int(await self._sql.day_count(self._reader, guild_id=guild_id, game=game, day=day))

    async def days_won(self, player_id: int, game: str) -> list[int]:
        """Return the days whose deal a player has won anywhere, such as 20261121, latest first."""
        found = self._sql.days_won(self._reader, player_id=player_id, game=game)
        return [row["day"] async for row in found]

    async def _board(
        self, guild_id: int | None, game: str, player_id: int | None, offset: int, limit: int
    ) -> list[Row]:
        found = self._sql.board(
            self._reader,
            guild_id=guild_id,
            game=game,
            player_id=player_id,
            offset=offset,
            limit=limit,
        )
        rows = [row async for row in found]
        return [_row(list(group)) for _player, group in groupby(rows, key=itemgetter("player_id"))]


def _row(found: list[sqlite3.Row]) -> Row:
    """Return the row of a player from what was found: one figure in each."""
    figures = {row["key"]: row["value"] for row in found if row["key"] is not None}
    first = found[0]
    return Row(
        first["rank"], first["player_id"], first["name"], first["matches"], first["wins"], figures
    )
