"""Whole matches of computer players, the same ones on each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.thinking import Strength
from bot.opponents import lot_of, recall, thought

MOVES_MOST = 3000


def played(
    game: AnyGame, strengths: Sequence[Strength], seed: bytes, **options: int
) -> tuple[list[Any], list[Any]]:
    """Return the states and the moves of a match of seats that think so well, to its end."""
    chosen = {option.key: option.default for option in game.info.options} | options
    state, memories = game.deal(len(strengths), chosen, seed), [None] * len(strengths)
    states, moves = [state], list[Any]()
    while (seat := game.to_move(state)) is not None and len(moves) < MOVES_MOST:
        for viewer in range(len(strengths)):
            memories[viewer] = recall(game.info.key, memories[viewer], game.view(state, viewer))
        text = thought(game.info.key, strengths[seat], memories[seat], lot_of(seed, len(moves)))
        moves.append(game.read(text, state))
        state = game.play(state, moves[-1])
        states.append(state)
    return states, moves
