"""Shuffling that gives the same order in every version of Python, for ever.

A match is stored as its seed and its moves, so the order that comes out of a seed is part of
what is stored. ``random.shuffle`` promises no such stability.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any, TypeVar

from bot.engine.immutable import frozen

T = TypeVar("T")

SEED_BYTES = 32
_WORD_BYTES = 8
_WORD_RANGE = 1 << (8 * _WORD_BYTES)


@frozen
class Draw:
    """A use of a seed: a shuffle of ``items`` into an ``order``, or a lot of so many ``choices``."""

    purpose: str
    items: tuple[Any, ...] = ()
    order: tuple[Any, ...] = ()
    choices: int = 0
    drawn: int = 0


_draws: ContextVar[list[Draw] | None] = ContextVar("draws", default=None)


@contextmanager
def draws_noted() -> Iterator[list[Draw]]:
    noted: list[Draw] = []
    token = _draws.set(noted)
    try:
        yield noted
    finally:
        _draws.reset(token)


def new_seed() -> bytes:
    """Return 256 bits that nobody can guess. They stay secret while the match lives."""
    return secrets.token_bytes(SEED_BYTES)


def _stream(seed: bytes, purpose: str) -> Iterator[int]:
    """Yield 64-bit numbers: the keyed hash of the purpose and a counter."""
    block = 0
    while True:
        digest = blake2b(f"{purpose}/{block}".encode(), key=seed, digest_size=64).digest()
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
        block += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    """Return a fair number from 0 to ``limit`` - 1: words past the last whole multiple do not count."""
    fair = _WORD_RANGE - _WORD_RANGE % limit
    return next(word for word in stream if word < fair) % limit


def shuffled(items: Sequence[T], seed: bytes, purpose: str) -> tuple[T, ...]:
    """Return the seed's order for a purpose, such as ``"round 3"``, by Fisher and Yates."""
    order = list(items)
    stream = _stream(seed, purpose)
    for last in range(len(order) - 1, 0, -1):
        pick = _below(last + 1, stream)
        order[last], order[pick] = order[pick], order[last]
    if (noted := _draws.get()) is not None:
        noted.append(Draw(purpose, tuple(items), tuple(order)))
    return tuple(order)


def lot(choices: int, seed: bytes, purpose: str) -> int:
    drawn = _below(choices, _stream(seed, purpose))
    if (noted := _draws.get()) is not None:
        noted.append(Draw(purpose, choices=choices, drawn=drawn))
    return drawn
