"""The rules of Frogger, F4 to F12, in their order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.errors import IllegalMoveError
from bot.engine.game import Outcome
from bot.games.frogger import GAME
from bot.games.frogger.state import EventType, State
from tests.decktet import decktet_cards_of
from tests.games.frogger.tables import (
    event_types,
    frog_spaces,
    joined_codes,
    last_event,
    legal_move_texts,
    new_state,
    play_moves,
    seat_and_action_count,
)

MARKET = "CL 7SK 5SW 8YK 2WL 9MS"


def target_spaces(state: State, frog: str) -> list[str]:
    """Return the spaces that a frog may go back to."""
    backs = [text.split() for text in legal_move_texts(state) if text.startswith(f"back {frog} ")]
    return list(dict.fromkeys(words[3] for words in backs))


def takeable_cards(state: State, frog: str, to: str) -> str:
    """Return the cards that a frog may take when it goes back to a space, or ``-`` for none."""
    starts = f"back {frog} to {to}"
    taken = [
        text.removeprefix(starts)
        for text in legal_move_texts(state)
        if f"{text} ".startswith(f"{starts} ")
    ]
    return " ".join(words.removeprefix(" take ") or "-" for words in taken)


# ---- F4: a turn ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions",
    [
        ["play 4YK Y from 5L", "back 6W to 5L take 7SK", "play 6MW M from start"],
        ["back 6W to 5Y take CL", "play CL L from start", "back 2L to 1M take 7SK"],
        ["back 5L to 4S take CL", "back 6W to 5L take 8YK", "back 5L to 3K take 5SW"],
        ["play 4YK Y from start", "play 6MW W from 6W", "play AK K from start"],
        ["play 4YK K from start", "play 6MW M from 1K", "back 2M to 1M take CL"],
    ],
)
def test_f4_a_turn_can_mix_any_three_actions(actions: list[str]) -> None:
    """F4: Plays and moves back may be mixed, even with the same frog. The third action ends the turn."""
    state = new_state("4YK 6MW AK", "2SY", at=["5L 6W"], market=MARKET)
    assert "end" not in legal_move_texts(state)
    for done, text in enumerate(actions, 1):
        state = play_moves(state, text)
        assert seat_and_action_count(state) == ((0, done) if done < 3 else (1, 0))
        assert ("end" in legal_move_texts(state)) == (done < 3)
    assert EventType.STOPPED not in event_types(state)


@pytest.mark.parametrize(
    "actions", [["play 4YK Y from 5L"], ["play AK K from 5L", "back 6W to 5L take 7SK"]]
)
def test_f4_a_player_may_stop_after_one_action(actions: list[str]) -> None:
    """F4: The player may end the turn after one or two actions."""
    state = play_moves(new_state("4YK AK", "2SY", at=["5L 6W"], market=MARKET), *actions)
    after = play_moves(state, "end")
    assert seat_and_action_count(after) == (1, 0)
    assert last_event(after, EventType.STOPPED).count == len(actions)
    assert (after.frogs, after.hands, after.market) == (state.frogs, state.hands, state.market)


def test_f4_a_turn_needs_at_least_one_action() -> None:
    """F4: Ending a turn before its first action is refused with a reason."""
    with pytest.raises(IllegalMoveError, match="at least one action"):
        play_moves(new_state("4YK", "2SY", at=["5L"], market=MARKET), "end")


def test_f4_a_turn_ends_if_no_action_is_possible() -> None:
    """F4: The turn ends if its player has no card left and no frog on the path."""
    state = play_moves(new_state("AK", "2SY", at=["11K"], market=MARKET), "play AK K from 11K")
    assert seat_and_action_count(state) == (1, 0)
    state = play_moves(
        new_state("", "2SY", at=["1K +5"], market=MARKET, keeper=1, draw=""), "back 1K to start take CL"
    )
    assert seat_and_action_count(state) == (0, 1), "the card just taken can be played"
    state = new_state("", "2SY", at=["1K"], market="", draw="", keeper=1)
    assert seat_and_action_count(play_moves(state, "back 1K to start")) == (1, 0)


@pytest.mark.parametrize(("hand", "at"), [("AK", "11K 5L"), ("AK 4YK", "11K")])
def test_f4_a_turn_continues_with_a_frog_or_a_card(hand: str, at: str) -> None:
    """F4: The turn goes on while its player has a card to play or a frog to move back."""
    state = play_moves(new_state(hand, "2SY", at=[at], market=MARKET), "play AK K from 11K")
    assert seat_and_action_count(state) == (0, 1)
    assert len(legal_move_texts(state)) > 1


def test_f4_each_turn_has_three_actions() -> None:
    """F4: Each turn has three actions, whatever the last player did."""
    state = new_state("4YK 6MW AK", "4WL 5ML 2SY", at=["5L 6W"], market=MARKET)
    state = play_moves(state, "play 4YK Y from 5L", "end")
    state = play_moves(
        state, *["play 4WL W from start", "play 5ML L from start", "play 2SY S from start"]
    )
    assert seat_and_action_count(state) == (0, 0)


# ---- F5: forward ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "move", "after"),
    [
        ("", "", "6MW M from start", "1M"),
        ("", "", "6MW W from start", "6W"),
        ("", "1M", "6MW M from start", "2M"),
        ("1M", "", "6MW M from start", "1M 2M"),
        ("", "1M 2M 3M", "6MW M from start", "9M"),
        ("1K", "1M", "6MW M from 1K", "2M"),
        ("3M", "", "4YK Y from 3M", "5Y"),
        ("3M", "", "4YK K from 3M", "11K"),
        ("9L", "12M", "6MW M from 9L", "+1"),
        ("12S", "", "6MW M from 12S", "+1"),
        ("10Y", "", "4YK Y from 10Y", "+1"),
        ("1K", "2M 3M 9M 12M", "6MW M from 1K", "+1"),
        ("2L 3M 9M 12M", "2M", "6MW M from 2L", "3M 9M 12M +1"),
    ],
)
def test_f5_a_frog_moves_to_the_first_free_symbol_or_home(
    mine: str, theirs: str, move: str, after: str
) -> None:
    """F5: A frog goes strictly ahead to the first free symbol of the suit, or home past the last one.

    The Excuse is before card 1. Frogs of the same player block symbols too.
    """
    state = new_state("6MW 4YK", "2SY", at=[mine, theirs], market=MARKET)
    card = move.split(maxsplit=1)[0]
    state = play_moves(state, f"play {move}")
    assert frog_spaces(state, 0) == after
    assert frog_spaces(state, 1) == theirs
    assert joined_codes(state.discards) == card
    assert card not in joined_codes(state.hands[0])


def test_f5_any_suit_of_a_card_moves_any_frog() -> None:
    """F5: Each suit of each card may move each frog on the path or one on the Excuse."""
    state = new_state("4YK AM", "2SY", at=["2L 5Y +1"], market=MARKET)
    assert [text for text in legal_move_texts(state) if text.startswith("play")] == [
        f"play {card} from {frog}"
        for card in ("4YK Y", "4YK K", "AM M")
        for frog in ("start", "2L", "5Y")
    ]


def test_f5_a_frog_never_leaves_home() -> None:
    """F5: Frogs at home never move, and no frog starts if none is on the Excuse."""
    state = new_state("4YK", "2SY", at=["12M +5"], market=MARKET)
    assert {text.split()[1] for text in legal_move_texts(state) if text.startswith("back")} == {"12M"}
    assert [text for text in legal_move_texts(state) if text.startswith("play")] == [
        "play 4YK Y from 12M",
        "play 4YK K from 12M",
    ]
    with pytest.raises(IllegalMoveError, match="no frog on the Excuse"):
        play_moves(state, "play 4YK Y from start")


def test_f5_a_play_moves_one_frog() -> None:
    """F5: A play moves one frog and leaves its player's other frogs in place."""
    state = play_moves(
        new_state("6MW", "2SY", at=["2L 5Y +1", "3M"], market=MARKET), "play 6MW M from 2L"
    )
    assert [frog_spaces(state, 0), frog_spaces(state, 1)] == ["5Y 9M +1", "3M"]
    assert state.frogs[0].start == 3


