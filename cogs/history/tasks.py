"""Worker task for the *What happened?* button.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import new_events
from bot.engine.worker_task import MatchTask
from bot.games import rules_of
from bot.matches.match import Entry, Match, states


@frozen
class PublicEvents(MatchTask[list[Any]]):
    """A task that collects the public events of a match's first ``n`` moves.

    Public events are those that every player may see.
    """

    n: int

    def compute(self, match: Match, entries: Sequence[Entry]) -> list[Any]:
        game = rules_of(match)
        told, latest = list[Any](), tuple[Any, ...]()
        for state in states(game, match, entries[: self.n]):
            told += new_events(latest, latest := game.view(state, None).events)
        return told
