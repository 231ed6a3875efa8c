"""Positions as small whole numbers, for the solver: the rules' positions, many times faster to play.

The rules are the law: every line that is found here is played by them before anybody hears of it.

A *card* is its suit times 13 and its rank counted from the base, so that foundations build from 0 to
12 in every deal. A column is always one *run*, so its highest card and its length say all of it; both
are one number, and a card more or less is that number plus or minus one. The *talon* is the waste,
from below, and the stock after it, in the order in which it turns: a redeal goes back to its start.
The heights of a suit's two foundations, the lower one first, are one number too, a *pair*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bot.engine.cards import KING, Card, Suit
from bot.engine.values import frozen
from bot.games.american_toad.state import (
    COLUMNS,
    FULL,
    AllUp,
    Move,
    Pile,
    Place,
    Position,
    Redeal,
    Shift,
    Turn,
    TurnOn,
    Up,
)

SPAN = 27
"""One more than the longest run: each card of a suit, twice."""
RESERVE, WASTE = COLUMNS, COLUMNS + 1
"""The sources of a step that are no column."""
UP, PLACE, SHIFT, TURN, REDEAL, ALL_UP, TURN_UP = range(7)
STRICT, CAREFUL, EASY, EAGER = 0, 1, 3, FULL
"""How far behind the other foundation of a suit may be when a card goes up without being asked."""

Step: TypeAlias = tuple[int, ...]
"""UP source · PLACE source column · SHIFT source column count · TURN count · REDEAL · ALL_UP · TURN_UP.

The last is the turn until something fits in which cards go up.
"""

Lie: TypeAlias = tuple[tuple[int, ...], int, bool, int, tuple[int, ...], tuple[int, ...]]
"""How the cards lie: talon, cards of it in the waste, redeal left, reserve left, columns, pairs."""

_SOURCES = (RESERVE, WASTE, *range(COLUMNS))
_CARDS = range(len(Suit) * KING)
_SUIT_PLACE = {suit: place for place, suit in enumerate(Suit)}
_PAIR = FULL + 1

SUIT_OF = tuple(card // KING for card in _CARDS)
BELOW = tuple(card // KING * KING + (card - 1) % KING for card in _CARDS)
"""The card that may lie on a card in a column."""
HEAD = tuple(card for card in _CARDS for _length in range(SPAN))
"""The highest card of a run."""
TAIL = tuple(
    card // KING * KING + (card % KING - length + 1) % KING for card in _CARDS for length in range(SPAN)
)
"""The lowest card of a run, which lies on top."""

_ALL_PAIRS = [divmod(pair, _PAIR) for pair in range(_PAIR * _PAIR)]
CARDS_UP = tuple(low + high for low, high in _ALL_PAIRS)
WON = (FULL * _PAIR + FULL,) * len(Suit)


def pair_of(one: int, other: int) -> int:
    return min(one, other) * _PAIR + max(one, other)


RAISED = tuple(
    tuple(pair_of(low + 1, high) if rank == low else pair_of(low, high + 1) for rank in range(KING))
    for low, high in _ALL_PAIRS
)
"""The pair after a card of a rank, which must be awaited, has gone up."""


def _bits(suit: int, low: int, high: int, slack: int) -> int:
    pairs = ((low, high), (high, low))
    ranks = {one for one, other in pairs if one < FULL and other >= one - slack and (one or slack)}
    return sum(1 << (suit * KING + rank) for rank in ranks)


GOING = {
    slack: tuple(
        tuple(_bits(suit, low, high, slack) for low, high in _ALL_PAIRS) for suit in range(len(Suit))
    )
    for slack in (STRICT, CAREFUL, EASY, EAGER)
}
"""By slack, suit and pair: the cards that go up by themselves, a bit each; EAGER: all that can."""


@frozen
class Compact:
    """A position: how the cards lie, and the reserve as it was, its top last."""

    lie: Lie
    reserve: tuple[int, ...]


def compact(position: Position) -> Compact:
    def numbers(cards: tuple[Card, ...]) -> tuple[int, ...]:
        return tuple(
            _SUIT_PLACE[card.suit] * KING + (card.rank - position.base) % KING for card in cards
        )

    runs = tuple(numbers(cards[:1])[0] * SPAN + len(cards) if cards else 0 for cards in position.columns)
    talon = numbers(position.waste) + numbers(position.stock[::-1])
    reserve = numbers(position.reserve)
    heights = iter(position.heights)
    pairs = tuple(pair_of(one, other) for one, other in zip(heights, heights, strict=True))
    return Compact(
        (talon, len(position.waste), position.redeal_left, len(reserve), runs, pairs), reserve
    )


_PLAIN: dict[int, Move] = {REDEAL: Redeal(), ALL_UP: AllUp(), TURN_UP: TurnOn(up=True)}


def move_of(step: Step) -> Move:
    kind, *where = step
    if kind == UP:
        return Up(_source(where[0]))
    if kind == PLACE:
        return Place(Pile.RESERVE if where[0] == RESERVE else Pile.WASTE, where[1])
    if kind == SHIFT:
        return Shift(*where)
    return Turn(where[0]) if kind == TURN else _PLAIN[kind]


def _source(source: int) -> Pile | int:
    return {RESERVE: Pile.RESERVE, WASTE: Pile.WASTE}.get(source, source)


def tidied(reserve: tuple[int, ...], lie: Lie, slack: int, steps: list[Step]) -> Lie:
    """Return how the cards lie when all has gone up that goes by itself; adds the steps it took.

    It goes in the order of the rules. STRICT does no harm: what could be laid on a card that goes
    up is up itself. A base card does not go then, as it could hold the last card of its suit.
    """
    talon, turned, redeal, left, columns, pairs = lie
    going = going_of(pairs, slack)
    runs, high = list(columns), list(pairs)
    place = 0
    while place < len(_SOURCES):
        source = _SOURCES[place]
        if source < COLUMNS:
            card = TAIL[runs[source]] if runs[source] else -1
        elif source == RESERVE:
            card = reserve[left - 1] if left else -1
        else:
            card = talon[turned - 1] if turned else -1
        if card < 0 or not going >> card & 1:
            place += 1
            continue
        place = 0
        suit = SUIT_OF[card]
        high[suit] = RAISED[high[suit]][card - suit * KING]
        going = going_of(high, slack)
        steps.append((UP, source))
        if source == RESERVE:
            left -= 1
        elif source == WASTE:
            turned -= 1
            talon = talon[:turned] + talon[turned + 1 :]
        else:
            left, runs[source] = without(reserve, left, runs[source], 1)
    return (talon, turned, redeal, left, tuple(runs), tuple(high))


def going_of(pairs: Sequence[int], slack: int) -> int:
    clubs, diamonds, hearts, spades = GOING[slack]
    return clubs[pairs[0]] | diamonds[pairs[1]] | hearts[pairs[2]] | spades[pairs[3]]


def raised(pairs: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the pairs after a card, which must be awaited, has gone up."""
    suit = SUIT_OF[card]
    return (*pairs[:suit], RAISED[pairs[suit]][card - suit * KING], *pairs[suit + 1 :])


def without(reserve: tuple[int, ...], left: int, run: int, count: int) -> tuple[int, int]:
    """Return what is left of the reserve and of a run that loses cards; a gap is filled (A6)."""
    rest = run - count
    if rest % SPAN:
        return left, rest
    return (left - 1, reserve[left - 1] * SPAN + 1) if left else (0, 0)
