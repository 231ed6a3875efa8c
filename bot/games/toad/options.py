"""How near a hand of Toad is to ten and ten, and what a seat may do with its turn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bot.engine.cards import Card
from bot.engine.values import frozen
from bot.games.toad.compact import (
    BLACK_SHIFT,
    COUNT_BITS,
    DISCARD,
    DRAW,
    END_TURN,
    KIND,
    KINDS,
    NUMBER,
    SUM_BITS,
    SUM_MASK,
    TAKE_DISCARD,
    TAKE_NOTHING,
    TOAD_SUM,
    WORTH,
    WORTH_OF_KIND,
)
from bot.games.toad.memory import Memory
from bot.games.toad.state import GOAL, Happening, Phase

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


def kinds_in(worth: int) -> tuple[int, ...]:
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


def bits(kinds: int) -> tuple[int, ...]:
    return tuple(kind for kind in range(KINDS) if kinds >> kind & 1)


@frozen
class Option:
    """A way to go on with a turn: the next move, and what a card taken and one discarded come to.

    ``worth`` is the hand's sum at the turn's end. ``kept`` are the kinds of the stock cards that
    will still lie there, ``offered`` those that the next seat can take, both as bits. A turn that
    ``passes`` is one by T6.
    """

    move: int
    worth: int
    kept: int
    offered: int
    passes: bool = False


def hand_worth(memory: Memory) -> int:
    return sum(WORTH[NUMBER[card]] for card in memory.view.hand)


def kinds_of(cards: Iterable[Card | None]) -> int:
    """Return the kinds of some cards, as bits; gaps are none."""
    kinds = 0
    for card in cards:
        if card is not None:
            kinds |= 1 << KIND[NUMBER[card]]
    return kinds


def takes(memory: Memory) -> list[Option]:
    """Return every way to go on with the turn but by a card drawn unseen, which ``draws`` has."""
    view = memory.view
    if view.phase is not Phase.TAKE:
        return discards(memory)
    worth, stock = hand_worth(memory), view.stock
    hand = [NUMBER[card] for card in view.hand]
    top = kinds_of(memory.discards[-1:])
    all_kept = kinds_of(stock)
    found: list[Option] = []
    for place, card in enumerate(stock):
        if card is not None:
            kept = kinds_of(stock[:place] + stock[place + 1 :])
            new = NUMBER[card]
            found += _ends(place, worth + WORTH[new], [*hand, new], kept, top)
    if memory.discards:
        new = NUMBER[memory.discards[-1]]
        under = kinds_of(memory.discards[-2:-1])
        found += _ends(TAKE_DISCARD, worth + WORTH[new], hand, all_kept, under)
    found += _ends(TAKE_NOTHING, worth, hand, all_kept, top)[1:]
    found.append(Option(END_TURN, worth, all_kept, all_kept | top, passes=True))
    return found


def discards(memory: Memory) -> list[Option]:
    """Return every way to go on with a turn that has taken already."""
    view, taken = memory.view, memory.taken
    worth, kept = hand_worth(memory), kinds_of(view.stock)
    top = kinds_of(memory.discards[-1:])
    found = [Option(END_TURN, worth, kept, kept | top, passes=taken is None)]
    if view.phase is Phase.DISCARD:
        back = taken.cards[0] if taken is not None and taken.what is Happening.TOOK_DISCARD else None
        for card in view.hand:
            number = NUMBER[card]
            offered = kept | 1 << KIND[number]
            found.append(
                Option(DISCARD + number, worth - WORTH[number], kept, offered, passes=card == back)
            )
    return found


def draws(memory: Memory, kind: int, worth_of_kind: int) -> list[Option]:
    hand = [NUMBER[card] for card in memory.view.hand]
    kept = kinds_of(memory.view.stock)
    top = kinds_of(memory.discards[-1:])
    worth = hand_worth(memory) + worth_of_kind
    back = Option(DRAW, worth - worth_of_kind, kept, kept | 1 << kind)
    return [*_ends(DRAW, worth, hand, kept, top), back]


def _ends(move: int, worth: int, hand: list[int], kept: int, top: int) -> list[Option]:
    """Return the ends of a turn after a card was taken: without a discard, and with each kind of one."""
    found = {-1: Option(move, worth, kept, kept | top)}
    for card in hand:
        kind = KIND[card]
        if kind not in found:
            found[kind] = Option(move, worth - WORTH[card], kept, kept | 1 << kind)
    return list(found.values())
