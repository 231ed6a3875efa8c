"""The state of a match of Toad, spots (T8, T14), and moves with their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from enum import Enum

from bot.engine.cards import JACK, Card, card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.translation import _

STOCK_SIZE = 4
HAND_SIZE = 2
GOAL = 10
EVENTS_KEPT = 96
"""The number of events kept, enough for a safe player at a table of six since the last turn."""


class Phase(Enum):
    """The step that comes next. The first three are the steps of a turn (T4), ``TURN``."""

    TAKE = "take"
    DISCARD = "discard"
    CLAIM = "claim"
    DEAL = "deal"
    OVER = "over"


TURN = (Phase.TAKE, Phase.DISCARD, Phase.CLAIM)


@frozen
class TakeStock:
    """Take the stock card at a place from 0 to 3."""

    place: int


@frozen
class Draw:
    """Take the top card of the draw pile."""


@frozen
class TakeDiscard:
    """Take the top card of the discard pile."""


@frozen
class TakeNothing:
    """Go on to the discard without taking a card."""


@frozen
class Discard:
    """Put a card of the hand face up on the discard pile."""

    card: Card


@frozen
class EndTurn:
    """End the turn without a claim, and skip any remaining steps."""


@frozen
class Pass:
    """End a turn that ran out of time, without a claim. Only the clock can make this move."""


@frozen
class Declare:
    """End the turn by declaring toad."""


@frozen
class Deal:
    """Deal the next round."""


Move = TakeStock | Draw | TakeDiscard | TakeNothing | Discard | EndTurn | Pass | Declare | Deal


class Happening(Enum):
    """The types of public events."""

    DEALT = "dealt"
    TOOK = "took"
    DREW = "drew"
    TOOK_DISCARD = "took discard"
    DISCARDED = "discarded"
    RESHUFFLED = "reshuffled"
    RAN_OUT = "ran out"
    STOOD_IN = "stood in"
    ENDED = "ended"
    PASSED = "passed"
    FALSE_CLAIM = "false claim"
    TOAD = "toad"
    MAXIMUS = "maximus"
    LIFE_BACK = "life back"
    LAST_ONE = "last one"
    ALL_PASSED = "all passed"
    LOST_LIFE = "lost life"
    ELIMINATED = "eliminated"
    LEFT = "left"
    SPARED = "spared"
    WON = "won"
    DRAWN = "drawn"


@frozen
class Event:
    """An event that all players at the table saw.

    Attributes:
        what: The type of event.
        seat: The seat concerned.
        cards: The cards shown.
        count: A number, such as that of the round, of lives or of turns.
        by: The seat whose discard completed a toad, or None.
    """

    what: Happening
    seat: int
    cards: tuple[Card, ...] = ()
    count: int = 0
    by: int | None = None


@frozen
class Tally:
    """A seat's statistics for a match.

    Attributes:
        maximus: The number of those that were Toadus Maximus.
        survived: The number of rounds survived.
        pot: The lives collected from the pot.
        quickest: The number of turns of the quickest toad, or 0 if there was none.
        comebacks: 1 for a win on the last of several lives, otherwise 0.
    """

    toads: int = 0
    maximus: int = 0
    survived: int = 0
    pot: int = 0
    quickest: int = 0
    comebacks: int = 0


@frozen
class State:
    """A match of Toad between two moves. Tuples by seat are in seat order.

    Attributes:
        full: The lives at the start.
        lives: The lives of each seat.
        dealer: The dealer of the round.
        turn: The seat to move.
        pot: The lives in the pot.
        round: The number of the round, from 1.
        reshuffles: The number of reshuffles in the round.
        phase: The step that comes next.
        shown: The open cards of each hand, after a claim (T10, T11).
        passed: The seats that passed in a row (T13).
        stock: The stock, with None for a gap.
        draw: The draw pile, with its top card first.
        discards: The discard pile, with its top card last.
        before: The hand, the stock and the discard pile at the start of the turn (T6).
        events: The latest events, oldest first.
        counts: Whether the table counts the spots of a hand for its player.
        is_decided: Whether a player has lost a life by play.
        history: The events of the whole match needed to describe its end, without cards.
        turns: The number of turns that each seat has begun in the round.
    """

    seed: bytes = field(repr=False)
    full: int
    lives: tuple[int, ...]
    dealer: int
    turn: int
    tallies: tuple[Tally, ...]
    pot: int = 0
    round: int = 0
    reshuffles: int = 0
    phase: Phase = Phase.DEAL
    hands: tuple[tuple[Card, ...], ...] = ()
    shown: tuple[frozenset[Card], ...] = ()
    safe: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    stock: tuple[Card | None, ...] = ()
    draw: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    before: tuple[frozenset[Card], tuple[Card | None, ...], tuple[Card, ...]] = (frozenset(), (), ())
    events: tuple[Event, ...] = ()
    counts: bool = True
    is_decided: bool = False
    history: tuple[Event, ...] = ()
    turns: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.lives)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that still have lives (T15)."""
        return tuple(seat for seat, lives in enumerate(self.lives) if lives)

    @property
    def unsafe(self) -> tuple[int, ...]:
        """The seats that still play this round (T11)."""
        return tuple(seat for seat in self.playing if seat not in self.safe)


_LASTING = {
    Happening.DEALT,
    Happening.TOAD,
    Happening.MAXIMUS,
    Happening.LIFE_BACK,
    Happening.LOST_LIFE,
    Happening.ELIMINATED,
    Happening.LEFT,
}


def add_event(state: State, event: Event) -> State:
    """Return the state with one more event. Old events are dropped, except from the history."""
    history = state.history
    if event.what in _LASTING:
        history = (*history, replace(event, cards=()))
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:], history=history)


COURT_SPOTS = 2


def spots(card: Card) -> int:
    """Return a card's spots, which are 1 for an Ace, 2 for a court card, or its number (T8)."""
    return COURT_SPOTS if card.rank >= JACK else card.rank


def count_spots(cards: Iterable[Card]) -> tuple[int, int]:
    """Return the red and the black spots of cards (T8)."""
    red = black = 0
    for card in cards:
        if card.suit.is_red:
            red += spots(card)
        else:
            black += spots(card)
    return red, black


def is_toad(hand: Iterable[Card]) -> bool:
    """Return whether the whole hand totals exactly 10 red and exactly 10 black spots (T8)."""
    return count_spots(hand) == (GOAL, GOAL)


def is_maximus(hand: Sequence[Card]) -> bool:
    """Return whether the hand consists of a red ten and a black ten only (T14)."""
    return len(hand) == HAND_SIZE and all(spots(card) == GOAL for card in hand) and is_toad(hand)


_PLAIN: dict[str, Move] = {
    "draw": Draw(),
    "take discard": TakeDiscard(),
    "take nothing": TakeNothing(),
    "end": EndTurn(),
    "pass": Pass(),
    "ribit": Declare(),
    "deal": Deal(),
    **{f"take {place + 1}": TakeStock(place) for place in range(STOCK_SIZE)},
}
_PLAIN_TEXT = {move: text for text, move in _PLAIN.items()}


def write(move: Move) -> str:
    return f"discard {move.card.code}" if isinstance(move, Discard) else _PLAIN_TEXT[move]


def read(text: str, _state: State) -> Move:
    """Return the move that a text names, or raise UnreadableMoveError."""
    verb, _space, rest = text.partition(" ")
    card = card_of(rest) if verb == "discard" else None
    move = Discard(card) if card else _PLAIN.get(text)
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Toad.").format(text=text[:40]))
    return move
