"""The rules of Toad, T1 to T15, in their order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.engine.cards import PACK, Card
from bot.engine.errors import IllegalMoveError
from bot.engine.game import Outcome
from bot.games.toad import GAME
from bot.games.toad.state import EventType, Phase, State, spots
from tests.games.toad.tables import (
    SEED,
    event_types,
    is_round_over,
    joined_codes,
    last_event,
    legal_move_texts,
    new_state,
    parse_cards,
    play_moves,
)

STOCK = "3S 4S 6S 7S"
MAXIMUS = "TH TS"
NO_TOAD = "5H 6H"


# ---- T1 to T3: the deal --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("lives", range(1, 6))
def test_t1_a_match_starts_with_equal_lives_and_an_empty_pot(seats: int, lives: int) -> None:
    """T1: Two to six players start with the lives that the table chose, and the pot starts empty."""
    state = GAME.deal(seats, {"lives": lives}, SEED)
    view = GAME.view(state, None)
    assert [seat.lives for seat in view.seats] == [lives] * seats
    assert view.full == lives
    assert view.pot == 0
    assert GAME.outcome(state) is None


def test_t1_the_game_is_for_two_to_six_players_with_three_lives() -> None:
    """T1: The game is for two to six seats, with 52 cards and three lives, or one to five if chosen."""
    lives = GAME.info.options[0]
    assert (GAME.info.fewest, GAME.info.most) == (2, 6)
    assert (lives.least, lives.default, lives.most) == (1, 3, 5)
    assert len(set(PACK)) == 52


def test_t2_the_seed_chooses_the_first_dealer() -> None:
    """T2: The seed chooses the first dealer among all seats. The seat to the left acts first."""
    firsts = Counter[int]()
    for number in range(300):
        state = GAME.deal(3, {"lives": 3}, number.to_bytes(32, "big"))
        assert GAME.to_move(state) == (state.dealer + 1) % 3
        firsts[state.dealer] += 1
    assert all(70 < firsts[seat] < 130 for seat in range(3))


def test_t2_the_deal_passes_clockwise() -> None:
    """T2: In each round the next seat deals, and the seat to the dealer's left acts first."""
    state = GAME.deal(4, {"lives": 3}, SEED)
    dealer = state.dealer
    for turn in range(1, 3):
        state = _state_after_passes(state)
        assert GAME.to_move(state) == (dealer + turn) % 4
        state = play_moves(state, "deal")
        assert GAME.view(state, None).dealer == (dealer + turn) % 4
        assert GAME.to_move(state) == (dealer + turn + 1) % 4


def test_t2_the_deal_passes_on_from_the_dealer() -> None:
    """T2: Seat 2 dealt, so seat 0 deals next, although seat 1's claim ended the round."""
    state = play_moves(
        new_state(MAXIMUS, "8H 2D 9S AC", NO_TOAD, stock=STOCK, dealer=2), "ribit", "ribit"
    )
    assert is_round_over(state)
    assert GAME.to_move(state) == 0


def test_t2_the_deal_skips_eliminated_players() -> None:
    """T2: An eliminated player neither deals nor acts, and gets no cards."""
    state = new_state(
        NO_TOAD, "9H 2S", "9D 3H", "8D 4H", lives=(3, 1, 3, 3), dealer=0, turn=1, stock=STOCK
    )
    state = _state_after_passes(state)
    assert state.lives == (2, 0, 2, 2)
    assert GAME.to_move(state) == 2
    state = play_moves(state, "deal")
    assert (state.dealer, state.turn) == (2, 3)
    assert [len(hand) for hand in state.hands] == [2, 0, 2, 2]
    assert play_moves(state, "end", "end").turn == 2


def test_t2_only_the_deal_is_legal_between_rounds() -> None:
    """T2: Between two rounds only the deal is legal, and the table makes it if no player does."""
    state = _state_after_passes(GAME.deal(2, {"lives": 3}, SEED))
    assert legal_move_texts(state) == {"deal"}
    assert GAME.automatic(state) == GAME.legal_moves(state)[0]
    dealt = play_moves(state, "deal")
    assert GAME.automatic(dealt) is None
    assert GAME.view(dealt, None).round == 2


