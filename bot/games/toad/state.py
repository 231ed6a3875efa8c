"""State and moves of Toad, the text notation of moves, and the counting of spots (T8, T14)."""

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
"""The maximum number of recent events in a state.

A safe player takes no turns until the next deal. Even at a table of six, 96 events are enough to show
such a player everything since their last turn.
"""


class Phase(Enum):
    """The step of the match that comes next. ``TURN`` lists the three steps of a turn (T4)."""

    TAKE = "take"
    DISCARD = "discard"
    CLAIM = "claim"
    DEAL = "deal"
    OVER = "over"


TURN = (Phase.TAKE, Phase.DISCARD, Phase.CLAIM)


@frozen
class TakeStock:
    """Take one of the four face-up stock cards.

    Attributes:
        place: The index of the card, from 0 to 3.
    """

    place: int


@frozen
class Draw:
    """Take the top card of the draw pile."""


@frozen
class TakeDiscard:
    """Take the top card of the discard pile."""


@frozen
class TakeNothing:
    """Skip taking a card and continue with the discard step."""


@frozen
class Discard:
    """Put a card from the hand face up on the discard pile."""

    card: Card


@frozen
class EndTurn:
    """End the turn without claiming a toad. Any remaining steps are skipped."""


@frozen
class Pass:
    """End the turn without a claim because its time ran out. Only the clock can make this move."""


@frozen
class Declare:
    """End the turn by claiming that the hand is a toad."""


@frozen
class Deal:
    """Deal the next round."""


Move = TakeStock | Draw | TakeDiscard | TakeNothing | Discard | EndTurn | Pass | Declare | Deal


class EventType(Enum):
    """The type of an event that all players see."""

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
        seat: The index of the player that the event is about.
        cards: The cards that the event revealed.
        count: A number that depends on the type, such as the round, the remaining lives or the turns.
        by: The seat that discarded the card with which ``seat`` completed a toad, or None.
    """

    what: EventType
    seat: int
    cards: tuple[Card, ...] = ()
    count: int = 0
    by: int | None = None


@frozen
class Tally:
    """A seat's statistics for a match.

    Attributes:
        maximus: The number of toads that were a Toadus Maximus (T14).
        survived: The number of rounds that the seat survived.
        pot: The number of lives that the seat collected from the pot.
        quickest: The number of turns needed for the quickest toad, or 0 if there was none.
        comebacks: 1 if the seat won with one life left and started with more, otherwise 0.
    """

    toads: int = 0
    maximus: int = 0
    survived: int = 0
    pot: int = 0
    quickest: int = 0
    comebacks: int = 0


@frozen
class State:
    """The state of a Toad match between two moves. Tuples with one item per seat are indexed by seat.

    Attributes:
        full: The number of lives that each seat starts with.
        lives: Each seat's remaining lives.
        dealer: The seat that dealt the current round.
        turn: The seat to move.
        pot: The number of lives in the pot.
        round: The round number, starting at 1.
        reshuffles: The number of times the discards were reshuffled in this round.
        phase: The next step.
        shown: Each seat's cards that a claim has revealed (T10, T11).
        safe: The seats that are safe in this round because they had a toad (T11).
        passed: The seats that have passed in an unbroken row (T13).
        stock: The stock cards, with None for an empty place.
        draw: The draw pile. Its top card comes first.
        discards: The discard pile. Its top card comes last.
        before: The hand, the stock and the discard pile at the start of the turn. A turn that changes
            none of them is a pass (T6).
        events: The latest events, oldest first.
        counts: Whether the bot counts the spots in a hand for its player.
        is_decided: Whether any player has lost a life at the end of a round.
        history: The events of the whole match that the final summary needs, without their cards.
        turns: The number of turns that each seat has started in this round.
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
    EventType.DEALT,
    EventType.TOAD,
    EventType.MAXIMUS,
    EventType.LIFE_BACK,
    EventType.LOST_LIFE,
    EventType.ELIMINATED,
    EventType.LEFT,
}


def add_event(state: State, event: Event) -> State:
    """Return the state with an event appended.

    ``events`` keeps only the latest ``EVENTS_KEPT`` events. ``history`` keeps the important events of
    the whole match.
    """
    history = state.history
    if event.what in _LASTING:
        history = (*history, replace(event, cards=()))
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:], history=history)


COURT_SPOTS = 2


def spots(card: Card) -> int:
    """Return the number of spots on a card (T8).

    An Ace has 1 spot, and a Jack, Queen or King has 2. Any other card has as many spots as its number.
    """
    return COURT_SPOTS if card.rank >= JACK else card.rank


def count_spots(cards: Iterable[Card]) -> tuple[int, int]:
    """Return the number of red spots and the number of black spots on the cards (T8)."""
    red = black = 0
    for card in cards:
        if card.suit.is_red:
            red += spots(card)
        else:
            black += spots(card)
    return red, black


def is_toad(hand: Iterable[Card]) -> bool:
    """Return whether the whole hand has exactly 10 red and exactly 10 black spots (T8)."""
    return count_spots(hand) == (GOAL, GOAL)


def is_maximus(hand: Sequence[Card]) -> bool:
    """Return whether the hand is a Toadus Maximus: only a red ten and a black ten (T14)."""
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
    """Parse a move from its text notation.

    Raises:
        UnreadableMoveError: The text is not a move of Toad.
    """
    verb, _space, rest = text.partition(" ")
    card = card_of(rest) if verb == "discard" else None
    move = Discard(card) if card else _PLAIN.get(text)
    if move is None:
        raise UnreadableMoveError(_("“{text}” isn't a move in Toad.").format(text=text[:40]))
    return move
