"""Reviews of a match of Frogger name only wins that were possible."""

from __future__ import annotations

import pytest

from bot.engine.opponent import Strength
from bot.games.frogger import GAME
from bot.games.frogger.review import REVIEW
from tests.computer_matches import hint_lots, play_match
from tests.examples import further_example

MOST_ACTIONS = 40
"""More than a whole set of frogs needs, so a larger loss would be a wrong number."""


@pytest.mark.parametrize(
    ("seats", "number"),
    [
        further_example(2, 0),
        further_example(2, 1),
        (2, 2),
        further_example(2, 3),
        (4, 3),
        further_example(5, 4),
    ],
)
def test_reviews_report_only_real_mistakes(seats: int, number: int) -> None:
    """A review names at most one costliest turn a seat, and every missed win was one.

    The better turns that it names were possible with the cards as dealt, even if the market was emptied.
    """
    states, moves = play_match(GAME, (Strength.TADPOLE,) * seats, bytes([number]) * 32)
    for seat in range(seats):
        found = list(REVIEW.moments(states, moves, seat, hint_lots(len(moves))))
        assert sum(moment.kind == "away" for moment in found) <= 1
        for moment in found:
            after = states[moment.n]
            assert after.turn == seat
            assert REVIEW.miss_text(after, moment)
            for text in moment.better:
                after = GAME.play(after, GAME.read(text, after))
            assert moment.kind == "away" or after.winner == seat
            assert all(2 <= int(fact) < MOST_ACTIONS for fact in moment.facts)