@pytest.mark.parametrize("seats", range(2, 7))
def test_t3_each_round_deals_from_all_52_cards(seats: int) -> None:
    """T3: Each round deals two cards a hand and four to the stock from a new shuffle of 52."""
    first = GAME.deal(seats, {"lives": 3}, SEED)
    held = first.hands[first.turn][0].code
    second = play_moves(_state_after_passes(play_moves(first, "draw", f"discard {held}", "end")), "deal")
    for state in (first, second):
        view = GAME.view(state, None)
        assert [seat.held for seat in view.seats] == [2] * seats
        assert all(view.stock)
        assert len(view.stock) == 4
        assert view.draw_left == 52 - 4 - 2 * seats
        assert (view.discards, view.discard) == (0, None)
        assert set(GAME.every_card(state)) == set(PACK)
        assert not any(seat.shown for seat in view.seats)


def test_t3_each_round_has_a_new_shuffle() -> None:
    """T3: The pack is dealt in a different order in every round."""
    state, packs = GAME.deal(3, {"lives": 5}, SEED), set[tuple[Card, ...]]()
    for _round in range(4):
        packs.add(_undealt_pack(state))
        state = play_moves(_state_after_passes(state), "deal")
    assert len(packs) == 4


def _undealt_pack(state: State) -> tuple[Card, ...]:
    """Return the pack before the deal: two cards a seat, the stock, the draw pile."""
    order = sorted(range(3), key=lambda seat: (seat - state.dealer - 1) % 3)
    held = [card for seat in order for card in state.hands[seat]]
    return (*held, *(card for card in state.stock if card), *state.draw)


# ---- T4 to T7: a turn and the piles --------------------------------------------------------------


def test_t4_the_steps_come_in_order() -> None:
    """T4: Take, discard and declare come in this order. A step can be skipped but not made later."""
    state = new_state(NO_TOAD, "9H 2S", stock=STOCK, discards="9D")
    take = {"take 1", "take 2", "take 3", "take 4", "draw", "take discard", "take nothing"}
    assert legal_move_texts(state) == {*take, "end", "ribit"}
    state = play_moves(state, "take 1")
    assert legal_move_texts(state) == {"discard 5H", "discard 6H", "discard 3S", "end", "ribit"}
    state = play_moves(state, "discard 5H")
    assert legal_move_texts(state) == {"end", "ribit"}
    assert GAME.to_move(state) == 0
    assert GAME.to_move(play_moves(state, "end")) == 1


@pytest.mark.parametrize("take", ["take nothing", "take 2", "draw", "take discard"])
@pytest.mark.parametrize("discard", [None, "discard 5H"])
@pytest.mark.parametrize("last", ["end", "ribit"])
def test_t4_every_combination_of_steps_is_legal(take: str, discard: str | None, last: str) -> None:
    """T4: Each choice of taking, discarding and declaring may be combined with each other one."""
    state = new_state(NO_TOAD, "9H 2S", "9C 4C", stock=STOCK, discards="9D", draw=None)
    taken = {"take nothing": "", "take 2": "4S", "draw": state.draw[0].code, "take discard": "9D"}[take]
    after = play_moves(state, take, *filter(None, [discard]), last)
    left = NO_TOAD.split() + taken.split()
    if discard:
        left.remove("5H")
        assert joined_codes(after.discards[-1:]) == "5H"
    assert joined_codes(after.hands[0]).split() == left
    assert GAME.to_move(after) == 1


