"""Tasks for worker processes: choosing a computer player's move and finding a deal.

Other tasks are in the modules that use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.engine.worker_task import Lane, Task
from bot.games import games


@frozen
class ChooseMove(Task[str]):
    """Worker task that chooses a computer player's move. Its result is the move in the game's notation.

    Attributes:
        game: The game's key.
        strength: The computer player's strength.
        memory: Everything that the player in this seat has seen so far.
        lot: The random seed. The move depends only on the strength, the memory and the seed.
        rules: The rules version of the match.
        thinking: The match's version of the computer players. If this or the rules version is unknown,
            the current versions are used.
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
        """The label of the task in metrics: the computer player's strength."""
        return self.strength.value

    def compute(self) -> str:
        game = games()[self.game]
        game = game.as_of(self.rules, self.thinking) or game
        assert game.thinking is not None, f"{self.game} has no opponents"
        return game.write(game.thinking.choose(self.memory, self.strength, Lots(self.lot)))


@frozen
class FindDeal(Task[Mapping[str, int]]):
    """Worker task that searches for a deal to play.

    Its result is the match's options, including the deal.

    Attributes:
        game: The key of a game whose deals must be searched for.
        options: The options that the player has chosen, as pairs of key and value.
    """

    game: str
    options: tuple[tuple[str, int], ...]
    lane = Lane.PLAY
    label = "deal"

    def compute(self) -> Mapping[str, int]:
        find = games()[self.game].find_deal
        assert find is not None, f"{self.game} does not look for deals"
        return find(dict(self.options))
