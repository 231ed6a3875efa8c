"""Deterministic shuffling, with the same result in every Python version.

A match is stored as a seed and a list of moves, so a seed must always produce the same order.
``random.shuffle`` does not guarantee this.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any, TypeVar

from bot.engine.frozen import frozen

T = TypeVar("T")

SEED_BYTES = 32
_WORD_BYTES = 8
_WORD_RANGE = 1 << (8 * _WORD_BYTES)


@frozen
class SeedUse:
    """A record of one shuffle or one random number that was derived from a match seed.

    Attributes:
        purpose: The name of the event, such as ``"round 3"``.
        items: The items before the shuffle.
        order: The items after the shuffle.
        choices: The number of possible numbers, or 0 for a shuffle.
        drawn: The random number, from 0.
    """

    purpose: str
    items: tuple[Any, ...] = ()
    order: tuple[Any, ...] = ()
    choices: int = 0
    drawn: int = 0


_draws: ContextVar[list[SeedUse] | None] = ContextVar("draws", default=None)


@contextmanager
def draws_noted() -> Iterator[list[SeedUse]]:
    """Record each shuffle and each random number inside the block. Yield the list of records."""
    noted: list[SeedUse] = []
    token = _draws.set(noted)
    try:
        yield noted
    finally:
        _draws.reset(token)


def new_seed() -> bytes:
    """Return a random 256-bit seed for a match. It must stay secret until the match is over."""
    return secrets.token_bytes(SEED_BYTES)


def _stream(seed: bytes, purpose: str) -> Iterator[int]:
    """Yield 64-bit random numbers: hashes of the purpose and a counter, keyed with the seed."""
    block = 0
    while True:
        digest = blake2b(f"{purpose}/{block}".encode(), key=seed, digest_size=64).digest()
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    """Return an unbiased random number from 0 to ``limit`` - 1.

    To avoid bias, stream numbers at or above the largest multiple of ``limit`` are skipped.
    """
    fair = _WORD_RANGE - _WORD_RANGE % limit
    return next(word for word in stream if word < fair) % limit


def shuffle_items(items: Sequence[T], seed: bytes, purpose: str) -> tuple[T, ...]:
    """Shuffle the items with the Fisher–Yates algorithm. The seed and the purpose determine the order.

    Args:
        items: The items.
        seed: The match seed.
        purpose: A name that is unique within the match, such as ``"round 3"``.
    """
    order = list(items)
    stream = _stream(seed, purpose)
    for last in range(len(order) - 1, 0, -1):
        pick = _below(last + 1, stream)
        order[last], order[pick] = order[pick], order[last]
    if (noted := _draws.get()) is not None:
        noted.append(SeedUse(purpose, tuple(items), tuple(order)))
    return tuple(order)


def lot(choices: int, seed: bytes, purpose: str) -> int:
    """Return a random number from 0 to ``choices`` - 1, determined by the seed and the purpose."""
    number = _below(choices, _stream(seed, purpose))
    if (noted := _draws.get()) is not None:
        noted.append(SeedUse(purpose, choices=choices, drawn=number))
    return number
