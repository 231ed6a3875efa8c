"""What a deal of American Toad Solitaire is made of: its state, its moves and their notation."""

from __future__ import annotations

import re
from dataclasses import field
from enum import Enum

from bot.engine.cards import KING, Card, Suit
from bot.engine.errors import UnreadableMoveError
from bot.engine.game import UNTOLD
from bot.engine.immutable import frozen
from bot.engine.words import _

PACKS = 2
RESERVE_SIZE = 20
COLUMNS = 8
FOUNDATIONS = 8
MOST_DEALS = 999_999_999
FULL = KING

SUITS: tuple[Suit, ...] = tuple(suit for suit in Suit for _pack in range(PACKS))
"""The suit of each of the eight foundations (A2)."""


class Pile(Enum):
    """Where a single card can be taken from, beside the columns."""

    WASTE = "waste"
    RESERVE = "reserve"


@frozen
class Turn:
    """Turn the next cards of the stock onto the waste, one at a time (A9).

    With ``up``, all that can go up goes before it and after each of them (A3).
    """

    count: int = 1
    up: bool = False


@frozen
class TurnOn:
    """Turn the stock until the waste's top card fits somewhere, or to its end.

    That is up or onto a card of a column; with ``up``, what goes up does so on the way. How many
    cards it takes hangs on hidden ones: the journal has the turn that it came to.
    """

    up: bool = False


@frozen
class Redeal:
    """Turn the waste over into a new stock (A10)."""


@frozen
class Up:
    """Move the top card of a pile, or of a column from 0 to 7, to its foundation (A2, A3, A8)."""

    source: Pile | int


@frozen
class Place:
    """Move the top card of the waste or the reserve onto a column from 0 to 7 (A7, A8)."""

    source: Pile
    column: int


@frozen
class Shift:
    """Move the top ``count`` cards of a column onto another (A5, A7)."""

    source: int
    column: int
    count: int


@frozen
class AllUp:
    """Move to the foundations all that can go there, one after the other (A3)."""


@frozen
class Undo:
    """Take the last moves back."""

    count: int = 1


@frozen
class Redo:
    """Make the move again that was taken back."""


@frozen
class Advice:
    """Be told a move: the best as the player could know it, or, ``peeked``, one that keeps the deal won.

    No move is told where none was found. A peek that was thought out has the moves that win after it,
    of which the player is told nothing: so neither a replay nor the next peek thinks again.
    """

    move: CardMove | TurnOn | AllUp | None
    peeked: bool = False
    line: tuple[CardMove | TurnOn | AllUp, ...] = ()


@frozen
class Rescue:
    """Be told after how many moves the deal could still be won; None where no such moment was found."""

    moves: int | None


CardMove = Turn | Redeal | Up | Place | Shift
Led = CardMove | AllUp

Told = Advice | Rescue
Move = CardMove | TurnOn | AllUp | Undo | Redo | Told


class Step(Enum):
    """What is told of a move to who has not seen the cards."""

    UP = "up"
    MOVE = "move"
    UNDO = "undo"
    STUCK = "stuck"
    HINT = "hint"
    PEEK = "peek"


@frozen
class Position:
    """How the cards lie. In a pile, a column or the stock the last card is the top one.

    ``heights`` counts the cards on each foundation, in the order of SUITS. ``last`` is the move that
    led here.
    """

    base: int
    heights: tuple[int, ...]
    reserve: tuple[Card, ...]
    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...]
    redeal_left: bool
    last: Led | None = None

    @property
    def is_won(self) -> bool:
        """Whether all eight foundations have 13 cards (A11)."""
        return min(self.heights) == FULL


