"""A corridor of Frogger in bits: its spaces from the Excuse on, so that a low bit is near the start."""

from __future__ import annotations

from functools import lru_cache

from bot.engine.decktet import DecktetCard, DecktetSuit
from bot.engine.values import frozen
from bot.games.frogger.state import Space, spaces_of

SUITS = tuple(DecktetSuit)
SUIT_NUMBER = {suit: number for number, suit in enumerate(SUITS)}

NOWHERE = 0
"""Stands for the Excuse where a frog is, or goes back to, and for home where a frog goes ahead."""

COURSES_KEPT = 256
"""Of how many corridors: it is asked for in each of the many worlds that a seat thinks of."""

GOOD_SUITS = 3
"""A frog is played with one of so many suits that bring it the farthest: who holds cards can choose."""


def singles(bits: int) -> list[int]:
    """Return each set bit by itself, the lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low)
        bits ^= low
    return found


@frozen
class Course:
    """A corridor in bits of spaces. Places count from 0 for the Excuse, so the first card is 1.

    ``suit`` has the spaces of each suit, ``card`` those of each place; ``ahead`` and ``behind`` those
    strictly beyond a place. ``place`` and ``suit_of`` are found by a bit's length. ``costs`` has, by
    place, how many cards a frog needs to come home along an empty corridor.
    """

    spaces: tuple[Space, ...]
    suit: tuple[int, ...]
    card: tuple[int, ...]
    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    place: tuple[int, ...]
    suit_of: tuple[int, ...]
    costs: tuple[float, ...]

    @property
    def home(self) -> int:
        """The place beyond the last card."""
        return len(self.card)

    def bit(self, space: Space | None) -> int:
        """Return the bit of a space; none for the Excuse."""
        return NOWHERE if space is None else 1 << self.spaces.index(space)

    def space(self, bit: int) -> Space | None:
        """Return the space of a bit; None for the Excuse."""
        return self.spaces[bit.bit_length() - 1] if bit else None


@lru_cache(COURSES_KEPT)
def course_of(corridor: tuple[DecktetCard, ...]) -> Course:
    spaces = tuple(space for place in range(len(corridor)) for space in spaces_of(corridor, place))
    place = (0, *(space.place + 1 for space in spaces))
    places = range(len(corridor) + 1)
    where = [(1 << number, at) for number, at in enumerate(place[1:])]
    suits = tuple(
        sum(1 << number for number, space in enumerate(spaces) if space.suit is suit) for suit in SUITS
    )
    ahead = tuple(sum(bit for bit, at in where if at > here) for here in places)
    return Course(
        spaces=spaces,
        suit=suits,
        card=tuple(sum(bit for bit, at in where if at == here) for here in places),
        ahead=ahead,
        behind=tuple(sum(bit for bit, at in where if at < here) for here in places),
        place=place,
        suit_of=(0, *(SUIT_NUMBER[space.suit] for space in spaces)),
        costs=_costs(suits, ahead, place),
    )


def _costs(suits: tuple[int, ...], ahead: tuple[int, ...], place: tuple[int, ...]) -> tuple[float, ...]:
    costs = [0.0] * (len(ahead) + 1)
    for here in reversed(range(len(ahead))):
        after = []
        for suit in suits:
            free = suit & ahead[here]
            low = free & -free
            after.append(costs[place[low.bit_length()]] if low else 0.0)
        after.sort()
        costs[here] = 1 + sum(after[:GOOD_SUITS]) / GOOD_SUITS
    return tuple(costs)
