"""What can stand in a text as a small picture: cards, suits and frogs, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from bot.engine.cards import ACE, JACK, KING, PACK, QUEEN, Card, Suit
from bot.engine.decktet import ACE as DECKTET_ACE
from bot.engine.decktet import BASIC, CROWN, DecktetCard, DecktetSuit
from bot.engine.scene import FROG, Face, mark_of
from bot.engine.values import frozen

SEATS = 5
"""As many seats have tokens of their own."""

_RANKS = {ACE: "ace", JACK: "jack", QUEEN: "queen", KING: "king"}
_DECKTET_RANKS = {DECKTET_ACE: "ace", CROWN: "crown"}

Shown: TypeAlias = Face | DecktetSuit | int | None
"""What a sign shows: a card, a suit, the token of a seat, or (None) a frog."""


@frozen
class Sign:
    """A small picture: its name is read aloud, its text stands where no picture can be had."""

    name: str
    text: str
    shows: Shown
    four_colours: bool = False


def _signs() -> Iterator[Sign]:
    yield Sign("frog", FROG, None)
    for seat in range(SEATS):
        yield Sign(f"frog_{seat + 1}", mark_of(seat), seat)
    for suit in DecktetSuit:
        yield Sign(suit.name.lower(), suit.symbol, suit)
    for card in BASIC:
        yield Sign(_decktet_name(card), str(card), card)
    for plain in PACK:
        yield Sign(_name(plain), str(plain), plain)
        if plain.suit in (Suit.CLUBS, Suit.DIAMONDS):
            colour = "navy" if plain.suit is Suit.CLUBS else "amber"
            yield Sign(f"{_name(plain)}_{colour}", str(plain), plain, four_colours=True)


def _name(card: Card) -> str:
    return f"{_RANKS.get(card.rank, card.rank)}_{card.suit.name.lower()}"


def _decktet_name(card: DecktetCard) -> str:
    rank = _DECKTET_RANKS.get(card.rank, card.rank)
    return "_".join((str(rank), *(suit.name.lower() for suit in card.suits)))


SIGNS: tuple[Sign, ...] = tuple(_signs())
"""All signs. Clubs and diamonds are there a second time, for those who like four colours."""
