"""How a match of Frogger begins: F1 to F3, and F13."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.decktet import BASIC, COURTS, EXCUSE, PAWN, PAWNS
from bot.games.frogger import GAME
from bot.games.frogger.state import Space, State, spaces_of
from tests.games.frogger.tables import FULL_DECK, SEED, frogs, may, play, table

SEATS = range(2, 6)


def _deals(seats: int, count: int) -> list[State]:
    return [GAME.deal(seats, {}, number.to_bytes(32, "big")) for number in range(count)]


@pytest.mark.parametrize("seats", SEATS)
def test_f1_six_frogs_each_start_on_the_excuse(seats: int) -> None:
    """F1: nobody has a frog on the path or at home, and the match is on."""
    view = GAME.view(GAME.deal(seats, {}, SEED), None)
    assert [(seat.frogs.start, seat.frogs.home, seat.frogs.path) for seat in view.seats] == [
        (6, 0, ())
    ] * seats
    assert view.outcome is None
    assert GAME.tally(GAME.deal(seats, {}, SEED)) == ({"home": 0, "sent": 0},) * seats


def test_f1_the_game_is_for_two_to_five() -> None:
    """F1: two to five seats, and nothing to choose before the deal."""
    assert (GAME.info.fewest, GAME.info.most, GAME.info.options) == (2, 5, ())


@pytest.mark.parametrize("seats", SEATS)
def test_f1_the_deck_is_the_basic_one_and_the_pawns(seats: int) -> None:
    """F1: 36 cards and four Pawns, each once; no Courts, and the Excuse is no card in play."""
    cards = Counter(GAME.every_card(GAME.deal(seats, {}, SEED)))
    assert cards == Counter(FULL_DECK)
    assert not cards.keys() & {*COURTS, EXCUSE}


@pytest.mark.parametrize("seats", SEATS)
def test_f1_pawns_lie_only_in_the_corridor(seats: int) -> None:
    """F1: however the cards fall, no hand, market or pile has a Pawn."""
    for state in _deals(seats, 30):
        elsewhere = Counter(GAME.every_card(state)) - Counter(state.corridor)
        assert all(card.rank != PAWN for card in elsewhere)


@pytest.mark.parametrize(("seats", "left"), [(2, 14), (3, 10), (4, 6), (5, 2)])
def test_f2_the_deal(seats: int, left: int) -> None:
    """F2: twelve cards in line, four to each hand, six to the market, the rest to draw; none discarded.

    Five players leave two cards in the draw pile, which is then short for the first refill.
    """
    for state in _deals(seats, 10):
        assert len(state.corridor) == 12
        assert Counter(state.corridor) & Counter(PAWNS) == Counter(PAWNS)
        assert sum(card in BASIC for card in state.corridor) == 8
        assert [len(hand) for hand in state.hands] == [4] * seats
        assert (len(state.market), len(state.draw), state.discards) == (6, left, ())
        assert not any(state.known)


def test_f2_the_corridor_is_shuffled() -> None:
    """F2: a Pawn may lie anywhere in line; each basic card is now in the corridor and now is not."""
    deals = _deals(2, 200)
    pawns = Counter(place for state in deals for place in range(12) if state.corridor[place] in PAWNS)
    assert sum(pawns.values()) == 4 * len(deals)
    assert all(40 < pawns[place] < 95 for place in range(12)), "66 are to be expected"
    laid = Counter(card for state in deals for card in state.corridor if card in BASIC)
    assert all(20 < laid[card] < 75 for card in BASIC), "44 are to be expected"


def test_f3_each_symbol_is_a_space() -> None:
    """F3: one space on an Ace or a Crown, two on a number card, three on a Pawn."""
    state = table("", "")
    spaces = [[space.letter for space in spaces_of(state.corridor, place)] for place in range(12)]
    assert ["".join(letters) for letters in spaces] == [
        *("MK", "ML", "MYK", "S", "LY", "WLY"),
        *("W", "SY", "MSL", "WY", "SWK", "MS"),
    ]


def test_f3_frogs_share_a_card_but_not_a_space() -> None:
    """F3: a Pawn has room for three frogs, whosever they are; a fourth finds the next card."""
    state = table("4YK", "4MS", "5YK", at=["", "1M 2M", "3K"], market="CL")
    state = play(state, "play 4YK Y from start", "end", "play 4MS M from start", "end")
    assert [frogs(state, seat) for seat in range(3)] == ["3Y", "1M 2M 3M", "3K"]
    state = play(state, "play 5YK Y from start")
    assert frogs(state, 2) == "3K 5Y"


def test_f3_the_excuse_and_home_hold_any_number() -> None:
    """F3: frogs of all seats come and go there, however many are there already."""
    state = table("4MS", "6MW", at=["12M +4", "12S +5"], market="CL AL")
    state = play(state, "play 4MS M from 12M")
    assert (state.frogs[0].home, state.frogs[1].home) == (5, 5)
    state = table("", "6MW", at=["1M", "1K"], market="CL AL")
    state = play(state, "back 1M to start take CL", "end", "back 1K to start take AL")
    assert (state.frogs[0].start, state.frogs[1].start) == (6, 6)


@pytest.mark.parametrize("seats", SEATS)
def test_f13_the_first_player_is_drawn_by_lot(seats: int) -> None:
    """F13: by the seed, every seat may begin, each about as often as another."""
    count = 100 * seats
    firsts = Counter(GAME.to_move(state) for state in _deals(seats, count))
    assert set(firsts) == set(range(seats))
    assert all(70 < firsts[seat] < 130 for seat in range(seats))


def test_f13_turns_go_round_from_there() -> None:
    """F13: after the first player the next seats have their turns, in order."""
    state = GAME.deal(3, {}, SEED)
    first = state.turn
    for turn in range(1, 7):
        state = play(state, may(state)[0], "end")
        assert GAME.to_move(state) == (first + turn) % 3


def test_spaces_stand_in_the_order_of_the_path() -> None:
    """F3: a frog's space knows its card and its suit; spaces are in order from the Excuse on."""
    assert Space(2, "M") < Space(2, "Y") < Space(9, "K")
    assert Space(2, "Y").suit.name == "WYRMS"
