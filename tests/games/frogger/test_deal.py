"""The beginning of a match of Frogger: F1 to F3, and F13."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.decktet import BASIC, COURTS, EXCUSE, PAWN, PAWNS
from bot.games.frogger import GAME
from bot.games.frogger.state import Space, State, spaces_of
from tests.games.frogger.tables import (
    FULL_DECK,
    SEED,
    frog_spaces,
    legal_move_texts,
    new_state,
    play_moves,
)

SEATS = range(2, 6)


def _dealt_states(seats: int, count: int) -> list[State]:
    return [GAME.deal(seats, {}, number.to_bytes(32, "big")) for number in range(count)]


@pytest.mark.parametrize("seats", SEATS)
def test_f1_six_frogs_each_start_on_the_excuse(seats: int) -> None:
    """F1: All frogs begin on the Excuse, and no seat has won."""
    view = GAME.view(GAME.deal(seats, {}, SEED), None)
    assert [(seat.frogs.start, seat.frogs.home, seat.frogs.path) for seat in view.seats] == [
        (6, 0, ())
    ] * seats
    assert view.outcome is None
    assert GAME.tally(GAME.deal(seats, {}, SEED)) == ({"home": 0, "sent": 0},) * seats


def test_f1_the_game_is_for_two_to_five_players() -> None:
    """F1: The game is for two to five seats, and there are no options before the deal."""
    assert (GAME.info.fewest, GAME.info.most, GAME.info.options) == (2, 5, ())


@pytest.mark.parametrize("seats", SEATS)
def test_f1_the_deck_has_36_basic_cards_and_four_pawns(seats: int) -> None:
    """F1: The deck has 36 basic cards and four Pawns, each once. It has no Courts and no Excuse."""
    cards = Counter(GAME.every_card(GAME.deal(seats, {}, SEED)))
    assert cards == Counter(FULL_DECK)
    assert not cards.keys() & {*COURTS, EXCUSE}


@pytest.mark.parametrize("seats", SEATS)
def test_f1_pawns_are_only_in_the_corridor(seats: int) -> None:
    """F1: No hand, market or pile has a Pawn, whatever the shuffle."""
    for state in _dealt_states(seats, 30):
        elsewhere = Counter(GAME.every_card(state)) - Counter(state.corridor)
        assert all(card.rank != PAWN for card in elsewhere)


@pytest.mark.parametrize(("seats", "left"), [(2, 14), (3, 10), (4, 6), (5, 2)])
def test_f2_the_deal_fills_corridor_hands_market_and_draw_pile(seats: int, left: int) -> None:
    """F2: The corridor has twelve cards, each hand four, the market six, the draw pile the rest.

    Five players leave two cards in the draw pile, which is too few for the first refill.
    """
    for state in _dealt_states(seats, 10):
        assert len(state.corridor) == 12
        assert Counter(state.corridor) & Counter(PAWNS) == Counter(PAWNS)
        assert sum(card in BASIC for card in state.corridor) == 8
        assert [len(hand) for hand in state.hands] == [4] * seats
        assert (len(state.market), len(state.draw), state.discards) == (6, left, ())
        assert not any(state.known)


def test_f2_the_corridor_is_shuffled() -> None:
    """F2: A Pawn may be at any place of the corridor, and each basic card is in some corridors only."""
    deals = _dealt_states(2, 200)
    pawns = Counter(place for state in deals for place in range(12) if state.corridor[place] in PAWNS)
    assert sum(pawns.values()) == 4 * len(deals)
    assert all(40 < pawns[place] < 95 for place in range(12)), "66 are to be expected"
    laid = Counter(card for state in deals for card in state.corridor if card in BASIC)
    assert all(20 < laid[card] < 75 for card in BASIC), "44 are to be expected"


def test_f3_each_symbol_is_a_space() -> None:
    """F3: An Ace or a Crown has one space, a number card two, a Pawn three."""
    state = new_state("", "")
    spaces = [[space.letter for space in spaces_of(state.corridor, place)] for place in range(12)]
    assert ["".join(letters) for letters in spaces] == [
        *("MK", "ML", "MYK", "S", "LY", "WLY"),
        *("W", "SY", "MSL", "WY", "SWK", "MS"),
    ]


def test_f3_frogs_share_a_card_but_not_a_space() -> None:
    """F3: A Pawn has room for three frogs of any seats, and a fourth goes to the next card."""
    state = new_state("4YK", "4MS", "5YK", at=["", "1M 2M", "3K"], market="CL")
    state = play_moves(state, "play 4YK Y from start", "end", "play 4MS M from start", "end")
    assert [frog_spaces(state, seat) for seat in range(3)] == ["3Y", "1M 2M 3M", "3K"]
    state = play_moves(state, "play 5YK Y from start")
    assert frog_spaces(state, 2) == "3K 5Y"


def test_f3_the_excuse_and_home_hold_any_number_of_frogs() -> None:
    """F3: The Excuse and home hold any number of frogs of any seats."""
    state = new_state("4MS", "6MW", at=["12M +4", "12S +5"], market="CL AL")
    state = play_moves(state, "play 4MS M from 12M")
    assert (state.frogs[0].home, state.frogs[1].home) == (5, 5)
    state = new_state("", "6MW", at=["1M", "1K"], market="CL AL")
    state = play_moves(state, "back 1M to start take CL", "end", "back 1K to start take AL")
    assert (state.frogs[0].start, state.frogs[1].start) == (6, 6)


@pytest.mark.parametrize("seats", SEATS)
def test_f13_the_seed_chooses_the_first_player(seats: int) -> None:
    """F13: The seed chooses the first player, and each seat is about equally likely."""
    count = 100 * seats
    firsts = Counter(GAME.to_move(state) for state in _dealt_states(seats, count))
    assert set(firsts) == set(range(seats))
    assert all(70 < firsts[seat] < 130 for seat in range(seats))


def test_f13_turns_continue_in_seat_order() -> None:
    """F13: The seats after the first player have their turns in order."""
    state = GAME.deal(3, {}, SEED)
    first = state.turn
    for turn in range(1, 7):
        state = play_moves(state, legal_move_texts(state)[0], "end")
        assert GAME.to_move(state) == (first + turn) % 3


def test_spaces_are_ordered_along_the_path() -> None:
    """F3: A space has its card and suit, and spaces are in order from the Excuse on."""
    assert Space(2, "M") < Space(2, "Y") < Space(9, "K")
    assert Space(2, "Y").suit.name == "WYRMS"
