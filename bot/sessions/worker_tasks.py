"""Tasks of computer players and deals.

Other tasks about matches are defined in the modules that use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import Lots, Strength
from bot.engine.worker_task import Lane, Task
from bot.games import games


@frozen
class Choose(Task[str]):
    """The choice of a move for the seat to move, as a written move.

    Attributes:
        game: The key of the game.
        strength: The strength of the computer player.
        memory: The seat's memory.
        lot: The random seed, which determines the move together with the memory.
        rules: The version of the match's rules.
        thinking: The version of its computer players. The current ones are used if it is unknown.
    """

    game: str
    strength: Strength
    memory: Any
    lot: bytes
    rules: int = 0
    thinking: int = 0
    lane = Lane.PLAY
    is_question = False  # one host's tables do not wait for each other
    waits_long = True  # the search is limited by counting, so a slow machine gives the same move

    @property
    def label(self) -> str:
        """The strength of the computer player."""
        return self.strength.value

    def compute(self) -> str:
        game = games()[self.game]
        game = game.as_of(self.rules, self.thinking) or game
        assert game.thinking is not None, f"{self.game} has no opponents"
        return game.write(game.thinking.choose(self.memory, self.strength, Lots(self.lot)))


@frozen
class FindDeal(Task[Mapping[str, int]]):
    """The search for a deal by a game that has one.

    Attributes:
        game: The key of the game.
        options: The options chosen, as pairs.
    """

    game: str
    options: tuple[tuple[str, int], ...]
    lane = Lane.PLAY
    label = "deal"

    def compute(self) -> Mapping[str, int]:
        find = games()[self.game].find_deal
        assert find is not None, f"{self.game} does not look for deals"
        return find(dict(self.options))
