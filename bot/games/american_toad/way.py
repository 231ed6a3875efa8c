"""The way to a position: its moves, and now and then a position to go back to and on from.

A position is ten times as large as a move, and seldom gone back to, but for the one before the last.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from bot.games.american_toad.layout import all_up, moved
from bot.games.american_toad.state import AllUp, Led, Position, State

EVERY = 25
"""After how many moves a position is kept, the deal's first."""


def ahead(state: State, move: Led, undone: tuple[Led, ...] = ()) -> State:
    """Return the state after a move that is legal, with the moves to redo from there."""
    kept = state.kept if len(state.made) % EVERY else (*state.kept, state.position)
    made = (*state.made, move)
    position, before = _led(state.position, move), state.position
    return replace(state, position=position, before=before, made=made, undone=undone, kept=kept)


def back(state: State, count: int) -> State:
    """Return the state before its last moves, which can be made again (A12)."""
    left = len(state.made) - count
    return replace(
        state,
        position=position_after(state, left),
        before=None,
        made=state.made[:left],
        undone=(*state.undone, *reversed(state.made[left:])),
        kept=state.kept[: -(-left // EVERY)],
    )


def position_after(state: State, moves: int) -> Position:
    """Return how the cards lay after so many of the moves that led to a state."""
    if moves == len(state.made):
        return state.position
    if moves == len(state.made) - 1 and state.before is not None:
        return state.before
    stage = moves // EVERY
    position, on = state.kept[stage], state.made[stage * EVERY : moves]
    for move in on:
        position = _laid(position, move)
    return replace(position, last=on[-1]) if on else position


def positions(state: State) -> tuple[Position, ...]:
    """Return how the cards lay after each of the moves, from the deal to now."""
    return tuple(accumulate(state.made, _led, initial=position_after(state, 0)))


def _led(position: Position, move: Led) -> Position:
    return replace(_laid(position, move), last=move)


def _laid(position: Position, move: Led) -> Position:
    """Return how the cards lie after a move, whatever the position says that led there."""
    return all_up(position) if isinstance(move, AllUp) else moved(position, move)
