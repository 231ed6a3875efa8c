"""A viewer of Frogger cannot infer hidden cards."""

from __future__ import annotations

import pytest

from bot.engine.decktet import DecktetCard
from bot.games.frogger import GAME
from bot.games.frogger.state import EventType, State
from tests.contract.traversal import nested_values
from tests.games.frogger.tables import event_types, joined_codes, legal_move_texts, new_state, play_moves
from tests.games.secrecy import assert_indistinguishable

NAMES = ("Ann", "Ben", "Cleo", "Dot")


def _sample_states() -> list[State]:
    """Return states of a match with taken and played cards, a blocked seat and one that leaves."""
    state = new_state(
        "4YK AM 6MW",
        "2SY CK",
        "5ML 9LK",
        "",
        at=["2L 9M", "3M 8S +1", "12M"],
        market="CL 7SK 5SW 8YK",
    )
    texts = [
        *("play 4YK K from 2L", "back 9M to 8Y take CL", "play AM M from start"),
        *("back 8S to 7W take 8YK", "play CK K from start", "end"),
        *("play 5ML M from start", "end", "take 7SK"),
    ]
    states = [state]
    for text in texts:
        states.append(play_moves(states[-1], text))
    return [*states, GAME.withdraw(states[-1], 1)]


def _hidden_cards(state: State, viewer: int | None) -> set[DecktetCard]:
    """Return the cards that this viewer has never seen, computed independently of the view."""
    hands = {
        card
        for seat, hand in enumerate(state.hands)
        for card in hand
        if seat != viewer and card not in state.known[seat]
    }
    return {*hands, *state.draw}


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_hidden_cards_do_not_change_a_viewers_messages(viewer: int | None) -> None:
    """The view, picture, buttons and words stay the same if other cards are hidden."""
    for state in _sample_states():
        hidden = _hidden_cards(state, viewer)
        assert len(hidden) > 15
        assert_indistinguishable(GAME, state, viewer, hidden, where=("hands", "draw"), steps=("back",))


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
def test_a_dealt_card_appears_in_no_other_view(viewer: int | None) -> None:
    """F10: No other view has an unplayed dealt card anywhere, nor in its list of legal moves."""
    state = _sample_states()[0]
    seen = set(nested_values(GAME.view(state, viewer)))
    assert not seen & set(state.hands[0])
    assert seen & set(state.market) == set(state.market)


def test_other_views_show_no_moves_of_a_held_card() -> None:
    """F10: The public view and rivals' views show neither moves nor landings of a held card."""
    state = play_moves(_sample_states()[0], "play 4YK K from 2L")
    assert len(GAME.view(state, 0).landings) > 0
    for viewer in (None, 1, 2, 3):
        view = GAME.view(state, viewer)
        assert view.landings == ()
        assert not any(GAME.write(move).startswith("play") for move in view.moves)


def test_a_leavers_hand_stays_secret() -> None:
    """The cards of a player who gives up are discarded face down.

    They stay secret unless seen before.
    """
    before = _sample_states()[0]
    state = GAME.withdraw(before, 1)
    for viewer in (None, 0, 2, 3):
        assert not set(nested_values(GAME.view(state, viewer))) & set(before.hands[1])


def test_known_cards_are_shown_sorted() -> None:
    """The order of known cards shows neither when they were taken nor their places in the hand."""
    state = new_state("2SY", "AM", at=["9L 9M"], market="CL AK 5SW")
    state = play_moves(state, "back 9L to 8Y take CL", "back 9M to 8S take AK")
    assert joined_codes(GAME.view(state, 1).seats[0].known) == "AK CL"
    assert joined_codes(GAME.view(state, 0).hand) == "AK 2SY CL"


def test_the_positions_cover_known_cards_blocking_and_giving_up() -> None:
    """The positions include known cards, a blocked seat's take and a seat that left."""
    states = _sample_states()
    assert joined_codes(states[5].known[0]) == "CL"
    assert joined_codes(states[-2].known[3]) == "7SK"
    assert EventType.LEFT in event_types(states[-1])
    assert legal_move_texts(states[-1])
