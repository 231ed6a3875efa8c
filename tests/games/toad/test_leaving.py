"""Giving up a match of Toad, in or out of turn (T16)."""

from __future__ import annotations

import pytest

from bot.engine.errors import IllegalMoveError
from bot.engine.game import Outcome
from bot.games.toad import GAME
from bot.games.toad.state import EventType, Phase
from tests.games.toad.tables import event_types, is_round_over, new_state, play_moves

STOCK = "3S 4S 6S 7S"
MAXIMUS, NO_TOAD = "TH TS", "5H 6H"


def test_a_leavers_lives_go_to_the_pot() -> None:
    """A player who gives up is out at once, the lives go to the pot, and the cards are out of play."""
    state = GAME.withdraw(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), 1)
    assert (state.lives, state.pot) == ((3, 0, 3), 3)
    assert GAME.view(state, None).seats[1].is_out
    assert GAME.view(state, None).seats[1].held == 0
    assert event_types(state)[-1] is EventType.LEFT
    assert len(GAME.every_card(state)) == 52


def test_giving_up_does_not_end_another_players_turn() -> None:
    """Another player's turn continues at the same step, with the same legal moves."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "take 1")
    left = GAME.withdraw(state, 2)
    assert (left.turn, left.phase) == (0, Phase.DISCARD)
    assert GAME.legal_moves(left) == GAME.legal_moves(state)
    assert play_moves(left, "end", "end").turn == 0


@pytest.mark.parametrize("moves", [[], ["take 1"], ["take 1", "discard 3S"], ["take nothing"]])
def test_giving_up_ends_the_players_own_turn(moves: list[str]) -> None:
    """The turn of a player who gives up ends at whatever step it has reached."""
    state = GAME.withdraw(play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), *moves), 0)
    assert (state.turn, state.phase) == (1, Phase.TAKE)
    assert play_moves(state, "end").turn == 2


def test_giving_up_hides_open_cards() -> None:
    """Cards opened by a false claim are no longer shown when their player is out."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "ribit")
    assert GAME.view(GAME.withdraw(state, 0), None).seats[0].shown == ()


def test_giving_up_ends_a_players_safety() -> None:
    """A safe seat that gives up is out and no longer safe."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "ribit")
    assert GAME.view(state, None).seats[0].safe
    left = GAME.view(GAME.withdraw(state, 0), None).seats[0]
    assert (left.is_out, left.safe) == (True, False)


def test_giving_up_is_neither_a_pass_nor_an_action() -> None:
    """If two passed and the third gives up without having acted, all who are left have passed.

    T16: That ends the round and costs no other player a life, so all players left have survived it.
    """
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "end", "end")
    state = GAME.withdraw(state, 2)
    assert is_round_over(state)
    assert (state.lives, state.pot) == ((3, 3, 0), 3)
    assert [tally["survived"] for tally in GAME.tally(state)] == [1, 1, 0]
    assert event_types(state)[-2:] == [EventType.LEFT, EventType.SPARED]


def test_a_match_older_than_t16_keeps_its_rules() -> None:
    """A match older than T16 keeps its rules, in which a round that ends by leaving costs lives."""
    first = GAME.by_rules(1)
    assert first is not None
    assert GAME.by_rules(GAME.info.rules_version) is GAME
    assert GAME.by_rules(0) is None
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "end", "end")
    assert first.withdraw(state, 2).lives == (2, 2, 0)
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", stock=STOCK), "ribit")
    assert first.withdraw(state, 1).lives == (3, 0, 2)


def test_a_card_taken_before_giving_up_resets_the_passes() -> None:
    """T13: A player who took a card and then gave up has broken the row of passes."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "end", "end", "draw")
    state = GAME.withdraw(state, 2)
    assert not is_round_over(state)
    assert (state.turn, state.passed) == (0, frozenset())
    assert is_round_over(play_moves(state, "end", "end"))


def test_giving_up_does_not_reset_the_passes() -> None:
    """T13: If one of two players who passed gives up, the other three need only two more passes."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", "8D 4H", stock=STOCK), "end", "end")
    state = play_moves(GAME.withdraw(state, 0), "end")
    assert not is_round_over(state)
    assert play_moves(state, "end").lives == (0, 2, 2, 2)


def test_an_unfinished_turn_does_not_reset_the_passes() -> None:
    """T6, T13: The mover's unfinished turn does not break the row when another player leaves.

    One passed, the next took the top discard, the third leaves, and then the card is laid back.
    """
    state = new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK, discards="8D 7D")
    state = GAME.withdraw(play_moves(state, "end", "take discard"), 2)
    assert not is_round_over(state)
    assert play_moves(state, "discard 7D", "end").lives == (2, 2, 0)


def test_a_round_continues_if_only_the_mover_has_not_passed() -> None:
    """T13: The round goes on while the mover has not passed, even if only seats that passed are left."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "end")
    state = GAME.withdraw(state, 2)
    assert not is_round_over(state)
    assert is_round_over(play_moves(state, "end"))