@pytest.mark.parametrize(
    ("moves", "refused"),
    [
        (["take 1"], "take 1"),
        (["take nothing"], "draw"),
        (["draw"], "take discard"),
        (["draw"], "take nothing"),
        ([], "discard 5H"),
        (["draw"], "discard 9H"),
        (["take nothing", "discard 5H"], "discard 6H"),
        (["take nothing", "discard 5H"], "take 1"),
        (["take nothing", "discard 5H"], "discard 5H"),
        ([], "deal"),
    ],
)
def test_t4_steps_out_of_order_are_refused(moves: list[str], refused: str) -> None:
    """T4: A second take, a second discard and a discard of a card not held are refused in a sentence."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK, discards="9D"), *moves)
    with pytest.raises(IllegalMoveError) as refusal:
        play_moves(state, refused)
    assert refusal.value.sentence.endswith(".")


def test_t4_there_is_no_hand_limit() -> None:
    """T4: A hand has no limit and can hold all cards of the pile."""
    state = new_state(NO_TOAD, "9H 2S", stock=STOCK)
    for held in range(3, 43):
        state = play_moves(state, "draw", "end")
        assert len(state.hands[0]) == held
        state = play_moves(state, "end")
    assert GAME.view(state, None).seats[0].held == 42


def test_t5_the_stock_is_filled_before_the_discard() -> None:
    """T5: The top of the draw pile replaces a taken stock card before the discard."""
    state = new_state(NO_TOAD, "9H 2S", stock=STOCK)
    top, left = state.draw[0], len(state.draw)
    state = play_moves(state, "take 3")
    assert state.phase is Phase.DISCARD
    assert state.stock == (*parse_cards("3S 4S"), top, *parse_cards("7S"))
    assert len(state.draw) == left - 1
    assert GAME.view(state, 0).stock == state.stock


def test_t6_taking_and_returning_the_discard_is_a_pass() -> None:
    """T6: A turn that changes neither hand, stock nor discards is a pass, whatever was clicked."""
    state = new_state(NO_TOAD, "9H 2S", stock=STOCK, discards="9D 8D")
    state = play_moves(state, "take discard", "discard 8D", "end")
    assert state.passed == {0}
    assert event_types(state)[-1] is EventType.PASSED
    assert is_round_over(play_moves(state, "end"))


@pytest.mark.parametrize("moves", [["end"], ["take nothing", "end"]])
def test_t6_doing_nothing_is_a_pass(moves: list[str]) -> None:
    """T6: Ending the turn at once, or after taking and discarding nothing, is a pass."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), *moves)
    assert state.passed == {0}


@pytest.mark.parametrize(
    "moves",
    [
        ["draw", "end"],
        ["take 1", "end"],
        ["take 1", "discard 3S", "end"],
        ["draw", "discard 2C", "end"],
        ["take discard", "end"],
        ["take discard", "discard 5H", "end"],
        ["take nothing", "discard 5H", "end"],
        ["ribit"],
    ],
)
def test_t6_a_changed_hand_stock_or_discard_is_no_pass(moves: list[str]) -> None:
    """T6: The card just taken may be discarded, but discarding a stock or drawn card is a change."""
    state = new_state(NO_TOAD, "9H 2S", stock=STOCK, discards="9D", draw=None)
    assert joined_codes(state.draw[:1]) == "AC"
    moves = [move.replace("2C", "AC") for move in moves]
    assert play_moves(state, *moves).passed == frozenset()


def test_t7_the_discards_become_a_new_draw_pile() -> None:
    """T7: The discards under the top one are shuffled into a new draw pile when a card is needed."""
    used = "AD 2D 3D 4D 5D 6D 7D 8D"
    state = new_state(
        NO_TOAD, "9H 2S", "", stock=STOCK, draw="", discards=f"{used} 9D", out_of_play=2, safe=[2]
    )
    state = play_moves(state, "draw")
    assert joined_codes(state.discards) == "9D"
    drawn = set(joined_codes((*state.draw, state.hands[0][-1])).split())
    assert drawn == set(used.split())
    assert len(state.draw) == 7
    assert joined_codes((state.hands[0][-1], *state.draw)) != used
    assert EventType.RESHUFFLED in event_types(state)


def test_t7_the_stock_is_filled_from_the_reshuffled_discards() -> None:
    """T7: A stock card taken with an empty draw pile is replaced after the reshuffle."""
    state = new_state(
        NO_TOAD, "9H 2S", "", stock=STOCK, draw="", discards="AD 2D 9D", out_of_play=2, safe=[2]
    )
    state = play_moves(state, "take 1")
    assert joined_codes(state.stock[:1]) in ("AD", "2D")
    assert joined_codes(state.stock[1:]) == "4S 6S 7S"
    assert {*joined_codes(state.stock[:1]).split(), *joined_codes(state.draw).split()} == {"AD", "2D"}
    assert joined_codes(state.discards) == "9D"


def test_t7_each_reshuffle_gives_a_different_order() -> None:
    """T7: Each reshuffle of a round has an order of its own."""
    used = "AD 2D 3D 4D 5D 6D 7D 8D"
    state = new_state(
        NO_TOAD, "9H 2S", "", stock=STOCK, draw="", discards=f"{used} 9D", out_of_play=2, safe=[2]
    )
    first = play_moves(state, "draw")
    again = play_moves(replace(state, reshuffles=first.reshuffles), "draw")
    assert (first.hands[0][-1], *first.draw) != (again.hands[0][-1], *again.draw)


