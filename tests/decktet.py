"""Cards of the Decktet by their codes."""

from __future__ import annotations

from bot.engine.decktet import DecktetCard, decktet_card_of


def decktet_cards_of(codes: str) -> tuple[DecktetCard, ...]:
    """Return the cards of codes with spaces between them."""
    cards = tuple(decktet_card_of(code) for code in codes.split())
    assert None not in cards
    return tuple(filter(None, cards))
