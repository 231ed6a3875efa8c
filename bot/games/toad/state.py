"""What a match of Toad is made of: state, spots of cards (T8, T14), moves and their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from enum import Enum

from bot.engine.cards import JACK, Card, card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.immutable import frozen
from bot.engine.words import _

STOCK_SIZE = 4
HAND_SIZE = 2
GOAL = 10
EVENTS_KEPT = 96
"""What a table of six, or one who waits in safety, may have missed since a turn of their own."""


class Phase(Enum):
    """The step that is awaited. The first three are the steps of a turn (T4), ``TURN``."""

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
    """Take the top of the draw pile."""


@frozen
class TakeDiscard:
    """Take the top of the discard pile."""


@frozen
class TakeNothing:
    """Go on to the discard without a card."""


@frozen
class Discard:
    """Lay a card of the hand face up on the discard pile."""

    card: Card


@frozen
class EndTurn:
    """End the turn without a claim; what was not taken or discarded by then is not."""


@frozen
class Pass:
    """End a turn that ran out of time, without a claim: the clock's move, nobody's choice."""


@frozen
class Declare:
    """End the turn by declaring toad."""


@frozen
class Deal:
    """Deal the next round."""


Move = TakeStock | Draw | TakeDiscard | TakeNothing | Discard | EndTurn | Pass | Declare | Deal


class Happening(Enum):
    """The kinds of public events."""

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
    """Something that all at the table saw: who, and the cards that they saw with it.

    ``by`` is whose discard a toad was made with.
    """

    what: Happening
    seat: int
    cards: tuple[Card, ...] = ()
    count: int = 0
    by: int | None = None


@frozen
class Tally:
    """What is counted for a seat over a match.

    ``quickest`` is in how many turns its quickest toad came, 0 without one; ``comebacks`` is 1 for who
    won on the last life of several.
    """

    toads: int = 0
    maximus: int = 0
    survived: int = 0
    pot: int = 0
    quickest: int = 0
    comebacks: int = 0


@frozen
class State:
    """A match of Toad between two moves. Everything by seat stands in seat order.

    ``turn`` is the seat that is awaited. ``before`` is hand, stock and discard pile as the turn
    found them (T6). ``shown`` are the cards of each hand that lie open since a false claim (T10).
    ``passed`` are the seats that passed in a row (T13). ``events`` are the latest, oldest first.
    ``counts``: the table counts the spots of a hand for who holds it. ``is_decided``: somebody has lost
    a life by play. ``history`` are the events of the whole match by which its end can be told, without
    their cards; ``turns`` counts the turns that each seat has begun in the round.
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


def told(state: State, event: Event) -> State:
    """Return the state with one more event; only the latest are kept, and those of the history."""
    history = state.history
    if event.what in _LASTING:
        history = (*history, replace(event, cards=()))
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:], history=history)


COURT_SPOTS = 2


def spots(card: Card) -> int:
    """Return a card's spots: Ace 1, two to ten their number, Jack, Queen and King 2 each (T8)."""
    return COURT_SPOTS if card.rank >= JACK else card.rank


def count_spots(cards: Iterable[Card]) -> tuple[int, int]:
    """Return the red and the black spots of some cards (T8)."""
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
    """Return whether the hand is a red ten and a black ten and nothing else (T14)."""
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
    """Return the move that the text writes, or raise UnreadableMoveError."""
    verb, _space, rest = text.partition(" ")
    card = card_of(rest) if verb == "discard" else None
    move = Discard(card) if card else _PLAIN.get(text)
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Toad.").format(text=text[:40]))
    return move