@pytest.mark.parametrize("discards", ["", "9D"])
def test_t7_gaps_stay_open_if_no_card_can_be_drawn(discards: str) -> None:
    """T7: Without discards under the top one no card can be drawn. A taken stock card leaves a gap."""
    state = new_state(
        NO_TOAD, "9H 2S", "", stock=STOCK, draw="", discards=discards, out_of_play=2, safe=[2]
    )
    assert "draw" not in legal_move_texts(state)
    assert ("take discard" in legal_move_texts(state)) == bool(discards)
    with pytest.raises(IllegalMoveError):
        play_moves(state, "draw")
    state = play_moves(state, "take 2", "end")
    assert joined_codes(state.stock) == "3S -- 6S 7S"
    assert "take 2" not in legal_move_texts(state)
    with pytest.raises(IllegalMoveError):
        play_moves(state, "take 2")
    assert "s2" not in {choice.key for choice in GAME.panel(GAME.view(state, 1)).choices()}
    assert not GAME.view(state, 1).can_draw


def test_t7_taking_the_last_stock_card_is_not_a_pass() -> None:
    """T6, T7: If a gap stays open, discarding the taken card is no pass, as the stock has changed."""
    state = new_state(NO_TOAD, "9H 2S", "", stock=STOCK, draw="", out_of_play=2, safe=[2])
    assert play_moves(state, "take 2", "discard 4S", "end").passed == frozenset()


def test_t7_a_gap_stays_open_when_cards_come_back() -> None:
    """T7: A gap in the stock stays open for the round, even if there are cards to draw again."""
    state = new_state(NO_TOAD, "9H 2S", "", stock=STOCK, draw="", out_of_play=2, safe=[2])
    state = play_moves(state, "take 2", "discard 5H", "end", "take nothing", "discard 9H", "end")
    assert "draw" in legal_move_texts(state)
    state = play_moves(state, "draw")
    assert joined_codes(state.stock) == "3S -- 6S 7S"


# ---- T8 to T11: toads ----------------------------------------------------------------------------


TOADS = (
    "8H 2D 9S AC",
    "4D KH QH JD 5C 2C QC AS",
    "TH TS",
    "TD AC 2C 3C 4C",
    "AH 2H 3H 4H TC",
    "KH KD QH QD JH KC KS QC QS JC",
)
"""The source's examples, 8 2 with 9 A and 4 K Q J with 5 2 Q A, and others."""

NO_TOADS = (
    "",
    "TH",
    "TH TC AS",
    "TH TD",
    "TC TS",
    "9H AS TS",
    "8H 2D 9S AC KH",
    "4D KH QH JD 5C 2C QC",
    "TH KH 8C",
    "9H 8D 2C",
    "TH 9C",
    "JH TC",
    "KH TD TC",
)
"""Hands with more or less than ten and ten, or with ten and ten in a part only."""


def test_t8_each_rank_has_its_number_of_spots() -> None:
    """T8: An Ace has 1 spot, two to ten have their number, and Jack, Queen and King have 2 each."""
    assert [spots(card) for card in PACK[:13]] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 2, 2]
    assert {suit: {card.suit.is_red for card in parse_cards(f"2{suit}")} for suit in "CDHS"} == {
        "C": {False},
        "D": {True},
        "H": {True},
        "S": {False},
    }


@pytest.mark.parametrize("hand", TOADS)
def test_t8_hands_of_ten_and_ten_are_toads(hand: str) -> None:
    """T8: The source's examples are toads, and so is every other hand of ten and ten."""
    state = play_moves(new_state(hand, "9H 2S", stock="3S 4S 6S 7S"), "ribit")
    assert EventType.FALSE_CLAIM not in event_types(state)
    assert state.lives == (3, 2)
    assert GAME.tally(state)[0]["toads"] == 1


@pytest.mark.parametrize("hand", NO_TOADS)
def test_t8_other_hands_are_not_toads(hand: str) -> None:
    """T8: A toad is exactly ten and ten with every card of the hand."""
    state = play_moves(new_state(hand, "9D 2S", stock="3S 4S 6S 7S"), "ribit")
    assert event_types(state) == [EventType.FALSE_CLAIM]
    assert GAME.tally(state)[0]["toads"] == 0


