"""The part of a Toad match that a viewer may see, and the replay of a finished match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from bot.engine.cards import Card
from bot.engine.frozen import frozen
from bot.engine.game import Outcome, Viewer
from bot.engine.highlights import Highlight, Lookback
from bot.engine.opponent import new_events
from bot.engine.translation import N_
from bot.games.toad.match import outcome, places
from bot.games.toad.rules import can_draw
from bot.games.toad.state import TURN, Event, EventType, Phase, State


@frozen
class SeatView:
    """The public information about a seat, which all players see.

    After a round, all hands are face up until the next deal. This includes the hands of seats that lost
    their last life in that round (T12).

    Attributes:
        lives: The seat's remaining lives.
        held: The number of cards in the seat's hand.
        shown: The seat's face-up cards (T10, T11).
        safe: Whether the seat is safe in this round.
    """

    lives: int
    held: int
    shown: tuple[Card, ...]
    safe: bool = False

    @property
    def is_out(self) -> bool:
        """True if the seat has no lives left (T15)."""
        return not self.lives


@frozen
class View:
    """The table as one viewer sees it.

    Attributes:
        viewer: The viewer's seat, or None for the public.
        full: The number of lives that each seat starts with.
        round: The round number, starting at 1.
        pot: The number of lives in the pot.
        phase: The next step.
        turn: The seat to move.
        dealer: The seat that dealt the current round.
        stock: The stock cards, with None for an empty place.
        draw_left: The number of cards in the draw pile.
        can_draw: Whether a card can be drawn, possibly after a reshuffle.
        discards: The number of cards in the discard pile.
        discard: The discard pile's top card, or None if the pile is empty.
        hand: The viewer's hand in display order, or an empty tuple for the public. Buttons number the
            cards in this order.
        events: The latest events, oldest first.
        outcome: The result, or None if the match is not over.
        lost: The seats that have lost a life since the last deal.
        counts: Whether the bot counts the spots in a hand for its player.
        new: The card that the viewer has taken in the current turn, or None.
        places: Each seat's final place, or an empty tuple if the match is not over.
        history: The events of the whole match, or an empty tuple if it is not over.
    """

    viewer: Viewer
    full: int
    round: int
    pot: int
    phase: Phase
    turn: int
    dealer: int
    stock: tuple[Card | None, ...]
    draw_left: int
    can_draw: bool
    discards: int
    discard: Card | None
    seats: tuple[SeatView, ...]
    hand: tuple[Card, ...]
    events: tuple[Event, ...]
    outcome: Outcome | None
    lost: tuple[int, ...] = ()
    counts: bool = True
    new: Card | None = None
    places: tuple[int, ...] = ()
    history: tuple[Event, ...] = ()

    @property
    def round_events(self) -> tuple[Event, ...]:
        return since_deal(self.events)

    @property
    def is_mine(self) -> bool:
        return self.viewer == self.turn and self.phase is not Phase.OVER


def since_deal(events: Sequence[Event]) -> tuple[Event, ...]:
    dealt = (place for place in reversed(range(len(events))) if events[place].what is EventType.DEALT)
    return tuple(events[next(dealt, -1) + 1 :])


CLAIMS = (EventType.FALSE_CLAIM, EventType.TOAD, EventType.MAXIMUS)


def claim(events: Sequence[Event]) -> Event | None:
    """Return the event of the last move if that move claimed a toad, or None otherwise."""
    claims = [event for event in events[-2:] if event.what in CLAIMS]  # a life won back may follow
    return claims[-1] if claims and events[-1].what in (*CLAIMS, EventType.LIFE_BACK) else None


def last_hands(view: View) -> dict[int, tuple[Card, ...]]:
    seats = enumerate(view.seats)
    return {
        seat: seat_view.shown for seat, seat_view in seats if not seat_view.is_out or seat in view.lost
    }


def sorted_hand(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards in display order.

    Red cards come first. Cards of the same colour are sorted by suit, and then from low to high.
    """
    return tuple(sorted(cards, key=lambda card: (not card.suit.is_red, card.suit.letter, card.rank)))


def view(state: State, viewer: Viewer) -> View:
    lost = _losers(state)
    return View(
        viewer=viewer,
        full=state.full,
        round=state.round,
        pot=state.pot,
        phase=state.phase,
        turn=state.turn,
        dealer=state.dealer,
        stock=state.stock,
        draw_left=len(state.draw),
        can_draw=can_draw(state),
        discards=len(state.discards),
        discard=state.discards[-1] if state.discards else None,
        seats=tuple(_seat(state, seat, lost) for seat in range(state.seats)),
        hand=() if viewer is None else sorted_hand(state.hands[viewer]),
        events=state.events,
        outcome=outcome(state),
        lost=lost,
        counts=state.counts,
        new=_new(state, viewer),
        places=places(state),
        history=state.history if state.phase is Phase.OVER else (),
    )


def _new(state: State, viewer: Viewer) -> Card | None:
    if viewer != state.turn or state.phase not in TURN:
        return None
    return next((card for card in state.hands[viewer] if card not in state.before[0]), None)


def _seat(state: State, seat: int, lost: tuple[int, ...]) -> SeatView:
    if not state.lives[seat] and seat not in lost:
        return SeatView(0, 0, ())
    hand, is_over = state.hands[seat], state.phase not in TURN
    return SeatView(
        lives=state.lives[seat],
        held=len(hand),
        shown=sorted_hand(tuple(card for card in hand if is_over or card in state.shown[seat])),
        safe=seat in state.safe,
    )


def _losers(state: State) -> tuple[int, ...]:
    """Return the seats that have lost a life since the last deal."""
    events = since_deal(state.events)
    return tuple(sorted({event.seat for event in events if event.what is EventType.LOST_LIFE}))


_MOMENTS = {
    EventType.TOAD: N_("{name} has the first toad"),
    EventType.MAXIMUS: N_("{name} has Toadus Maximus"),
    EventType.FALSE_CLAIM: N_("{name} says ribit but has no toad"),
    EventType.LOST_LIFE: N_("{name} loses a life"),
    EventType.ELIMINATED: N_("{name} is out"),
    EventType.LEFT: N_("{name} gives up"),
    EventType.WON: N_("{name} wins the match"),
}
_WEIGHTS = {
    EventType.MAXIMUS: 9,
    EventType.WON: 9,
    EventType.ELIMINATED: 3,
    EventType.LOST_LIFE: 3,
    EventType.LEFT: 3,
}


def open_view(state: State) -> View:
    public_view = view(state, None)
    seats = tuple(
        seat if seat.is_out else replace(seat, shown=sorted_hand(hand))
        for seat, hand in zip(public_view.seats, state.hands, strict=True)
    )
    return replace(public_view, seats=seats)


def moments(before: State, after: State) -> tuple[Highlight, ...]:
    return tuple(
        Highlight(_MOMENTS[event.what], event.seat, weight=_WEIGHTS.get(event.what, 1))
        for event in new_events(before.events, after.events)
        if event.what in _MOMENTS and not (event.what is EventType.TOAD and before.safe)
    )


def visible_events(before: State, after: State) -> tuple[Event, ...]:
    return tuple(
        replace(event, cards=tuple(set(after.hands[event.seat]) - set(before.hands[event.seat])))
        if event.what is EventType.DREW
        else event
        for event in new_events(before.events, after.events)
    )


LOOKBACK = Lookback(
    opened=open_view,
    moments=moments,
    happened=visible_events,
    round=attrgetter("round"),
    step=lambda state: (state.turn, state.phase in TURN),
)
