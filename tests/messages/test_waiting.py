"""The hand of a waiting player."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from bot.engine.translation import _, speaking
from bot.games import games
from bot.matches.match import LEAVES, Entry
from bot.messages.hand_message import hand_content
from bot.messages.table_view import table_view
from tests.messages.tables import NOW, labels_of, new_players, new_table, table_after, text_of

HIDDEN = [key for key, game in games().items() if game.info.hidden_hands]


def test_an_eliminated_player_waits_for_no_turn() -> None:
    """A player who gave up reads so while the others play on."""
    table = new_table("toad", new_players("Ann", "Ben", "Cleo"))
    [quitter, _waiting] = [seat for seat in range(3) if seat != table.to_move]
    assert "You're out of this match." not in text_of(hand_content(table_view(table, quitter)))
    table = table.after_move(Entry(table.n, quitter, LEAVES))
    assert "You're out of this match." in text_of(hand_content(table_view(table, quitter)))


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("seats", [3, 5])
def test_a_step_of_a_turn_edits_no_waiting_hand(key: str, seats: int) -> None:
    """A waiting hand shows the table at the start of the turn, so that it is edited once per turn."""
    game, chance = games()[key], Random(1)
    players = new_players(*(f"Player {seat}" for seat in range(seats)))
    table, steps = new_table(key, players), 0
    while table.outcome is None and table.n < 300:
        mover, move = table.to_move, game.automatic(table.state)
        assert mover is not None
        move = move or chance.choice(list(game.legal_moves(table.state)))
        before = table
        table = table.after_move(Entry(table.n, mover, game.write(game.recorded(table.state, move))))
        if table.began == before.began and table.is_playing:
            steps += 1
            for seat in set(range(seats)) - {mover}:
                assert hand_content(table_view(table, seat)) == hand_content(table_view(before, seat))
    assert steps


@pytest.mark.parametrize("key", HIDDEN)
def test_a_waiting_player_sees_the_last_turn_of_the_mover(key: str) -> None:
    """A waiting hand names the player to move and their last turn, with the end of this turn."""
    game, players = games()[key], new_players("Ann", "Ben")
    table = new_table(key, players, turn_seconds=3600, turn_ends_at=NOW + 3600)
    while len(table.moved) < 2 or table.began != table.n:
        assert table.to_move is not None
        move = next(move for move in game.legal_moves(table.state) if game.write(move) != "ribit")
        table = table_after(table, game.write(game.recorded(table.state, move)))
    assert table.to_move is not None
    mover, waiting = players[table.to_move], 1 - table.to_move
    head, *lines = text_of(hand_content(table_view(table, waiting))).split("\n")
    assert head == f"### {mover.name}'s turn."
    assert any(re.match(rf"-# {mover.name}[ :]", line) for line in lines), lines
    assert any("The turn ends <t:" in line for line in lines)


@pytest.mark.parametrize("key", HIDDEN)
def test_a_waiting_player_can_read_the_rules(key: str) -> None:
    """The only button of a hand that waits explains the game. The hand to move has its moves instead."""
    table = new_table(key, new_players("Ann", "Ben"))
    assert table.to_move is not None
    assert labels_of(hand_content(table_view(table, 1 - table.to_move))) == ["How to play"]
    assert "How to play" not in labels_of(hand_content(table_view(table, table.to_move)))


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_waiting_newcomer_sees_three_sentences_on_how_to_play(key: str, language: str) -> None:
    """A newcomer who waits reads three sentences, and nobody else does."""
    table = new_table(key, new_players("Ann", "Ben"))
    assert table.to_move is not None
    seat = 1 - table.to_move
    with speaking(language):
        how = _(games()[key].info.how)
        assert len(re.findall(r"[.!?](?= |$)", how)) == 3
        assert how not in text_of(hand_content(table_view(table, seat)))
        table = replace(table, newcomers=frozenset(player.id for player in table.match.players))
        assert how in text_of(hand_content(table_view(table, seat)))
        assert table.to_move is not None
        assert how not in text_of(hand_content(table_view(table, table.to_move)))