def test_t9_claims_are_always_offered_and_never_automatic() -> None:
    """T9: A toad in hand changes no control, and a turn that ends with one is like any other."""
    toad = new_state("8H 2D 9S AC", "9H 2S", stock=STOCK)
    none = new_state("8H 2D 9S 2C", "9H 2S", stock=STOCK)
    for moves in ([], ["take 1"], ["take 1", "discard 3S"]):
        assert "ribit" in legal_move_texts(play_moves(toad, *moves))
        labels = [
            [choice.label for choice in GAME.panel(GAME.view(play_moves(state, *moves), None)).choices()]
            for state in (toad, none)
        ]
        assert labels[0] == labels[1]
    state = play_moves(toad, "take nothing", "end")
    assert (state.safe, state.shown[0], GAME.to_move(state)) == (frozenset(), frozenset(), 1)


def test_t9_a_dealt_toad_is_claimed_in_its_own_turn() -> None:
    """T9: No player declares in another's turn, so a dealt toad is declared in its own turn."""
    state = new_state(NO_TOAD, MAXIMUS, "9H 2S", stock=STOCK)
    assert GAME.panel(GAME.view(state, 1)).rows == ()
    state = play_moves(state, "ribit")
    assert last_event(state, EventType.FALSE_CLAIM).seat == 0
    assert play_moves(state, "ribit").safe == {1}


def test_t9_a_claim_ends_the_turn() -> None:
    """T9: A claim is the last step of a turn, true or false."""
    for hand in (NO_TOAD, MAXIMUS):
        state = play_moves(new_state(hand, "9H 2S", "9D 3H", stock=STOCK), "ribit")
        assert (GAME.to_move(state), state.phase) == (1, Phase.TAKE)


def test_t10_a_false_claim_opens_the_hand() -> None:
    """T10: All players see the hand of a false claim, and its player plays on with it."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "draw", "ribit")
    told = last_event(state, EventType.FALSE_CLAIM)
    assert set(told.cards) == set(state.hands[0])
    for viewer in (None, 0, 1):
        seat = GAME.view(state, viewer).seats[0]
        assert set(seat.shown) == set(state.hands[0])
        assert (seat.safe, seat.is_out) == (False, False)
    assert GAME.to_move(play_moves(state, "end")) == 0


def test_t10_open_cards_stay_open_until_they_leave_the_hand() -> None:
    """T10: Shown cards are public as long as they are held, and cards drawn later are private."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "ribit", "draw", "end")
    state = play_moves(state, "draw", "discard 5H", "end", "draw", "end")
    drawn = state.hands[0][-1]
    for viewer in (None, 1):
        view = GAME.view(state, viewer)
        assert joined_codes(view.seats[0].shown) == "6H"
        assert view.seats[0].held == 2
        assert drawn.code not in joined_codes((*view.seats[0].shown, *view.hand))
    assert drawn in GAME.view(state, 0).hand


def test_t10_an_open_card_taken_again_is_private() -> None:
    """T10: An open card that was discarded and taken again is like any other taken card."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "ribit", "draw", "end")
    state = play_moves(state, "take nothing", "discard 5H", "end", "draw", "end", "take discard")
    assert "5H" in joined_codes(state.hands[0])
    assert joined_codes(GAME.view(state, None).seats[0].shown) == "6H"


def test_t10_a_stock_card_taken_after_a_false_claim_is_not_open() -> None:
    """T10: Only the cards of the claim are open, so a stock card taken later goes into the hand."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "ribit", "end", "take 1", "end")
    assert joined_codes(GAME.view(state, 1).seats[0].shown) == "5H 6H"


def test_t10_a_player_may_claim_again() -> None:
    """T10: A player may claim again, falsely, which opens the new cards too, or rightly."""
    state = play_moves(new_state("TH 9S", "9H 2S", "9D 3H", stock="AS 4S 6S 7S"), "ribit", "end", "end")
    again = play_moves(state, "draw", "ribit")
    assert set(GAME.view(again, None).seats[0].shown) == set(again.hands[0])
    assert play_moves(state, "take 1", "ribit").safe == {0}


def test_t10_other_seats_do_not_change_open_cards() -> None:
    """T10: Another seat's claim or discard does not change the open cards of a seat."""
    state = play_moves(
        new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "ribit", "ribit", "draw", "end"
    )
    state = play_moves(state, "take nothing", "discard 5H", "end")
    assert [joined_codes(seat.shown) for seat in GAME.view(state, None).seats] == ["6H", "9H 2S", ""]


