"""Computer players know only what a person in their seat was shown."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from bot.engine.game import AnyGame
from bot.engine.lots import lot_of
from bot.engine.opponent import Strength
from tests.computer_matches import choose_move, memory_after, play_match
from tests.contract.playouts import Playout, Table, law, playout_strategy
from tests.contract.traversal import card_types, cards_in, exchange_cards
from tests.examples import few_or_all
from tests.guests import games_with_guests

GAMES = [game for game in games_with_guests().values() if game.thinking]
SEATS = 4
DEFAULTS = {
    game.info.key: tuple((option.key, option.default) for option in game.info.options) for game in GAMES
}
TABLES = [
    Table(game, seats, DEFAULTS[game.info.key])
    for game in GAMES
    for seats in sorted({game.info.fewest, min(game.info.most, SEATS)})
]
each_thinking_table = pytest.mark.parametrize("table", TABLES, ids=str)
REASONS_MOST = 40
BY_LENGTH = {"toad": 2, "frogger": 1}
"""The newest rules by which a lot depended on the length of a match."""


def _round_states(playout: Playout, end: int) -> list[Any]:
    """Return the states up to this one, from its deal on."""
    number = getattr(playout.states[end], "round", 0)
    return [state for state in playout.states[: end + 1] if getattr(state, "round", 0) == number]


@each_thinking_table
@pytest.mark.parametrize("strength", Strength)
@limits(law, max_examples=few_or_all(3, 6))
@given(data=st.data())
def test_a_move_does_not_depend_on_hidden_cards(
    table: Table, strength: Strength, data: st.DataObject
) -> None:
    """A computer player's move is legal and does not depend on cards that its seat never saw."""
    game, key = table.game, table.game.info.key
    playout = data.draw(playout_strategy(table))
    awaited = [place for place, state in enumerate(playout.states) if game.to_move(state) is not None]
    end = data.draw(st.sampled_from(awaited))
    states = _round_states(playout, end)
    seat = game.to_move(states[-1])
    kinds = card_types(game, states[0])
    views = [game.view(state, seat) for state in states]
    seen = set().union(*(cards_in(view, kinds) for view in views))
    unseen = sorted(set(game.every_card(states[0])) - seen, key=str)
    lot = lot_of(playout.seed, end)
    move = choose_move(key, strength, memory_after(key, views), lot)
    assert game.read(move, states[-1]) in game.legal_moves(states[-1])

    dealt = Random(end).sample(unseen, len(unseen))
    anew = [exchange_cards(state, dict(zip(unseen, dealt, strict=True)), kinds) for state in states]
    views = [game.view(state, seat) for state in anew]
    assert choose_move(key, strength, memory_after(key, views), lot) == move


@each_thinking_table
def test_computer_players_finish_a_match_with_legal_moves(table: Table) -> None:
    """Computer players of all strengths play a match to its end with legal moves only."""
    game = table.game
    strengths = [list(Strength)[seat % len(Strength)] for seat in range(table.seats)]
    states, _moves = play_match(game, strengths, bytes(32))
    assert game.outcome(states[-1]) is not None


def test_a_lot_does_not_reveal_the_seed() -> None:
    """The lot depends on the match and the move, and is never the seed."""
    seed = bytes(range(32))
    assert lot_of(seed, 7) == lot_of(seed, 7)
    assert len({lot_of(seed, 7), lot_of(seed, 8), lot_of(bytes(32), 7)}) == 3
    assert lot_of(seed, 7) not in seed


@each_thinking_table
@limits(law, max_examples=few_or_all(3, 6))
@given(data=st.data())
def test_every_hint_has_a_reason_without_hidden_cards(table: Table, data: st.DataObject) -> None:
    """A hint's reason is a sentence that names no card hidden from its seat."""
    game, thinking = table.game, table.game.thinking
    assert thinking is not None
    if thinking.reason is None:
        pytest.skip("this game's hints are a move alone")
    playout = data.draw(playout_strategy(table))
    kinds = card_types(game, playout.states[0])
    for state in playout.states[:REASONS_MOST]:
        seat = game.to_move(state)
        if seat is None or game.automatic(state) is not None:
            continue
        view = game.view(state, seat)
        seen = {str(card) for card in cards_in(view, kinds)}
        hidden = {str(card) for card in game.every_card(state)} - seen
        for move in game.legal_moves(state):
            said = thinking.reason(view, (move,))
            assert said.endswith((".", "!"))
            assert not [card for card in hidden if card in said.split()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)
def test_a_lot_depends_only_on_seed_seat_and_move_count(game: AnyGame) -> None:
    """A lot depends on the seed, the seat and its number of moves.

    In the oldest matches it depends on the match's length.
    """
    seed = bytes(range(32))
    assert game.lot(seed, 7, 1, 3) == game.lot(seed, 12, 1, 3)
    assert len({game.lot(seed, 7, seat, moved) for seat in (0, 1, 11) for moved in (0, 1, 11)}) == 9
    if game.info.key in BY_LENGTH:
        before = game.by_rules(BY_LENGTH[game.info.key])
        assert before is not None
        assert before.lot(seed, 7, 1, 3) == lot_of(seed, 7)
