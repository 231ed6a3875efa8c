"""Giving up a match of Frogger, in or out of turn, and turns that the clock passes (house rules)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.errors import IllegalMoveError
from bot.engine.game import Outcome
from bot.games.frogger import GAME
from bot.games.frogger.state import EventType, State
from tests.games.frogger.tables import (
    FULL_DECK,
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


def three_seat_state(done: int = 0) -> State:
    return new_state(
        "4YK AM", "6MW 5ML", "2SY CK", at=["9L 5Y", "1M 8S +1", "12M +2"], market=MARKET, done=done
    )


# ---- giving up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_giving_up_frees_spaces_and_discards_the_hand(leaver: int) -> None:
    """The leaver's spaces are free at once and the hand is discarded. Frogs at home stay counted."""
    before = three_seat_state()
    state = GAME.withdraw(before, leaver)
    gone = GAME.view(state, None).seats[leaver]
    assert gone.gone
    assert (gone.held, gone.known, gone.frogs.path) == (0, (), ())
    assert gone.frogs.home == before.frogs[leaver].home
    assert not state.occupied_spaces & set(before.frogs[leaver].path)
    assert joined_codes(state.discards) == joined_codes(before.hands[leaver])
    assert sorted(joined_codes(GAME.every_card(state)).split()) == sorted(
        joined_codes(FULL_DECK).split()
    )
    assert event_types(state) == [EventType.LEFT]
    assert last_event(state, EventType.LEFT).seat == leaver


@pytest.mark.parametrize("done", [0, 1, 2])
def test_giving_up_does_not_end_another_players_turn(done: int) -> None:
    """Another player's turn goes on at the same action, and the leaver's spaces are free for it."""
    state = GAME.withdraw(three_seat_state(done=done), 1)
    assert seat_and_action_count(state) == (0, done)
    assert frog_spaces(play_moves(state, "play AM M from start")) == "1M 5Y 9L"
    assert play_moves(state, "play AM M from start").turn == (0 if done < 2 else 2)


@pytest.mark.parametrize("done", [0, 1, 2])
def test_giving_up_ends_the_players_own_turn(done: int) -> None:
    """The turn of a player who gives up ends at whatever action it has reached."""
    assert seat_and_action_count(GAME.withdraw(three_seat_state(done=done), 0)) == (1, 0)


def test_a_seat_that_gave_up_gets_no_turn() -> None:
    """A seat that gave up has no more turns."""
    state = GAME.withdraw(three_seat_state(), 1)
    state = play_moves(state, "play 4YK K from start", "end")
    assert seat_and_action_count(state) == (2, 0)
    assert seat_and_action_count(play_moves(state, "play 2SY S from start", "end")) == (0, 0)


def test_a_reshuffle_returns_the_leavers_cards() -> None:
    """F9: The leaver's cards are discarded and come back with a reshuffle."""
    state = new_state("4YK", "6MW 5ML", "2SY", at=["9L"], market="CL", draw="", keeper=2)
    state = play_moves(GAME.withdraw(state, 1), "back 9L to 8S take CL")
    assert sorted(joined_codes((*state.market, *state.draw)).split()) == ["5ML", "6MW"]


def test_a_leavers_hand_is_discarded_in_its_order() -> None:
    """F14: The hand is discarded in its order, so that a stored match reshuffles to the same cards."""
    state = new_state("4YK", "6MW 5ML", "2SY", at=["9L"], market="CL", discards="AM 9MS", keeper=2)
    assert joined_codes(GAME.withdraw(state, 1).discards) == "AM 9MS 6MW 5ML"


def test_an_empty_market_gets_the_leavers_cards() -> None:
    """F9: A market that is empty because hands hold all cards is filled with the leaver's cards."""
    state = new_state("4YK", "6MW 5ML", "2SY", at=["9L"], market="", draw="", keeper=2)
    state = GAME.withdraw(state, 1)
    assert sorted(joined_codes(state.market).split()) == ["5ML", "6MW"]
    assert seat_and_action_count(state) == (0, 0)


def test_a_blocked_seat_can_take_a_leavers_card() -> None:
    """F9, F11: The next blocked seat can take one of the leaver's cards."""
    state = new_state("4YK", "", "2SY", at=["9L"], market="", draw="", keeper=0)
    state = GAME.withdraw(state, 2)
    assert joined_codes(state.market) == "2SY"
    state = play_moves(state, "play 4YK Y from 9L", "end")
    assert seat_and_action_count(state) == (1, 0)
    assert legal_move_texts(state) == [f"take {card.code}" for card in state.market]


@pytest.mark.parametrize("leaver", [0, 1])
def test_the_last_of_two_players_wins(leaver: int) -> None:
    """The last of two players wins when the other one gives up, whichever seat was to move."""
    state = GAME.withdraw(new_state("4YK", "2SY", at=["9L", "1M"], market=MARKET), leaver)
    assert GAME.outcome(state) == Outcome((1 - leaver,))
    assert (GAME.to_move(state), legal_move_texts(state)) == (None, [])
    assert event_types(state) == [EventType.LEFT, EventType.WON]
    assert last_event(state, EventType.WON).seat == 1 - leaver


