"""The buttons of Frogger and the texts at each step to a move."""

from __future__ import annotations

import pytest

from bot.engine.decktet import BASIC
from bot.engine.panel import Buttons, ChoiceMenu, Panel, Tone
from bot.games.frogger import GAME
from bot.games.frogger.state import State
from tests.contract.traversal import joined_texts
from tests.decktet import decktet_cards_of
from tests.games.frogger.tables import (
    CORRIDOR,
    joined_codes,
    legal_move_texts,
    new_state,
    options_at,
    panel_at,
    play_moves,
)

MARKET = "CL 7SK 5SW 8YK 2WL 9MS"
FREE = joined_codes(card for card in BASIC if card not in decktet_cards_of(CORRIDOR))
"""The cards that a hand can hold at these tables."""


@pytest.fixture
def position() -> State:
    """Return a turn of two cards and two frogs, with a rival on both spaces of the way back."""
    return new_state("4YK AM", "2SY", at=["2L 3Y", "1M 2M"], market=MARKET)


# ---- clicks to a move ----------------------------------------------------------------------------


def test_the_first_step_offers_cards_and_the_move_back(position: State) -> None:
    """F4: The first step offers the hand's cards in order, then the move back, but not the end."""
    assert options_at(position) == {
        "c1": ("Play A🌙", ""),
        "c2": ("Play 4🐍🪢", ""),
        "back": ("Move a frog back", ""),
    }
    assert [len(row.choices) for row in panel_at(position).rows] == [2, 1]
    after = play_moves(position, "play 4YK K from start")
    assert options_at(after)["end"] == ("End turn", "end")


def test_a_card_leads_to_suit_and_frog(position: State) -> None:
    """F5: Each button gives the suit, the frog's start and its landing.

    The button that leads home is green.
    """
    assert options_at(position, "c2") == {
        "y0": ("🐍 from the Excuse to place 5", "play 4YK Y from start"),
        "y2l": ("🐍 from place 2 to place 5", "play 4YK Y from 2L"),
        "y3y": ("🐍 from place 3 to place 5", "play 4YK Y from 3Y"),
        "k0": ("🪢 from the Excuse to place 1", "play 4YK K from start"),
        "k2l": ("🪢 from place 2 to place 3", "play 4YK K from 2L"),
        "k3y": ("🪢 from place 3 to place 11", "play 4YK K from 3Y"),
    }
    assert "4🐍🪢: which frog moves, and with which suit?" in panel_at(position, "c2").note
    near_home = new_state("4YK", "2SY", at=["11K 1M"])
    home = panel_at(near_home, "c1").choice("k11k")
    assert home is not None
    assert (home.label, home.tone) == ("🪢 from place 11 home", Tone.GOOD)


def test_playing_asks_before_it_sends_frogs_back(position: State) -> None:
    """F6: The button warns whose frogs would go back.

    The next step asks, and its answer plays the card.
    """
    assert options_at(position, "c1") == {
        "m0": ("🌙 from the Excuse to place 3, sending back ①", ""),
        "m2l": ("🌙 from place 2 to place 3, sending back ①", ""),
        "m3y": ("🌙 from place 3 to place 9", "play AM M from 3Y"),
    }
    tones = {choice.key: choice.tone for choice in panel_at(position, "c1").choices()}
    assert tones == {"m0": Tone.DANGER, "m2l": Tone.DANGER, "m3y": Tone.MAIN}
    asked = panel_at(position, "c1", "m2l")
    assert options_at(position, "c1", "m2l") == {"yes": ("Yes, send back ①", "play AM M from 2L")}
    assert "back to the Excuse" in asked.note
    assert [choice.tone for choice in asked.choices()] == [Tone.DANGER]


def test_all_players_with_frogs_sent_back_are_named() -> None:
    """F6: All players whose frogs would go back are named, which can be two on a Pawn."""
    state = new_state("CY", "2SY", "5ML", at=["", "3M", "3K"], market=MARKET)
    assert options_at(state) == {"c1": ("Play Cr🐍, from the Excuse to place 3, sending back ② ③", "")}
    assert options_at(state, "c1") == {"yes": ("Yes, send back ② ③", "play CY Y from start")}


