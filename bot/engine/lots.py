"""Random numbers that depend only on a seed, so that each machine computes the same ones.

Computer players, lessons and puzzles use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b, shake_128
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


_WORD_BYTES = 8


_WORD_RANGE = 1 << (8 * _WORD_BYTES)


LOT_BYTES = 16


class Lots:
    """A random number generator, seeded with a digest. It returns the same numbers on every machine."""

    def __init__(self, digest: bytes) -> None:
        self._digest = digest
        self._drawn = 0

    def _words(self, count: int) -> tuple[int, ...]:
        self._drawn += 1
        stream = shake_128(self._digest + self._drawn.to_bytes(_WORD_BYTES, "big"))
        return unpack(f">{count}Q", stream.digest(_WORD_BYTES * count))

    def below(self, limit: int) -> int:
        return self._words(1)[0] % limit

    def fraction(self) -> float:
        return self._words(1)[0] / _WORD_RANGE

    def shuffle_items(self, items: Sequence[T]) -> list[T]:
        words = self._words(len(items))
        return [items[place] for place in sorted(range(len(items)), key=words.__getitem__)]


def lot_of(seed: bytes, *numbers: int) -> bytes:
    """Return a random seed that is derived from the match seed and some numbers.

    The derived seed does not reveal the match seed.
    """
    label = " ".join(map(str, ("opponent", *numbers)))
    return blake2b(label.encode(), key=seed, digest_size=LOT_BYTES).digest()


def lot_of_seat(seed: bytes, _n: int, seat: int, moved: int) -> bytes:
    return lot_of(seed, seat, moved)


def lot_of_move(seed: bytes, n: int, _seat: int, _moved: int) -> bytes:
    return lot_of(seed, n)