# ---- F6: Aces and Crowns -------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["AL", "CL"])
def test_f6_an_ace_or_a_crown_sends_other_frogs_back(card: str) -> None:
    """F6: Every other frog on the landing card, of any player, goes back to the Excuse."""
    state = new_state(card, "2SY", "2WL", at=["6W 9M +1", "9S 12M", "8S"], market="9MS")
    state = play_moves(state, f"play {card} L from 6W")
    assert [frog_spaces(state, seat) for seat in range(3)] == ["9L +1", "12M", "8S"]
    assert [state.frogs[seat].start for seat in range(3)] == [4, 5, 5]
    assert event_types(state) == [EventType.PLAYED, EventType.SENT_BACK, EventType.SENT_BACK]
    assert [tally["sent"] for tally in GAME.tally(state)] == [2, 0, 0]


def test_f6_a_number_card_sends_no_frog_back() -> None:
    """F6: A number card sends no frog back."""
    state = new_state("9LK", "2SY", at=["6W 9M", "9S 12M"], market="9MS")
    state = play_moves(state, "play 9LK L from 6W")
    assert [frog_spaces(state, seat) for seat in range(2)] == ["9L 9M", "9S 12M"]
    assert GAME.tally(state)[0]["sent"] == 0


@pytest.mark.parametrize("card", ["AL", "CL"])
def test_f6_a_frog_moving_home_sends_no_frog_back(card: str) -> None:
    """F6: A frog that goes home sends no frog back, even from the last cards."""
    state = new_state(card, "2SY", at=["9L +4", "9M 9S 12M 12S +2"], market="9MS")
    state = play_moves(state, f"play {card} L from 9L")
    assert [frog_spaces(state, seat) for seat in range(2)] == ["+5", "9M 9S 12M 12S +2"]


