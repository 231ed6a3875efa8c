"""The picture marks the cards of a hint's move and their destination."""

from __future__ import annotations

import pytest

from bot.engine.alt_text import describe
from bot.engine.scene import Mark, Zone
from bot.games.american_toad import GAME
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import best_line
from bot.games.american_toad.state import Advice, AllUp, CardMove, Place, Shift, State, TurnOn
from bot.rendering import draw
from tests.games.american_toad.positions import foundation_heights, new_position
from tests.rendering.appearances import open_picture
from tests.rendering.legibility import icon_colours

NAMES = ("Ann",)
FULL_TABLE = "KC|2S 1S|9H 8H 7H|||4D|JS|QD".replace("1S", "AS")


def marked_card_counts(state: State, mark: Mark) -> dict[str, int]:
    """Return the number of marked cards in each marked pile, by the pile's title."""
    items = GAME.scene(GAME.view(state, 0), NAMES).items
    return {item.title: item.marked for item in items if isinstance(item, Zone) and item.mark is mark}


def state_after(state: State, text: str) -> State:
    return GAME.play(state, GAME.read(text, state))


@pytest.mark.parametrize(
    ("advice", "taken", "put"),
    [
        ("hint: 3 to 4 x1", {"3": 1}, {"4": 1}),
        ("hint: waste to 5", {"Waste": 1}, {"5": 1}),
        ("peek: turn on", {"Stock": 1}, {"Waste": 1}),
        ("hint: 6 up", {"6": 1}, {"Diamonds": 1}),
        ("hint: all up", {"6": 1}, {"Diamonds": 1}),
        ("hint: turn on, up", {"6": 1, "Stock": 1}, {"Diamonds": 1}),
        ("hint: nothing", {}, {}),
    ],
)
def test_a_hint_marks_its_cards_and_destination(
    advice: str, taken: dict[str, int], put: dict[str, int]
) -> None:
    """The cards to move are marked, and so is the pile, column or foundation that they go to."""
    state = new_position(FULL_TABLE, base=4, stock="3C", waste="6S", heights=foundation_heights(C=2))
    assert marked_card_counts(state, Mark.TAKE) == {}
    state = state_after(state, advice)
    assert marked_card_counts(state, Mark.TAKE) == taken
    assert marked_card_counts(state, Mark.PUT) == put


def test_a2_hints_mark_the_second_foundation_if_one_is_full() -> None:
    """A2: The second foundation of a suit is marked if the first one is full."""
    state = state_after(
        new_position("5H|||||||", base=5, heights=foundation_heights(H=13)), "hint: 1 up"
    )
    piles = [item for item in GAME.scene(GAME.view(state, 0), NAMES).items if isinstance(item, Zone)]
    marked = [(item.title, item.note) for item in piles if item.mark is Mark.PUT]
    assert marked == [("Hearts", "")]


def test_a_hint_marks_only_the_moved_part_of_a_run() -> None:
    """The part of a run that moves is marked, and the alt text gives its number of cards."""
    state = state_after(new_position("TH|9H 8H 7H||||||", stock="3C"), "hint: 2 to 1 x3")
    assert marked_card_counts(state, Mark.TAKE) == {"2": 3}
    alt = describe(GAME.scene(GAME.view(state, 0), NAMES))
    assert "hint: take the last 3" in alt
    assert "Column 1: ten of hearts (hint: put it here)" in alt


def test_a_redeal_hint_marks_waste_and_stock() -> None:
    """A hint to redeal marks the waste as the source and the stock as the destination."""
    state = state_after(new_position("TH|||||||", waste="3C 4C"), "peek: redeal")
    assert marked_card_counts(state, Mark.TAKE) == {"Waste": 1}
    assert marked_card_counts(state, Mark.PUT) == {"Stock": 1}


def test_hints_mark_the_cards_that_then_move() -> None:
    """At each move of a won deal, the hint marks the cards that move next, and no cards afterwards."""
    state, seen = open_deal(8), 0
    for move in best_line(state.position, nodes=5_000):
        assert isinstance(move, CardMove | TurnOn | AllUp), "a line takes nothing back"
        asked = GAME.play(state, Advice(move, peeked=True))
        assert marked_card_counts(asked, Mark.TAKE)
        assert marked_card_counts(state, Mark.TAKE) == {}
        if isinstance(move, Place | Shift):
            seen += 1
            assert marked_card_counts(asked, Mark.PUT) == {str(move.column + 1): 1}
        state = GAME.play(asked, move)
    assert seen > 5
    assert marked_card_counts(state, Mark.PUT) == {}


def test_hint_marks_change_the_picture() -> None:
    """A hint changes the picture, even if its arrow is at the picture's edge."""
    state = new_position("TH|9H 8H 7H||||||", stock="3C")
    plain, marked = (
        GAME.scene(GAME.view(each, 0), NAMES) for each in (state, state_after(state, "hint: 2 to 1 x3"))
    )
    assert open_picture(draw(plain)).tobytes() != open_picture(draw(marked)).tobytes()
    assert len(icon_colours(marked)) > len(icon_colours(plain))