def test_a_leaver_ends_the_round_if_one_unsafe_player_is_left() -> None:
    """T12, T16: If one is safe and another gives up, the round ends and the last one keeps the life."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", stock=STOCK), "ribit")
    for leaver, last in ((1, 2), (2, 1)):
        left = GAME.withdraw(state, leaver)
        assert left.phase is Phase.DEAL
        assert left.lives[last] == 3
        assert (left.lives[0], left.pot) == (3, 3)


def test_a_safe_player_can_give_up() -> None:
    """The round goes on between the two other players when a safe player gives up."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", stock=STOCK), "ribit")
    state = GAME.withdraw(state, 0)
    assert (state.turn, is_round_over(state)) == (1, False)
    assert play_moves(state, "end", "end").lives == (0, 2, 2)


@pytest.mark.parametrize("leaver", [0, 1])
def test_the_last_of_two_players_wins(leaver: int) -> None:
    """T15: The last of two players wins and collects the pot without losing a life."""
    state = GAME.withdraw(new_state(NO_TOAD, "9H 2S", stock=STOCK), leaver)
    winner = 1 - leaver
    assert GAME.outcome(state) == Outcome((winner,))
    assert state.lives[winner] == 3
    assert GAME.tally(state)[winner]["pot"] == state.pot == 3


def test_the_next_seat_deals_if_the_dealer_gives_up() -> None:
    """T2: The deal passes on clockwise if the next dealer gives up between two rounds."""
    state = play_moves(
        new_state(NO_TOAD, "9H 2S", "9D 3H", "8D 4H", stock=STOCK, dealer=3), *["end"] * 4
    )
    assert GAME.to_move(state) == 0
    state = GAME.withdraw(state, 0)
    assert (GAME.to_move(state), state.phase) == (1, Phase.DEAL)
    state = play_moves(state, "deal")
    assert (state.dealer, state.turn) == (1, 2)
    assert [len(hand) for hand in state.hands] == [0, 2, 2, 2]


def test_a_leaver_between_rounds_does_not_change_the_dealer() -> None:
    """T2: The next dealer stays the same if another seat gives up between two rounds."""
    state = play_moves(
        new_state(NO_TOAD, "9H 2S", "9D 3H", "8D 4H", stock=STOCK, dealer=3), *["end"] * 4
    )
    for leaver in (1, 2, 3):
        left = GAME.withdraw(state, leaver)
        assert (GAME.to_move(left), left.phase) == (0, Phase.DEAL)
        assert left.lives == tuple(0 if seat == leaver else 2 for seat in range(4))


def test_a_dealer_can_give_up_during_the_round() -> None:
    """T2: The seat after the dealer deals next, even if the dealer has given up."""
    state = new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK, dealer=2)
    state = play_moves(GAME.withdraw(state, 2), "end", "end")
    assert GAME.to_move(state) == 0
    assert play_moves(state, "deal").turn == 1


def test_an_eliminated_player_cannot_give_up() -> None:
    """A player cannot give up twice, without lives or after the match."""
    state = new_state(NO_TOAD, "9H 2S", "", lives=(3, 3, 0), stock=STOCK)
    with pytest.raises(IllegalMoveError):
        GAME.withdraw(state, 2)
    state = GAME.withdraw(state, 1)
    for seat in range(3):
        with pytest.raises(IllegalMoveError):
            GAME.withdraw(state, seat)


def test_giving_up_does_not_count_as_surviving() -> None:
    """A player who claims a toad and then gives up has no survived round in the tally."""
    state = play_moves(new_state(MAXIMUS, NO_TOAD, "9H 2S", "9D 3H", stock=STOCK), "ribit")
    state = play_moves(GAME.withdraw(state, 0), "end", "end", "end")
    assert [tally["survived"] for tally in GAME.tally(state)] == [0, 0, 0, 0]


def test_giving_up_forfeits_only_after_a_played_round() -> None:
    """Giving up forfeits a match only after a round that play has ended, such as by passing.

    A round that ended by giving up decides nothing.
    """
    begun = new_state(NO_TOAD, "9H 2S", "9D 3H", stock=STOCK)
    assert not GAME.is_decided(GAME.withdraw(GAME.withdraw(begun, 1), 2))
    passed = play_moves(begun, "end", "end", "end")
    assert is_round_over(passed)
    assert GAME.is_decided(GAME.withdraw(passed, 1))
