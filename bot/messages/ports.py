"""What boards are made from. Storage fits it by shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bot.engine.thinking import Strength


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

    @property
    def against(self) -> Mapping[Strength, tuple[int, int]]:
        """Matches, and wins, at tables with frogs, by the strongest of them."""
