"""How the seats of a match came out of it, from its state and the moves that were made."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.match import LEAVES, Entry, Match, Result, advance, opening
from bot.engine.thinking import Mover


def is_move(game: AnyGame, state: Any, entry: Entry) -> bool:
    """Return whether an entry is a seat's move: it does not give up, nor is it the table that moves."""
    return entry.text != LEAVES and game.automatic(state) is None


def results(
    game: AnyGame, state: Any, moved: Container[int], handed_over: Container[int]
) -> tuple[Result, ...]:
    """Return how each seat came out of a match; none while it goes on.

    ``moved`` are the seats that made a move, ``handed_over`` those for which a frog did at their wish.
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
    """Return how each seat came out of a match that is played anew from its moves."""
    state, moved = opening(game, match), set[int]()
    for entry in entries:
        if is_move(game, state, entry):
            moved.add(entry.seat)
        state = advance(game, state, entry)
    handed_over = {entry.seat for entry in entries if entry.mover is Mover.HANDED_OVER}
    return results(game, state, moved, handed_over)
