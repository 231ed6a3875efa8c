"""What boards are made from. Storage fits it by shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Row(Protocol):
    """A player's place in a game, over all finished matches."""

    @property
    def rank(self) -> int:
        """The place, from 1."""

    @property
    def player_id(self) -> int:
        """Who."""

    @property
    def name(self) -> str:
        """The name at the latest match."""

    @property
    def matches(self) -> int:
        """Finished matches."""

    @property
    def wins(self) -> int:
        """Matches won."""

    @property
    def figures(self) -> Mapping[str, int]:
        """The sums of the game's figures."""


class Standings(Protocol):
    """Leaderboards and profiles."""

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> Sequence[Row]:
        """Return some rows of a server's leaderboard, best first."""

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row."""

    async def count(self, guild_id: int, game: str) -> int:
        """Return how many players a leaderboard has."""

    async def profile(self, player_id: int, guild_id: int | None) -> Mapping[str, Row]:
        """Return a player's row for each game played, in one server or everywhere."""

    async def day_board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> Sequence[Row]:
        """Return a day's winners in a server, with ``moves``, ``undos`` and ``seconds``."""

    async def day_count(self, guild_id: int, game: str, day: int) -> int:
        """Return how many players of a server have won a day's deal."""

    async def days_won(self, player_id: int, game: str) -> Sequence[int]:
        """Return the days whose deal a player has won, latest first."""
