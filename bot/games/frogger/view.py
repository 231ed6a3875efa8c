"""What one viewer of a match of Frogger knows, and nothing more."""

from __future__ import annotations

from bot.engine.decktet import DecktetCard, DecktetSuit
from bot.engine.game import Outcome, Viewer
from bot.engine.values import frozen
from bot.games.frogger.match import outcome
from bot.games.frogger.rules import landing_ahead, legal_moves, sent_back
from bot.games.frogger.state import ACTIONS, Event, Frogs, Move, Play, Space, State


@frozen
class SeatView:
    """A seat as everybody sees it; ``known`` are its cards that all saw it take (F10)."""

    frogs: Frogs
    held: int
    known: tuple[DecktetCard, ...]
    gone: bool = False


@frozen
class Landing:
    """Where a card played brings a frog: a space, or home as None, and whom it sends back (F5, F6)."""

    to: Space | None
    sends: tuple[tuple[int, Space], ...]


@frozen
class View:
    """The table as ``viewer`` sees it.

    ``hand`` is the viewer's own, in the order in which it is shown and its choices are numbered;
    empty for the public. ``moves`` are those of the seat to move which this viewer may be offered,
    with ``landings`` for the cards played. ``left`` counts the draw pile, ``done`` the turn's actions.
    """

    viewer: Viewer
    corridor: tuple[DecktetCard, ...]
    market: tuple[DecktetCard, ...]
    left: int
    discards: int
    turn: int
    done: int
    blocked: bool
    seats: tuple[SeatView, ...]
    hand: tuple[DecktetCard, ...]
    moves: tuple[Move, ...]
    landings: tuple[tuple[Play, Landing], ...]
    events: tuple[Event, ...]
    outcome: Outcome | None

    @property
    def is_mine(self) -> bool:
        """Whether the viewer is the seat that is awaited."""
        return self.viewer == self.turn and self.outcome is None

    @property
    def actions_left(self) -> int:
        """How many actions the turn still has."""
        return ACTIONS - self.done


def sorted_cards(cards: tuple[DecktetCard, ...]) -> tuple[DecktetCard, ...]:
    """Return the cards as a hand is held: by rank, and equal ranks by their suits."""
    order = list(DecktetSuit)
    return tuple(sorted(cards, key=lambda card: (card.rank, *map(order.index, card.suits))))


def view(state: State, viewer: Viewer) -> View:
    """Return what the viewer knows: the table, cards taken in sight of all, and the own hand."""
    moves = _offered(state, viewer)
    plays, taken = [move for move in moves if isinstance(move, Play)], state.taken
    return View(
        viewer=viewer,
        corridor=state.corridor,
        market=state.market,
        left=len(state.draw),
        discards=len(state.discards),
        turn=state.turn,
        done=state.done,
        blocked=state.blocked and state.winner is None,
        seats=tuple(_seat(state, seat) for seat in range(state.seats)),
        hand=() if viewer is None else sorted_cards(state.hands[viewer]),
        moves=moves,
        landings=tuple((play, _landing(state, taken, play)) for play in plays),
        events=state.events,
        outcome=outcome(state),
    )


def _offered(state: State, viewer: Viewer) -> tuple[Move, ...]:
    """Return the moves to offer: to the seat to move all, to the public all but the hand's cards."""
    if viewer is not None:
        return legal_moves(state) if viewer == state.turn else ()
    return tuple(move for move in legal_moves(state) if not isinstance(move, Play))


def _landing(state: State, taken: frozenset[Space], play: Play) -> Landing:
    to = landing_ahead(state.corridor, taken, play.frog, play.suit)
    return Landing(to, sent_back(state, play.card, to))


def _seat(state: State, seat: int) -> SeatView:
    known = sorted_cards(tuple(state.known[seat]))
    return SeatView(state.frogs[seat], len(state.hands[seat]), known, seat in state.gone)
