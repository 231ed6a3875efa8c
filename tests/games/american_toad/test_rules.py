"""Rules A1 to A12, with at least one test for each, on positions worked out by hand."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards import PACK
from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.games.american_toad import GAME
from bot.games.american_toad.state import MOST_DEALS, Redo, State, TurnOn, Undo
from tests.games.american_toad.positions import (
    foundation_heights,
    legal_card_moves,
    new_position,
    parse_cards,
    play_moves,
)


@pytest.mark.parametrize("number", [1, 2, 77, 999_999_999])
def test_a1_the_deal_has_reserve_columns_foundation_and_stock(number: int) -> None:
    """A1: 20 cards are the reserve, 8 the columns, one the first foundation and 75 the stock."""
    state = GAME.deal(1, {"deal": number, "daily": 0}, b"")
    position = state.position
    assert len(position.reserve) == 20
    assert [len(column) for column in position.columns] == [1] * 8
    assert sum(position.heights) == 1
    assert len(position.stock) == 75
    assert position.waste == ()
    assert Counter(GAME.every_card(state)) == Counter(PACK * 2)
    base = [card for card in GAME.view(state, None).foundations if card]
    assert [card.rank for card in base] == [position.base]


def test_a1_a_number_always_deals_the_same_cards() -> None:
    """A1: A number deals the same cards whatever the seed is, and number 0 draws a random deal."""
    assert GAME.deal(1, {"deal": 5, "daily": 0}, b"a" * 32) == GAME.deal(
        1, {"deal": 5, "daily": 0}, b"b" * 32
    )
    assert GAME.deal(1, {"deal": 0, "daily": 0}, b"a" * 32) != GAME.deal(
        1, {"deal": 0, "daily": 0}, b"b" * 32
    )
    assert GAME.deal(1, {"deal": 5, "daily": 0}, b"") != GAME.deal(1, {"deal": 6, "daily": 0}, b"")


def test_a1_a_seed_always_draws_the_same_deal() -> None:
    """A1: The same seed always draws the same deal. A journal holds no number of a random deal."""
    drawn = GAME.deal(1, {"deal": 0, "daily": 0}, b"a" * 32)
    assert drawn == GAME.deal(1, {"deal": 48655486, "daily": 0}, b"")
    by_lot = {"deal": 0, "daily": 0}
    lots = [GAME.deal(1, by_lot, bytes([seed]) * 32).number for seed in range(40)]
    assert all(1 <= number <= MOST_DEALS for number in lots)
    assert len(set(lots)) == len(lots)


@pytest.mark.parametrize(
    ("stock", "waste", "moves", "said"),
    [
        ("", "2H", "turn", "The stock is empty."),
        ("2S 3S", "", "turn x3", "There aren't that many cards in the stock."),
        ("2S", "3S", "redeal", "You can only turn the waste over when the stock is empty."),
        ("", "", "redeal", "The waste is empty."),
        ("2S", "", "undo", "There's nothing to undo."),
        ("2S 3S", "", "turn, undo x2", "There aren't that many moves to undo."),
        ("2S", "", "redo", "There's nothing to redo."),
        ("2S", "", "1 up", "That card can't go to a foundation yet."),
        ("2S", "", "all up", "That card can't go to a foundation yet."),
        ("2S", "", "1 to 2 x1", "That card doesn't fit there: columns build down in suit, King on Ace."),
    ],
)
def test_each_illegal_move_is_refused_with_its_reason(
    stock: str, waste: str, moves: str, said: str
) -> None:
    """Moves such as a redeal with cards left in the stock are refused, each with its own sentence."""
    *before, last = moves.split(", ")
    state = play_moves(new_position("KC|QD|KC|KC|KC|KC|KC|KC", stock=stock, waste=waste), *before)
    with pytest.raises(IllegalMoveError) as refused:
        play_moves(state, last)
    assert str(refused.value) == said


def test_a1_views_hide_the_stock_and_all_but_the_reserves_top() -> None:
    """A1: No view shows the stock or the cards under the reserve's top."""
    state = GAME.deal(1, {"deal": 3, "daily": 0}, b"")
    position = state.position
    hidden = replace(
        position, reserve=position.reserve[-2::-1] + position.reserve[-1:], stock=position.stock[::-1]
    )
    assert GAME.view(replace(state, position=hidden), 0) == GAME.view(state, 0)


