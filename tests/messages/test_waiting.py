"""The hand of a player who waits: most moves of others change nothing in it."""

from __future__ import annotations

from random import Random

import pytest

from bot.games import games
from bot.matches.match import LEAVES, Entry
from bot.messages.components import Content
from bot.messages.table_message import hand_content
from tests.messages.tables import dealt, people, text_of

HIDDEN = [key for key, game in games().items() if game.info.hidden_hands]


def test_who_is_out_waits_for_no_turn() -> None:
    """Who gave up is told to be out, while the others play on."""
    table = dealt("toad", people("Ann", "Ben", "Cleo"))
    [quitter, _waiting] = [seat for seat in range(3) if seat != table.to_move]
    assert "You're out of this match." not in text_of(hand_content(table, quitter))
    table = table.after(Entry(table.n, quitter, LEAVES))
    assert "You're out of this match." in text_of(hand_content(table, quitter))


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("seats", [3, 5])
def test_a_move_changes_few_hands(key: str, seats: int) -> None:
    """What others do is told at the table: most moves are no reason to edit the hand of who waits."""
    game, chance = games()[key], Random(1)
    players = people(*(f"Player {seat}" for seat in range(seats)))
    table, same = dealt(key, players), 0
    shown: dict[int, Content] = {}
    while table.outcome is None and table.n < 300:
        for seat in range(seats):
            content = hand_content(table, seat)
            same += shown.get(seat) == content
            shown[seat] = content
        mover, move = table.to_move, game.automatic(table.state)
        assert mover is not None
        move = move or chance.choice(list(game.legal_moves(table.state)))
        table = table.after(Entry(table.n, mover, game.write(game.recorded(table.state, move))))
    assert same > table.n, "most moves change one hand or two"
