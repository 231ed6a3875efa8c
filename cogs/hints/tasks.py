"""Worker tasks that compute hints.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.engine.worker_task import MatchTask, Task
from bot.games import games, rules_of
from bot.matches.match import Entry, Match, states


@frozen
class SeatMemory(MatchTask[Any]):
    """A task that computes a computer player's memory of a match after ``n`` moves.

    The memory contains only what the player in that seat could see.
    """

    n: int
    seat: int

    def compute(self, match: Match, entries: Sequence[Entry]) -> Any:
        game, memory = rules_of(match), None
        assert game.thinking is not None, "it was looked at"
        for state in states(game, match, entries[: self.n]):
            memory = game.thinking.recall(memory, game.view(state, self.seat))
        return memory


@frozen
class ChooseHint(Task[tuple[str, ...]]):
    """A task that computes the move that a strong computer player would make in a user's place.

    The result also contains the moves that it plans for the rest of the turn.
    """

    game: str
    memory: Any = field(compare=False)
    lot: bytes
    strength: Strength = Strength.TOAD
    label = Strength.TOAD.value

    def compute(self) -> tuple[str, ...]:
        game = games()[self.game]
        assert game.thinking is not None, f"{self.game} has no opponents"
        return tuple(map(game.write, game.thinking.advice(self.memory, Lots(self.lot), self.strength)))

    def otherwise(self) -> tuple[str, ...]:
        return replace(self, strength=Strength.FROGLET).compute()
