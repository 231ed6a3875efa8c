"""The state of a deal of American Toad Solitaire, and moves with their notation."""

from __future__ import annotations

import re
from dataclasses import field
from enum import Enum

from bot.engine.cards import KING, Card, Suit
from bot.engine.errors import UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.game import UNTOLD
from bot.engine.translation import _

PACKS = 2
RESERVE_SIZE = 20
COLUMNS = 8
FOUNDATIONS = 8
MOST_DEALS = 999_999_999
FULL = KING

SUITS: tuple[Suit, ...] = tuple(suit for suit in Suit for _pack in range(PACKS))
"""The suit of each of the eight foundations (A2)."""


class Pile(Enum):
    """A pile other than the columns from which a single card can be taken."""

    WASTE = "waste"
    RESERVE = "reserve"


@frozen
class Turn:
    """Turn the next cards of the stock onto the waste, one at a time (A9).

    With ``up``, all possible cards go up before the turn and after each card (A3).
    """

    count: int = 1
    up: bool = False


@frozen
class TurnOn:
    """Turn the stock until the waste's top card fits somewhere, or to its end.

    A card fits on a foundation or on a card of a column. With ``up``, cards go up on the way. The number
    of cards depends on hidden ones, so the journal stores the resulting ``Turn``.
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
    """Move all possible cards to the foundations, one after the other (A3)."""


@frozen
class Undo:
    """Undo the last moves."""

    count: int = 1


@frozen
class Redo:
    """Redo the move that was undone last."""


@frozen
class Advice:
    """Receive a hint, or with ``peeked`` a move that keeps the deal winnable.

    Attributes:
        move: The recommended move, or None if none was found.
        peeked: Whether it is a peek.
        line: The rest of the winning line of a computed peek. It is not shown to the player, and saves
            replays and later peeks the computation.
    """

    move: CardMove | TurnOn | AllUp | None
    peeked: bool = False
    line: tuple[CardMove | TurnOn | AllUp, ...] = ()


@frozen
class Rescue:
    """Receive the number of moves after which the deal could still be won, or None."""

    moves: int | None


CardMove = Turn | Redeal | Up | Place | Shift
Led = CardMove | AllUp

Told = Advice | Rescue
Move = CardMove | TurnOn | AllUp | Undo | Redo | Told


class Step(Enum):
    """A step of a deal as shown to users who have not seen the cards."""

    UP = "up"
    MOVE = "move"
    UNDO = "undo"
    STUCK = "stuck"
    HINT = "hint"
    PEEK = "peek"


@frozen
class Position:
    """The arrangement of the cards. The last card of a pile, a column or the stock is the top one.

    Attributes:
        base: The base rank.
        heights: The number of cards on each foundation, in the order of ``SUITS``.
        redeal_left: Whether the redeal can still be used.
        last: The move that led here, or None.
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
        """True if all eight foundations have 13 cards (A11)."""
        return min(self.heights) == FULL


@frozen
class State:
    """A deal between two moves.

    Attributes:
        number: The number of the deal.
        position: The arrangement of the cards.
        made: The moves that led here.
        undone: The undone moves. The last one is redone first.
        kept: Positions at regular intervals from the deal on, to go back to.
        given_up: Whether the player gave up.
        day: The day of a day's deal, such as 20261121, or 0.
        par: The number of moves of the best known line, or 0.
        again: Whether the deal counts nowhere, as a retry after giving up or as practice of a day's
            deal.
        peeks: The number of peeks, including answers about when the deal was lost.
        told: The help received for this position, or None.
        trail: The steps so far, including those undone.
        asked: The types of help received, each with its position, so that each counts once.
        lines: Winning lines found by peeks, each with its first position.
        before: The position before the last move, or None if unknown.
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
        """The number of moves that led to this position, without those undone."""
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
    """Return the move that a text names, or raise UnreadableMoveError."""
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
