"""Counting spots: what a toad is (T8, T14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards import JACK, Card
from bot.games.toad.state import GOAL, HAND_SIZE

COURT_SPOTS = 2


def spots(card: Card) -> int:
    """Return a card's spots: Ace 1, two to ten their number, Jack, Queen and King 2 each (T8)."""
    return COURT_SPOTS if card.rank >= JACK else card.rank


def count_spots(cards: Iterable[Card]) -> tuple[int, int]:
    """Return the red and the black spots of some cards (T8)."""
    red = black = 0
    for card in cards:
        if card.suit.is_red:
            red += spots(card)
        else:
            black += spots(card)
    return red, black


def is_toad(hand: Iterable[Card]) -> bool:
    """Return whether the whole hand totals exactly 10 red and exactly 10 black spots (T8)."""
    return count_spots(hand) == (GOAL, GOAL)


def is_maximus(hand: Sequence[Card]) -> bool:
    """Return whether the hand is a red ten and a black ten and nothing else (T14)."""
    return len(hand) == HAND_SIZE and all(spots(card) == GOAL for card in hand) and is_toad(hand)
