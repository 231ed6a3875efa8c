"""How near a hand of Toad is to ten and ten, counted on its compact sum."""

from __future__ import annotations

from functools import lru_cache

from bot.games.toad.compact import (
    BLACK_SHIFT,
    COUNT_BITS,
    KIND,
    KINDS,
    SUM_BITS,
    SUM_MASK,
    TOAD_SUM,
    WORTH_OF_KIND,
)
from bot.games.toad.state import GOAL

COLOUR_MASK = (1 << BLACK_SHIFT) - 1
IN_PACK = tuple(KIND.count(kind) for kind in range(KINDS))
WITHOUT = 1 << KINDS
"""Stands for no card among the kinds that complete a hand."""

REMEMBERED_HANDS = 1 << 16


def is_toad(worth: int) -> bool:
    """Return whether a hand of this sum is a toad (T8)."""
    return worth & SUM_MASK == TOAD_SUM


def distance(worth: int) -> int:
    """Return how many spots are missing or too many, red and black together."""
    return abs(GOAL - (worth & COLOUR_MASK)) + abs(GOAL - (worth >> BLACK_SHIFT & COLOUR_MASK))


@lru_cache(REMEMBERED_HANDS)
def kinds_in(worth: int) -> tuple[int, ...]:
    """Return the kinds of card in a hand of this sum."""
    counts = worth >> SUM_BITS
    one = (1 << COUNT_BITS) - 1
    return tuple(kind for kind in range(KINDS) if counts >> COUNT_BITS * kind & one)


@lru_cache(REMEMBERED_HANDS)
def completing(worth: int) -> int:
    """Return the kinds that make the hand a toad in one turn, with a discard or without, as bits."""
    kinds = _single(worth)
    for kind in kinds_in(worth):
        kinds |= _single(worth - WORTH_OF_KIND[kind])
    return kinds


def _single(worth: int) -> int:
    """Return the kind that makes the hand a toad without a discard, as a bit, or 0."""
    red = GOAL - (worth & COLOUR_MASK)
    black = GOAL - (worth >> BLACK_SHIFT & COLOUR_MASK)
    if not black and 0 <= red <= GOAL:
        return 1 << (red - 1) if red else WITHOUT
    return 1 << (GOAL + black - 1) if not red and 0 < black <= GOAL else 0


@lru_cache(REMEMBERED_HANDS)
def outs(kinds: int) -> int:
    """Return how many cards of a whole pack are of these kinds."""
    return sum(count for kind, count in enumerate(IN_PACK) if kinds >> kind & 1)


def bits(kinds: int) -> tuple[int, ...]:
    """Return the kinds whose bits are set."""
    return tuple(kind for kind in range(KINDS) if kinds >> kind & 1)