def test_a2_foundations_build_up_in_suit_and_wrap_around() -> None:
    """A2: Foundations build up in suit from the base, Ace on King, and no card comes back."""
    state = new_position("6H|6D|4H|||||", base=5, heights=foundation_heights(H=1))
    assert {"1 up"} == {move for move in legal_card_moves(state) if move.endswith("up")}
    corner = new_position("AS|KS||||||", base=5, heights=foundation_heights(S=8))
    assert "2 up" in legal_card_moves(corner)
    assert "1 up" not in legal_card_moves(corner)
    after = play_moves(corner, "2 up")
    assert "1 up" in legal_card_moves(after)
    assert play_moves(after, "1 up").position.heights == foundation_heights(S=10)
    assert not any("foundation" in move for move in legal_card_moves(after))


def test_a2_a_foundation_holds_thirteen_cards() -> None:
    """A2: A full foundation takes no fourteenth card. The suit's second one starts at the base."""
    full = new_position("5H|6H||||||", base=5, heights=foundation_heights(H=13))
    assert "1 up" in legal_card_moves(full), "onto the second foundation of hearts"
    assert "2 up" not in legal_card_moves(full)
    after = play_moves(full, "1 up")
    assert sorted(after.position.heights) == [0] * 6 + [1, 13]


def test_a3_base_cards_start_their_own_foundation() -> None:
    """A3: Another free base card may go up. All-up is allowed only if a card can go up."""
    state = new_position("5C|6C|7C|9D||||", base=5)
    assert "1 up" in legal_card_moves(state)
    assert state.position.heights == foundation_heights(), "nothing goes up by itself"
    after = play_moves(state, "all up")
    assert sum(after.position.heights) == 3
    assert after.position.columns[3] == parse_cards("9D")
    with pytest.raises(IllegalMoveError):
        play_moves(after, "all up")


def test_a4_columns_build_down_in_suit_and_wrap_around() -> None:
    """A4: Columns build down in suit, King on Ace, also through the base rank."""
    state = new_position("AS|KS|KH|6D|5D|4D||", base=5, heights=foundation_heights(D=1), reserve="2C")
    moves = legal_card_moves(state)
    assert "2 to 1 x1" in moves, "King on Ace"
    assert "3 to 1 x1" not in moves, "another suit"
    assert "5 to 4 x1" in moves, "the base rank itself"
    assert "6 to 5 x1" in moves, "below the base rank"
    assert "4 to 5 x1" not in moves, "up is for foundations"


def test_a5_any_top_part_of_a_run_can_move() -> None:
    """A5: Any top part of a run moves only onto a column that its highest card fits."""
    state = new_position("9S 8S 7S 6S|TS|8S|9H|KD|KD|KC|KC", base=2, reserve="3C")
    assert legal_card_moves(state) == {"1 to 2 x4", "1 to 3 x2"}
    after = play_moves(state, "1 to 3 x2")
    assert after.position.columns[0] == parse_cards("9S 8S")
    assert after.position.columns[2] == parse_cards("8S 7S 6S")


def test_a5_legal_moves_of_a_full_table_are_complete() -> None:
    """A3 to A10 together: The legal moves of a position without gaps are those worked out by hand."""
    state = new_position(
        "9S 8S 7S|TS|8S|AH|KH QH|5D|2C|JC",
        base=5,
        heights=foundation_heights(D=1, C=3),
        reserve="3D 6D",
        stock="2H",
        waste="9C 7S",
    )
    assert legal_card_moves(state) == {
        "turn",
        "reserve up",
        "1 to 2 x3",
        "1 to 3 x1",
        "5 to 4 x2",
        "waste to 3",
        "6 up",
    }


def test_a6_the_reserve_fills_an_empty_column_at_once() -> None:
    """A6: The reserve's top fills a column that a move has emptied, within that move."""
    state = new_position("9S|TS|3H|3H|3H|3H|3H|3H", reserve="4D 2C")
    after = play_moves(state, "1 to 2 x1")
    assert after.position.columns[0] == parse_cards("2C")
    assert after.position.columns[1] == parse_cards("TS 9S")
    assert after.position.reserve == parse_cards("4D")
    gone = play_moves(new_position("5H|TS|3H|3H|3H|3H|3H|3H", reserve="2C"), "1 up")
    assert gone.position.columns[0] == parse_cards("2C")
    assert gone.position.reserve == ()


