"""Worker task of *What happened?*.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import fresh
from bot.engine.worker_task import OfMatch
from bot.games import rules_of
from bot.matches.match import Entry, Match, states


@frozen
class Happened(OfMatch[list[Any]]):
    """A task that collects the public events in the first ``n`` moves of a match."""

    n: int

    def compute(self, match: Match, entries: Sequence[Entry]) -> list[Any]:
        game = rules_of(match)
        told, latest = list[Any](), tuple[Any, ...]()
        for state in states(game, match, entries[: self.n]):
            told += fresh(latest, latest := game.view(state, None).events)
        return told
