"""Computer players for small games. They evaluate each move with random playouts."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from bot.engine.game import Game, M, S, V
from bot.engine.lots import Lots
from bot.engine.opponent import ComputerPlayer, Strength

STEPS = {Strength.TADPOLE: 30, Strength.FROGLET: 300, Strength.TOAD: 5000}
"""The number of playout moves that a computer player makes before it chooses a move.

Moves are counted instead of timed, so that the choice is the same on every machine.
"""

LONGEST = 200
"""The maximum number of moves in a playout. A longer playout counts as a draw."""


def _as_it_is(view: Any, _lots: Lots) -> Any:
    return view.state


def by_playouts(
    game: Game[S, M, V], world: Callable[[V, Lots], S] = _as_it_is, *, version: int = 1
) -> ComputerPlayer[V, V, M]:
    """Return a computer player that chooses the move with the best results in random playouts.

    The computer player remembers only its latest view.

    Args:
        game: The game.
        world: Returns a possible state for a view, with the hidden cards dealt at random. The default is
            for games without hidden cards. It returns the view's ``state``.
        version: The computer player's version. Increase it when the game's rules change, too.
    """

    def choose(view: V, strength: Strength, lots: Lots) -> M:
        moves = game.legal_moves(world(view, lots))
        worth, left = dict.fromkeys(lots.shuffle_items(moves), 0.0), STEPS[strength]
        while left > 0 and len(worth) > 1:
            state = world(view, lots)  # all moves are compared in the same state
            for move in worth:
                value, steps = _play_out(game, state, move, lots)
                worth[move] += value
                left -= steps
        return max(worth.items(), key=itemgetter(1))[0]

    return ComputerPlayer(recall=lambda _memory, view: view, choose=choose, version=version)


def _play_out(game: Game[S, M, V], state: S, move: M, lots: Lots) -> tuple[float, int]:
    seat, steps, state = game.to_move(state), 1, game.play(state, move)
    while (outcome := game.outcome(state)) is None and steps < LONGEST:
        moves = game.legal_moves(state)
        state = game.play(state, moves[lots.below(len(moves))])
        steps += 1
    if outcome is None or not outcome.winners:
        return 0.5, steps
    return (1 / len(outcome.winners) if seat in outcome.winners else 0.0), steps
