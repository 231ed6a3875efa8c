"""The state of a match of Frogger, and moves with their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum

from bot.engine.decktet import DecktetCard, DecktetSuit, decktet_card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.translation import _

FROGS = 6
ACTIONS = 3
HAND_SIZE = 4
MARKET_SIZE = 6
CORRIDOR_BASICS = 8
EVENTS_KEPT = 96
"""The number of events kept, enough to cover the time since a player's last turn at a full table."""

_SUITS = {suit.value: suit for suit in DecktetSuit}
"""Suits by letter. A lookup in the enumeration takes five times as long."""


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """A suit symbol of a corridor card. Cards are counted from 0 at the Excuse (F3)."""

    place: int
    letter: str

    @property
    def suit(self) -> DecktetSuit:
        return _SUITS[self.letter]


@frozen
class Frogs:
    """The six frogs of a seat.

    Attributes:
        start: The number of frogs on the Excuse.
        home: The number of frogs at home.
        path: The spaces of the others, beginning with the rearmost.
    """

    start: int = FROGS
    home: int = 0
    path: tuple[Space, ...] = ()


@frozen
class Play:
    """Play a card for one of its suits and move a frog forward, from the Excuse if it is None (F5)."""

    card: DecktetCard
    suit: DecktetSuit
    frog: Space | None


@frozen
class Back:
    """Move a frog back to a space, or to the Excuse if it is None (F7), and take a market card (F8)."""

    frog: Space
    to: Space | None
    take: DecktetCard | None


@frozen
class Take:
    """Take a market card, as the whole turn of a blocked player (F11)."""

    card: DecktetCard


@frozen
class EndTurn:
    """End the turn after the first or second action (F4)."""


@frozen
class Pass:
    """End a turn that ran out of time. Only the clock can make this move (F15)."""


LegalMove = Play | Back | Take | EndTurn
Move = LegalMove | Pass


class Happening(Enum):
    """The types of public events."""

    STARTED = "started"
    PLAYED = "played"
    SENT_BACK = "sent back"
    MOVED_BACK = "moved back"
    TOOK = "took"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    RAN_OUT = "ran out"
    STOOD_IN = "stood in"
    REFILLED = "refilled"
    RESHUFFLED = "reshuffled"
    LEFT = "left"
    WON = "won"


@frozen
class Event:
    """An event that all players at the table saw.

    Attributes:
        what: The type of event.
        seat: The seat concerned.
        card: The card played or taken, or None.
        frog: The space that a frog left, or None for the Excuse.
        to: The space that a frog reached. None is the Excuse after a move back, and home after a card.
        count: A number of actions or cards.
        by: The seat that sent a frog back, or None.
    """

    what: Happening
    seat: int
    card: DecktetCard | None = None
    frog: Space | None = None
    to: Space | None = None
    count: int = 0
    by: int | None = None


@frozen
class State:
    """A match of Frogger between two moves. Tuples by seat are in seat order.

    Attributes:
        corridor: The twelve cards of the corridor.
        known: The cards of each hand that were taken from the market in view of all players (F10).
        draw: The draw pile, with its top card first.
        turn: The seat to move.
        done: The number of actions taken in the turn.
        gone: The seats that gave up.
        winner: The winning seat, or None.
        turns_left: The number of turns until the match ends, or 0 without a limit.
        sent: The number of frogs that each seat sent back to the Excuse.
        events: The latest events, oldest first.
        history: The events of the whole match needed to describe its end, without cards.
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
    turns_left: int = 0
    sent: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    history: tuple[Event, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.frogs)

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.gone)

    @property
    def taken(self) -> frozenset[Space]:
        """The spaces with a frog (F3)."""
        return frozenset(space for frogs in self.frogs for space in frogs.path)

    @property
    def hand(self) -> tuple[DecktetCard, ...]:
        return self.hands[self.turn]

    @property
    def path(self) -> tuple[Space, ...]:
        return self.frogs[self.turn].path

    @property
    def is_blocked(self) -> bool:
        """True if the seat to move has no card and no frog on the path (F11)."""
        return not self.hand and not self.path


def spaces_of(corridor: tuple[DecktetCard, ...], place: int) -> tuple[Space, ...]:
    """Return the spaces of a corridor card, one for each of its suits (F3)."""
    return tuple(Space(place, suit.value) for suit in corridor[place].suits)


def add_event(state: State, event: Event) -> State:
    """Return the state with one more event. Old events are dropped, except from the history."""
    is_home, history = event.what is Happening.PLAYED and event.to is None, state.history
    if is_home or event.what in (Happening.SENT_BACK, Happening.LEFT):
        history = (*history, replace(event, card=None))
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:], history=history)


def remove_card(cards: tuple[DecktetCard, ...], card: DecktetCard) -> tuple[DecktetCard, ...]:
    return tuple(other for other in cards if other != card)


_CARD, _SPACE = r"[A-Z0-9]{2,4}", r"start|[1-9][0-9]?[MSWLYK]"
_PLAY = re.compile(rf"play (?P<card>{_CARD}) (?P<suit>[MSWLYK]) from (?P<frog>{_SPACE})")
_BACK = re.compile(rf"back (?P<frog>{_SPACE}) to (?P<to>{_SPACE})( take (?P<card>{_CARD}))?")
_TAKE = re.compile(rf"take (?P<card>{_CARD})")
_PLAIN: dict[str, Move] = {"end": EndTurn(), "pass": Pass()}
_PLAIN_TEXT = {move: text for text, move in _PLAIN.items()}


def write(move: Move) -> str:
    match move:
        case Play(card, suit, frog):
            return f"play {card.code} {suit.value} from {_name(frog)}"
        case Back(frog, to, card):
            taken = "" if card is None else f" take {card.code}"
            return f"back {_name(frog)} to {_name(to)}{taken}"
        case Take(card):
            return f"take {card.code}"
        case _:
            return _PLAIN_TEXT[move]


def read(text: str, _state: State) -> Move:
    """Return the move that a text names, or raise UnreadableMoveError."""
    found = next(filter(None, (each.fullmatch(text) for each in (_PLAY, _BACK, _TAKE))), None)
    move = _PLAIN.get(text) if found is None else _move(**found.groupdict())
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Frogger.").format(text=text[:40]))
    return move


def _move(
    card: str | None, frog: str | None = None, suit: str | None = None, to: str | None = None
) -> Move | None:
    """Return the move for the parts of a text, or None if they do not fit together."""
    played, moved = decktet_card_of(card or ""), _space(frog)
    if to is not None:
        return Back(moved, _space(to), played) if moved and bool(card) == bool(played) else None
    if played is None:
        return None
    return Take(played) if suit is None else Play(played, DecktetSuit(suit), moved)


def _name(space: Space | None) -> str:
    return "start" if space is None else f"{space.place + 1}{space.letter}"


def _space(name: str | None) -> Space | None:
    return None if name is None or name == "start" else Space(int(name[:-1]) - 1, name[-1])
