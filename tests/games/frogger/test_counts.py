"""Counts of move sequences: the rules in one number, as chess engines do it."""

from __future__ import annotations

import pytest

from bot.games.frogger import GAME
from bot.games.frogger.state import State


def _sequences(state: State, depth: int) -> int:
    moves = GAME.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(_sequences(GAME.play(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("seats", "seed", "counts"),
    [
        (2, b"a" * 32, (7, 139, 2654, 21920)),
        (3, b"b" * 32, (7, 137, 2648, 19105)),
        (4, b"c" * 32, (6, 104, 1830, 13264)),
        (5, b"d" * 32, (5, 90, 1483, 12318)),
    ],
)
def test_the_number_of_ways_to_play(seats: int, seed: bytes, counts: tuple[int, ...]) -> None:
    """From a fixed deal there are so many sequences of one, two, three and four moves."""
    state = GAME.deal(seats, {}, seed)
    assert tuple(_sequences(state, depth) for depth in range(1, len(counts) + 1)) == counts
