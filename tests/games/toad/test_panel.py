"""The buttons of Toad, for few clicks and hands of any size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import PACK
from bot.engine.panel import Buttons, ChoiceMenu, Panel, Tone
from bot.games.toad import GAME
from bot.games.toad.state import State
from tests.games.toad.tables import joined_codes, legal_move_texts, new_state, play_moves


def _discard_state(size: int) -> State:
    """Return a turn at its discard step, with a hand of this many cards."""
    rest = joined_codes(PACK[size + 4 :])
    return play_moves(
        new_state(joined_codes(PACK[:size]), rest, stock=joined_codes(PACK[size : size + 4])),
        "take nothing",
    )


def test_a_turn_takes_at_most_three_clicks() -> None:
    """T4: Take, discard and end are one click each, and a pass is one click in all."""
    state = new_state("5H 6H", "9H 2S", stock="3S 4S 6S 7S", discards="8D")
    keys = [choice.key for choice in GAME.panel(GAME.view(state, 0)).choices()]
    assert keys == ["s1", "s2", "s3", "s4", "draw", "pile", "none", "end", "ribit"]
    after = play_moves(state, "take 1")
    assert [choice.key for choice in GAME.panel(GAME.view(after, 0)).choices()] == [
        *("e1", "e2", "e3"),
        *("end", "ribit"),
    ]


@pytest.mark.parametrize("size", [0, 1, 2, 5, 6, 10])
def test_a_small_hand_has_a_button_for_each_card(size: int) -> None:
    """A hand of up to ten cards has a button for each card, in the order of the hand."""
    view = GAME.view(_discard_state(size), 0)
    panel = GAME.panel(view)
    assert all(isinstance(row, Buttons) for row in panel.rows)
    labels = [choice.label for choice in panel.choices() if choice.key.startswith("e") and choice.then]
    assert labels == [f"Discard {card} and end" for card in view.hand]


def test_a_discard_ends_the_turn_if_no_toad_is_left() -> None:
    """T4, T9: At a table that counts, one click discards and ends the turn unless a toad is left.

    A toad left by the discard can still be claimed. A wrong claim after it is offered behind the
    question.
    """
    state = play_moves(new_state("TH TC", "9H 2S", stock="3S 4S 6S 7S", discards="8D"), "take 1")
    panel = GAME.panel(GAME.view(state, 0))
    ends = {choice.key: choice.then is not None for choice in panel.choices() if choice.icon}
    assert ends == {"e1": True, "e2": True, "h3": False}
    asked = GAME.panel(GAME.view(state, 0), ("ribit",)).choice("h1")
    assert getattr(asked, "then", "") is None
    alone = replace(state, counts=False)
    assert [one.key for one in GAME.panel(GAME.view(alone, 0)).choices()][:3] == ["h1", "h2", "h3"]


@pytest.mark.parametrize("size", [11, 24, 25, 26, 48])
def test_a_large_hand_is_a_paged_menu(size: int) -> None:
    """A larger hand is a menu with pages of 25 options, and each card is on one page."""
    state = _discard_state(size)
    view, path = GAME.view(state, 0), tuple[str, ...]()
    found: list[str] = []
    while rows := GAME.panel(view, path).rows:
        assert isinstance(rows[0], ChoiceMenu)
        assert len(rows[0].choices) <= 25
        assert [choice.key for choice in rows[1].choices] == ["end", "ribit"]
        found += [GAME.write(choice.move) for choice in rows[0].choices if choice.move]
        path = (*path, "more")
    assert len(path) == (1 if size <= 25 else 2)
    assert len(found) == size
    assert {*found, "end", "ribit"} == legal_move_texts(state)


@pytest.mark.parametrize("size", [2, 10, 11, 24, 25])
def test_a_short_hand_has_no_second_page(size: int) -> None:
    """A path to a page that the first page does not offer is invalid."""
    view = GAME.view(_discard_state(size), 0)
    assert GAME.panel(view, ("more",)) == Panel()
    assert GAME.panel(view, ("h1",)) == Panel()


def test_the_next_round_has_a_single_button() -> None:
    """T2: Between two rounds the dealer's panel and the public panel have one button each."""
    state = play_moves(new_state("5H 6H", "9H 2S", stock="3S 4S 6S 7S"), "end", "end")
    dealer = GAME.to_move(state)
    for viewer in (None, dealer):
        assert [choice.key for choice in GAME.panel(GAME.view(state, viewer)).choices()] == ["deal"]


