"""Simple players that computer players are compared with: a random one and a greedy one."""

from __future__ import annotations

from typing import Any

from bot.engine.lots import Lots
from bot.games import games
from bot.games.frogger.opponent import nearness, world
from bot.games.frogger.search_state import readable as readable_frogger
from bot.games.toad.search_state import (
    DECLARE,
    DRAW,
    END_TURN,
    Memory,
    distance,
    hand_worth,
    is_toad,
    takes,
)
from bot.games.toad.search_state import readable as readable_toad
from bot.games.toad.state import Deal, Phase


def random_move(game: str, state: Any, lots: Lots) -> Any:
    """Return a random legal move."""
    moves = games()[game].legal_moves(state)
    return moves[lots.below(len(moves))]


def greedy_toad_move(memory: Memory) -> Any:
    """Return the greedy player's move at Toad.

    The player makes the move after which its hand is closest to a toad, or draws if no move improves the
    hand. It claims a toad exactly when it has one.
    """
    view = memory.view
    if view.phase is Phase.DEAL:
        return Deal()
    worth = hand_worth(memory)
    if is_toad(worth):
        return readable_toad(DECLARE)
    if view.phase is Phase.CLAIM:
        return readable_toad(END_TURN)
    best = min(takes(memory), key=lambda option: distance(option.worth))
    if view.phase is Phase.TAKE and view.can_draw and distance(best.worth) >= distance(worth):
        return readable_toad(DRAW)
    return readable_toad(best.move)


def greedy_frogger_move(memory: Any) -> Any:
    """Return the greedy player's move at Frogger.

    It advances a frog as far as possible, or moves one back to take a card for such an advance.
    """
    pond = world(memory, Lots(b""))  # hidden cards do not affect how far a move takes a frog
    return readable_frogger(pond.course, max(pond.legal_moves(), key=lambda move: nearness(pond, move)))


def greedy_move(game: str, memory: Any) -> Any:
    """Return the greedy player's move, given its memory of the match."""
    return _GREEDY[game](memory)


_GREEDY = {"toad": greedy_toad_move, "frogger": greedy_frogger_move}
