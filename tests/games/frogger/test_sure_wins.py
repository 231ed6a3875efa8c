"""A computer player of the best grade misses no certain win in a turn of Frogger."""

from __future__ import annotations

import pytest

from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.games.frogger import GAME
from bot.games.frogger.opponent import choose, recall
from bot.games.frogger.state import ACTIONS
from tests.games.frogger.tables import new_state

HIDDEN_AT_FIRST = (
    ("AL 9LK CL 5YK CK CM 7SK", "CY 6MW", "9S 2L +4", "3K 6Y 7W 11S", "5SW AW 4MS 5ML"),
    ("4YK 5ML CK 6MW CY 3SK", "AY 7WY", "2M 10Y +4", "5Y 4S 11S 7W", "6LK 5YK 8YK AL"),
    ("6MW CY 3SK CM CL 7WY AK", "3MW 8WL", "3K 3M +4", "4S 6W 12S 8Y", "5SW 2SY AW 4MS"),
    ("4YK 2WL 5YK AL", "9MS CK", "4S 6L 11W +3", "11S 5L 11K 9M", "3MW 4MS 4WL AK"),
)
"""Hands, frogs and a market in which the first action of a win looks worse than others."""


@pytest.mark.parametrize(("hand", "other", "own", "others", "market"), HIDDEN_AT_FIRST)
def test_the_computer_player_plays_a_sure_win(
    hand: str, other: str, own: str, others: str, market: str
) -> None:
    """The computer player moves its last two or three frogs home in one turn."""
    state, memory = new_state(hand, other, at=[own, others], market=market), None
    for action in range(ACTIONS):
        assert state.turn == 0
        memory = recall(memory, GAME.view(state, 0))
        state = GAME.play(state, choose(memory, Strength.TOAD, Lots(bytes([action] * 16))))
    assert state.winner == 0
