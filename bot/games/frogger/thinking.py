"""How an opponent plays Frogger: what it remembers, and its choice of the next action."""

from __future__ import annotations

from itertools import chain

from bot.engine.thinking import Lots, Strength, Thinking
from bot.games.frogger.advice import reason
from bot.games.frogger.compact import Action, Pond, readable
from bot.games.frogger.estimate import standing
from bot.games.frogger.memory import Memory, recall, world
from bot.games.frogger.planning import best_first, nearness
from bot.games.frogger.state import Move
from bot.games.frogger.view import View

WAVERING = 3.0
"""How many cards of the corridor a tadpole may misjudge a move by."""

WORLDS = 4


def choose(memory: Memory, strength: Strength, lots: Lots) -> Move:
    """Return a seat's next move."""
    pond = world(memory, lots)
    moves = pond.legal_moves()
    if len(moves) == 1:
        move = moves[0]
    elif strength is Strength.TADPOLE:
        move = max(moves, key=lambda move: nearness(pond, move) + WAVERING * lots.fraction())
    elif strength is Strength.FROGLET:
        move = max(moves, key=lambda move: _standing_after(pond, move))
    else:
        others = (world(memory, lots) for _ in range(WORLDS - 1))
        move = best_first(pond, chain((pond,), others))
    return readable(pond.course, move)


def _standing_after(pond: Pond, move: Action) -> float:
    after = pond.copy()
    after.play(move)
    return standing(after, pond.turn)


THINKING: Thinking[View, Memory, Move] = Thinking(recall=recall, choose=choose, reason=reason)
