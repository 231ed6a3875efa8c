"""What can be seen of a deal of American Toad: all but the stock and the covered reserve."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.cards import KING, Card, Suit
from bot.engine.game import Outcome, Viewer
from bot.games.american_toad.rules import can_finish, is_stuck, legal_moves
from bot.games.american_toad.state import SUITS, AllUp, CardMove, Move, Pile, Position, State


@dataclass(frozen=True, slots=True)
class View:
    """A deal as everybody sees it; ``viewer`` tells the player, seat 0, from those who watch.

    ``reserve``, ``waste`` and each column give what lies open, the top card last; of reserve and
    stock there is only the number of cards. ``moves`` are the legal ones; ``moving`` is the card
    that each of them moves first, where it moves one.
    """

    viewer: Viewer
    number: int
    base: int
    heights: tuple[int, ...]
    foundations: tuple[Card | None, ...]
    reserve: Card | None
    reserve_left: int
    columns: tuple[tuple[Card, ...], ...]
    stock_left: int
    waste: Card | None
    waste_left: int
    redeal_left: bool
    legal: tuple[Move, ...]
    made: int
    undos: int
    up: int
    last: CardMove | AllUp | None
    won: bool
    stuck: bool
    given_up: bool
    can_finish: bool

    def top(self, source: Pile | int) -> Card | None:
        """Return the open card of a pile or a column."""
        if source is Pile.WASTE:
            return self.waste
        if source is Pile.RESERVE:
            return self.reserve
        return self.columns[source][-1] if self.columns[source] else None

    @property
    def is_over(self) -> bool:
        """Whether the deal was won or given up."""
        return self.won or self.given_up


def _foundation(suit: Suit, height: int, base: int) -> Card | None:
    """Return the top card of a foundation (A2)."""
    return Card((base - 2 + height) % KING + 1, suit) if height else None


def outcome(state: State) -> Outcome | None:
    """Return how the deal ended: won, or given up and so lost (A11)."""
    if state.position.is_won:
        return Outcome((0,))
    return Outcome(()) if state.given_up else None


def view(state: State, viewer: Viewer) -> View:
    """Return what can be seen, the same for all but for who may move."""
    position: Position = state.position
    return View(
        viewer=viewer,
        number=state.number,
        base=position.base,
        heights=position.heights,
        foundations=tuple(map(_foundation, SUITS, position.heights, [position.base] * len(SUITS))),
        reserve=position.reserve[-1] if position.reserve else None,
        reserve_left=len(position.reserve),
        columns=position.columns,
        stock_left=len(position.stock),
        waste=position.waste[-1] if position.waste else None,
        waste_left=len(position.waste),
        redeal_left=position.redeal_left,
        legal=legal_moves(state),
        made=state.moves,
        undos=state.undos,
        up=sum(position.heights),
        last=position.last,
        won=position.is_won,
        stuck=is_stuck(position),
        given_up=state.given_up,
        can_finish=can_finish(position),
    )