def test_a7_a_gap_may_stay_open_if_the_reserve_is_empty() -> None:
    """A7: The waste's or a column's top card may fill a gap, or the gap stays open."""
    state = new_position("9S 8S||3H|4D|6C|JH|QD|KC", base=5, waste="2H 7C")
    assert legal_card_moves(state) == {
        "redeal",
        "waste to 2",
        *(f"{column} to 2 x1" for column in (1, 3, 4, 5, 6, 7, 8)),
    }
    after = play_moves(state, "1 to 2 x1")
    assert after.position.columns[:2] == (parse_cards("9S"), parse_cards("8S"))
    with pytest.raises(IllegalMoveError):
        play_moves(state, "1 to 2 x2")


def test_a8_reserve_and_waste_go_to_foundations_or_columns() -> None:
    """A8: Only the top cards of the reserve and the waste go to foundations and columns."""
    state = new_position("6H|9C|3D|3D|3D|3D|3D|3D", base=5, reserve="2S 5H", waste="9H 8C")
    assert {"reserve up", "reserve to 1", "waste to 2"} <= legal_card_moves(state)
    after = play_moves(state, "reserve up", "waste to 2")
    assert after.position.reserve == parse_cards("2S")
    assert after.position.waste == parse_cards("9H")
    assert after.position.columns[1] == parse_cards("9C 8C")


def test_a8_a_card_moved_up_leaves_its_pile() -> None:
    """A8: A card that goes up from the waste or the reserve leaves its pile."""
    state = new_position(
        "9C|9C|9C|9C|9C|9C|9C|9C", reserve="2S 6H", waste="KD 6S", heights=foundation_heights(H=1, S=1)
    )
    for pile, suit in (("waste", "S"), ("reserve", "H")):
        after = play_moves(state, f"{pile} up")
        assert after.position.heights == foundation_heights(**{"H": 1, "S": 1, suit: 2})
        assert len(getattr(after.position, pile)) == 1
        assert Counter(GAME.every_card(after)) == Counter(GAME.every_card(state))


def test_a9_the_stock_turns_one_card() -> None:
    """A9: The stock turns one card at a time onto the waste."""
    after = play_moves(new_position(stock="2H 3C 4D"), "turn")
    assert after.position.stock == parse_cards("2H 3C")
    assert after.position.waste == parse_cards("4D")


def test_a10_the_waste_is_turned_over_once_unshuffled() -> None:
    """A10: When the stock is empty, the waste is turned over once, unshuffled."""
    state = new_position("KC|KC|KC|KC|KC|KC|KC|KC", reserve="2S", waste="2H 3C 4D")
    assert "redeal" in legal_card_moves(state)
    after = play_moves(state, "redeal")
    assert after.position.stock == parse_cards("4D 3C 2H")
    assert after.position.waste == ()
    again = play_moves(after, "turn", "turn", "turn")
    assert again.position.waste == parse_cards("2H 3C 4D"), "they come in the order of the first time"
    assert "redeal" not in legal_card_moves(again)
    with pytest.raises(IllegalMoveError, match="no redeal"):
        play_moves(again, "redeal")
    with pytest.raises(IllegalMoveError, match="stock is empty"):
        play_moves(new_position(stock="2H", waste="3C"), "redeal")


def test_a11_the_last_card_up_wins() -> None:
    """A11: The deal is won with the last card up, and then no move is legal."""
    state = new_position("4H|||||||", base=5, heights=(13,) * 4 + (12, 13, 13, 13))
    after = play_moves(state, "1 up")
    assert GAME.outcome(after) is not None
    assert GAME.outcome(after).winners == (0,)  # type: ignore[union-attr]  # asserted above
    assert GAME.legal_moves(after) == ()
    assert GAME.to_move(after) is None


def test_a11_a_stuck_player_can_undo_or_give_up() -> None:
    """A11: If no card can move, the view says so, and the player may undo or give up."""
    before = new_position("KC|KC|KC|KC|KC|KC|KC|KC", reserve="2S", stock="9H", redeal=False)
    stuck = play_moves(before, "turn")
    assert GAME.view(stuck, 0).stuck
    assert legal_card_moves(stuck) == set()
    assert GAME.outcome(stuck) is None
    assert [GAME.write(move) for move in GAME.legal_moves(stuck)] == ["undo"]
    lost = GAME.outcome(GAME.withdraw(stuck, 0))
    assert lost is not None
    assert lost.winners == ()


def test_a11_a_finished_deal_accepts_no_move() -> None:
    """A11: A finished deal takes no move, not even an undo of several moves or giving up."""
    won = play_moves(
        new_position("4H 3H|||||||", base=5, heights=(13,) * 4 + (11, 13, 13, 13)), "1 up", "1 up"
    )
    played = play_moves(new_position("KC|KC|KC|KC|KC|KC|KC|KC", stock="2S 3S 4S 5S"), "turn", "turn")
    assert "undo" in [GAME.write(move) for move in GAME.legal_moves(played)]
    for over in (won, GAME.withdraw(played, 0)):
        assert GAME.legal_moves(over) == ()
        for move in ("turn", "turn x2", "undo", "undo x2"):
            with pytest.raises(IllegalMoveError, match="This deal is over"):
                play_moves(over, move)
        with pytest.raises(IllegalMoveError):
            GAME.withdraw(over, 0)


