"""The plan behind a hint in Toad, and its words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import Strength
from bot.games.toad import GAME
from bot.games.toad.state import Draw, Phase
from tests.games.toad.tables import new_state, parse_cards, play_moves


@pytest.mark.parametrize(
    ("hand", "plan", "said"),
    [
        (
            "7H 2D 8C",
            "take 1; discard 7H; end",
            "Swap 7♥ for 8♦. Red is full, 2 black to go.",
        ),
        ("2D 9C", "take 1; end", "Red is full, 1 black to go."),
        ("4D KC 8C 7D", "discard 4D; end", "Black is full, 3 red to go."),
        ("3D KC 8C 7D", "ribit", "Ten red and ten black spots: that's a toad."),
        (
            "3D TC 8C",
            "end",
            "Your hand is best as it is. 3 red (7 to go) and 18 black (8 too many).",
        ),
        (
            "3D 7D TC",
            "take 1; discard 8D; ribit",
            "Your hand is best as it is, so you can discard 8♦ again. 10 red and 10 black, a toad!",
        ),
    ],
)
def test_a_hint_gives_the_result_of_its_plan(hand: str, plan: str, said: str) -> None:
    """A hint gives the hand's spots after the turn and the spots that will then be missing."""
    assert GAME.thinking is not None
    assert GAME.thinking.reason is not None
    state = new_state(hand, "AH AS", stock="8D 4C 5C 6C")
    moves = [GAME.read(text, state) for text in plan.split("; ")]
    assert (
        GAME.thinking.reason(GAME.view(state, 0), moves).replace("\N{VARIATION SELECTOR-15}", "") == said
    )


def test_a_plan_contains_legal_moves_for_the_whole_turn() -> None:
    """Each move of a plan is legal after the one before, up to the turn's end or an unseen draw."""
    thinking = GAME.thinking
    assert thinking is not None
    assert thinking.plan is not None
    kinds = set()
    for number in range(12):
        state = GAME.deal(2, {"lives": 2, "count": 1}, bytes([number]) * 32)
        for _turn in range(4):
            seat = GAME.to_move(state)
            memory = thinking.recall(None, GAME.view(state, seat))
            plan = thinking.plan(memory, Strength.FROGLET, Lots(bytes(16)))
            kinds.add(tuple(map(type, plan)))
            for move in plan:
                assert (GAME.to_move(state), move in GAME.legal_moves(state)) == (seat, True)
                state = GAME.play(state, move)
            assert isinstance(plan[-1], Draw) == (state.phase is Phase.DISCARD)
            if isinstance(plan[-1], Draw):
                state = GAME.play(state, GAME.read("end", state))
            if GAME.automatic(state) is not None or GAME.outcome(state) is not None:
                break
    assert any(len(kind) > 2 for kind in kinds)


@pytest.mark.parametrize(("rivals", "discard"), [(("3H 4H",), "JH"), (("3H 4H", "5H 6H"), "TD")])
def test_a_plan_discards_the_card_least_useful_to_rivals(rivals: tuple[str, ...], discard: str) -> None:
    """A plan discards the card that helps the next player least.

    Without the red ten two ranks complete the toad, without the knave one, but a rival takes the ten.
    The ten is discarded if two rivals both have to be safe first.
    """
    thinking = GAME.thinking
    assert thinking is not None
    state = new_state("TD 8H JH", *rivals, stock="9C 4D 3D QC")
    [spade] = parse_cards("3S")
    pile = (spade, *(card for card in state.draw if card != spade))
    drawn = play_moves(replace(state, draw=pile), "draw")
    memory = thinking.recall(None, GAME.view(drawn, 0))
    said = [thinking.advice(memory, Lots(lot_of(bytes(32), lot)))[0] for lot in range(20)]
    assert Counter(map(GAME.write, said)).most_common(1)[0][0] == f"discard {discard}"
