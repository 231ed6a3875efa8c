"""Computation of a finished match's results."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.opponent import Mover
from bot.matches.match import LEAVES, Entry, Match, Result, advance, opening


def is_move(game: AnyGame, state: Any, entry: Entry) -> bool:
    """Return whether a journal entry is a move that a player or a computer player chose.

    Resignations and automatic moves, such as dealing, are journal entries too, but not moves.
    """
    return entry.text != LEAVES and game.automatic(state) is None


def results(
    game: AnyGame, state: Any, moved: Container[int], handed_over: Container[int]
) -> tuple[Result, ...]:
    """Return the results of all seats, or an empty tuple if the match has not ended.

    Args:
        game: The game.
        state: The current state of the game.
        moved: The seats that have moved.
        handed_over: The seats whose players let a computer player move in their place.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return ()
    is_decided = game.is_decided(state)
    return tuple(
        Result(seat, seat in outcome.winners, figures, is_decided and seat in moved, seat in handed_over)
        for seat, figures in enumerate(game.tally(state))
    )


def results_of(game: AnyGame, match: Match, entries: Sequence[Entry]) -> tuple[Result, ...]:
    state, moved = opening(game, match), set[int]()
    for entry in entries:
        if is_move(game, state, entry):
            moved.add(entry.seat)
        state = advance(game, state, entry)
    handed_over = {entry.seat for entry in entries if entry.mover is Mover.HANDED_OVER}
    return results(game, state, moved, handed_over)
