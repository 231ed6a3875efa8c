"""The cards of the Decktet, a deck by P. D. Magnus. It has six suits, and most cards have two of them.

The basic deck has 36 cards. The extended deck adds four Pawns, four Courts and the Excuse.
"""

from __future__ import annotations

from bot.engine.frozen import IdentityEnum, frozen

ACE, CROWN, PAWN, COURT, EXCUSE_RANK = 1, 10, 11, 12, 0

_RANK_LETTERS = "XA23456789CPT"
_RANK_INDICES = ("", "A", *(str(number) for number in range(2, 10)), "Cr", "P", "Ct")


class DecktetSuit(IdentityEnum):
    """A Decktet suit. Its value is the suit's letter in the move notation. The suits have no order."""

    MOONS = "M"
    SUNS = "S"
    WAVES = "W"
    LEAVES = "L"
    WYRMS = "Y"
    KNOTS = "K"

    symbol: str
    """The emoji used for the suit in texts. The six emoji differ in shape, not only in colour."""

    def __init__(self, letter: str) -> None:
        self.symbol = {"M": "🌙", "S": "☀️", "W": "🌊", "L": "🍃", "Y": "🐍", "K": "🪢"}[letter]


@frozen
class DecktetCard:
    """A Decktet card.

    Attributes:
        rank: 1 (Ace) to 9, or the constant for Crown, Pawn, Court or the Excuse.
        suits: One to three suits, or none for the Excuse.
        name: The English name, such as ``the Author``.
    """

    rank: int
    suits: tuple[DecktetSuit, ...]
    name: str

    @property
    def index(self) -> str:
        """The rank in the card's corner: ``A``, ``2`` to ``9``, ``Cr``, ``P`` or ``Ct``."""
        return _RANK_INDICES[self.rank]

    @property
    def code(self) -> str:
        """The card's code in the move notation, such as ``7ML``, ``AK`` or ``PMYK`` (rank and suits)."""
        return _RANK_LETTERS[self.rank] + "".join(suit.value for suit in self.suits)

    def __str__(self) -> str:
        return self.index + "".join(suit.symbol for suit in self.suits) or self.name


def _cards(rank: int, *named: str) -> tuple[DecktetCard, ...]:
    split = (text.partition(" ") for text in named)
    return tuple(
        DecktetCard(rank, tuple(map(DecktetSuit, letters)), name) for letters, _sp, name in split
    )


BASIC: tuple[DecktetCard, ...] = (
    *(DecktetCard(ACE, (suit,), f"the Ace of {suit.name.title()}") for suit in DecktetSuit),
    *_cards(2, "MK the Author", "SY the Desert", "WL the Origin"),
    *_cards(3, "SK the Painter", "LY the Savage", "MW the Journey"),
    *_cards(4, "YK the Battle", "WL the Sailor", "MS the Mountain"),
    *_cards(5, "SW the Discovery", "YK the Soldier", "ML the Forest"),
    *_cards(6, "SY the Penitent", "MW the Lunatic", "LK the Market"),
    *_cards(7, "SK the Castle", "ML the Chance Meeting", "WY the Cave"),
    *_cards(8, "YK the Betrayal", "MS the Diplomat", "WL the Mill"),
    *_cards(9, "MS the Pact", "LK the Merchant", "WY the Darkness"),
    *_cards(
        CROWN,
        "M the Huntress",
        "S the Bard",
        "W the Sea",
        "L the End",
        "Y the Calamity",
        "K the Windfall",
    ),
)
"""The 36 cards from Ace to Crown. Each suit appears on ten of them."""

PAWNS = _cards(PAWN, "MYK the Watchman", "WLY the Borderland", "MSL the Harvest", "SWK the Light Keeper")
COURTS = _cards(COURT, "MWK the Consul", "MLY the Rite", "SWY the Island", "SLK the Window")
EXCUSE = DecktetCard(EXCUSE_RANK, (), "the Excuse")

_BY_CODE = {card.code: card for card in (*BASIC, *PAWNS, *COURTS, EXCUSE)}


def decktet_card_of(code: str) -> DecktetCard | None:
    return _BY_CODE.get(code)