def test_a_move_back_asks_for_frog_symbol_and_card() -> None:
    """F7, F8: The steps choose the frog, the symbol and the card. Each names the choice so far."""
    state = new_state("2SY", "AM", at=["9L 2M"], market=MARKET)
    assert options_at(state, "back") == {"f2m": ("🌙 from place 2", ""), "f9l": ("🍃 from place 9", "")}
    assert "Which frog" in panel_at(state, "back").note
    assert options_at(state, "back", "f9l") == {
        "t8s": ("☀️ to place 8", ""),
        "t8y": ("🐍 to place 8", ""),
    }
    assert "Which symbol" in panel_at(state, "back", "f9l").note
    assert options_at(state, "back", "f9l", "t8s") == {
        "k1": ("Take Cr🍃", "back 9L to 8S take CL"),
        "k4": ("Take 8🐍🪢", "back 9L to 8S take 8YK"),
        "k5": ("Take 2🌊🍃", "back 9L to 8S take 2WL"),
    }


def test_only_allowed_market_cards_are_offered_with_the_reason() -> None:
    """F8: Only market cards without the landing's suit are offered.

    A note says so if a card is missing.
    """
    state = new_state("2SY", "AM", at=["9L 2M"], market=MARKET)
    assert panel_at(state, "back", "f9l", "t8s").note == (
        "Your frog lands on place 8 ☀️. You can't take cards that share its suit, ☀️: 7☀️🪢, 5☀️🌊, 9🌙☀️"
    )
    state = new_state("2SY", "AM", at=["9L 2M"], market="CL AK")
    assert panel_at(state, "back", "f9l", "t8s").note == "Your frog lands on place 8 ☀️."


def test_a_move_back_to_the_excuse_offers_all_market_cards() -> None:
    """F8: A move back to the Excuse offers every market card, and its button names the Excuse."""
    state = new_state("2SY", "AM", at=["1M 9L"], market=MARKET)
    assert options_at(state, "back")["f1m"] == ("🌙 from place 1 to the Excuse", "")
    assert list(options_at(state, "back", "f1m")) == ["k1", "k2", "k3", "k4", "k5", "k6"]
    assert panel_at(state, "back", "f1m").note == ""


# ---- steps with nothing to choose ----------------------------------------------------------------


def test_a_step_with_one_choice_is_skipped() -> None:
    """A step with a single choice is skipped, and the button before it says all that it does."""
    state = new_state("AL", "2SY", market=MARKET)
    assert options_at(state) == {"c1": ("Play A🍃, from the Excuse to place 2", "play AL L from start")}
    state = new_state("", "2SY", at=["1M"], market="AL")
    assert options_at(state) == {
        "back": ("Move a frog back from place 1 to the Excuse, take A🍃", "back 1M to start take AL")
    }


def test_a_middle_step_with_one_choice_is_skipped(position: State) -> None:
    """If all frogs have a single symbol to land on, the step of symbols is skipped."""
    assert options_at(position, "back") == {
        "f2l": ("🍃 from place 2 to place 1", ""),
        "f3y": ("🐍 from place 3 to place 1", ""),
    }
    assert list(options_at(position, "back", "f2l")) == ["k1", "k3", "k5", "k6"]
    assert panel_at(position, "back", "f2l").note == (
        "Your frog lands on place 1 🪢. You can't take cards that share its suit, 🪢: 7☀️🪢, 8🐍🪢"
    )


def test_a_move_back_without_a_card_needs_no_further_step() -> None:
    """F8: If no card may be taken, the landing is the move. Its button says that nothing is taken."""
    state = new_state("CS", "AK", at=["3K 8S"], market="9LK 2WL")
    assert options_at(state, "back", "f3k") == {
        "t2m": ("🌙 to place 2", ""),
        "t2l": ("🍃 to place 2, take nothing", "back 3K to 2L"),
    }


def test_the_confirmation_is_never_skipped() -> None:
    """F6: The question is never skipped, even if the card could go nowhere else."""
    state = new_state("AM", "2SY", at=["", "1K"], market=MARKET)
    assert options_at(state) == {"c1": ("Play A🌙, from the Excuse to place 1, sending back ②", "")}
    assert options_at(state, "c1") == {"yes": ("Yes, send back ②", "play AM M from start")}


@pytest.mark.parametrize(
    "path",
    [
        ("c3",),
        ("c1", "yes"),
        ("c1", "m3y"),
        ("c1", "m3y", "yes"),
        ("c1", "m0", "yes", "yes"),
        ("back", "f2l", "t1k"),
        ("back", "f2l", "k2"),
        ("back", "f2l", "k1"),
        ("back", "more"),
        ("more",),
        ("end",),
        ("f2l",),
        ("k1",),
    ],
)
def test_an_invalid_path_gives_an_empty_panel(position: State, path: tuple[str, ...]) -> None:
    """A path leads to an empty panel if it has a skipped step, plays a move or is of another choice."""
    assert panel_at(position, *path) == Panel()