def test_a_finished_deal_gets_no_hint() -> None:
    """A finished deal gets no hint, and only a lost deal names its last winnable position."""
    won = play_moves(new_position("4H|||||||", base=5, heights=(13,) * 4 + (12, 13, 13, 13)), "1 up")
    played = play_moves(new_position("KC|KC|KC|KC|KC|KC|KC|KC", stock="2S 3S"), "turn")
    lost = GAME.withdraw(played, 0)
    assert GAME.outcome(won) is not None
    for over, move in ((won, "hint: turn"), (lost, "peek: turn"), (won, "winnable after 0")):
        with pytest.raises(IllegalMoveError, match="This deal is over"):
            play_moves(over, move)
    assert play_moves(played, "hint: turn").hints == 1
    assert play_moves(lost, "winnable after 0").told is not None


@pytest.mark.parametrize("move", ["turn x0, up", "turn x3", "turn x9, up", "undo x3"])
def test_turn_and_undo_counts_must_be_in_range(move: str) -> None:
    """A9: A number of turns or undos must be at least one and at most as many as there are."""
    state = play_moves(new_position("KC|KC|KC|KC|KC|KC|KC|KC", stock="2S 3S 4S 5S"), "turn", "turn")
    with pytest.raises((IllegalMoveError, UnreadableMoveError)):
        play_moves(state, move)


def test_a12_finishing_is_offered_if_all_cards_can_go_up() -> None:
    """A12: Finishing is offered only if reserve, stock and waste are empty and all cards can go up."""
    blocked = new_position("7S 8S|6S 5S||||||", base=9, heights=(13,) * 7 + (9,))
    assert not GAME.view(blocked, 0).can_finish, "the 8 lies on the 7"
    done = new_position("8S 7S|6S 5S||||||", base=9, heights=(13,) * 7 + (9,))
    assert GAME.view(done, 0).can_finish
    assert any(choice.label == "Finish the game" for choice in GAME.panel(GAME.view(done, 0)).choices())
    assert GAME.outcome(play_moves(done, "all up")) is not None
    more, place = parse_cards("2H"), done.position
    piles = (replace(place, stock=more), replace(place, waste=more), replace(place, reserve=more))
    assert not any(GAME.view(replace(done, position=each), 0).can_finish for each in piles)


@pytest.mark.parametrize("count", [999, 1000, 1007, 1100])
def test_a_long_undo_can_be_read_from_the_journal(count: int) -> None:
    """A12: Going back a thousand moves is one move, which the journal can read again."""
    state = new_position("6H 5H|6H||||||")
    for _time in range(550):
        state = play_moves(state, "1 to 2 x1", "2 to 1 x1")
    back = Undo(count)
    assert GAME.read(GAME.write(back), state) == back
    after = play_moves(state, GAME.write(back))
    assert (after.moves, after.undos) == (1100 - count, count)
    with pytest.raises(UnreadableMoveError):
        GAME.read("undo x" + "9" * 5000, state)


def test_undo_and_redo_are_unlimited_and_counted() -> None:
    """Every move can be undone back to the deal and redone, and all undos are counted."""
    state = first = GAME.deal(1, {"deal": 4, "daily": 0}, b"")
    for _turn in range(9):
        state = play_moves(state, "turn")
    last = state.position
    for _undo in range(9):
        state = play_moves(state, "undo")
    assert state.position == first.position
    assert GAME.tally(state) == ({"up": 1, "moves": 0, "undos": 9, "helped": 0, "full": 0},)
    with pytest.raises(IllegalMoveError, match="nothing to undo"):
        play_moves(state, "undo")
    for left in range(8, -1, -1):
        state = play_moves(state, "redo")
        assert len(state.position.stock) == len(last.stock) + left
    assert state.position == last
    with pytest.raises(IllegalMoveError, match="nothing to redo"):
        play_moves(state, "redo")
    assert GAME.tally(state) == ({"up": 1, "moves": 9, "undos": 9, "helped": 0, "full": 0},)
    assert play_moves(play_moves(state, "undo"), "turn").undone == (), (
        "a new move forgets what was taken back"
    )


