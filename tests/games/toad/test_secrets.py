"""A viewer of Toad cannot infer hidden cards."""

from __future__ import annotations

import pytest

from bot.engine.cards import Card
from bot.games.toad import GAME
from bot.games.toad.state import State
from tests.contract.traversal import nested_values
from tests.games.secrecy import assert_indistinguishable
from tests.games.toad.tables import new_state, parse_cards, play_moves

NAMES = ("Ada", "Bo", "Cy", "Dot")


def _sample_states() -> list[State]:
    """Return states with open hands, a safe hand, drawn cards and a reshuffle ahead."""
    state = new_state("TH TS", "5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S", discards="AD 2D")
    texts = [
        *("draw", "ribit", "draw", "discard 5H", "ribit", "take 2", "end"),
        *("take nothing", "discard 3H", "end", "draw", "end", "draw"),
    ]
    states = [state]
    for text in texts:
        states.append(play_moves(states[-1], text))
    safe = play_moves(new_state("TH TS", "5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S"), "ribit")
    return [*states, safe, play_moves(safe, "ribit", "draw")]


def _hidden_cards(state: State, viewer: int | None) -> set[Card]:
    """Return the cards hidden from this viewer, computed independently of the view."""
    hands = {
        card
        for seat, hand in enumerate(state.hands)
        for card in hand
        if seat not in {viewer, *state.safe} and card not in state.shown[seat]
    }
    return {*hands, *state.draw, *state.discards[:-1]}


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_hidden_cards_do_not_change_a_viewers_messages(viewer: int | None) -> None:
    """The view, picture, buttons and words stay the same if other cards are hidden."""
    for state in _sample_states():
        hidden = _hidden_cards(state, viewer)
        assert len(hidden) > 30
        assert_indistinguishable(GAME, state, viewer, hidden, where=("hands", "draw", "discards"))


def test_the_public_panel_names_no_held_card() -> None:
    """A discard is chosen in private, and the public panel has only the other steps of the turn."""
    state = play_moves(new_state("5H 6H", "9H 2S", stock="3S 4S 6S 7S"), "draw")
    assert [choice.key for choice in GAME.panel(GAME.view(state, None)).choices()] == ["end", "ribit"]
    assert "Discard" in GAME.panel(GAME.view(state, 0)).rows[0].choices[0].label


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_a_drawn_card_appears_in_no_other_view(viewer: int | None) -> None:
    """T4, T10: Only the player who draws a card sees it. No other view or event shows it."""
    state = new_state("5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S")
    drawn = state.draw[0]
    state = play_moves(state, "draw")
    assert drawn in set(nested_values(GAME.view(state, 0)))
    for later in (state, play_moves(state, "end"), play_moves(state, "end", "draw")):
        seen = set(nested_values(GAME.view(later, viewer)))
        assert drawn not in seen
        assert not seen & {card for card in later.hands[0] if card.code in ("5H", "6H")}


def test_the_story_does_not_name_a_drawn_card() -> None:
    """The story names a card from the stock, but not a drawn card."""
    state = new_state("5H 6H", "9H 2S", stock="3S 4S 6S 7S")
    drew, took = play_moves(state, "draw", "end"), play_moves(state, "take 1", "end")
    assert GAME.words(GAME.view(drew, None), NAMES).story[-1] == "Ada drew a card."
    assert GAME.words(GAME.view(took, None), NAMES).story[-1] == f"Ada took {state.stock[0]}."


def test_a_hand_is_shown_sorted() -> None:
    """A hand is shown sorted, so that its order does not show the last card taken."""
    state = play_moves(new_state("9C 3H", "9H 2S", stock="3S 4S 6S 7S"), "take 1", "ribit")
    view = GAME.view(state, 1)
    assert " ".join(map(str, view.seats[0].shown)) == " ".join(map(str, parse_cards("3H 9C 3S")))