def test_drawing_is_offered_before_a_reshuffle() -> None:
    """T7: Drawing is offered if the draw pile is empty but there are discards to shuffle."""
    state = new_state(
        "5H 6H", "9H 2S", "", stock="3S 4S 6S 7S", draw="", discards="AD 9D", out_of_play=2, safe=[2]
    )
    assert GAME.panel(GAME.view(state, 0)).choice("draw") is not None


def _ribit_panel(state: State, viewer: int | None, *path: str) -> Panel:
    return GAME.panel(GAME.view(state, viewer), (*path, "ribit"))


@pytest.mark.parametrize(
    ("acts", "cost"),
    [
        ((), ": you won't take or discard a card."),
        (("take nothing",), " without a discard."),
        (("take 1", "discard 3S"), "."),
    ],
)
def test_a_false_claim_asks_for_confirmation(acts: tuple[str, ...], cost: str) -> None:
    """With *Count for me*, a false claim states its cost and asks before the hand is shown."""
    state = play_moves(new_state("5H 9C", "9H 2S", stock="3S 4S 6S 7S", discards="8D"), *acts)
    own = GAME.panel(GAME.view(state, 0)).choice("ribit")
    assert own is not None
    assert own.move is None
    asked = _ribit_panel(state, 0)
    assert asked.note == (
        "You hold 5 red, 9 black: that's no toad. "
        f"Everybody will see your hand, and your turn will end{cost} Say ribit anyway?"
    )
    assert GAME.write(next(asked.choices()).move) == "ribit"
    large = _discard_state(26)
    assert "Say ribit anyway?" in _ribit_panel(large, 0, "more").note


def test_a_toad_is_claimed_without_confirmation() -> None:
    """A toad is claimed with one click, on the first button, and no other button has its colour."""
    state = play_moves(new_state("TH TC", "9H 2S", stock="3S 4S 6S 7S", discards="8D"), "take nothing")
    own = GAME.panel(GAME.view(state, 0)).choice("ribit")
    assert own is not None
    assert GAME.write(own.move) == "ribit"
    assert _ribit_panel(state, 0) == Panel()
    choices = list(GAME.panel(GAME.view(state, 0)).choices())
    assert choices[0] == own
    assert [one.tone is Tone.PLAIN for one in choices] == [False] + [True] * (len(choices) - 1)
    other = GAME.panel(GAME.view(play_moves(state, "discard TH"), 0))
    assert [one.tone for one in other.choices() if one.key == "ribit"] == [Tone.PLAIN]


def test_public_claims_never_ask_for_confirmation() -> None:
    """The table's public button is the same for a toad and for no toad, and never asks."""
    for hand in ("5H 9C", "TH TC"):
        state = new_state(hand, "9H 2S", stock="3S 4S 6S 7S", discards="8D")
        choice = GAME.panel(GAME.view(state, None)).choice("ribit")
        assert choice is not None
        assert choice.move is not None
        assert _ribit_panel(state, None) == Panel()


def test_claims_need_no_confirmation_without_count_for_me() -> None:
    """Without *Count for me*, *Ribit!* makes the claim at once, whatever the hand is."""
    state = GAME.deal(2, {"lives": 3, "count": 0}, b"s" * 32)
    seat = state.turn
    own = GAME.panel(GAME.view(state, seat)).choice("ribit")
    assert own is not None
    assert GAME.write(own.move) == "ribit"
    assert _ribit_panel(state, seat) == Panel()


def test_labels_show_totals_if_the_table_counts_spots() -> None:
    """A take or a discard has the spots of the hand after it, at a table that counts them only."""
    state = new_state("TH 2C", "9H 2S", stock="3S 4H 6S 7S", discards="KD")
    found = {one.key: (one.brief, one.result) for one in GAME.panel(GAME.view(state, 0)).choices()}
    assert found["s2"] == (f"{state.stock[1]} › 14🟥 2🔳", "14 red 2 black")
    assert found["pile"] == (f"{state.discards[-1]} (discard) › 12🟥 2🔳", "12 red 2 black")
    after = play_moves(state, "take 1")
    found = {one.key: (one.brief, one.result) for one in GAME.panel(GAME.view(after, 0)).choices()}
    assert found["e1"][1] == "0 red 5 black"
    assert {found[key] for key in ("end", "ribit")} == {("", "")}
    alone = GAME.panel(GAME.view(replace(after, counts=False), 0))
    assert {one.result for one in alone.choices()} == {""}


def test_a_row_has_at_most_four_cards_with_totals() -> None:
    """A row has at most four cards with totals, of which a phone shows two beside each other."""
    rows = GAME.panel(GAME.view(_discard_state(10), 0)).rows
    assert [len(row.choices) for row in rows] == [4, 4, 2, 2]