def test_the_last_of_five_players_wins() -> None:
    """The last of five players wins when the other four have given up, even without a frog home."""
    state = GAME.deal(5, {}, b"x" * 32)
    for leaver in (3, 0, 4):
        state = GAME.withdraw(state, leaver)
        assert GAME.outcome(state) is None
        assert state.turn not in state.gone
        assert GAME.remaining(state) == state.playing
    assert GAME.outcome(GAME.withdraw(state, 1)) == Outcome((2,))


def test_a_player_cannot_give_up_twice_or_after_the_match() -> None:
    """Giving up twice or after the match is refused in words."""
    state = GAME.withdraw(three_seat_state(), 1)
    with pytest.raises(IllegalMoveError, match="out of this match"):
        GAME.withdraw(state, 1)
    state = GAME.withdraw(state, 0)
    assert GAME.remaining(state) == ()
    for seat in range(3):
        with pytest.raises(IllegalMoveError):
            GAME.withdraw(state, seat)


# ---- a turn that ran out -------------------------------------------------------------------------


def passing_move(state: State) -> str:
    """Return the move that the clock makes."""
    move = GAME.passing(state)
    assert move is not None
    return GAME.write(move)


@pytest.mark.parametrize(
    "state",
    [
        three_seat_state(),
        three_seat_state(done=1),
        three_seat_state(done=2),
        new_state("AM", "2SY", at=["4S 8S +4", "9S 9L 12S"], market=MARKET),
        new_state("", "2SY", at=["5Y 12M", "4S"], market=MARKET),
        new_state("", "2SY", market=MARKET),
        new_state("2SY", "", "", "AM", at=["9L", "1M", "3K"], market="", draw="", keeper=2, turn=2),
    ],
    ids=["begun", "one action", "two actions", "harmful", "no card", "blocked", "all cards held"],
)
def test_a_timeout_moves_no_card_and_no_frog(state: State) -> None:
    """F15: The clock moves no card and no frog, and only passes the turn on, whatever was done in it."""
    assert passing_move(state) == "pass"
    after = play_moves(state, "pass")
    assert seat_and_action_count(after) == ((state.turn + 1) % state.seats, 0)
    assert replace(after, turn=state.turn, done=state.done, events=state.events) == state
    assert event_types(after)[-1] is EventType.RAN_OUT


def test_a_player_cannot_choose_to_pass() -> None:
    """F4, F15: Only the clock ends a turn without an action."""
    assert "pass" not in legal_move_texts(three_seat_state())
    assert "pass" not in legal_move_texts(three_seat_state(done=1))


def test_the_story_reports_a_timeout() -> None:
    """The story says at the table that the time ran out."""
    story = GAME.words(
        GAME.view(play_moves(three_seat_state(), "pass"), None), ["Ada", "Bo", "Cy"]
    ).story
    assert story[-1] == "Ada: ran out of time ⏰."


def test_the_clock_plays_a_card_if_an_empty_market_blocks_a_seat() -> None:
    """F9, F11: If the market is empty and a seat is blocked, the clock plays the card that does least.

    Otherwise the blocked seat would never have a turn while the others are inactive.
    """
    state = new_state("", "", at=["", "2L"], market="", draw="", keeper=1, turn=1)
    assert GAME.legal_moves(replace(state, turn=0, done=0)) == ()
    move = passing_move(state)
    assert move in legal_move_texts(state)
    state = play_moves(state, move)
    assert state.market
    assert passing_move(state) == "pass"
    assert seat_and_action_count(play_moves(state, "pass")) == (0, 0)


def test_the_clock_plays_the_card_that_does_least() -> None:
    """F15: The clock's card sends no frog back if possible, and moves a frog as little as possible."""
    state = new_state("", "", "", at=["", "2L 4S", "9L 1M"], market="", draw="", keeper=1, turn=1)

    def harm(text: str) -> tuple[int, int]:
        after = play_moves(state, text)
        ahead = [sum(each.place + 1 for each in one.frogs[1].path) for one in (state, after)]
        is_home = after.frogs[1].home - state.frogs[1].home
        return event_types(after).count(EventType.SENT_BACK), 100 * is_home + ahead[1] - ahead[0]

    found = {text: harm(text) for text in legal_move_texts(state) if text.startswith("play")}
    assert found[passing_move(state)] == min(found.values()) != max(found.values())


def test_the_clock_passes_no_turn_of_a_finished_match() -> None:
    """The clock passes no turn of a finished match."""
    over = GAME.withdraw(new_state("", "2SY", market=MARKET), 0)
    assert GAME.passing(over) is None
    with pytest.raises(IllegalMoveError):
        play_moves(over, "pass")


def test_giving_up_forfeits_nothing_before_a_frog_is_home() -> None:
    """Giving up before any frog is home forfeits nothing, because play has decided nothing yet."""
    undecided = new_state("4YK AM", "6MW 5ML", at=["9L 5Y", "1M 8S"], market=MARKET)
    assert not GAME.is_decided(GAME.withdraw(undecided, 1))
    decided = new_state("4YK AM", "6MW 5ML", at=["9L 5Y", "1M 8S +1"], market=MARKET)
    assert GAME.is_decided(GAME.withdraw(decided, 1))
