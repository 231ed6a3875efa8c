"""The part of a Frogger match that a viewer may see, and the replay of a finished match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter

from bot.engine.decktet import DecktetCard, DecktetSuit
from bot.engine.frozen import frozen
from bot.engine.game import Outcome, Viewer
from bot.engine.highlights import Highlight, Lookback
from bot.engine.opponent import new_events
from bot.engine.scene import Mark
from bot.engine.translation import N_
from bot.games.frogger.match import outcome, places
from bot.games.frogger.rules import landing_ahead, legal_moves, sent_back
from bot.games.frogger.state import Back, Event, EventType, Frogs, LegalMove, Play, Space, State

_MOVED = (EventType.PLAYED, EventType.MOVED_BACK)


@frozen
class SeatView:
    """The public information about a seat, which all players see.

    Attributes:
        frogs: The positions of the seat's frogs.
        held: The number of cards in the seat's hand.
        known: The cards that all players have seen the seat take (F10).
        gone: Whether the seat gave up.
    """

    frogs: Frogs
    held: int
    known: tuple[DecktetCard, ...]
    gone: bool = False


@frozen
class Landing:
    """The result of playing a card (F5, F6).

    Attributes:
        to: The space that the frog reaches, or None for home.
        sends: The seat and the space of each frog that is sent back.
    """

    to: Space | None
    sends: tuple[tuple[int, Space], ...]


@frozen
class View:
    """The table as one viewer sees it.

    Attributes:
        viewer: The viewer's seat, or None for the public.
        corridor: The twelve corridor cards.
        left: The number of cards in the draw pile.
        discards: The number of cards in the discard pile.
        turn: The seat to move.
        done: The number of actions taken in the current turn.
        blocked: Whether the current player has no card and no frog on the path (F11).
        hand: The viewer's hand in display order, or an empty tuple for the public. Buttons number the
            cards in this order.
        moves: The legal moves that may be offered to the viewer.
        landings: The result of each move in ``moves`` that plays a card.
        events: The latest events, oldest first.
        outcome: The result, or None if the match is not over.
        places: Each seat's final place, or an empty tuple if the match is not over.
        turns_left: The number of turns until the match ends. 0 means no limit.
        history: The events of the whole match, or an empty tuple if it is not over.
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
    moves: tuple[LegalMove, ...]
    landings: tuple[tuple[Play, Landing], ...]
    events: tuple[Event, ...]
    outcome: Outcome | None
    places: tuple[int, ...] = ()
    turns_left: int = 0
    history: tuple[Event, ...] = ()

    @property
    def is_mine(self) -> bool:
        return self.viewer == self.turn and self.outcome is None

    @property
    def new(self) -> tuple[DecktetCard, ...]:
        """The hand cards that the viewer has taken from the market in the current turn."""
        if not (self.is_mine and self.done):
            return ()
        acts = [event for event in self.events if event.seat == self.turn and event.what in _MOVED]
        new_cards = [act.card for act in acts[-self.done :] if act.what is EventType.MOVED_BACK]
        return tuple(card for card in self.hand if card in new_cards)


def sorted_cards(cards: tuple[DecktetCard, ...]) -> tuple[DecktetCard, ...]:
    order = list(DecktetSuit)
    return tuple(sorted(cards, key=lambda card: (card.rank, *map(order.index, card.suits))))


def view(state: State, viewer: Viewer) -> View:
    moves = _offered_moves(state, viewer)
    taken = state.occupied_spaces
    plays = (
        (move, landing_ahead(state.corridor, taken, move.frog, move.suit))
        for move in moves
        if isinstance(move, Play)
    )
    return View(
        viewer=viewer,
        corridor=state.corridor,
        market=state.market,
        left=len(state.draw),
        discards=len(state.discards),
        turn=state.turn,
        done=state.done,
        blocked=state.is_blocked and state.winner is None,
        seats=tuple(_seat(state, seat) for seat in range(state.seats)),
        hand=() if viewer is None else sorted_cards(state.hands[viewer]),
        moves=moves,
        landings=tuple((play, Landing(to, sent_back(state, play.card, to))) for play, to in plays),
        events=state.events,
        outcome=outcome(state),
        places=places(state),
        turns_left=state.turns_left,
        history=() if state.winner is None else state.history,
    )


def _offered_moves(state: State, viewer: Viewer) -> tuple[LegalMove, ...]:
    """Return the legal moves that may be offered to a viewer.

    The current player gets all moves. The public gets the moves that reveal no hand cards. Other players
    get no moves.
    """
    if viewer is not None:
        return legal_moves(state) if viewer == state.turn else ()
    return tuple(move for move in legal_moves(state) if not isinstance(move, Play))


def _seat(state: State, seat: int) -> SeatView:
    known_cards = sorted_cards(tuple(state.known[seat]))
    return SeatView(state.frogs[seat], len(state.hands[seat]), known_cards, seat in state.gone)


HOME = "home"
"""The key for home in the mapping that ``traces`` returns. The key for the Excuse is None."""


def traces(view: View) -> Mapping[Space | str | None, Mark]:
    """Return the highlights to draw on the corridor, by space.

    If it is the viewer's turn, the highlights show the possible moves (F5, F7). Otherwise, they show the
    last move. The key for home is ``HOME``, and the key for the Excuse is None.
    """
    marks: dict[Space | str | None, Mark] = {}
    if view.is_mine:
        for play, landing in view.landings:
            marks |= {play.frog: Mark.MAY_MOVE, landing.to or HOME: Mark.LANDING}
        for move in view.moves:
            if isinstance(move, Back):
                marks[move.frog] = Mark.MAY_MOVE
                if move.to is not None:
                    marks[move.to] = Mark.LANDING
        return marks
    last = next((event for event in reversed(view.events) if event.what in _MOVED), None)
    if last is None:
        return marks
    is_home = last.what is EventType.PLAYED and last.to is None
    return {last.frog: Mark.LEFT, HOME if is_home else last.to: Mark.REACHED}


_MOMENTS = {
    EventType.SENT_BACK: N_("{name}'s frog goes back to the Excuse"),
    EventType.PLAYED: N_("{name} brings frog {n} home"),
    EventType.LEFT: N_("{name} gives up"),
    EventType.WON: N_("{name} wins"),
}


def open_view(state: State) -> View:
    public_view = view(state, None)
    seats = tuple(
        replace(seat, known=sorted_cards(hand))
        for seat, hand in zip(public_view.seats, state.hands, strict=True)
    )
    return replace(public_view, seats=seats)


def moments(before: State, after: State) -> tuple[Highlight, ...]:
    return tuple(
        Highlight(
            _MOMENTS[event.what],
            event.seat,
            after.frogs[event.seat].home,
            weight=9 if event.what is EventType.WON else 1,
        )
        for event in new_events(before.events, after.events)
        if event.what in _MOMENTS and (event.what is not EventType.PLAYED or event.to is None)
    )


LOOKBACK = Lookback(opened=open_view, moments=moments, step=attrgetter("turn"))
