"""State and moves of Frogger, and the text notation of moves.

The path is the corridor of twelve cards between the Excuse, on which the frogs start, and home. Each
suit symbol on a corridor card is a space for one frog.
"""

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
"""The maximum number of recent events in a state.

Even at a full table, 96 events are enough to show a player everything since their last turn.
"""

_SUITS = {suit.value: suit for suit in DecktetSuit}
"""The suits by letter. This lookup is five times as fast as ``DecktetSuit(letter)``."""


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """A space for one frog: a suit symbol on a corridor card (F3).

    Attributes:
        place: The index of the corridor card, starting at 0 next to the Excuse.
        letter: The letter of the suit.
    """

    place: int
    letter: str

    @property
    def suit(self) -> DecktetSuit:
        return _SUITS[self.letter]


@frozen
class Frogs:
    """A seat's six frogs.

    Attributes:
        start: The number of frogs on the Excuse.
        home: The number of frogs at home.
        path: The spaces of the other frogs. The frog that is furthest back comes first.
    """

    start: int = FROGS
    home: int = 0
    path: tuple[Space, ...] = ()


@frozen
class Play:
    """Play a card to move a frog forward to one of the card's suits (F5).

    Attributes:
        frog: The frog's space, or None to move a frog from the Excuse.
    """

    card: DecktetCard
    suit: DecktetSuit
    frog: Space | None


@frozen
class Back:
    """Move a frog back (F7) and take a market card (F8).

    Attributes:
        frog: The frog's space.
        to: The space behind it, or None for the Excuse.
        take: The market card, or None if no card may be taken.
    """

    frog: Space
    to: Space | None
    take: DecktetCard | None


@frozen
class Take:
    """Take a market card and end the turn (F11).

    A player with no cards and no frogs on the path has no other move.
    """

    card: DecktetCard


@frozen
class EndTurn:
    """End the turn after the first or second action (F4)."""


@frozen
class Pass:
    """End the turn because its time ran out. Only the clock can make this move (F15)."""


LegalMove = Play | Back | Take | EndTurn
Move = LegalMove | Pass


class EventType(Enum):
    """The type of an event that all players see."""

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
        seat: The index of the player that the event is about.
        card: The card that was played or taken, or None.
        frog: The space that the frog left, or None if it left the Excuse.
        to: The space that the frog reached. None means home after a played card, and the Excuse after a
            move back.
        count: A number of actions or cards, depending on the type.
        by: The seat that sent the frog back, or None.
    """

    what: EventType
    seat: int
    card: DecktetCard | None = None
    frog: Space | None = None
    to: Space | None = None
    count: int = 0
    by: int | None = None


@frozen
class State:
    """The state of a Frogger match between two moves. Tuples with one item per seat are indexed by seat.

    Attributes:
        corridor: The twelve corridor cards.
        known: Each seat's hand cards that all players know, because the seat took them from the market
            (F10).
        draw: The draw pile. Its top card comes first.
        turn: The seat to move.
        done: The number of actions taken in the current turn.
        reshuffles: The number of times the discards were reshuffled.
        gone: The seats that gave up.
        winner: The winning seat, or None if the match is not over.
        turns_left: The number of turns until the match ends. 0 means no limit.
        sent: The number of frogs that each seat has sent back to the Excuse.
        events: The latest events, oldest first.
        history: The events of the whole match that the final summary needs, without their cards.
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
    def occupied_spaces(self) -> frozenset[Space]:
        """The spaces that have a frog (F3)."""
        return frozenset(space for frogs in self.frogs for space in frogs.path)

    @property
    def hand(self) -> tuple[DecktetCard, ...]:
        return self.hands[self.turn]

    @property
    def path(self) -> tuple[Space, ...]:
        return self.frogs[self.turn].path

    @property
    def is_blocked(self) -> bool:
        """True if the current player has no card and no frog on the path (F11)."""
        return not self.hand and not self.path


def spaces_of(corridor: tuple[DecktetCard, ...], place: int) -> tuple[Space, ...]:
    """Return the spaces on a corridor card. It has one space for each of its suits (F3)."""
    return tuple(Space(place, suit.value) for suit in corridor[place].suits)


def add_event(state: State, event: Event) -> State:
    """Return the state with an event appended.

    ``events`` keeps only the latest ``EVENTS_KEPT`` events. ``history`` keeps the important events of
    the whole match.
    """
    is_home, history = event.what is EventType.PLAYED and event.to is None, state.history
    if is_home or event.what in (EventType.SENT_BACK, EventType.LEFT):
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
            suffix = "" if card is None else f" take {card.code}"
            return f"back {_name(frog)} to {_name(to)}{suffix}"
        case Take(card):
            return f"take {card.code}"
        case _:
            return _PLAIN_TEXT[move]


def read(text: str, _state: State) -> Move:
    """Parse a move from its text notation.

    Raises:
        UnreadableMoveError: The text is not a move of Frogger.
    """
    match = next(filter(None, (pattern.fullmatch(text) for pattern in (_PLAY, _BACK, _TAKE))), None)
    move = _PLAIN.get(text) if match is None else _move(**match.groupdict())
    if move is None:
        raise UnreadableMoveError(_("“{text}” isn't a move in Frogger.").format(text=text[:40]))
    return move


def _move(
    card: str | None, frog: str | None = None, suit: str | None = None, to: str | None = None
) -> Move | None:
    """Return the move for the parts of a parsed text. Return None if they do not form a valid move."""
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
