"""What a finished match counts, and a row of a leaderboard: what storage adds up, and messages show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from bot.engine.match import Player, Result
from bot.engine.thinking import Strength
from bot.engine.values import frozen

HELPED = "helped"
"""The figure of a game for one that counts hints and peeks; with any a win ranks below all without."""


@frozen
class Row:
    """A player's place in a game, over finished matches, with the sums of the game's figures.

    ``name`` is the player's in that server. ``against`` are the matches with computer players
    at the table, which count apart, by the strongest of them: matches and wins.
    """

    rank: int
    player_id: int
    name: str
    matches: int
    wins: int
    figures: Mapping[str, int]
    against: Mapping[Strength, tuple[int, int]] = field(default_factory=dict)
    user_name: str = ""

    @property
    def player(self) -> Player:
        """Who it is, by both names."""
        return Player(self.player_id, self.name, user_name=self.user_name)


@frozen
class Counted:
    """What a match counts for a player: among people, or ``against`` the strongest computer player.

    ``figures`` are the game's, for the player to have added.
    """

    won: bool
    against: Strength | None
    figures: Mapping[str, int]


def counted(players: Sequence[Player], result: Result) -> Counted | None:
    """Return what a match counts for the player of a seat; None for a computer player.

    A match counts as it began: on the board of computer players only where one sat down at its start.
    Who has handed the seat over, or was replaced, has lost, and takes nothing from others' results.
    """
    player, order = players[result.seat], tuple(Strength)
    if player.is_computer_player:
        return None
    opponents = [one.strength for one in players if one.is_computer_player and one.strength is not None]
    is_own = player.strength is None
    return Counted(
        won=result.won and is_own,
        against=max(opponents, key=order.index) if opponents else None,
        figures=result.figures if is_own else {},
    )