def test_f6_the_landing_is_found_before_frogs_are_sent_back() -> None:
    """F5, F6: The landing is found before frogs go back, so their symbols still count as taken."""
    state = new_state("AM", "2SY", at=["", "1M 2L"], market=MARKET)
    state = play_moves(state, "play AM M from start")
    assert [frog_spaces(state, seat) for seat in range(2)] == ["2M", "1M"]


def test_f6_frogs_on_the_starting_card_stay() -> None:
    """F6: Frogs on the card that the moving frog left stay there."""
    state = new_state("CM", "2SY", at=["1K 2L", "1M"], market=MARKET)
    state = play_moves(state, "play CM M from 1K")
    assert [frog_spaces(state, seat) for seat in range(2)] == ["2M", "1M"]
    assert state.frogs[0].start == 5


def test_f6_a_frog_sent_back_can_start_again() -> None:
    """F6: A frog that was sent back can start again, and its space is free at once."""
    state = new_state("AM AL", "2SY", at=["2M", ""], market=MARKET)
    state = play_moves(state, "play AL L from start")
    assert (frog_spaces(state), state.frogs[0].start) == ("2L", 5)
    assert frog_spaces(play_moves(state, "play AM M from start")) == "1M 2L"
    state = play_moves(
        new_state("AM", "5ML", at=["", "1M 2L"], market=MARKET), "play AM M from start", "end"
    )
    assert frog_spaces(play_moves(state, "play 5ML L from start"), 1) == "1M 2L"


# ---- F7: back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "frog", "to"),
    [
        ("9L", "", "9L", ["8S", "8Y"]),
        ("9L", "8S", "9L", ["8Y"]),
        ("9L 8Y", "", "9L", ["8S"]),
        ("9L", "8S 8Y", "9L", ["7W"]),
        ("9L 8S", "8Y 7W", "9L", ["6W", "6L", "6Y"]),
        ("9L 9M 9S", "8S 8Y 7W 6W", "9M", ["6L", "6Y"]),
        ("5Y", "4S 3M 3Y", "5Y", ["3K"]),
        ("2M", "", "2M", ["1M", "1K"]),
        ("2M", "1M", "2M", ["1K"]),
        ("2M", "1M 1K", "2M", ["start"]),
        ("1M", "", "1M", ["start"]),
        ("3M 2M 2L 1K", "1M", "3M", ["start"]),
    ],
)
def test_f7_a_frog_moves_back_to_the_nearest_card_with_room(
    mine: str, theirs: str, frog: str, to: list[str]
) -> None:
    """F7: A frog goes back to any free symbol of the nearest card with room, or to the Excuse."""
    state = new_state("2SY", "AM", at=[mine, theirs], market="CK AK")
    assert target_spaces(state, frog) == to
    for space in to:
        card = takeable_cards(state, frog, space).split()[0]
        after = play_moves(state, f"back {frog} to {space}" + (f" take {card}" if card != "-" else ""))
        left = set(mine.split()) - {frog} | ({space} if space != "start" else set())
        assert set(frog_spaces(after).split()) == left
        assert after.frogs[0].start == state.frogs[0].start + (space == "start")
        assert frog_spaces(after, 1) == frog_spaces(state, 1)


