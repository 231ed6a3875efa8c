"""Cards as integers, and their values in a hand."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.cards import PACK
from bot.games.toad.search_state import KIND, WORTH, completing, is_toad


@pytest.mark.parametrize("hand", range(40))
def test_completing_cards_are_those_that_make_a_toad(hand: int) -> None:
    """A card completes a hand if taking it, with at most one discard, makes ten red and ten black."""
    chance = Random(hand)
    held = chance.sample(range(len(PACK)), chance.randint(2, 6))
    worth = sum(WORTH[card] for card in held)
    for card in set(range(len(PACK))) - set(held):
        with_it = worth + WORTH[card]
        done = is_toad(with_it) or any(is_toad(with_it - WORTH[other]) for other in held)
        assert bool(completing(worth) >> KIND[card] & 1) is done
