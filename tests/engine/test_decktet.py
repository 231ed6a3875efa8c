"""The Decktet and its notation."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.decktet import (
    ACE,
    BASIC,
    COURT,
    COURTS,
    CROWN,
    EXCUSE,
    PAWN,
    PAWNS,
    DecktetSuit,
    decktet_card_of,
)
from tests.decktet import decktet_cards_of


def test_the_basic_deck_has_36_cards_and_each_suit_ten_times() -> None:
    """Aces and Crowns have one suit each. The three cards of each other rank have two."""
    suits = Counter(suit for card in BASIC for suit in card.suits)
    assert len(set(BASIC)) == len(BASIC) == 36
    assert suits == dict.fromkeys(DecktetSuit, 10)
    ranks = Counter(card.rank for card in BASIC)
    assert ranks == {ACE: 6, CROWN: 6} | dict.fromkeys(range(2, 10), 3)
    for card in BASIC:
        assert len(set(card.suits)) == len(card.suits) == (1 if card.rank in (ACE, CROWN) else 2)


def test_each_number_rank_has_every_suit_once() -> None:
    """The three cards of a rank share the six suits."""
    for rank in range(2, 10):
        assert sorted(s.value for card in BASIC if card.rank == rank for s in card.suits) == sorted(
            suit.value for suit in DecktetSuit
        )


def test_pawns_and_courts_have_three_suits_and_the_excuse_none() -> None:
    """The four Pawns have each suit twice in all, and so do the four Courts.

    The Excuse has neither suit nor rank.
    """
    for cards, rank in ((PAWNS, PAWN), (COURTS, COURT)):
        assert len(set(cards)) == 4
        assert {card.rank for card in cards} == {rank}
        assert {len(set(card.suits)) for card in cards} == {3}
        suits = Counter(suit for card in cards for suit in card.suits)
        assert suits == dict.fromkeys(DecktetSuit, 2)
    assert EXCUSE.suits == ()
    assert str(EXCUSE) == "the Excuse"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("2MK", "the Author"),
        ("3SK", "the Painter"),
        ("3MW", "the Journey"),
        ("7ML", "the Chance Meeting"),
        ("9WY", "the Darkness"),
        ("CL", "the End"),
        ("AK", "the Ace of Knots"),
        ("PSWK", "the Light Keeper"),
        ("TSLK", "the Window"),
    ],
)
def test_a_code_consists_of_rank_and_suits(code: str, name: str) -> None:
    """A code has a rank and suits.

    The Painter has Suns and Knots, and the Journey has Moons and Waves.
    """
    card = decktet_card_of(code)
    assert card is not None
    assert card.name == name
    assert card.code == code


def test_codes_and_names_are_unique() -> None:
    """Codes, names and short texts are all different, and no other text is a card."""
    cards = (*BASIC, *PAWNS, *COURTS, EXCUSE)
    for names in (
        {card.code for card in cards},
        {card.name for card in cards},
        {str(card) for card in cards},
    ):
        assert len(names) == len(cards) == 45
    assert [str(card) for card in decktet_cards_of("7ML AK CW")] == ["7🌙🍃", "A🪢", "Cr🌊"]
    for text in ("", "ML", "7LM", "0", "10M", "7ml"):
        assert decktet_card_of(text) is None