def test_f7_only_frogs_on_the_path_go_back() -> None:
    """F7: Frogs on the Excuse, frogs at home and frogs of other players cannot go back."""
    state = new_state("2SY", "AM", at=["9L +2", "5L"], market=MARKET)
    assert {text.split()[1] for text in legal_move_texts(state) if text.startswith("back")} == {"9L"}
    with pytest.raises(IllegalMoveError, match="no frog there"):
        play_moves(state, "back 5L to 4S take CL")


# ---- F8: what may be taken -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frog", "to", "cards"),
    [
        ("9L", "8S", "CL 8YK 2WL"),
        ("9L", "8Y", "CL 7SK 5SW 2WL 9MS"),
        ("7W", "6L", "7SK 5SW 8YK 9MS"),
        ("7W", "6W", "CL 7SK 8YK 9MS"),
        ("2M", "1M", "CL 7SK 5SW 8YK 2WL"),
        ("2M", "1K", "CL 5SW 2WL 9MS"),
        ("1M", "start", "CL 7SK 5SW 8YK 2WL 9MS"),
    ],
)
def test_f8_a_card_of_the_landings_suit_cannot_be_taken(frog: str, to: str, cards: str) -> None:
    """F8: A market card may be taken unless it bears the landing's suit.

    From the Excuse any may be taken.
    """
    mine = "9L 7W 2M" if frog != "1M" else "1M"
    assert takeable_cards(new_state("2SY", "AM", at=[mine], market=MARKET), frog, to) == cards


def test_f8_a_taken_card_moves_to_the_hand() -> None:
    """F8: The card moves from the market to the hand, and the other market cards keep their order."""
    state = play_moves(new_state("2SY", "AM", at=["9L"], market=MARKET), "back 9L to 8S take 8YK")
    assert joined_codes(state.hands[0]) == "2SY 8YK"
    assert joined_codes(state.market) == "CL 7SK 5SW 2WL 9MS"
    assert last_event(state, EventType.MOVED_BACK).card == decktet_cards_of("8YK")[0]


@pytest.mark.parametrize("market", ["8YK 5YK", ""])
def test_f8_a_move_back_without_a_card_still_counts(market: str) -> None:
    """F8: The frog moves back without taking a card if the market has none that it may take."""
    state = new_state("2SY", "AM", at=["9L"], market=market, draw="", keeper=1)
    assert takeable_cards(state, "9L", "8Y") == "-"
    after = play_moves(state, "back 9L to 8Y")
    assert seat_and_action_count(after) == (0, 1)
    assert (frog_spaces(after), after.hands, after.market) == ("8Y", state.hands, state.market)
    assert last_event(after, EventType.MOVED_BACK).card is None


def test_f8_a_move_back_must_take_a_card_if_possible() -> None:
    """F8: A move back without a card is refused if one may be taken."""
    state = new_state("2SY", "AM", at=["9L 1M"], market=MARKET)
    for text in ("back 9L to 8Y", "back 1M to start"):
        with pytest.raises(IllegalMoveError, match="choose one"):
            play_moves(state, text)


# ---- F9: the market ------------------------------------------------------------------------------


