"""The picture of American Toad, with the move that the player is told, and those beside the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from bot.engine.cards import Card, Suit, cards_of
from bot.engine.scene import CARD_HEIGHT, Align, Awaited, Blank, Caption, Item, Mark, Mood, Scene, Zone
from bot.engine.spoken_cards import listed, rank_words, spoken
from bot.engine.words import _
from bot.games.american_toad import card_moves, rules
from bot.games.american_toad.card_moves import awaited
from bot.games.american_toad.deadlock import only_circles
from bot.games.american_toad.state import (
    COLUMNS,
    FOUNDATIONS,
    FULL,
    PACKS,
    SUITS,
    Advice,
    AllUp,
    Pile,
    Place,
    Position,
    Redeal,
    Shift,
    State,
    Turn,
    TurnOn,
    Up,
)
from bot.games.american_toad.view import View, view
from bot.games.american_toad.words import deal_name

SIZE = 0.75
"""How wide a card is: eleven of them side by side leave little room for text."""
STEP = 1.08 * SIZE
MARGIN = 0.09
SIDE_ROOM = 0.32
"""Room at both sides of the piles, whose titles are wider than a card."""
SIDE_X = MARGIN + COLUMNS * STEP + SIDE_ROOM
WIDTH = SIDE_X + SIZE + SIDE_ROOM
HEADING_Y, FOUNDATIONS_Y = 0.02, 0.44
COLUMNS_Y = 2.3
SIDE_STEP = 1.86
FAN, LONGEST = 0.56 * SIZE, 6.72 * SIZE
"""How far one card of a column lies below the other, so that J and Q show whole, and the longest."""
NOTE, BELOW, TEXT = 0.38, 0.42, 0.31
BAND, BAND_ROOM = 0.4, 0.9


def scene(view: View, names: Sequence[str]) -> Scene:
    marked = marks(view)
    columns = tuple(_column(cards, place, marked) for place, cards in enumerate(view.columns))
    side = _side(view, marked)
    longest = max(column.step[1] * max(len(column.cards) - 1, 0) for column in columns)
    counts_y = max(COLUMNS_Y + longest, side[-1].y) + SIZE * CARD_HEIGHT + NOTE
    height = counts_y + BELOW
    moment = _moment(view, names, height)
    redeal = _("1 redeal left") if view.redeal_left else _("no redeal left")
    items: tuple[Item, ...] = (
        *moment,
        _heading(view),
        *reversed(side),
        *columns,
        *_foundations(view, marked),
        Caption(redeal, WIDTH - MARGIN, counts_y, TEXT, Align.RIGHT),
    )
    return Scene(WIDTH, height + BAND_ROOM if moment else height, items)


def example() -> Scene:
    """Return a run that may move, and where it fits (A4, A5); and how a foundation goes on (A2)."""
    run, onto, up = cards_of("3S 2S AS KS"), cards_of("4S"), cards_of("QH KH AH 2H")
    return Scene(
        WIDTH,
        5.0,
        (
            Caption(_("Columns build down in suit, King on Ace"), MARGIN, 0.1, 0.27),
            Zone(_("this run, or a part"), 1.2, 0.95, run, (0.45, 0.0)),
            Zone(_("fits here"), 5.2, 0.95, onto),
            Caption(_("Foundations build up in suit, Ace on King"), MARGIN, 2.8, 0.27),
            Zone("", 1.2, 3.4, up, (1.1, 0.0)),
        ),
    )


def _foundations(view: View, marked: Marks) -> tuple[Zone, ...]:
    """Return the eight foundations, each with its top card and how far it is (A2)."""
    names = {
        Suit.CLUBS: _("Clubs"),
        Suit.DIAMONDS: _("Diamonds"),
        Suit.HEARTS: _("Hearts"),
        Suit.SPADES: _("Spades"),
    }
    return tuple(
        Zone(
            names[suit],
            MARGIN + STEP * place,
            FOUNDATIONS_Y,
            (card or Awaited(suit),),
            size=SIZE,
            note=f"{height}/{FULL}",
            quiet=True,
            mark=Mark.PUT if place in marked.foundations else None,
            said=_foundation_said(suit, height, view.base),
        )
        for place, (suit, card, height) in enumerate(
            zip(SUITS, view.foundations, view.heights, strict=True)
        )
    )


def _foundation_said(suit: Suit, height: int, base: int) -> str:
    """Return how a foundation stands, and which card it waits for (A2)."""
    if height == FULL:
        return _("complete")
    return _("next {card}").format(card=rank_words(Card(awaited(base, height), suit)))


def _side(view: View, marked: Marks) -> tuple[Zone, ...]:
    def pile(spot: Pile | Stock, title: str, count: int, card: Card | Blank | None, place: int) -> Zone:
        shown, y = card if count and card else Blank.GAP, FOUNDATIONS_Y + SIDE_STEP * place
        said = spoken(shown) if isinstance(shown, Card) else ""
        return Zone(title, SIDE_X, y, (shown,), size=SIZE, count=count, mark=marked.of(spot), said=said)

    return (
        pile(Pile.RESERVE, _("Reserve"), view.reserve_left, view.reserve, 0),
        pile(Stock.STOCK, _("Stock pile"), view.stock_left, Blank.BACK, 1),
        pile(Pile.WASTE, _("Waste"), len(view.waste), view.top(Pile.WASTE), 2),
    )


def _heading(view: View) -> Caption:
    """Return which deal it is, and the base, which holds for all foundations (A2), and par."""
    name, base = deal_name(view), Card(view.base, SUITS[0])
    par = [_("par {n}").format(n=view.par)] if view.par else []
    text, said = (
        " · ".join((f"{name[:1].upper()}{name[1:]}", _("Base {rank}").format(rank=rank), *par))
        for rank in (base.index, rank_words(base))
    )
    return Caption(text, MARGIN, HEADING_Y, TEXT, said=said)


def _column(cards: tuple[Card, ...], place: int, marked: Marks) -> Zone:
    step = min(FAN, LONGEST / max(len(cards) - 1, 1))
    return Zone(
        str(place + 1),
        MARGIN + STEP * place,
        COLUMNS_Y,
        cards or (Blank.GAP,),
        (0.0, step),
        SIZE,
        mark=marked.of(place),
        marked=marked.taken.get(place, 1),
        called="" if place else _("Column {n}").format(n=1),
        said=listed(cards),
    )


def _moment(view: View, names: Sequence[str], y: float) -> tuple[Caption, ...]:
    """Return how the deal ended, or that it is stuck, in a band below the cards (A11)."""
    if view.won:
        words = _("{name} solves {deal} with help") if view.with_help else _("{name} wins {deal}!")
        mood = Mood.PLAIN
    elif view.given_up:
        words, mood = _("{name} gave up {deal}."), Mood.BAD
    elif view.stuck:
        words, mood = _("{name}: no move left"), Mood.BAD
    elif view.gaps_only:
        words, mood = _("{name}: only moves into empty columns are left"), Mood.BAD
    elif only_circles(view):
        words, mood = _("{name}: only moves in a circle are left"), Mood.BAD
    else:
        return ()
    said = words.format(name=names[0], deal=deal_name(view))
    return (Caption(said, WIDTH / 2, y + BAND_ROOM / 4, BAND, Align.CENTRE, loud=True, mood=mood),)


class Stock(Enum):
    """The stock, which cards are turned from, and moved nowhere else."""

    STOCK = "stock"


Spot = Pile | Stock | int
"""A pile, or a column from 0 to 7."""


class Marks:
    """What is marked of a move: how many cards of which pile or column, and where they go."""

    def __init__(self) -> None:
        self.taken: dict[Spot, int] = {}
        self.onto: set[Spot] = set()
        self.foundations: set[int] = set()

    def of(self, spot: Spot) -> Mark | None:
        if spot in self.taken:
            return Mark.TAKE
        return Mark.PUT if spot in self.onto else None


def marks(view: View) -> Marks:
    marked = Marks()
    if view.is_over or not isinstance(view.told, Advice):
        return marked
    match view.told.move:
        case Turn() | TurnOn(up=False):
            marked.taken[Stock.STOCK] = 1
            marked.onto.add(Pile.WASTE)
        case Redeal():
            marked.taken[Pile.WASTE] = 1
            marked.onto.add(Stock.STOCK)
        case Place(source, column):
            marked.taken[source] = 1
            marked.onto.add(column)
        case Shift(source, column, count):
            marked.taken[source] = count
            marked.onto.add(column)
        case Up(source):
            _raise(view, marked, source)
        case AllUp() | TurnOn():
            for move in view.legal:
                if isinstance(move, Up):
                    _raise(view, marked, move.source)
            if isinstance(view.told.move, TurnOn):
                marked.taken[Stock.STOCK] = 1
    return marked


def _raise(view: View, marked: Marks, source: Pile | int) -> None:
    card = view.top(source)
    place = None if card is None else card_moves.foundation_for(view.base, view.heights, card)
    assert place is not None, "a move is told of a card that is there, and can be made"
    marked.taken[source] = 1
    marked.foundations.add(place)


_NAMES = ("Ann",)
_DEAL = 12


def _seen(state: State) -> Scene:
    return scene(view(state, 0), _NAMES)


def _played(steps: int) -> Scene:
    """Return a deal in which every card that could has gone up, or else onto a column (A8)."""
    state = rules.open_deal(_DEAL)
    for _step in range(steps):
        moves = card_moves.card_moves(state.position)
        state = rules.play(state, next((move for move in moves if isinstance(move, Up | Place)), Turn()))
    return _seen(state)


def _nearly_won() -> Scene:
    """Return a deal in which two runs are left, and go up by themselves (A12)."""
    left = range(0, PACKS * 2, PACKS)
    runs = tuple((Card(4, SUITS[place]), Card(3, SUITS[place])) for place in left)
    heights = tuple(FULL - len(runs[0]) * (place in left) for place in range(FOUNDATIONS))
    columns = (*runs, *((),) * (COLUMNS - len(runs)))
    return _seen(State(_DEAL, Position(5, heights, (), columns, (), (), redeal_left=False)))


_UNDER_WAY = partial(_played, 45)
PICTURES: tuple[Callable[[], Scene], ...] = (
    example,
    partial(_played, 0),
    _UNDER_WAY,
    _nearly_won,
    _UNDER_WAY,
)
