"""*What happened?*: a whole match told to who asks, a turn of the table at a time.

Workers import this package for its tasks, so what needs Discord is imported once it is set up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.engine.task import OfMatch
from bot.engine.thinking import fresh
from bot.engine.values import frozen
from bot.games import rules_of
from bot.matches.match import Entry, Match, states

if TYPE_CHECKING:
    from bot.app import Ribit


@frozen
class Happened(OfMatch[list[Any]]):
    """All that happened in the first ``n`` moves of a match, as everybody saw it."""

    n: int

    def made(self, match: Match, entries: Sequence[Entry]) -> list[Any]:
        """Go through the match once more, from its deal on."""
        game = rules_of(match)
        assert game.history is not None, "only such a game is asked"
        told, latest = list[Any](), tuple[Any, ...]()
        for state in states(game, match, entries[: self.n]):
            told += fresh(latest, latest := game.history.events(game.view(state, None)))
        return told


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    from cogs.story.cog import feature  # noqa: PLC0415 — a worker has three times the memory with it

    await bot.add_feature(feature(bot))
