"""Requirements of clocks on passing a turn and on the seats still in the match."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.errors import IllegalMoveError
from bot.engine.game import AnyGame
from tests.contract.playouts import Playout, for_each_playout
from tests.contract.traversal import panels_by_path

MOST_PASSING_MOVES = 6
"""Number of moves within which the clock must end any turn."""

MOST_ROUNDS = 12
"""Number of passed turns per seat within which each seat in the match must have a turn."""


def _awaited_seat(game: AnyGame, state: Any) -> tuple[int | None, bool]:
    return game.to_move(state), game.automatic(state) is not None


def _is_passing_legal(game: AnyGame, state: Any) -> bool:
    return game.passing(state) in game.legal_moves(state)


def _state_after_passing(game: AnyGame, state: Any) -> Any:
    """Return the state after the move that the table makes for an idle player."""
    move = game.automatic(state)
    return game.play(state, game.passing(state) if move is None else move)


@for_each_playout
def test_only_the_seat_to_move_can_be_passed(playout: Playout) -> None:
    """A pass is a legal move, or a move of the clock that no player is ever offered."""
    game = playout.game
    own = {game.passing(state) for state in playout.states if not _is_passing_legal(game, state)} - {
        None
    }
    both = own & {move for state in playout.states for move in game.legal_moves(state)}
    assert not both, f"{both} is legal in one state, and the clock's own in another: give it one apart"
    for state in playout.states:
        seat, automatic = _awaited_seat(game, state)
        move = game.passing(state)
        if not game.has_clock or seat is None or automatic:
            assert move is None, f"passing is {move}: it is None at the end, and where the table moves"
            continue
        assert move is not None, f"passing is None where seat {seat} is awaited: no clock could move on"
        game.play(state, move)
        assert game.read(game.write(move), state) == move
        if move in own:
            for viewer in playout.table.viewers:
                offered = panels_by_path(game, game.view(state, viewer)).values()
                assert all(choice.move != move for panel in offered for choice in panel.choices())


@for_each_playout
def test_passing_ends_the_turn(playout: Playout) -> None:
    """Repeated passing ends the seat's turn, the round or the match."""
    game = playout.game
    if not game.has_clock:
        pytest.skip("this game has no clock")
    for state in playout.states:
        seat, automatic = before = _awaited_seat(game, state)
        if seat is None or automatic:
            continue
        passed = state
        for _move in range(MOST_PASSING_MOVES):
            passed = _state_after_passing(game, passed)
            if _awaited_seat(game, passed) != before:
                break
        else:
            pytest.fail(f"seat {seat} is still awaited")


@for_each_playout
def test_remaining_seats_can_give_up(playout: Playout) -> None:
    """The seats still in the match are those that may give up, and the seat to move is one of them."""
    game = playout.game
    for state in playout.states:
        remaining, seat = game.remaining(state), game.to_move(state)
        assert tuple(sorted(set(remaining))) == remaining
        assert (remaining == ()) == (seat is None)
        assert seat is None or seat in remaining
        for each in range(playout.table.seats):
            if each in remaining and game.can_be_left:
                game.withdraw(state, each)
            else:
                with pytest.raises(IllegalMoveError):
                    game.withdraw(state, each)


@for_each_playout
def test_every_remaining_seat_gets_a_turn(playout: Playout) -> None:
    """If all seats pass, each seat still in the match has a turn soon, or the match ends.

    Otherwise a table would pass for inactive players without end, and no other player could play.
    """
    game = playout.game
    if not game.has_clock:
        pytest.skip("this game has no clock")
    states = playout.states
    for state in states[:: max(1, len(states) // 8)]:
        passed, waiting = state, set(game.remaining(state))
        for _move in range(MOST_ROUNDS * MOST_PASSING_MOVES * playout.table.seats):
            waiting = (waiting & set(game.remaining(passed))) - {game.to_move(passed)}
            if not waiting:
                break
            passed = _state_after_passing(game, passed)
        assert waiting == set()
