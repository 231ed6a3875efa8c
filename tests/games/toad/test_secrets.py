"""A viewer of Toad cannot infer hidden cards."""

from __future__ import annotations

import pytest

from bot.engine.cards import Card
from bot.games.toad import GAME
from bot.games.toad.state import State
from tests.contract.traversal import leaves
from tests.games.secrecy import assert_alike
from tests.games.toad.tables import cards, play, table

NAMES = ("Ada", "Bo", "Cy", "Dot")


def _positions() -> list[State]:
    """Return states with open hands, a safe hand, drawn cards and a reshuffle ahead."""
    state = table("TH TS", "5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S", discards="AD 2D")
    texts = [
        *("draw", "ribit", "draw", "discard 5H", "ribit", "take 2", "end"),
        *("take nothing", "discard 3H", "end", "draw", "end", "draw"),
    ]
    states = [state]
    for text in texts:
        states.append(play(states[-1], text))
    safe = play(table("TH TS", "5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S"), "ribit")
    return [*states, safe, play(safe, "ribit", "draw")]


def _hidden(state: State, viewer: int | None) -> set[Card]:
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
    for state in _positions():
        hidden = _hidden(state, viewer)
        assert len(hidden) > 30
        assert_alike(GAME, state, viewer, hidden, where=("hands", "draw", "discards"))


def test_the_public_panel_names_no_held_card() -> None:
    """A discard is chosen in private, and the public panel has only the other steps of the turn."""
    state = play(table("5H 6H", "9H 2S", stock="3S 4S 6S 7S"), "draw")
    assert [choice.key for choice in GAME.panel(GAME.view(state, None)).choices()] == ["end", "ribit"]
    assert "Discard" in GAME.panel(GAME.view(state, 0)).rows[0].choices[0].label


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_a_drawn_card_appears_in_no_other_view(viewer: int | None) -> None:
    """T4, T10: Only the player who draws a card sees it. No other view or event shows it."""
    state = table("5H 6H", "9H 2S", "9D 3H", stock="3S 4S 6S 7S")
    drawn = state.draw[0]
    state = play(state, "draw")
    assert drawn in set(leaves(GAME.view(state, 0)))
    for later in (state, play(state, "end"), play(state, "end", "draw")):
        seen = set(leaves(GAME.view(later, viewer)))
        assert drawn not in seen
        assert not seen & {card for card in later.hands[0] if card.code in ("5H", "6H")}


def test_the_story_does_not_name_a_drawn_card() -> None:
    """The story names a card from the stock, but not a drawn card."""
    state = table("5H 6H", "9H 2S", stock="3S 4S 6S 7S")
    drew, took = play(state, "draw", "end"), play(state, "take 1", "end")
    assert GAME.words(GAME.view(drew, None), NAMES).story[-1] == "Ada drew a card."
    assert GAME.words(GAME.view(took, None), NAMES).story[-1] == f"Ada took {state.stock[0]}."


def test_a_hand_is_shown_sorted() -> None:
    """A hand is shown sorted, so that its order does not show the last card taken."""
    state = play(table("9C 3H", "9H 2S", stock="3S 4S 6S 7S"), "take 1", "ribit")
    view = GAME.view(state, 1)
    assert " ".join(map(str, view.seats[0].shown)) == " ".join(map(str, cards("3H 9C 3S")))
