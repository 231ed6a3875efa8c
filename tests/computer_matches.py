"""Whole matches of computer players, the same ones on each run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import AnyThinking, Strength
from bot.games import games
from tests.guests import with_guests

MOVES_MOST = 3000
THINKING = [key for key, game in games().items() if game.thinking]


def thinking_of(key: str) -> AnyThinking:
    """Return the opponent class of a game, which may be a guest game."""
    thinking = with_guests()[key].thinking
    assert thinking is not None
    return thinking


def recall(key: str, memory: Any, view: Any) -> Any:
    """Return a seat's memory after one more of its views. The first memory is None."""
    return thinking_of(key).recall(memory, view)


def memory_over(key: str, views: Iterable[Any]) -> Any:
    """Return a seat's memory after these views, one after each move of the match."""
    memory = None
    for view in views:
        memory = recall(key, memory, view)
    return memory


def thought(key: str, strength: Strength, memory: Any, lot: bytes) -> str:
    """Return the move of the seat to move, from its memory, in the game's notation."""
    return with_guests()[key].write(thinking_of(key).choose(memory, strength, Lots(lot)))


def lots(count: int, seed: bytes = bytes(32)) -> list[bytes]:
    """Return the draws of this number of hints, each before one of this number of moves."""
    return [lot_of(seed, n) for n in range(count)]


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
