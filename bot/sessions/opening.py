"""A table that somebody means to open: all that was chosen for it, but not yet where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.game import AnyGame
from bot.engine.match import HINTS
from bot.engine.server import LONGEST_TURN, SHORTEST_TURN
from bot.engine.thinking import Strength
from bot.engine.values import frozen


@frozen
class Opening:
    """What was chosen: a game, how many may sit down, its options, the time of a turn, and frogs."""

    game: str
    limit: int
    options: Mapping[str, int]
    turn_seconds: int = 0
    frogs: tuple[Strength, ...] = ()

    def fits(self, game: AnyGame) -> bool:
        """Return whether a game has such a table: what a button carries may be old, or made up."""
        info, seconds = game.info, self.turn_seconds
        bounds = {option.key: (option.least, option.most) for option in info.options} | {HINTS: (0, 1)}
        return (
            not info.is_solo
            and info.fewest <= self.limit <= info.most
            and len(self.frogs) < self.limit
            and (not self.frogs or game.thinking is not None)
            and all(
                key in bounds and bounds[key][0] <= value <= bounds[key][1]
                for key, value in self.options.items()
            )
            and all(option.key in self.options for option in info.options)
            and (seconds == 0 or (game.has_clock and SHORTEST_TURN <= seconds <= LONGEST_TURN))
        )
