"""The cards of the standard 52-card pack."""

from __future__ import annotations

from bot.engine.frozen import IdentityEnum, frozen

ACE, JACK, QUEEN, KING = 1, 11, 12, 13

_AS_TEXT = "\N{VARIATION SELECTOR-15}"
_RANK_LETTERS = "?A23456789TJQK"
_INDICES = tuple(letter.replace("T", "10") for letter in _RANK_LETTERS)


class Suit(IdentityEnum):
    """A French suit. The enum value is the suit's letter in the move notation."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    is_red: bool
    """True if the suit is red (T8)."""

    symbol: str
    """The suit's character. A variation selector keeps Discord from showing it as a dark emoji."""

    def __init__(self, letter: str) -> None:
        self.letter = letter
        self.is_red = letter in "DH"
        self.symbol = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[letter] + _AS_TEXT


@frozen
class Card:
    """A card of the 52-card pack. The rank is 1 (Ace) to 13 (King)."""

    rank: int
    suit: Suit

    @property
    def index(self) -> str:
        """The rank in the card's corner: ``A``, ``2`` to ``10``, ``J``, ``Q`` or ``K``."""
        return _INDICES[self.rank]

    @property
    def code(self) -> str:
        """The card's two-character code in the move notation, such as ``7S`` or ``TH``."""
        return _RANK_LETTERS[self.rank] + self.suit.letter

    def __str__(self) -> str:
        return self.index + self.suit.symbol


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in range(ACE, KING + 1))

_BY_CODE = {card.code: card for card in PACK}


def card_of(code: str) -> Card | None:
    return _BY_CODE.get(code)


def cards_of(codes: str) -> tuple[Card, ...]:
    """Return the cards with the given codes.

    Args:
        codes: The codes, separated by spaces.

    Raises:
        KeyError: A code is invalid.
    """
    return tuple(_BY_CODE[code] for code in codes.split())
