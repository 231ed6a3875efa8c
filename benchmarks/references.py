"""Players to measure opponents against: one that moves at random, one that grabs what is nearest."""

from __future__ import annotations

from typing import Any

from bot.engine.thinking import Lots
from bot.games import games
from bot.games.frogger.search_state import readable as readable_frogger
from bot.games.frogger.thinking import nearness, world
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
    """Return any legal move."""
    moves = games()[game].legal_moves(state)
    return moves[lots.below(len(moves))]


def greedy_toad(memory: Memory) -> Any:
    """Return the move to the hand with the fewest spots missing or too many; draw where none is nearer.

    It sees stock, discard pile and every discard, and claims when it has a toad, never otherwise.
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


def greedy_frogger(memory: Any) -> Any:
    """Return the move that brings a frog the farthest, or a card that will."""
    pond = world(memory, Lots(b""))  # what is hidden has no part in how near a move brings a frog
    return readable_frogger(pond.course, max(pond.legal_moves(), key=lambda move: nearness(pond, move)))


def greedy(game: str, memory: Any) -> Any:
    """Return the move of the greedy player of a game, from what its seat was shown."""
    return _GREEDY[game](memory)


_GREEDY = {"toad": greedy_toad, "frogger": greedy_frogger}
