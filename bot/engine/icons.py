"""Catalogue of the icons for cards, suits and frogs that exist as custom emoji."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards import PACK, Card, Suit
from bot.engine.decktet import BASIC, DecktetSuit
from bot.engine.frozen import frozen
from bot.engine.scene import FROG, Face

SEATS = 5
"""The number of seats whose tokens have custom emoji."""


_RANK_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "Cr": "crown"}


@frozen
class Icon:
    """A custom emoji for a card, a suit, a token or a frog.

    Attributes:
        name: The emoji's name. Screen readers read it aloud.
        text: The plain text to use if the emoji is not available.
        shows: The card, the suit, or the token's seat. None for a frog's face.
        four_colours: Whether this is the variant for four-colour suits.
    """

    name: str
    text: str
    shows: Face | DecktetSuit | int | None
    four_colours: bool = False


def mark_of(seat: int) -> str:
    return chr(ord("①") + seat)


def _icons() -> Iterator[Icon]:
    yield Icon("frog", FROG, None)
    for seat in range(SEATS):
        yield Icon(f"frog_{seat + 1}", mark_of(seat), seat)
    for suit in DecktetSuit:
        yield Icon(suit.name.lower(), suit.symbol, suit)
    for card in BASIC:
        yield Icon(_name(card), str(card), card)
    for plain in PACK:
        yield Icon(_name(plain), str(plain), plain)
        if plain.suit in (Suit.CLUBS, Suit.DIAMONDS):
            colour = "navy" if plain.suit is Suit.CLUBS else "amber"
            yield Icon(f"{_name(plain)}_{colour}", str(plain), plain, four_colours=True)


def _name(card: Face) -> str:
    suits = (card.suit,) if isinstance(card, Card) else card.suits
    return "_".join((_RANK_NAMES.get(card.index, card.index), *(suit.name.lower() for suit in suits)))


SIGNS: tuple[Icon, ...] = tuple(_icons())
"""All custom emoji. Clubs and diamonds also have a variant for players who use four-colour suits."""
