"""What a worker is asked for of a game; what other modules need of a match stands with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.immutable import frozen
from bot.engine.thinking import Lots, Strength
from bot.engine.worker_task import Lane, Task
from bot.games import games


@frozen
class Choose(Task[str]):
    """The move of a seat that is to move, in writing.

    ``memory`` is what the seat remembers of its views; with the same lot it is the same move.
    """

    game: str
    strength: Strength
    memory: Any
    lot: bytes
    lane = Lane.PLAY
    is_question = False  # of one host's tables each waits for the others
    waits_long = True  # what a seat tries is counted: no slow machine changes a match

    @property
    def label(self) -> str:
        """How well the seat plays."""
        return self.strength.value

    def made(self) -> str:
        game = games()[self.game]
        assert game.thinking is not None, f"{self.game} has no opponents"
        return game.write(game.thinking.choose(self.memory, self.strength, Lots(self.lot)))


@frozen
class FindDeal(Task[Mapping[str, int]]):
    """The options of the deal that a game finds, where it looks for one."""

    game: str
    options: tuple[tuple[str, int], ...]
    lane = Lane.PLAY
    label = "deal"

    def made(self) -> Mapping[str, int]:
        find = games()[self.game].find_deal
        assert find is not None, f"{self.game} does not look for deals"
        return find(dict(self.options))
