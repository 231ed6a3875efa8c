"""The 52-card pack and its notation."""

from __future__ import annotations

import pytest

from bot.engine.cards import ACE, KING, PACK, Card, Suit, card_of

AS_TEXT = "\N{VARIATION SELECTOR-15}"
"""The variation selector that keeps Discord from showing a suit as an emoji."""


def test_the_pack_has_each_card_once() -> None:
    """The pack has thirteen ranks in four suits, each card once."""
    assert len(PACK) == len(set(PACK)) == 52
    assert {(card.rank, card.suit) for card in PACK} == {
        (r, s) for s in Suit for r in range(ACE, KING + 1)
    }


def test_each_card_has_a_different_code() -> None:
    """Each card has a different code of two letters, which is read back as the card."""
    assert len({card.code for card in PACK}) == 52
    for card in PACK:
        assert len(card.code) == 2
        assert card_of(card.code) is card


@pytest.mark.parametrize(
    ("code", "rank", "suit", "text"),
    [
        ("AC", 1, Suit.CLUBS, "A♣"),
        ("7S", 7, Suit.SPADES, "7♠"),
        ("TH", 10, Suit.HEARTS, "10♥"),
        ("JD", 11, Suit.DIAMONDS, "J♦"),
        ("QC", 12, Suit.CLUBS, "Q♣"),
        ("KS", 13, Suit.SPADES, "K♠"),
    ],
)
def test_codes_use_standard_rank_letters(code: str, rank: int, suit: Suit, text: str) -> None:
    """Codes use A, numbers, T for ten, and the letters of the court cards."""
    assert card_of(code) == Card(rank, suit)
    assert Card(rank, suit).code == code
    assert str(Card(rank, suit)) == text + AS_TEXT


@pytest.mark.parametrize("code", ["", "A", "10H", "1H", "ah", "HA", "?S", "AS ", "7♠", "XX"])
def test_other_notations_are_not_cards(code: str) -> None:
    """Text in any other notation is not a card."""
    assert card_of(code) is None


def test_hearts_and_diamonds_are_red() -> None:
    """Hearts and diamonds are red."""
    assert {suit for suit in Suit if suit.is_red} == {Suit.HEARTS, Suit.DIAMONDS}
