"""Whole matches of computer players, the same ones on each run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import AnyThinking, Strength
from bot.games import games
from tests.guests import games_with_guests

MOVES_MOST = 3000
THINKING = [key for key, game in games().items() if game.thinking]


def opponent_class(key: str) -> AnyThinking:
    """Return the opponent class of a game, which may be a guest game."""
    thinking = games_with_guests()[key].thinking
    assert thinking is not None
    return thinking


def update_memory(key: str, memory: Any, view: Any) -> Any:
    """Return a seat's memory after one more of its views. The first memory is None."""
    return opponent_class(key).recall(memory, view)


def memory_after(key: str, views: Iterable[Any]) -> Any:
    """Return a seat's memory after these views, one after each move of the match."""
    memory = None
    for view in views:
        memory = update_memory(key, memory, view)
    return memory


def choose_move(key: str, strength: Strength, memory: Any, lot: bytes) -> str:
    """Return the move of the seat to move, from its memory, in the game's notation."""
    return games_with_guests()[key].write(opponent_class(key).choose(memory, strength, Lots(lot)))


def hint_lots(count: int, seed: bytes = bytes(32)) -> list[bytes]:
    """Return the draws of this number of hints, each before one of this number of moves."""
    return [lot_of(seed, n) for n in range(count)]


def play_match(
    game: AnyGame, strengths: Sequence[Strength], seed: bytes, **options: int
) -> tuple[list[Any], list[Any]]:
    """Return the states and the moves of a match of seats that think so well, to its end."""
    chosen = {option.key: option.default for option in game.info.options} | options
    state, memories = game.deal(len(strengths), chosen, seed), [None] * len(strengths)
    states, moves = [state], list[Any]()
    while (seat := game.to_move(state)) is not None and len(moves) < MOVES_MOST:
        for viewer in range(len(strengths)):
            memories[viewer] = update_memory(game.info.key, memories[viewer], game.view(state, viewer))
        text = choose_move(game.info.key, strengths[seat], memories[seat], lot_of(seed, len(moves)))
        moves.append(game.read(text, state))
        state = game.play(state, moves[-1])
        states.append(state)
    return states, moves
