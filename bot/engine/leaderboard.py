"""A row of a leaderboard: what storage adds up, and messages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bot.engine.thinking import Strength
from bot.engine.values import frozen


@frozen
class Row:
    """A player's place in a game, over finished matches, with the sums of the game's figures.

    ``name`` is the player's at the latest of them. ``against`` are the matches with computer players
    at the table, which count apart, by the strongest of them: matches and wins.
    """

    rank: int
    player_id: int
    name: str
    matches: int
    wins: int
    figures: Mapping[str, int]
    against: Mapping[Strength, tuple[int, int]] = field(default_factory=dict)