@frozen
class State:
    """A deal between two moves: those ``made``, and those ``undone``, of which the last is redone first.

    ``kept`` are positions on the way, from the deal on, to go back to; ``before`` is the one that the
    last move led from, where that is known.
    ``day`` is the day whose deal it is, such as 20261121, or 0; ``par`` the moves of the best line that
    is known, or 0. A try ``again`` counts nowhere: it goes on from a deal that was given up, or is
    apart from the day. ``told`` is what
    the player was told of this very position; hints and peeks are counted, and to be told how to save
    the deal is a peek too. ``trail`` is the way here, with all that was taken back. ``asked`` are the
    kinds of help that were had, and the positions, so that each counts once however often it is come
    back to. ``lines`` are those that peeks found to win, each with the position that it leads on from.
    """

    number: int
    position: Position
    made: tuple[Led, ...] = ()
    undone: tuple[Led, ...] = ()
    kept: tuple[Position, ...] = ()
    undos: int = 0
    given_up: bool = False
    day: int = 0
    par: int = 0
    again: bool = False
    hints: int = 0
    peeks: int = 0
    told: Told | None = None
    trail: tuple[Step, ...] = ()
    asked: frozenset[tuple[str, Position]] = field(default=frozenset(), repr=False)
    lines: tuple[tuple[Position, tuple[Move, ...]], ...] = field(default=(), repr=False)
    before: Position | None = field(default=None, repr=False, compare=False)

    @property
    def moves(self) -> int:
        """How many moves led to this position; what was taken back does not count."""
        return len(self.made)


_SOURCES: dict[Pile | int, str] = {
    **{pile: pile.value for pile in Pile},
    **{column: str(column + 1) for column in range(COLUMNS)},
}
_PLAIN: dict[str, Move] = {
    "turn": Turn(),
    "turn on": TurnOn(),
    "turn on, up": TurnOn(up=True),
    "redeal": Redeal(),
    "all up": AllUp(),
    "undo": Undo(),
    "redo": Redo(),
    "winnable never": Rescue(None),
    **{f"{name} up": Up(source) for source, name in _SOURCES.items()},
    **{f"{pile.value} to {at + 1}": Place(pile, at) for pile in Pile for at in range(COLUMNS)},
}
_PLAIN_TEXT = {move: text for text, move in _PLAIN.items()}
_SEVERAL = re.compile(r"(?P<verb>turn|undo) x(?P<count>[2-9]|[1-9][0-9]{1,8})")
_TURN_UP = re.compile(r"turn x(?P<count>[1-9][0-9]?), up")
_TOLD = re.compile(r"(?P<kind>hint|peek): (?P<move>.+)")
_RESCUE = re.compile(r"winnable after (?P<moves>0|[1-9][0-9]{0,8})")
_NOTHING = "nothing"
_SHIFT = re.compile(r"(?P<source>[1-8]) to (?P<column>[1-8]) x(?P<count>[1-9][0-9]?)")


def write(move: Move) -> str:
    match move:
        case Shift(source, column, count):
            return f"{source + 1} to {column + 1} x{count}"
        case Turn(count, up=True):
            return f"turn x{count}, up"
        case Turn(count) | Undo(count) if count > 1:
            return f"{'turn' if isinstance(move, Turn) else 'undo'} x{count}"
        case Advice(told, peeked, line):
            moves = map(write, (told, *line)) if told else (_NOTHING,)
            return f"{'peek' if peeked else 'hint'}: {UNTOLD.join(moves)}"
        case Rescue(int() as moves):
            return f"winnable after {moves}"
        case _:
            return _PLAIN_TEXT[move]


def read(text: str, state: State) -> Move:
    """Return the move that the text writes, or raise UnreadableMoveError."""
    if found := _TOLD.fullmatch(text):
        told, *line = (None,) if found["move"] == _NOTHING else _line(found["move"], state)
        peeked = found["kind"] == "peek"
        if peeked or not line:
            return Advice(told, peeked, tuple(filter(None, line)))
    if found := _RESCUE.fullmatch(text):
        return Rescue(int(found["moves"]))
    if text in _PLAIN:
        return _PLAIN[text]
    if found := _SEVERAL.fullmatch(text):
        several = Turn if found["verb"] == "turn" else Undo
        return several(int(found["count"]))
    if found := _TURN_UP.fullmatch(text):
        return Turn(int(found["count"]), up=True)
    if found := _SHIFT.fullmatch(text):
        return Shift(int(found["source"]) - 1, int(found["column"]) - 1, int(found["count"]))
    raise UnreadableMoveError(_("“{text}” is not a move of American Toad.").format(text=text[:40]))


def _line(text: str, state: State) -> tuple[CardMove | TurnOn | AllUp, ...]:
    moves = [read(move, state) for move in text.split(UNTOLD)]
    line = tuple(move for move in moves if not isinstance(move, Undo | Redo | Advice | Rescue))
    if len(line) < len(moves):
        raise UnreadableMoveError(_("“{text}” is not a move of American Toad.").format(text=text[:40]))
    return line