def test_f9_the_market_is_refilled_only_when_empty() -> None:
    """F9: Taking cards shrinks the market over turns until none is left."""
    state = new_state("2SY", "2WL", at=["9L 9M 9S 8S"], market="CL CK CM CY AL AK", keeper=1)
    for left, text in enumerate(
        ("back 9L to 8Y take CL", "back 9M to 7W take CK", "back 9S to 6W take CM"), -5
    ):
        state = play_moves(state, text)
        assert len(state.market) == -left
    assert EventType.REFILLED not in event_types(state)
    state = play_moves(state, "play 2WL W from start", "end", "back 8S to 6Y take AL")
    assert joined_codes(state.market) == "CY AK"


def test_f9_an_empty_market_is_refilled_within_a_turn() -> None:
    """F9: The market is refilled with six cards when the last one is taken, even inside a turn."""
    state = new_state("2SY", "AM", at=["9L 1K"], market="CL")
    top, left = state.draw[:6], state.draw[6:]
    state = play_moves(state, "back 9L to 8S take CL")
    assert seat_and_action_count(state) == (0, 1)
    assert (state.market, state.draw) == (top, left)
    assert last_event(state, EventType.REFILLED).count == 6
    assert takeable_cards(state, "1K", "start") == joined_codes(top)
    state = play_moves(state, f"back 1K to start take {top[0].code}")
    assert (state.market, seat_and_action_count(state)) == (top[1:], (0, 2))


def test_f9_a_blocked_players_take_can_empty_the_market() -> None:
    """F9, F11: A blocked player's take can empty the market, which is refilled before the next turn."""
    state = new_state("", "AM", market="CL")
    top = state.draw[:6]
    state = play_moves(state, "take CL")
    assert (state.market, seat_and_action_count(state)) == (top, (1, 0))


def test_f9_six_cards_in_the_draw_pile_need_no_shuffle() -> None:
    """F9: The discards are not shuffled while the draw pile has six cards."""
    state = new_state("2SY", "AM", at=["9L"], market="CL", draw="AW AK 3SK 3MW 4YK 4WL")
    discards = state.discards
    state = play_moves(state, "back 9L to 8S take CL")
    assert joined_codes(state.market) == "AW AK 3SK 3MW 4YK 4WL"
    assert (state.draw, state.discards, state.reshuffles) == ((), discards, 0)
    assert EventType.RESHUFFLED not in event_types(state)


@pytest.mark.parametrize("draw", ["", "AW", "AW AK", "AW AK 3SK 3MW 4YK"])
def test_f9_discards_are_shuffled_after_a_short_draw_pile(draw: str) -> None:
    """F9: The market gets the rest of the draw pile in order, then cards of the shuffled discards."""
    state = new_state("2SY", "AM", at=["9L"], market="CL", draw=draw)
    discards, left = state.discards, draw.split()
    state = play_moves(state, "back 9L to 8S take CL")
    market = joined_codes(state.market).split()
    assert market[: len(left)] == left
    assert len(market) == 6
    assert (state.discards, state.reshuffles) == ((), 1)
    new = {*market[len(left) :], *joined_codes(state.draw).split()}
    assert new == set(joined_codes(discards).split())
    assert market[len(left) :] != joined_codes(discards).split()[: 6 - len(left)], "they were shuffled"
    assert event_types(state)[-2:] == [EventType.RESHUFFLED, EventType.REFILLED]


def test_f9_each_reshuffle_gives_a_different_order() -> None:
    """F9: Two reshuffles of the same discards give different orders."""
    state = new_state("2SY", "AM", at=["9L"], market="CL", draw="")
    first = play_moves(state, "back 9L to 8S take CL")
    second = play_moves(replace(state, reshuffles=1), "back 9L to 8S take CL")
    assert set(first.market + first.draw) == set(second.market + second.draw)
    assert first.market + first.draw != second.market + second.draw


@pytest.mark.parametrize(
    ("draw", "discards", "size"), [("AW", "", 1), ("AW AK", "3SK", 3), ("", "3SK 3MW", 2), ("", "", 0)]
)
def test_f9_with_too_few_cards_the_market_is_smaller(draw: str, discards: str, size: int) -> None:
    """F9: The market is smaller than six, or empty, if hands hold nearly all cards."""
    state = new_state("2SY", "AM", at=["9L"], market="CL", draw=draw, discards=discards, keeper=1)
    state = play_moves(state, "back 9L to 8S take CL")
    assert set(joined_codes(state.market).split()) == set(f"{draw} {discards}".split())
    assert len(state.market) == size
    assert (state.draw, state.discards) == ((), ())
    assert seat_and_action_count(state) == (0, 1)