# ---- blocked, and in public ----------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 0])
def test_a_blocked_player_is_offered_the_market(viewer: int | None) -> None:
    """F11: A blocked player gets one button for each market card, in private and in public."""
    state = new_state("", "AM", market=MARKET)
    shown = options_at(state, viewer=viewer)
    assert [move for _label, move in shown.values()] == legal_move_texts(state)
    assert shown["k2"] == ("Take 7☀️🪢", "take 7SK")


def test_the_public_panel_offers_no_card_of_the_hand(position: State) -> None:
    """The table's panel offers moves back and the end of the turn step by step, but no card."""
    state = play_moves(position, "play 4YK K from 3Y")
    mine, public = options_at(state), options_at(state, viewer=None)
    assert [key for key in mine if key not in public] == ["c1"]
    assert public == {key: choice for key, choice in mine.items() if key in public}
    for path in [("back",), ("back", "f2l"), ("back", "f11k")]:
        assert options_at(state, *path, viewer=None) == options_at(state, *path)
    assert panel_at(state, "c1", viewer=None) == Panel()
    assert panel_at(state, viewer=1) == Panel()


def test_the_public_panel_names_no_card_of_the_hand() -> None:
    """F10: The table's panel shows no held card at any step, known or not."""
    state = new_state("2SY AM CK", "AL", at=["9L 2M"], market=MARKET, known="CK")
    steps = [panel_at(state, *path, viewer=None) for path in [(), ("back",), ("back", "f9l", "t8s")]]
    assert all(step.rows for step in steps)
    for card in (*state.hands[0], *state.hands[1]):
        assert str(card) not in joined_texts(tuple(steps))


# ---- large hands ---------------------------------------------------------------------------------


def _state_with_hand(size: int, at: str = "1M") -> State:
    held, rest = FREE.split()[:size], FREE.split()[size:]
    return new_state(" ".join(held), "", at=[at], market=" ".join(rest[:6]), done=1)


@pytest.mark.parametrize("size", [1, 5, 6, 10])
def test_a_small_hand_has_a_button_for_each_card(size: int) -> None:
    """A hand of up to ten cards has a button for each card, in the order of the hand."""
    state = _state_with_hand(size)
    assert all(isinstance(row, Buttons) for row in panel_at(state).rows)
    labels = [label for key, (label, _move) in options_at(state).items() if key.startswith("c")]
    assert labels == [f"Play {card}" for card in GAME.view(state, 0).hand]


@pytest.mark.parametrize("size", [11, 24, 25, 26, 28])
def test_a_large_hand_is_a_paged_menu(size: int) -> None:
    """A larger hand is a menu with pages of 25 options, with each card once, in order."""
    state, path, found = _state_with_hand(size), tuple[str, ...](), list[str]()
    pages = []
    while rows := panel_at(state, *path).rows:
        pages.append([choice.label for choice in rows[0].choices if choice.key != "more"])
        found += [choice.key for choice in rows[0].choices if choice.key != "more"]
        path = (*path, "more")
    first = panel_at(state).rows
    assert isinstance(first[0], ChoiceMenu)
    assert first[0].prompt == "Play a card"
    assert len(first[0].choices) == min(size, 25)
    assert [choice.key for choice in first[1].choices] == ["back", "end"]
    assert len(pages) == (1 if size <= 25 else 2)
    assert found == [f"c{number}" for number in range(1, size + 1)]
    labels = [label for page in pages for label in page]
    assert labels == [f"Play {card}" for card in GAME.view(state, 0).hand]


def test_a_card_on_the_second_page_can_be_played() -> None:
    """A card of the second page leads to suit and frog, with or without the page in its path."""
    state = _state_with_hand(28)
    assert options_at(state, "more", "c28") == options_at(state, "c28") != {}
    assert options_at(state, "more", "c1") == {}
    assert [choice.key for choice in panel_at(state, "more").choices()] == ["c25", "c26", "c27", "c28"]


@pytest.mark.parametrize("size", [1, 10, 24, 25])
def test_a_short_hand_has_no_second_page(size: int) -> None:
    """A path to a page that the first page does not offer is invalid."""
    assert panel_at(_state_with_hand(size), "more") == Panel()


def test_many_frogs_are_a_menu() -> None:
    """Six frogs and two suits make a menu of twelve choices. Each option describes its effect."""
    state = new_state("4YK", "", at=["1M 2M 2L 3M 4S"], market=MARKET, done=1)
    (menu,) = panel_at(state, "c1").rows
    assert isinstance(menu, ChoiceMenu)
    assert len(menu.choices) == 12
    assert ("k4s", "🪢 from place 4 to place 11") in [
        (choice.key, choice.label) for choice in menu.choices
    ]
    assert menu.prompt == "Choose"
