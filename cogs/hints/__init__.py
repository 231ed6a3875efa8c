"""Hints: what a toad would do in a player's seat, marked among the choices of the hand.

Workers import this package for its tasks, so what needs Discord is imported once it is set up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from bot.engine.task import OfMatch, Task
from bot.engine.thinking import Lots, Strength
from bot.engine.values import frozen
from bot.games import games, rules_of
from bot.matches.match import Entry, Match, states
from bot.sessions.tasks import Choose

if TYPE_CHECKING:
    from bot.app import Ribit


@frozen
class Remembered(OfMatch[Any]):
    """What a seat remembers that was shown the first ``n`` moves of a match."""

    n: int
    seat: int

    def made(self, match: Match, entries: Sequence[Entry]) -> Any:
        """Show it the match once more, from its deal on."""
        game, memory = rules_of(match), None
        assert game.thinking is not None, "it was looked at"
        for state in states(game, match, entries[: self.n]):
            memory = game.thinking.recall(memory, game.view(state, self.seat))
        return memory


@frozen
class Advise(Task[tuple[str, ...]]):
    """What a toad would do in a person's seat: that move, and those planned after it in the turn."""

    game: str
    memory: Any = field(compare=False)
    lot: bytes
    strength: Strength = Strength.TOAD
    label = Strength.TOAD.value

    def made(self) -> tuple[str, ...]:
        """Think."""
        game = games()[self.game]
        assert game.thinking is not None, f"{self.game} has no opponents"
        if game.thinking.plan is None:
            return (Choose(self.game, self.strength, self.memory, self.lot).made(),)
        return tuple(map(game.write, game.thinking.plan(self.memory, self.strength, Lots(self.lot))))

    def otherwise(self) -> tuple[str, ...]:
        """Return what a froglet would do."""
        return replace(self, strength=Strength.FROGLET).made()


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    from cogs.hints.cog import feature  # noqa: PLC0415 — a worker has three times the memory with it

    await bot.add_feature(feature(bot))
