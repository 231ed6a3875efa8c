"""What a match of Frogger is made of: its state and its moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeVar

from bot.engine.decktet import DecktetCard, DecktetSuit
from bot.engine.values import frozen

T = TypeVar("T")

FROGS = 6
ACTIONS = 3
HAND_SIZE = 4
MARKET_SIZE = 6
CORRIDOR_BASICS = 8
EVENTS_KEPT = 16

_SUITS = {suit.value: suit for suit in DecktetSuit}
"""Asked for at each symbol that a frog may land on: an enumeration takes five times as long to ask."""


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """A suit symbol of a corridor card; the cards are counted from 0 at the Excuse (F3)."""

    place: int
    letter: str

    @property
    def suit(self) -> DecktetSuit:
        """The suit of the symbol."""
        return _SUITS[self.letter]


@frozen
class Frogs:
    """The six frogs of a seat: how many are on the Excuse and home, and where the others stand.

    ``path`` has the spaces of the frogs on the path, the rearmost first.
    """

    start: int = FROGS
    home: int = 0
    path: tuple[Space, ...] = ()


@frozen
class Play:
    """Play a card for one of its suits and bring a frog forward, None for one on the Excuse (F5)."""

    card: DecktetCard
    suit: DecktetSuit
    frog: Space | None


@frozen
class Back:
    """Move a frog back to a space, None for the Excuse (F7), and take a market card, if any (F8)."""

    frog: Space
    to: Space | None
    take: DecktetCard | None


@frozen
class Take:
    """Take a market card: the whole turn of a blocked player (F11)."""

    card: DecktetCard


@frozen
class EndTurn:
    """End the turn after the first or second action (F4)."""


Move = Play | Back | Take | EndTurn


class Happening(Enum):
    """The kinds of public events."""

    STARTED = "started"
    PLAYED = "played"
    SENT_BACK = "sent back"
    MOVED_BACK = "moved back"
    TOOK = "took"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    REFILLED = "refilled"
    RESHUFFLED = "reshuffled"
    LEFT = "left"
    WON = "won"


@frozen
class Event:
    """Something that all at the table saw: who, which card, and a frog from one space to another.

    ``frog`` is None for one on the Excuse. ``to`` is None for the Excuse of a move back, and for
    home of a card played.
    """

    what: Happening
    seat: int
    card: DecktetCard | None = None
    suit: DecktetSuit | None = None
    frog: Space | None = None
    to: Space | None = None
    count: int = 0


@frozen
class State:
    """A match of Frogger between two moves. Everything by seat stands in seat order.

    ``known`` are the cards of each hand that were taken from the market for all to see (F10).
    ``done`` counts the actions of the turn. ``gone`` are the seats that gave up. ``sent`` counts the
    frogs that each seat sent back to the Excuse. ``events`` are the latest, oldest first.
    """

    seed: bytes = field(repr=False)
    corridor: tuple[DecktetCard, ...]
    frogs: tuple[Frogs, ...]
    hands: tuple[tuple[DecktetCard, ...], ...]
    known: tuple[frozenset[DecktetCard], ...]
    market: tuple[DecktetCard, ...]
    draw: tuple[DecktetCard, ...]
    discards: tuple[DecktetCard, ...]
    turn: int
    done: int = 0
    reshuffles: int = 0
    gone: frozenset[int] = frozenset()
    winner: int | None = None
    sent: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def seats(self) -> int:
        """How many seats the match was dealt for."""
        return len(self.frogs)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not given up."""
        return tuple(seat for seat in range(self.seats) if seat not in self.gone)

    @property
    def taken(self) -> frozenset[Space]:
        """Every space with a frog on it (F3)."""
        return frozenset(space for frogs in self.frogs for space in frogs.path)

    @property
    def hand(self) -> tuple[DecktetCard, ...]:
        """The hand of the seat to move."""
        return self.hands[self.turn]

    @property
    def path(self) -> tuple[Space, ...]:
        """Where the frogs of the seat to move stand on the path."""
        return self.frogs[self.turn].path

    @property
    def blocked(self) -> bool:
        """Whether the seat to move has no card and no frog on the path (F11).

        That is at a turn's start: a turn in which they run out is over.
        """
        return not self.hand and not self.path


def spaces_of(corridor: tuple[DecktetCard, ...], place: int) -> tuple[Space, ...]:
    """Return the spaces of a corridor card: one for each of its suits (F3)."""
    return tuple(Space(place, suit.value) for suit in corridor[place].suits)


def told(state: State, event: Event) -> State:
    """Return the state with one more event; only the latest are kept."""
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:])


def changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])


def without(cards: tuple[DecktetCard, ...], card: DecktetCard) -> tuple[DecktetCard, ...]:
    """Return the cards without one of them."""
    return tuple(other for other in cards if other != card)