def test_one_undo_returns_any_number_of_moves() -> None:
    """Any number of moves is undone in one move, to the exact position, and redone one by one."""
    chance = Random(1)
    state = GAME.deal(1, {"deal": 4, "daily": 0}, b"")
    seen = [state.position]
    while state.moves < 80:
        moves = [move for move in GAME.legal_moves(state) if not isinstance(move, Undo | Redo | TurnOn)]
        state = GAME.play(state, chance.choice(moves))
        seen.append(state.position)
    for count in (1, 5, 6, 25, 30, 31, 54, 79, 80):
        back = GAME.play(state, Undo(count))
        assert back.position == seen[-1 - count]
        assert [each.position for each in redone_states(back, count)] == seen[len(seen) - count :]


def redone_states(state: State, count: int) -> Iterator[State]:
    for _redo in range(count):
        state = GAME.play(state, Redo())
        yield state


ALL_UP = "Every card that could go up has gone up: {5H}, {5S}. {4D} is on top of the waste."


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("turn", "Turned {4D}."),
        ("reserve up", "Moved {5H} from the reserve up."),
        ("1 up", "Moved {5S} from column 1 up. {5H} from the reserve fills column 1."),
        ("waste to 2", "Moved {8C} from the waste onto column 2."),
        (
            "3 to 4 x1",
            "Moved {3D} from column 3 onto column 4. {5H} from the reserve fills column 3.",
        ),
        ("5 to 6 x2", "Moved {QC}–{JC} from column 5 onto column 6."),
        (
            "all up",
            "Moved up every card that could go up: {5H}, {5S}. {2S} from the reserve fills column 1.",
        ),
        ("turn x2", "Turned 2 cards. {9H} is on top of the waste."),
        (
            "turn x1, up",
            f"Turned 1 card. {ALL_UP} {{2S}} from the reserve fills column 1.",
        ),
    ],
)
def test_the_table_names_the_last_move(move: str, told: str) -> None:
    """The table names the last move until it is undone."""
    columns = "5S|9C|3D|4D|KC QC JC|AC KC|KS|KS"
    state = new_position(columns, base=5, reserve="2S 5H", stock="9H 4D", waste="9H 8C")
    told = re.sub(r"{(..)}", lambda code: str(*parse_cards(code[1])), told)
    after = play_moves(state, move)
    assert told in story_lines(after)
    assert told not in story_lines(play_moves(after, "undo"))
    later = play_moves(after, "turn" if after.position.stock else "redeal")
    assert told in story_lines(play_moves(later, "undo"))


def test_a_turn_reports_cards_up_only_if_one_went_up() -> None:
    """A turn of the stock that moves cards up says so only if a card went up."""
    state = play_moves(
        new_position("9C|KS|KS|KS|KS|KS|KS|KS", base=5, reserve="2S", stock="3H 4D"), "turn x1, up"
    )
    assert f"Turned 1 card. {parse_cards('4D')[0]} is on top of the waste." in story_lines(state)


def story_lines(state: State) -> tuple[str, ...]:
    return GAME.words(GAME.view(state, 0), ("Ann",)).story


def test_different_numbers_give_different_deals() -> None:
    """Equal numbers deal equal cards, and different numbers deal different cards."""
    deals = [GAME.deal(1, {"deal": number, "daily": 0}, b"") for number in (1, 2, 3, 1)]
    assert deals[0].position == deals[3].position
    assert len({deal.position for deal in deals}) == 3


@pytest.mark.parametrize("text", ["", "turn 2", "9 up", "waste to 9", "1 to 2", "1 to 2 x0", "reserve"])
def test_unreadable_moves_are_refused(text: str) -> None:
    """Text that is not a move is refused as unreadable."""
    with pytest.raises(UnreadableMoveError):
        GAME.read(text, new_position())


def test_random_play_keeps_all_cards() -> None:
    """Random play keeps all 104 cards, two of each, and every column is one run (A5)."""
    chance = Random(9)
    for number in range(1, 16):
        state = GAME.deal(1, {"deal": number, "daily": 0}, b"")
        for _move in range(150):
            moves = GAME.legal_moves(state)
            if not moves:
                break
            state = GAME.play(state, chance.choice(moves))
            assert Counter(GAME.every_card(state)) == Counter(PACK * 2)
            for column in state.position.columns:
                for upper, lower in itertools.pairwise(column):
                    assert lower.suit is upper.suit
                    assert (upper.rank - lower.rank) % 13 == 1
            assert not (state.position.reserve and () in state.position.columns)