def test_t10_the_next_deal_hides_open_cards() -> None:
    """T3, T10: No card is open after the next deal."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "ribit", "end", "end")
    assert is_round_over(state)
    assert not any(seat.shown for seat in GAME.view(play_moves(state, "deal"), None).seats)


def test_t11_a_toad_is_shown_and_its_player_is_safe() -> None:
    """T11: The hand of a toad is shown to all, and its player has no further turn in the round."""
    state = new_state("8H 2D 9S AC", "9H 2S", "9D 3H", "8D 4H", stock=STOCK)
    state = play_moves(state, "ribit")
    told = last_event(state, EventType.TOAD)
    assert set(told.cards) == set(parse_cards("8H 2D 9S AC"))
    for viewer in (None, 1):
        seat = GAME.view(state, viewer).seats[0]
        assert joined_codes(seat.shown) == "2D 8H AC 9S"
        assert seat.safe
    turns = []
    for _ in range(6):
        turns.append(GAME.to_move(state))
        state = play_moves(state, "draw", "end")
    assert turns == [1, 2, 3, 1, 2, 3]


def test_t11_the_cards_of_a_toad_stay_out_of_play() -> None:
    """T11: The cards of a toad are in no pile and in no reshuffle until the next deal."""
    state = new_state(
        "8H 2D 9S AC", NO_TOAD, "", stock="3S 4S 6S 7S", draw="9D", discards="8D 7D", out_of_play=2
    )
    state = play_moves(state, "ribit", "draw", "end", "draw")
    assert set(parse_cards("8H 2D 9S AC")) == set(state.hands[0])
    assert EventType.RESHUFFLED in event_types(state)
    assert play_moves(state, "discard 8D").turn == 2


# ---- T12 to T15: lives ---------------------------------------------------------------------------


def test_t12_the_last_player_without_a_toad_loses_a_life() -> None:
    """T12: The round ends at once when one player is not safe, whose life goes to the pot."""
    state = new_state(MAXIMUS, "8H 2D 9S AC", NO_TOAD, stock=STOCK)
    state = play_moves(state, "ribit")
    assert not is_round_over(state)
    state = play_moves(state, "ribit")
    assert state.phase is Phase.DEAL
    assert (state.lives, state.pot) == ((3, 3, 2), 1)
    assert last_event(state, EventType.LAST_ONE).seat == 2
    assert [tally["survived"] for tally in GAME.tally(state)] == [1, 1, 0]


def test_t13_a_round_ends_when_all_unsafe_players_pass() -> None:
    """T13: Each player who is not safe loses a life when all of them passed in a row."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", stock=STOCK), "ribit", "end")
    assert not is_round_over(state)
    state = play_moves(state, "end")
    assert (state.lives, state.pot) == ((3, 2, 2), 2)
    assert EventType.ALL_PASSED in event_types(state)
    assert [tally["survived"] for tally in GAME.tally(state)] == [1, 0, 0]


@pytest.mark.parametrize(
    "breaker",
    [
        ["draw", "end"],
        ["take 1", "end"],
        ["take discard", "end"],
        ["take nothing", "discard 9D", "end"],
        ["ribit"],
    ],
)
def test_t13_any_action_resets_the_passes(breaker: list[str]) -> None:
    """T13: A take, a discard or a claim, even a false one, restarts the count of passes."""
    state = new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK, discards="8D 7D")
    state = play_moves(state, "end", "end", *breaker)
    assert state.passed == frozenset()
    state = play_moves(state, "end", "end")
    assert not is_round_over(state)
    assert is_round_over(play_moves(state, "end"))


