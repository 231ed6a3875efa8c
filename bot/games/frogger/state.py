"""What a match of Frogger is made of: its state, its moves and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum

from bot.engine.decktet import DecktetCard, DecktetSuit, decktet_card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.immutable import frozen
from bot.engine.words import _

FROGS = 6
ACTIONS = 3
HAND_SIZE = 4
MARKET_SIZE = 6
CORRIDOR_BASICS = 8
EVENTS_KEPT = 96
"""What a table of six, or one who waits in safety, may have missed since a turn of their own."""

_SUITS = {suit.value: suit for suit in DecktetSuit}
"""Asked for at each symbol that a frog may land on: an enumeration takes five times as long to ask."""


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """A suit symbol of a corridor card; the cards are counted from 0 at the Excuse (F3)."""

    place: int
    letter: str

    @property
    def suit(self) -> DecktetSuit:
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


@frozen
class Pass:
    """End a turn that ran out of time, whatever was done: the clock's move, nobody's choice (F15)."""


LegalMove = Play | Back | Take | EndTurn
Move = LegalMove | Pass


class Happening(Enum):
    """The kinds of public events."""

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
    """Something that all at the table saw: who, which card, and a frog from one space to another.

    ``frog`` is None for one on the Excuse. ``to`` is None for the Excuse of a move back, and for
    home of a card played. ``by`` is who sent a frog back.
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
    """A match of Frogger between two moves. Everything by seat stands in seat order.

    ``known`` are the cards of each hand that were taken from the market for all to see (F10).
    ``done`` counts the actions of the turn. ``gone`` are the seats that gave up. ``sent`` counts the
    frogs that each seat sent back to the Excuse. ``events`` are the latest, oldest first; ``history``
    are those of the whole match by which its end can be told, without their cards.
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
    history: tuple[Event, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.frogs)

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.gone)

    @property
    def taken(self) -> frozenset[Space]:
        """Every space with a frog on it (F3)."""
        return frozenset(space for frogs in self.frogs for space in frogs.path)

    @property
    def hand(self) -> tuple[DecktetCard, ...]:
        return self.hands[self.turn]

    @property
    def path(self) -> tuple[Space, ...]:
        return self.frogs[self.turn].path

    @property
    def blocked(self) -> bool:
        """Whether the seat to move begins its turn with no card and no frog on the path (F11)."""
        return not self.hand and not self.path


def spaces_of(corridor: tuple[DecktetCard, ...], place: int) -> tuple[Space, ...]:
    """Return the spaces of a corridor card: one for each of its suits (F3)."""
    return tuple(Space(place, suit.value) for suit in corridor[place].suits)


def told(state: State, event: Event) -> State:
    """Return the state with one more event; only the latest are kept, and those of the history."""
    is_home, history = event.what is Happening.PLAYED and event.to is None, state.history
    if is_home or event.what in (Happening.SENT_BACK, Happening.LEFT):
        history = (*history, replace(event, card=None))
    return replace(state, events=(*state.events, event)[-EVENTS_KEPT:], history=history)


def without(cards: tuple[DecktetCard, ...], card: DecktetCard) -> tuple[DecktetCard, ...]:
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
    """Return the move that the text writes, or raise UnreadableMoveError."""
    found = next(filter(None, (each.fullmatch(text) for each in (_PLAY, _BACK, _TAKE))), None)
    move = _PLAIN.get(text) if found is None else _move(**found.groupdict())
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Frogger.").format(text=text[:40]))
    return move


def _move(
    card: str | None, frog: str | None = None, suit: str | None = None, to: str | None = None
) -> Move | None:
    """Return the move of the parts of a text, or None where they do not fit each other."""
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
