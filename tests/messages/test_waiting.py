"""The hand of a waiting player."""

from __future__ import annotations

from random import Random

import pytest

from bot.games import games
from bot.matches.match import LEAVES, Entry
from bot.messages.table_message import hand_content
from tests.messages.tables import dealt, people, text_of

HIDDEN = [key for key, game in games().items() if game.info.hidden_hands]


def test_who_is_out_waits_for_no_turn() -> None:
    """A player who gave up reads so while the others play on."""
    table = dealt("toad", people("Ann", "Ben", "Cleo"))
    [quitter, _waiting] = [seat for seat in range(3) if seat != table.to_move]
    assert "You're out of this match." not in text_of(hand_content(table, quitter))
    table = table.after(Entry(table.n, quitter, LEAVES))
    assert "You're out of this match." in text_of(hand_content(table, quitter))


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("seats", [3, 5])
def test_a_step_of_a_turn_edits_no_waiting_hand(key: str, seats: int) -> None:
    """A waiting hand shows the table at the start of the turn, so that it is edited once per turn."""
    game, chance = games()[key], Random(1)
    players = people(*(f"Player {seat}" for seat in range(seats)))
    table, steps = dealt(key, players), 0
    while table.outcome is None and table.n < 300:
        mover, move = table.to_move, game.automatic(table.state)
        assert mover is not None
        move = move or chance.choice(list(game.legal_moves(table.state)))
        before = table
        table = table.after(Entry(table.n, mover, game.write(game.recorded(table.state, move))))
        if table.began == before.began and table.is_playing:
            steps += 1
            for seat in set(range(seats)) - {mover}:
                assert hand_content(table, seat) == hand_content(before, seat)
    assert steps