def test_f9_an_empty_market_is_filled_once_a_card_is_played() -> None:
    """F9: With nothing to draw the market stays empty, until the next card played fills it."""
    state = new_state("2SY", "AM", at=["9L"], market="", draw="", keeper=1)
    state = play_moves(state, "play 2SY Y from 9L")
    assert joined_codes(state.market) == "2SY"
    assert state.discards == ()
    assert takeable_cards(state, "10Y", "9M") == "2SY"


# ---- F10: hands ----------------------------------------------------------------------------------


def test_f10_there_is_no_hand_limit() -> None:
    """F10: A player may take any number of cards, up to all of them."""
    state = new_state("2SY", "AM", at=["9L 9M 9S"], market="CL CK", draw="", keeper=0)
    assert len(state.hands[0]) == 25
    state = play_moves(state, "back 9L to 8Y take CL", "back 9M to 8S take CK")
    assert (len(state.hands[0]), state.market) == (27, ())
    assert GAME.view(state, None).seats[0].held == 27


def test_f10_a_card_from_the_market_is_known_until_played() -> None:
    """F10: Dealt cards are secret, and a card taken from the market is known while it is held."""
    state = new_state("2SY 6MW", "AM", at=["9L"], market=MARKET)

    def known(seat: int = 0) -> str:
        return joined_codes(GAME.view(state, None).seats[seat].known)

    assert known() == ""
    state = play_moves(state, "back 9L to 8Y take CL", "play 2SY S from 8Y")
    assert known() == "CL"
    state = play_moves(state, "play CL L from start")
    assert (known(), known(1)) == ("", "")
    state = new_state(
        "CL 2SY", "AM", at=["9L"], market="5SW", known="CL", draw="AW AK 3SK 3MW", keeper=1
    )
    state = play_moves(state, "back 9L to 8Y take 5SW")
    assert known() == "5SW CL"


def test_f10_a_blocked_players_card_is_known() -> None:
    """F10, F11: A blocked player's card is known too, as it was taken from the market."""
    state = play_moves(new_state("", "AM", market=MARKET), "take 2WL")
    assert joined_codes(GAME.view(state, 1).seats[0].known) == "2WL"


# ---- F11: blocked --------------------------------------------------------------------------------


def test_f11_a_blocked_player_takes_one_market_card() -> None:
    """F11: A player without cards or frogs on the path takes any market card, which ends the turn."""
    state = new_state("", "AM", at=["+3"], market=MARKET)
    assert legal_move_texts(state) == [f"take {card}" for card in MARKET.split()]
    after = play_moves(state, "take 5SW")
    assert seat_and_action_count(after) == (1, 0)
    assert joined_codes(after.hands[0]) == "5SW"
    assert event_types(after) == [EventType.TOOK]


@pytest.mark.parametrize(("hand", "at"), [("2SY", ""), ("", "1M"), ("2SY", "1M")])
def test_f11_a_card_or_a_frog_on_the_path_prevents_blocking(hand: str, at: str) -> None:
    """F11: A player with a card or a frog on the path takes a card only with a move back."""
    state = new_state(hand, "AM", at=[at], market=MARKET)
    assert not any(text.startswith("take") for text in legal_move_texts(state))
    with pytest.raises(IllegalMoveError, match="only take a card like that if"):
        play_moves(state, "take CL")


def test_f11_a_blocked_seat_is_skipped_if_the_market_is_empty() -> None:
    """F11: A blocked seat is passed over if the market is empty, and so is the next blocked seat."""
    state = new_state("2SY", "", "", "AM", at=["9L", "+1"], market="", draw="", keeper=3)
    state = play_moves(state, "back 9L to 8Y", "end")
    assert seat_and_action_count(state) == (3, 0)
    assert [(e.what, e.seat) for e in state.events[-2:]] == [
        (EventType.BLOCKED, 1),
        (EventType.BLOCKED, 2),
    ]


