"""Computer players in the seats of people (T18, F16), in each game that has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.opponent import Mover
from bot.matches.leaderboard_rules import contribution
from bot.matches.match import Player
from bot.sessions.decision import decide
from bot.sessions.errors import TableError
from bot.sessions.events import ComputerMoveChosen, GaveUp, PlayerReturned, Substituted
from bot.sessions.table_state import AWAY_AFTER, Table
from tests.sessions.test_decisions import (
    ADA,
    BO,
    NOW,
    match_results,
    new_table,
    player_to_move,
    stored_move,
)


def other_player(player: Player) -> Player:
    return next(each for each in (ADA, BO) if each != player)


def table_after_substitute(table: Table, by: Player, mover_of_move: Mover) -> Table:
    """Return the table after a computer player has moved once in place of the player to move."""
    seat = table.match.players.index(player_to_move(table))
    table = decide(table, Substituted(seat, by.id), NOW).table
    move = table.game.write(next(iter(table.game.legal_moves(table.state))))
    thought = decide(table, ComputerMoveChosen(table.n, seat, move), NOW)
    assert stored_move(thought).mover is mover_of_move
    return thought.table


@pytest.mark.parametrize("key", ["toad", "frogger"])
def test_handing_over_a_seat_forfeits_the_win(key: str) -> None:
    """The move is recorded as handed over, and the player cannot win, even after returning."""
    table = new_table(key, ADA, BO)
    player = player_to_move(table)
    table = table_after_substitute(table, player, Mover.HANDED_OVER)
    table = decide(table, PlayerReturned(player.id), NOW).table
    seat = table.match.seat_of(player.id)
    assert seat is not None
    over = decide(table, GaveUp(other_player(player).id), NOW)
    result = replace(match_results(over)[seat], played=True)
    assert (result.won, result.handed_over) == (True, True)
    count = contribution(over.table.match.players, result)
    assert count is not None
    assert not count.won


@pytest.mark.parametrize("key", ["toad", "frogger"])
def test_another_player_can_only_substitute_an_inactive_player(key: str) -> None:
    """The move is recorded as a substitute's, and the player may return and still win."""
    table = new_table(key, ADA, BO)
    player = player_to_move(table)
    seat = table.match.players.index(player)
    with pytest.raises(TableError, match="away"):
        decide(table, Substituted(seat, other_player(player).id), NOW)
    inactive = table.with_player(seat, missed=AWAY_AFTER)
    inactive = table_after_substitute(inactive, other_player(player), Mover.STAND_IN)
    back = decide(inactive, PlayerReturned(player.id), NOW).table
    over = decide(back, GaveUp(other_player(player).id), NOW)
    result = replace(match_results(over)[seat], played=True)
    count = contribution(over.table.match.players, result)
    assert count is not None
    assert count.won
