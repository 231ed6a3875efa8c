"""Counts of move sequences, which check the rules with one number, as chess engines do."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.game import AnyGame
from bot.games import games


def _sequence_count(game: AnyGame, state: Any, depth: int) -> int:
    moves = game.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(_sequence_count(game, game.play(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("name", "seats", "seed", "counts"),
    [
        ("toad", 2, b"a" * 32, (8, 45, 213, 1228)),
        ("toad", 3, b"b" * 32, (8, 45, 220, 1279)),
        ("toad", 6, b"c" * 32, (8, 45, 220, 1286)),
        ("frogger", 2, b"a" * 32, (7, 139, 2654, 21920)),
        ("frogger", 3, b"b" * 32, (7, 137, 2648, 19105)),
        ("frogger", 4, b"c" * 32, (6, 104, 1830, 13264)),
        ("frogger", 5, b"d" * 32, (5, 90, 1483, 12318)),
    ],
)
def test_a_fixed_deal_has_a_known_number_of_move_sequences(
    name: str, seats: int, seed: bytes, counts: tuple[int, ...]
) -> None:
    """A fixed deal has this number of sequences of one, two, three and four moves."""
    game = games()[name]
    state = game.deal(seats, {option.key: option.default for option in game.info.options}, seed)
    assert tuple(_sequence_count(game, state, depth) for depth in range(1, len(counts) + 1)) == counts
