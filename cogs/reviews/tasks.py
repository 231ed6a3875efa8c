"""Worker task that finds a player's mistakes in a finished match.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import IN_PLACE
from bot.engine.review import MissedMove, worst_moments
from bot.engine.worker_task import MatchTask
from bot.games import rules_of
from bot.matches.match import LEAVES, Entry, Match, advance, opening


@frozen
class ReviewSeat(MatchTask[tuple[tuple[MissedMove, Any], ...]]):
    """A task that finds a player's worst mistakes in a finished match.

    The result pairs each mistake with the state before it. Moves that a computer player made in the
    player's place are not reviewed.
    """

    seat: int

    def compute(self, match: Match, entries: Sequence[Entry]) -> tuple[tuple[MissedMove, Any], ...]:
        game = rules_of(match)
        assert game.review is not None, f"{match.game} is not reviewed"
        assert match.seed is not None, "it was dealt"
        states, moves = [opening(game, match)], list[Any]()
        lots, move_counts = list[bytes](), Counter[int]()
        for entry in entries:
            is_own = entry.text != LEAVES and entry.mover not in IN_PLACE
            moves.append(game.read(entry.text, states[-1]) if is_own else None)
            lots.append(game.lot(match.seed, entry.n, entry.seat, move_counts[entry.seat]))
            move_counts[entry.seat] += 1
            states.append(advance(game, states[-1], entry))
        missed = worst_moments(game.review.moments(states, moves, self.seat, lots))
        return tuple((moment, states[moment.n]) for moment in missed)
