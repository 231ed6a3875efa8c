"""State and moves of American Toad Solitaire, and the text notation of moves.

A deal is one game: a numbered arrangement of the cards that one player tries to solve. "Up" means onto a
foundation. A hint recommends a move that depends only on the visible cards. A peek recommends a move
that, according to the solver, keeps the deal winnable.
"""

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
"""The suits of the eight foundations, in order (A2)."""


class Pile(Enum):
    """The waste or the reserve. Only the top card of these piles can be moved."""

    WASTE = "waste"
    RESERVE = "reserve"


@frozen
class Turn:
    """Turn cards from the stock onto the waste, one at a time (A9).

    Attributes:
        count: The number of cards to turn.
        up: Whether all possible cards move to the foundations first and after each turned card (A3).
    """

    count: int = 1
    up: bool = False


@frozen
class TurnOn:
    """Turn stock cards until the waste's top card fits on a foundation or on a column.

    If no card fits, this turns the whole stock. The number of turned cards depends on hidden cards, so
    the journal stores the resulting ``Turn`` instead.

    Attributes:
        up: Whether all possible cards move to the foundations first and after each turned card.
    """

    up: bool = False


@frozen
class Redeal:
    """Turn the waste over to form a new stock (A10)."""


@frozen
class Up:
    """Move a top card to its foundation (A2, A3, A8).

    Attributes:
        source: The waste, the reserve, or the index of a column, from 0 to 7.
    """

    source: Pile | int


@frozen
class Place:
    """Move the top card of the waste or the reserve onto a column (A7, A8).

    Attributes:
        column: The index of the column, from 0 to 7.
    """

    source: Pile
    column: int


@frozen
class Shift:
    """Move the top ``count`` cards of one column onto another (A5, A7)."""

    source: int
    column: int
    count: int


@frozen
class AllUp:
    """Move cards to the foundations one by one until no more can go (A3)."""


@frozen
class Undo:
    """Undo the last ``count`` moves."""

    count: int = 1


@frozen
class Redo:
    """Redo the most recently undone move."""


@frozen
class Advice:
    """Recommend a move to the player, as a hint or as a peek.

    A hint depends only on the visible cards. A peek keeps the deal winnable.

    Attributes:
        move: The recommended move, or None if none was found.
        peeked: Whether the advice is a peek rather than a hint.
        line: The winning moves that follow ``move`` in a peek. The player does not see them. They are
            stored so that replays and later peeks need no search.
    """

    move: CardMove | TurnOn | AllUp | None
    peeked: bool = False
    line: tuple[CardMove | TurnOn | AllUp, ...] = ()


@frozen
class Rescue:
    """Tell the player after which move the deal was last known to be winnable.

    Attributes:
        moves: The number of this move, counted from the start of the deal, or None if no such move is
            known.
    """

    moves: int | None


CardMove = Turn | Redeal | Up | Place | Shift
Led = CardMove | AllUp

Told = Advice | Rescue
Move = CardMove | TurnOn | AllUp | Undo | Redo | Told


class Step(Enum):
    """The type of a step in a deal. A summary of the steps reveals no cards."""

    UP = "up"
    MOVE = "move"
    UNDO = "undo"
    STUCK = "stuck"
    HINT = "hint"
    PEEK = "peek"


@frozen
class Position:
    """An arrangement of the cards. In each tuple of cards, the top card comes last.

    Attributes:
        base: The rank that each foundation starts with.
        heights: The number of cards on each foundation, in the order of ``SUITS``.
        redeal_left: Whether the redeal is still available.
        last: The move that led to this position, or None.
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
        """True if each of the eight foundations has all 13 cards (A11)."""
        return min(self.heights) == FULL


@frozen
class State:
    """The state of a deal between two moves.

    Attributes:
        number: The deal number.
        position: The current arrangement of the cards.
        made: The moves that led to the current position, without undone moves.
        undone: The undone moves. The last one is redone first.
        kept: Snapshots of the position at regular intervals, starting with the first position. An undo
            replays the moves after the nearest snapshot.
        undos: The number of undos.
        given_up: Whether the player gave up.
        day: The date of a daily deal as an integer, such as 20261121, or 0 for other deals.
        par: The number of moves in the best known winning line, or 0 if unknown.
        again: Whether the deal is excluded from all statistics. This applies to a retry after giving up
            and to practising a daily deal.
        hints: The number of hints.
        peeks: The number of peeks, including answers about when the deal became lost.
        told: The help given for the current position, or None.
        trail: All steps so far, including undone steps.
        asked: The types of help given, each with its position. If the player asks for the same help in
            the same position again, it does not count.
        lines: The winning lines found by peeks, each with the position that it starts from.
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
        """The number of moves that led to the current position, without undone moves."""
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
    """Parse a move from its text notation.

    Raises:
        UnreadableMoveError: The text is not a move of American Toad.
    """
    if match := _TOLD.fullmatch(text):
        advised_move, *line = (None,) if match["move"] == _NOTHING else _line(match["move"], state)
        peeked = match["kind"] == "peek"
        if peeked or not line:
            return Advice(advised_move, peeked, tuple(filter(None, line)))
    if match := _RESCUE.fullmatch(text):
        return Rescue(int(match["moves"]))
    if text in _PLAIN:
        return _PLAIN[text]
    if match := _SEVERAL.fullmatch(text):
        several = Turn if match["verb"] == "turn" else Undo
        return several(int(match["count"]))
    if match := _TURN_UP.fullmatch(text):
        return Turn(int(match["count"]), up=True)
    if match := _SHIFT.fullmatch(text):
        return Shift(int(match["source"]) - 1, int(match["column"]) - 1, int(match["count"]))
    raise UnreadableMoveError(_("“{text}” isn't a move in American Toad.").format(text=text[:40]))


def _line(text: str, state: State) -> tuple[CardMove | TurnOn | AllUp, ...]:
    moves = [read(move, state) for move in text.split(UNTOLD)]
    line = tuple(move for move in moves if not isinstance(move, Undo | Redo | Advice | Rescue))
    if len(line) < len(moves):
        raise UnreadableMoveError(_("“{text}” isn't a move in American Toad.").format(text=text[:40]))
    return line