def test_t13_a_true_claim_resets_the_passes() -> None:
    """T13: After two passes and a third player's true claim, the two must both pass again."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", MAXIMUS, stock=STOCK), "end", "end", "ribit")
    assert (GAME.to_move(state), is_round_over(state)) == (0, False)
    state = play_moves(state, "end", "end")
    assert (state.lives, state.pot) == ((2, 2, 3), 2)


def test_t13_five_of_six_passes_do_not_end_the_round() -> None:
    """T13: With six at the table, five passes do not end the round."""
    hands = (NO_TOAD, "9H 2S", "9D 3H", "8D 4H", "7D 2H", "6D AH")
    state = play_moves(new_state(*hands, stock=STOCK), *["end"] * 5)
    assert not is_round_over(state)
    assert play_moves(state, "end").lives == (2,) * 6


@pytest.mark.parametrize("hand", ["TH TS", "TD TC", "TH TC"])
def test_t14_toadus_maximus_wins_a_life_back(hand: str) -> None:
    """T14: A red ten and a black ten and no other card return a lost life from the pot."""
    state = play_moves(new_state(hand, NO_TOAD, "9H 2S", lives=(1, 3, 2), stock=STOCK), "ribit")
    assert (state.lives, state.pot) == ((2, 3, 2), 2)
    assert EventType.LIFE_BACK in event_types(state)
    assert GAME.tally(state)[0]["maximus"] == 1


def test_t14_a_player_with_full_lives_gains_no_life() -> None:
    """T14: No player has more lives than at the start, but the honour is recorded."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", lives=(3, 1, 2), stock=STOCK), "ribit")
    assert (state.lives, state.pot) == ((3, 1, 2), 3)
    assert EventType.MAXIMUS in event_types(state)
    assert EventType.LIFE_BACK not in event_types(state)
    assert (GAME.tally(state)[0]["maximus"], GAME.tally(state)[0]["toads"]) == (1, 1)


@pytest.mark.parametrize("hand", ["8H 2D 9S AC", "TH AC 2C 3C 4C", "TD 9S AC", "9H AH TS"])
def test_t14_a_toad_of_three_cards_returns_no_life(hand: str) -> None:
    """T14: A toad of three cards or more returns no life."""
    state = play_moves(new_state(hand, NO_TOAD, "9D 2S", lives=(1, 3, 2), stock="3S 4S 6S 7S"), "ribit")
    assert (state.lives, state.pot) == ((1, 3, 2), 3)
    assert (GAME.tally(state)[0]["maximus"], GAME.tally(state)[0]["toads"]) == (0, 1)


def test_t14_two_red_tens_are_not_a_toad() -> None:
    """T14: Two red tens are no toad."""
    state = play_moves(new_state("TH TD", NO_TOAD, lives=(1, 3), stock=STOCK), "ribit")
    assert (state.lives, state.pot) == ((1, 3), 2)
    assert GAME.tally(state)[0]["maximus"] == 0


def test_t14_a_life_is_returned_before_the_round_ends() -> None:
    """T12, T14: Of two players, one gets a life back and the other loses one by the same claim."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, lives=(2, 3), stock=STOCK), "ribit")
    assert (state.lives, state.pot) == ((3, 2), 1)


def test_t15_the_last_player_left_wins_the_pot() -> None:
    """T15: A player without lives is out, and the last one left wins the match and the pot."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "", lives=(2, 1, 0), stock=STOCK), "ribit")
    assert GAME.outcome(state) == Outcome((0,))
    assert state.lives == (3, 0, 0)
    assert [tally["pot"] for tally in GAME.tally(state)] == [6, 0, 0]
    assert GAME.to_move(state) is None
    assert event_types(state)[-1] is EventType.WON
    assert GAME.view(state, None).outcome == Outcome((0,))


def test_t15_two_of_three_players_continue_after_an_elimination() -> None:
    """T15: An elimination ends the match only if it leaves one player."""
    state = play_moves(
        new_state(MAXIMUS, NO_TOAD, "8H 2D 9S AC", lives=(2, 1, 3), stock=STOCK), "ribit", "end", "ribit"
    )
    assert GAME.outcome(state) is None
    assert GAME.view(state, None).seats[1].is_out
    assert GAME.to_move(state) in (0, 2)
    assert last_event(state, EventType.ELIMINATED).seat == 1


def test_t15_losing_the_last_lives_together_is_a_draw() -> None:
    """T15: If all remaining players go out in the same round, no player wins and the pot stays."""
    state = new_state(NO_TOAD, "9H 2S", "", "9D 3H", lives=(1, 1, 0, 1), stock=STOCK)
    state = play_moves(state, "end", "end", "end")
    assert GAME.outcome(state) == Outcome(())
    assert state.pot == 12
    assert [tally["pot"] for tally in GAME.tally(state)] == [0] * 4
    assert GAME.to_move(state) is None


def test_t15_the_safe_player_wins_if_all_others_are_eliminated() -> None:
    """T13, T15: If all players who are not safe go out together, the safe one wins."""
    state = play_moves(
        new_state(MAXIMUS, NO_TOAD, "9H 2S", lives=(3, 1, 1), stock=STOCK), "ribit", "end", "end"
    )
    assert GAME.outcome(state) == Outcome((0,))
    assert GAME.tally(state)[0]["pot"] == state.pot == 6


