"""Cards and moves of Toad as integers, fast enough to think with. A card is its place in the pack."""

from __future__ import annotations

from bot.engine.cards import PACK, Card
from bot.games.toad.state import (
    GOAL,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Move,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    spots,
)

NUMBER = {card: number for number, card in enumerate(PACK)}

BLACK_SHIFT, SUM_BITS, COUNT_BITS = 8, 16, 4
SUM_MASK = (1 << SUM_BITS) - 1
KINDS = 2 * GOAL
"""A card's kind is all that counts of it: its colour and its spots."""


def _kind(card: Card) -> int:
    return spots(card) - 1 + (0 if card.suit.is_red else GOAL)


def _worth(kind: int) -> int:
    """Return what a kind adds to a hand's sum: red spots, black spots, and a count of the kind."""
    sum_ = kind + 1 if kind < GOAL else (kind + 1 - GOAL) << BLACK_SHIFT
    return sum_ + (1 << (SUM_BITS + COUNT_BITS * kind))


KIND = tuple(map(_kind, PACK))
WORTH_OF_KIND = tuple(map(_worth, range(KINDS)))
WORTH = tuple(WORTH_OF_KIND[kind] for kind in KIND)
TOAD_SUM = GOAL | GOAL << BLACK_SHIFT
MAXIMUS = WORTH_OF_KIND[GOAL - 1] + WORTH_OF_KIND[2 * GOAL - 1]

TAKE_STOCK, DRAW, TAKE_DISCARD, TAKE_NOTHING, END_TURN, DECLARE, DISCARD = 0, 4, 5, 6, 7, 8, 9
"""Moves: a stock place from 0, and a card of the pack from ``DISCARD``."""

_PLAIN: dict[int, Move] = {
    **{place: TakeStock(place) for place in range(DRAW)},
    DRAW: Draw(),
    TAKE_DISCARD: TakeDiscard(),
    TAKE_NOTHING: TakeNothing(),
    END_TURN: EndTurn(),
    DECLARE: Declare(),
}


def readable(move: int) -> Move:
    return _PLAIN[move] if move < DISCARD else Discard(PACK[move - DISCARD])