def test_f11_a_player_continues_if_all_others_are_skipped() -> None:
    """F11: A player goes on with a new turn if all other seats are passed over."""
    state = new_state("2SY", "", at=["9L"], market="", draw="", keeper=0)
    state = play_moves(state, "back 9L to 8Y", "end")
    assert seat_and_action_count(state) == (0, 0)
    assert "end" not in legal_move_texts(state)


def test_f11_a_player_is_blocked_only_at_the_start_of_a_turn() -> None:
    """F11: A player who runs out of cards and frogs within a turn takes no card, and the turn ends."""
    state = play_moves(new_state("AK", "AM", at=["11K"], market=MARKET), "play AK K from 11K")
    assert seat_and_action_count(state) == (1, 0)
    state = play_moves(state, "play AM M from start", "end")
    assert seat_and_action_count(state) == (0, 0)
    assert legal_move_texts(state)[0] == "take CL"


# ---- F12: the end --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "before"),
    [
        ("12M +5", []),
        ("12M 12S +4", ["play 2SY S from 12S"]),
        ("9M 12M 12S +3", ["play 2SY S from 12S", "play AM M from 9M"]),
    ],
)
def test_f12_the_sixth_frog_home_wins_at_once(at: str, before: list[str]) -> None:
    """F12: The sixth frog home wins at whichever action, and the turn goes no further."""
    state = play_moves(new_state("6MW 2SY AM 4YK", "9LK", at=[at, "11S +5"], market=MARKET), *before)
    assert GAME.outcome(state) is None
    state = play_moves(state, "play 6MW M from 12M")
    assert frog_spaces(state) == "+6"
    assert GAME.outcome(state) == Outcome((0,))
    assert GAME.to_move(state) is None
    assert legal_move_texts(state) == []
    assert GAME.tally(state)[0]["home"] == 6
    with pytest.raises(IllegalMoveError, match="over"):
        play_moves(state, "play 4YK Y from start")


def test_f12_any_seat_can_win() -> None:
    """F12: The winner is the seat that moved."""
    state = new_state("AM", "9LK", "6MW", at=["", "12S +5", "12M +5"], market=MARKET, turn=2)
    assert GAME.outcome(play_moves(state, "play 6MW M from 12M")) == Outcome((2,))


def test_f12_five_frogs_home_do_not_win() -> None:
    """F12: The match goes on while no player has six frogs home."""
    state = play_moves(new_state("6MW", "9LK", at=["12M 1K +4"], market=MARKET), "play 6MW M from 12M")
    assert frog_spaces(state) == "1K +5"
    assert GAME.outcome(state) is None


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("play 5ML M from start", r"don't have 5🌙🍃"),
        ("play 4YK M from start", r"no 🌙 on 4🐍🪢"),
        ("play 4YK Y from 8S", r"no frog there"),
        ("back 8S to 7W take CL", r"no frog there"),
        ("back 9L to 7W take CL", r"nearest card behind"),
        ("back 9L to start take CL", r"nearest card behind"),
        ("back 9L to 9M take CL", r"nearest card behind"),
        ("back 9L to 8S take 7SK", r"can't take 7☀️🪢: it has ☀️"),
        ("back 9L to 8S take AM", r"isn't in the market"),
        ("back 1M to start take 4YK", r"isn't in the market"),
        ("take CL", r"only take a card like that if"),
        ("end", r"at least one action"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(text: str, words: str) -> None:
    """Each type of illegal move is refused with the reason, and changes nothing."""
    state = new_state("4YK", "AM", at=["9L 1M"], market=MARKET)
    with pytest.raises(IllegalMoveError, match=words) as refusal:
        play_moves(state, text)
    assert refusal.value.sentence.endswith(".")


@pytest.mark.parametrize("text", ["play AM M from start", "back 1M to start take CL", "end"])
def test_a_blocked_players_other_moves_are_refused(text: str) -> None:
    """F11: Any other move of a blocked player is refused with what the turn allows."""
    with pytest.raises(IllegalMoveError, match="take one card from the market"):
        play_moves(new_state("", "AM", market=MARKET), text)
