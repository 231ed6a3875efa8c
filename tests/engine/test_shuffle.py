"""Shuffling, whose order for a seed is part of every stored match and never changes."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import permutations

import pytest

from bot.engine.cards import PACK
from bot.engine.shuffle import SEED_BYTES, _below, lot, new_seed, shuffle_items

SEED = bytes(range(32))


def _shuffled_codes(seed: bytes, purpose: str) -> str:
    return " ".join(card.code for card in shuffle_items(PACK, seed, purpose))


def test_a_seed_always_gives_the_same_order() -> None:
    """A seed always gives these known orders. Any other order would change every stored match."""
    assert _shuffled_codes(SEED, "round 1") == (
        "8S 2S 3H QH 3C KH KD KC 8H 6C 8C 7D 4D JH 7S TC 8D AC QC 5C 9S 4H JD 5S 5D KS "
        "2H 3S 6S AD TH 9C 7H QS 9D 6D 2D AH 2C 7C JS TD QD 4S 9H 6H 4C TS AS 5H JC 3D"
    )
    assert _shuffled_codes(SEED, "round 2") == (
        "7D 8H 3D 2D 4H 4S QC 5S TD 9H QS QH 9C 9D 6C 8C 8D KC 5C TH 3H AD 2C 7H KH TC "
        "6H 6D 2H 2S 5H JS 5D 6S 4C QD 3C AC 4D KD AS JH JD JC 7C AH 7S TS KS 8S 9S 3S"
    )
    assert (
        "".join(shuffle_items("abcdefghijklmnopqrstuvwxyz", bytes(32), ""))
        == "srhokbleupjayicfqnxdtgzwvm"
    )


def test_a_seed_always_gives_the_same_numbers() -> None:
    """The numbers drawn from 20 known seeds are fixed, because stored matches depend on them."""
    assert [lot(6, bytes([number]) * 32, "first dealer") for number in range(20)] == [
        1,
        3,
        4,
        4,
        0,
        4,
        0,
        0,
        5,
        0,
        1,
        0,
        3,
        3,
        2,
        5,
        4,
        1,
        3,
        2,
    ]


def test_the_shuffle_matches_its_documentation() -> None:
    """A second implementation of Fisher–Yates over a keyed BLAKE2b stream gives the same order."""
    digest = blake2b(b"p/0", key=SEED, digest_size=64).digest()
    order = list("abcdefg")
    for step, last in enumerate(range(6, 0, -1)):
        pick = int.from_bytes(digest[8 * step : 8 * step + 8], "big") % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    assert shuffle_items("abcdefg", SEED, "p") == tuple(order)


def test_a_shuffle_keeps_all_items_and_its_input() -> None:
    """A shuffle returns the same items and leaves its input unchanged."""
    items = list(PACK)
    assert sorted(map(str, shuffle_items(items, SEED, "x"))) == sorted(map(str, PACK))
    assert items == list(PACK)
    assert shuffle_items((), SEED, "x") == ()
    assert shuffle_items("a", SEED, "x") == ("a",)


def test_different_purposes_and_seeds_give_different_orders() -> None:
    """Different purposes and seeds give different orders."""
    orders = {
        _shuffled_codes(bytes([seed]) * 32, f"round {number}")
        for seed in range(10)
        for number in range(10)
    }
    assert len(orders) == 100


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_is_equally_likely(size: int) -> None:
    """The orders of a few items pass a chi-square test, far below the value of an unfair shuffle."""
    draws = 500 * len(list(permutations(range(size))))
    seen = Counter(shuffle_items(range(size), SEED, str(number)) for number in range(draws))
    assert len(seen) == draws // 500
    chi_square = sum((count - 500) ** 2 / 500 for count in seen.values())
    assert chi_square < 3 * len(seen) + 5


def test_every_position_is_equally_likely() -> None:
    """The places of the first of 52 cards pass a chi-square test with 51 degrees of freedom."""
    places = Counter(shuffle_items(range(52), SEED, str(number)).index(0) for number in range(2600))
    assert sum((places[place] - 50) ** 2 / 50 for place in range(52)) < 100


def test_random_numbers_are_uniform() -> None:
    """Every number below the limit is drawn about equally often, and no other number."""
    seen = Counter(lot(6, SEED, str(number)) for number in range(6000))
    assert set(seen) == set(range(6))
    assert all(870 < count < 1130 for count in seen.values())
    assert lot(1, SEED, "x") == 0


def test_seeds_have_256_bits_and_differ() -> None:
    """A seed has 256 bits from the system's random source."""
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {SEED_BYTES} == {32}


def test_biased_numbers_are_skipped() -> None:
    """The last of 2**64 words is skipped, as they do not divide evenly by three."""
    assert _below(3, iter([2**64 - 1, 5])) == 2
    assert _below(3, iter([2**64 - 2, 5])) == 2
    assert _below(4, iter([2**64 - 1, 5])) == 3
