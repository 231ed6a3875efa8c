"""Tasks that compute hints. Workers import this module, but not ``cog``, which needs Discord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import Lots, Strength
from bot.engine.worker_task import OfMatch, Task
from bot.games import games, rules_of
from bot.matches.match import Entry, Match, states


@frozen
class Remembered(OfMatch[Any]):
    """The memory of a seat after the first ``n`` moves of a match."""

    n: int
    seat: int

    def compute(self, match: Match, entries: Sequence[Entry]) -> Any:
        game, memory = rules_of(match), None
        assert game.thinking is not None, "it was looked at"
        for state in states(game, match, entries[: self.n]):
            memory = game.thinking.recall(memory, game.view(state, self.seat))
        return memory


@frozen
class Advise(Task[tuple[str, ...]]):
    """A strong computer player's move in a person's seat, and the moves planned after it in the turn."""

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
