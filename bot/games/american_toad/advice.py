"""Where the cards of a move that the player is told lie, and where they go."""

from __future__ import annotations

from enum import Enum

from bot.engine.cards import KING, Card
from bot.engine.scene import Mark
from bot.games.american_toad.state import (
    FULL,
    SUITS,
    Advice,
    AllUp,
    Pile,
    Place,
    Redeal,
    Shift,
    Turn,
    TurnOn,
    Up,
)
from bot.games.american_toad.view import View


class Stock(Enum):
    """The stock, which cards are turned from, and moved nowhere else."""

    STOCK = "stock"


Spot = Pile | Stock | int
"""A pile, or a column from 0 to 7."""


class Marks:
    """What is marked of a move: how many cards of which pile or column, and where they go."""

    def __init__(self) -> None:
        self.taken: dict[Spot, int] = {}
        self.onto: set[Spot] = set()
        self.foundations: set[int] = set()

    def of(self, spot: Spot) -> Mark | None:
        """Return the mark of a pile or a column."""
        if spot in self.taken:
            return Mark.TAKE
        return Mark.PUT if spot in self.onto else None


def marks(view: View) -> Marks:
    """Return what is marked of the move that the player is told; nothing where there is none."""
    marked = Marks()
    if view.is_over or not isinstance(view.told, Advice):
        return marked
    match view.told.move:
        case Turn() | TurnOn(up=False):
            marked.taken[Stock.STOCK] = 1
            marked.onto.add(Pile.WASTE)
        case Redeal():
            marked.taken[Pile.WASTE] = 1
            marked.onto.add(Stock.STOCK)
        case Place(source, column):
            marked.taken[source] = 1
            marked.onto.add(column)
        case Shift(source, column, count):
            marked.taken[source] = count
            marked.onto.add(column)
        case Up(source):
            _raise(view, marked, source)
        case AllUp() | TurnOn():
            for move in view.legal:
                if isinstance(move, Up):
                    _raise(view, marked, move.source)
            if isinstance(view.told.move, TurnOn):
                marked.taken[Stock.STOCK] = 1
    return marked


def _raise(view: View, marked: Marks, source: Pile | int) -> None:
    """Mark a card that goes up, and the foundation that waits for it."""
    card = view.top(source)
    assert card is not None, "a move is told of a card that is there"
    marked.taken[source] = 1
    marked.foundations.add(_foundation_for(view, card))


def _foundation_for(view: View, card: Card) -> int:
    return next(
        place
        for place, (suit, height) in enumerate(zip(SUITS, view.heights, strict=True))
        if suit is card.suit and height < FULL and (view.base - 1 + height) % KING + 1 == card.rank
    )