def _state_after_passes(state: State) -> State:
    """Return the state after all players passed."""
    while not is_round_over(state):
        state = play_moves(state, "end")
    return state


def test_the_total_number_of_lives_is_constant() -> None:
    """T1, T12 to T15: The lives on the table and in the pot have a constant total."""
    state = new_state(MAXIMUS, NO_TOAD, "9H 2S", lives=(1, 3, 2), stock=STOCK)
    states = [state]
    for text in ("ribit", "end", "end", "deal", "end", "end", "end", "deal"):
        states.append(play_moves(states[-1], text))
    states.append(GAME.withdraw(states[-1], 1))
    assert all(sum(state.lives) + state.pot == 9 for state in states)
    assert all(a != b for a, b in pairwise(states))


# ---- what the rules forbid -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ([], "deal", "isn't over yet"),
        (["take 1"], "draw", "only take once"),
        (["take nothing"], "take 1", "only take once"),
        ([], "take 4", "place in the stock is empty"),
        ([], "draw", "no cards left to draw"),
        ([], "take discard", "discard pile is empty"),
        ([], "discard 5H", "Take a card first"),
        ([], "discard 9H", "You don't have 9"),
        (["take nothing"], "discard 9H", "You don't have 9"),
        (["take 1", "discard 5H"], "discard 6H", "only discard once"),
        (["take 1", "discard 5H"], "discard 5H", "You don't have 5"),
        (["end", "end"], "end", "about to be dealt"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(moves: list[str], move: str, words: str) -> None:
    """A move that the rules forbid is refused with the reason, and changes nothing."""
    state = new_state(NO_TOAD, "", "9D 3H", stock="3S 4S 6S --", draw="", out_of_play=1, safe={1})
    state = play_moves(state, *moves)
    assert move not in legal_move_texts(state)
    with pytest.raises(IllegalMoveError, match=words):
        play_moves(state, move)


def test_a_finished_match_accepts_no_move() -> None:
    """T15: After the end every move is refused with that reason."""
    over = play_moves(new_state(MAXIMUS, NO_TOAD, lives=(2, 1), stock=STOCK), "ribit")
    for move in ("end", "take 1", "ribit", "deal"):
        with pytest.raises(IllegalMoveError, match="match is over"):
            play_moves(over, move)


# ---- T17: a turn that the clock ends ----------------------------------------------------------------


@pytest.mark.parametrize("passes", [["pass", "end"], ["end", "pass"], ["pass", "pass"]])
def test_t17_a_timeout_is_a_pass_if_no_card_was_taken(passes: list[str]) -> None:
    """T6, T17: A turn that the clock ends claims nothing.

    It is a pass if it left everything as it was.
    """
    state = play_moves(new_state(MAXIMUS, NO_TOAD, stock=STOCK, discards="8D"), *passes)
    assert state.lives == (2, 2)
    laid_back = ["end", "take discard", "discard 8D", "pass"]
    assert play_moves(new_state(MAXIMUS, NO_TOAD, stock=STOCK, discards="8D"), *laid_back).lives == (
        2,
        2,
    )


@pytest.mark.parametrize("taken", ["draw", "take 1", "take discard"])
def test_t17_a_timeout_keeps_a_taken_card(taken: str) -> None:
    """T17: The clock discards nothing. A card that was taken is kept, and the row of passes restarts."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK, discards="8D 7D"), "end", taken)
    after = play_moves(state, "pass")
    assert (after.hands, after.discards, after.turn) == (state.hands, state.discards, 0)
    assert len(after.hands[1]) == 3
    assert (after.passed, is_round_over(after)) == (frozenset(), False)


def test_wins_without_losing_a_life_are_counted() -> None:
    """A player who survived each round has not lost a life. Before the end nobody has won."""
    state = new_state(MAXIMUS, NO_TOAD, stock=STOCK, lives=(3, 1))
    assert [tally["unhurt"] for tally in GAME.tally(state)] == [0, 0]
    state = play_moves(state, "ribit")
    assert state.phase is Phase.OVER
    assert [tally["unhurt"] for tally in GAME.tally(state)] == [1, 0]
    later = replace(state, round=2)
    assert [tally["unhurt"] for tally in GAME.tally(later)] == [0, 0]
