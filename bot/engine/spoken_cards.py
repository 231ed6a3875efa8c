"""Names of cards and suits in words, for screen readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.engine.cards import KING, PACK, Card, Suit
from bot.engine.decktet import BASIC, COURT, COURTS, CROWN, PAWN, PAWNS, DecktetCard, DecktetSuit
from bot.engine.scene import Face
from bot.engine.translation import N_, _

_NUMBERS = (
    N_("ace"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
    N_("ten"),
    N_("jack"),
    N_("queen"),
    N_("king"),
)
_DECKTET_RANKS = {CROWN: N_("crown"), PAWN: N_("pawn"), COURT: N_("court")}
_SUITS: dict[Suit | DecktetSuit, str] = {
    Suit.CLUBS: N_("clubs"),
    Suit.DIAMONDS: N_("diamonds"),
    Suit.HEARTS: N_("hearts"),
    Suit.SPADES: N_("spades"),
    DecktetSuit.MOONS: N_("moons"),
    DecktetSuit.SUNS: N_("suns"),
    DecktetSuit.WAVES: N_("waves"),
    DecktetSuit.LEAVES: N_("leaves"),
    DecktetSuit.WYRMS: N_("wyrms"),
    DecktetSuit.KNOTS: N_("knots"),
}

_RUN = 3
"""The minimum length of a run of cards that is shortened to its first and last card."""

_UNSEEN = re.compile("[\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}\N{WORD JOINER}]")
_SUIT_SIGNS = {_UNSEEN.sub("", suit.symbol): suit for suit in (*Suit, *DecktetSuit)}
_FACES: tuple[Face, ...] = (*PACK, *BASIC, *PAWNS, *COURTS)
_CARD_SIGNS = {_UNSEEN.sub("", str(card)): card for card in _FACES}
_UNSEEN_HERE = "[\ufe0e\ufe0f\u2060]*"
_SUIT = f"{_UNSEEN_HERE}[{''.join(_SUIT_SIGNS)}]{_UNSEEN_HERE}"
_CARD = rf"(?:10|Cr|Ct|[2-9AJQKP])(?:{_SUIT})+|(?<![\w])1[0-2]?(?:{_SUIT})"
_SIGNS = re.compile(
    rf"(?P<cards>(?:{_CARD})(?:(?:, | |–)(?:{_CARD}))*)|(?P<mark>[①-⑨])(?P<on>(?=\d))?|(?P<suit>{_SUIT})"
)
"""Matches one or more cards, a space such as ``7🌊``, a token's seat number such as ``①``, or a suit."""

_NEXT_TOKEN = re.compile(rf"(?<=[{''.join(_SUIT_SIGNS)}\ufe0f]) (?=[①-⑨])")


def rank_words(card: Face, *, digits: bool = False) -> str:
    if isinstance(card, DecktetCard) and card.rank in _DECKTET_RANKS:
        return _(_DECKTET_RANKS[card.rank])
    return card.index if digits and card.index.isdecimal() else _(_NUMBERS[card.rank - 1])


def suit_words(suit: Suit | DecktetSuit) -> str:
    return _(_SUITS[suit])


def spoken(card: Face, *, digits: bool = False, terse: bool = False) -> str:
    """Return a card's name in words, such as ``six of hearts``.

    Args:
        card: The card.
        digits: Whether to write numbers as digits.
        terse: Whether to use the shortest unambiguous form.
    """
    if isinstance(card, DecktetCard) and not card.suits:
        return card.name
    suits = (card.suit,) if isinstance(card, Card) else card.suits
    if terse:
        return " ".join((rank_words(card, digits=True), *map(suit_words, suits)))
    return _card_words(rank_words(card, digits=digits), *suits)


def describe_cards(
    cards: Sequence[Face], *, colours: bool = False, digits: bool = False, terse: bool = False
) -> str:
    """Return the names of cards in words, such as ``nine to seven of clubs``.

    Adjacent cards of the same suit are grouped.

    Args:
        cards: The cards, in order.
        colours: Whether to add the colour of each suit.
        digits: Whether to write numbers as digits.
        terse: Whether to use the shortest unambiguous form.
    """
    parts = []
    for suit, group in groupby(cards, key=lambda card: card.suit if isinstance(card, Card) else card):
        if isinstance(suit, Suit):
            same = [card for card in group if isinstance(card, Card)]
            words = _card_words(join_words(list(_ranks(same, digits=digits or terse))), suit)
            colour = _("red") if suit.is_red else _("black")
            parts.append(f"{words}, {colour}" if colours else words)
        else:
            parts += [spoken(card, digits=digits, terse=terse) for card in group]
    return ("; " if colours else ", ").join(parts)


def spell_icons(text: str, *, digits: bool = False) -> str:
    """Replace the card, suit and token symbols in a text with words."""

    def words_of_match(found: re.Match[str]) -> str:
        if found["cards"]:
            return _cards_said(found["cards"], digits=digits)
        if found["mark"]:
            seat = ord(found["mark"]) - ord("①") + 1
            words = _("player {n} on") if found["on"] is not None else _("player {n}")
            return words.format(n=seat) + (" " if found["on"] is not None else "")
        apart = " " if found.start() and not text[found.start() - 1].isspace() else ""
        return apart + suit_words(_SUIT_SIGNS[_UNSEEN.sub("", found["suit"])])

    return _SIGNS.sub(words_of_match, _NEXT_TOKEN.sub(", ", text))


def space_words(number: int, suit: DecktetSuit) -> str:
    return f"{number} {suit_words(suit)}"


def _cards_said(text: str, *, digits: bool) -> str:
    parts: list[str] = []
    for is_card, group in groupby(re.split(", | ", _UNSEEN.sub("", text)), key=_CARD_SIGNS.__contains__):
        if is_card:
            parts.append(describe_cards([_CARD_SIGNS[sign] for sign in group], digits=digits))
        else:
            parts += [_run_or_space(sign, digits=digits) for sign in group]
    return ", ".join(parts)


def _run_or_space(sign: str, *, digits: bool) -> str:
    ends = [_CARD_SIGNS[end] for end in sign.split("–") if end in _CARD_SIGNS]
    if len(ends) > 1 and isinstance(ends[0], Card):
        return _card_words(_run_words(ends[0], ends[-1], digits=digits), ends[0].suit)
    return " ".join((sign[:-1], suit_words(_SUIT_SIGNS[sign[-1]])))


def _card_words(rank: str, *suits: Suit | DecktetSuit) -> str:
    return _("{rank} of {suit}").format(rank=rank, suit=join_words([suit_words(suit) for suit in suits]))


def _ranks(cards: Sequence[Card], *, digits: bool) -> Iterator[str]:
    runs: list[list[Card]] = []
    for card in cards:
        if runs and card.rank % KING + 1 == runs[-1][-1].rank:
            runs[-1].append(card)
        else:
            runs.append([card])
    for run in runs:
        if len(run) >= _RUN:
            yield _run_words(run[0], run[-1], digits=digits)
        else:
            yield from (rank_words(card, digits=digits) for card in run)


def _run_words(first: Face, last: Face, *, digits: bool) -> str:
    words = _("{first} to {last}")
    return words.format(first=rank_words(first, digits=digits), last=rank_words(last, digits=digits))


def join_words(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    return _("{some} and {last}").format(some=", ".join(words[:-1]), last=words[-1])
