"""Layout of the American Toad picture, and illustrations for the rules.

If the player got a hint or a peek, the picture highlights the recommended move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from math import ceil

from bot.engine.cards import Card, Suit, cards_of
from bot.engine.scene import (
    CARD_HEIGHT,
    PODIUM_HEIGHT,
    PODIUM_LONE,
    Align,
    Blank,
    Caption,
    Item,
    Mark,
    Mood,
    Podium,
    Scene,
    Standing,
    SuitPlace,
    Zone,
)
from bot.engine.spoken_cards import describe_cards, rank_words, spoken
from bot.engine.translation import _, pgettext
from bot.games.american_toad import card_moves, rules
from bot.games.american_toad.card_moves import next_rank
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
from bot.games.american_toad.words import against_par, deal_name

WIDTH, MARGIN = 7.96, 0.09
SIZE = 0.91
"""The width of a card. Eight columns fill the picture's width. The piles are above three columns."""
STEP = (WIDTH - 2 * MARGIN - SIZE) / (COLUMNS - 1)
PILES = 3
UP_SIZE, UP_STEP = 0.58, (COLUMNS - PILES) * STEP / FOUNDATIONS
"""The card width and spacing of the foundations.

Their cards are small and show only the index, so eight foundations fit above five columns.
"""
HEADING_Y, TOP_Y = 0.02, 0.44
UP_NOTE, NOTE, BELOW, TEXT = 0.38, 0.42, 0.12, 0.31
REDEAL_Y = TOP_Y + UP_SIZE * CARD_HEIGHT + UP_NOTE + 0.06
COLUMNS_Y = TOP_Y + SIZE * CARD_HEIGHT + 2 * NOTE
FAN, LONGEST = 0.56 * SIZE, 6.72 * SIZE
"""The vertical offset between a column's cards, and the maximum height of a column.

The offset is large enough to tell a Jack from a Queen.
"""
GROWS = 2
"""The number of cards by which the picture's height grows at a time.

If it grew at each move, the buttons below the picture would move each time.
"""
BAND, BAND_ROOM = 0.4, 0.9
VICTORY_Y, VICTORY_STEP = 3.2, 0.62


def scene(view: View, names: Sequence[str]) -> Scene:
    if view.won:
        return _victory(view, names)
    marked = marks(view)
    columns = tuple(_column(cards, place, marked) for place, cards in enumerate(view.columns))
    longest = max(column.step[1] * (len(column.cards) - 1) for column in columns)
    room = max(ceil(longest / (GROWS * FAN)), 1) * GROWS * FAN
    height = COLUMNS_Y + min(room, max(longest, LONGEST)) + SIZE * CARD_HEIGHT + BELOW
    moment = _moment(view, names, height)
    redeal = _("1 redeal left") if view.redeal_left else _("no redeal left")
    items: tuple[Item, ...] = (
        *moment,
        _heading(view),
        *reversed(_piles(view, marked)),
        *columns,
        *_foundations(view, marked),
        Caption(redeal, MARGIN, REDEAL_Y, TEXT),
    )
    return Scene(WIDTH, height + BAND_ROOM if moment else height, items)


def _victory(view: View, names: Sequence[str]) -> Scene:
    text = _("{name} solves {deal} with help") if view.with_help else _("{name} wins {deal}!")
    text = text.format(name=names[0], deal=deal_name(view))
    winner = Standing(0, names[0], 1, " · ".join(against_par(view)), crowned=not view.with_help)
    podium = Podium(MARGIN, VICTORY_Y + PODIUM_LONE - PODIUM_HEIGHT, WIDTH - 2 * MARGIN, (winner,))
    between = WIDTH - 2 * MARGIN - SIZE - (FOUNDATIONS - 1) * VICTORY_STEP
    y, foundations = VICTORY_Y - SIZE * CARD_HEIGHT, list[Zone]()
    for suit, title in _suit_names().items():
        place = SUITS.index(suit)
        x = MARGIN + place * VICTORY_STEP + between * (place >= FOUNDATIONS // 2)
        cards = tuple(card or Blank.GAP for card in view.foundations[place : place + PACKS])
        step, stands = (VICTORY_STEP, 0.0), _("complete")
        foundations.append(Zone(title, x, y, cards, step, SIZE, quiet=True, spoken=stands))
    band = Caption(text, WIDTH / 2, 0.2, BAND, Align.CENTRE, loud=True)
    return Scene(WIDTH, VICTORY_Y + PODIUM_LONE + MARGIN, (band, podium, *foundations))


def example() -> Scene:
    """Return an illustration of a run, a card on which the run fits (A4, A5), and a foundation (A2)."""
    run, onto, up = cards_of("3S 2S AS KS"), cards_of("4S"), cards_of("QH KH AH 2H")
    return Scene(
        WIDTH,
        5.0,
        (
            Caption(_("Columns build down in suit, King on Ace"), MARGIN, 0.1, 0.27),
            Zone(_("this run, or part of it"), 1.2, 0.95, run, (0.45, 0.0)),
            Zone(_("fits here"), 5.2, 0.95, onto),
            Caption(_("Foundations build up in suit, Ace on King"), MARGIN, 2.8, 0.27),
            Zone("", 1.2, 3.4, up, (1.1, 0.0)),
        ),
    )


def _foundations(view: View, marked: Marks) -> tuple[Zone, ...]:
    """Return the eight foundations, each with its top card and its number of cards (A2)."""
    names = _suit_names()
    return tuple(
        Zone(
            names[suit],
            MARGIN + UP_STEP * place,
            TOP_Y,
            (card or SuitPlace(suit),),
            size=UP_SIZE,
            note=str(height or ""),
            quiet=True,
            mark=Mark.PUT if place in marked.foundations else None,
            spoken=_foundation_said(suit, height, view.base),
        )
        for place, (suit, card, height) in enumerate(
            zip(SUITS, view.foundations, view.heights, strict=True)
        )
    )


def _suit_names() -> dict[Suit, str]:
    return {
        Suit.CLUBS: _("Clubs"),
        Suit.DIAMONDS: _("Diamonds"),
        Suit.HEARTS: _("Hearts"),
        Suit.SPADES: _("Spades"),
    }


def _foundation_said(suit: Suit, height: int, base: int) -> str:
    """Return the alt text of a foundation: *complete*, or the next card to put on it (A2)."""
    if height == FULL:
        return _("complete")
    return _("next {card}").format(card=rank_words(Card(next_rank(base, height), suit)))


def _piles(view: View, marked: Marks) -> tuple[Zone, ...]:
    def pile(spot: Pile | Stock, title: str, count: int, card: Card | Blank | None, place: int) -> Zone:
        face, x = card if count and card else Blank.GAP, MARGIN + STEP * (COLUMNS - PILES + place)
        description = spoken(face) if isinstance(face, Card) else ""
        return Zone(
            title,
            x,
            TOP_Y,
            (face,),
            size=SIZE,
            count=count,
            mark=marked.mark_at(spot),
            spoken=description,
        )

    return (
        pile(Pile.RESERVE, _("Reserve"), view.reserve_left, view.reserve, 0),
        pile(Stock.STOCK, pgettext("solitaire", "Stock"), view.stock_left, Blank.BACK, 1),
        pile(Pile.WASTE, _("Waste"), len(view.waste), view.top(Pile.WASTE), 2),
    )


def _heading(view: View) -> Caption:
    """Return a caption with the deal's name, the rank that foundations start with (A2), and par."""
    name, base = deal_name(view), Card(view.base, SUITS[0])
    par = [_("par {n}").format(n=view.par)] if view.par else []
    date = name.rpartition(" ")[2] if view.day else name  # a full name would overlap the reserve
    text, spoken_text = (
        " · ".join((f"{title[:1].upper()}{title[1:]}", _("Base {rank}").format(rank=rank), *par))
        for title, rank in ((date, base.index), (name, rank_words(base)))
    )
    room = STEP * (COLUMNS - PILES) - MARGIN
    return Caption(text, MARGIN, HEADING_Y, TEXT, spoken=spoken_text, room=room)


def _column(cards: tuple[Card, ...], place: int, marked: Marks) -> Zone:
    step = min(FAN, LONGEST / max(len(cards) - 1, 1))
    return Zone(
        str(place + 1),
        MARGIN + STEP * place,
        COLUMNS_Y,
        cards or (Blank.GAP,),
        (0.0, step),
        SIZE,
        mark=marked.mark_at(place),
        marked=marked.taken.get(place, 1),
        called="" if place else _("Column {n}").format(n=1),
        spoken=describe_cards(cards),
    )


def _moment(view: View, names: Sequence[str], y: float) -> tuple[Caption, ...]:
    """Return the banner for a deal that is stuck or was given up (A11), or an empty tuple."""
    if view.given_up:
        words, mood = _("{name} gave up {deal}."), Mood.BAD
    elif view.stuck:
        words, mood = _("{name}: no move left"), Mood.BAD
    elif view.gaps_only:
        words, mood = _("{name}: only moves into empty columns are left"), Mood.BAD
    elif only_circles(view):
        words, mood = _("{name}: just going in circles now"), Mood.BAD
    else:
        return ()
    text = words.format(name=names[0], deal=deal_name(view))
    return (Caption(text, WIDTH / 2, y + BAND_ROOM / 4, BAND, Align.CENTRE, loud=True, mood=mood),)


class Stock(Enum):
    """The stock as a place that can be highlighted."""

    STOCK = "stock"


Spot = Pile | Stock | int
"""A pile, the stock, or the index of a column, from 0 to 7."""


class Marks:
    """The places in the picture that are highlighted to show a recommended move.

    Attributes:
        taken: For each pile or column from which cards move, the number of cards.
        onto: The piles and columns onto which cards move.
        foundations: The indexes of the foundations onto which cards move.
    """

    def __init__(self) -> None:
        self.taken: dict[Spot, int] = {}
        self.onto: set[Spot] = set()
        self.foundations: set[int] = set()

    def mark_at(self, spot: Spot) -> Mark | None:
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


def _player_scene(state: State) -> Scene:
    return scene(view(state, 0), _NAMES)


def _scene_after(steps: int) -> Scene:
    """Return the picture of a sample deal after a number of moves (A8).

    Each move puts a card on a foundation or a column, or turns a stock card if that is not possible.
    """
    state = rules.open_deal(_DEAL)
    for _step in range(steps):
        moves = card_moves.card_moves(state.position)
        state = rules.play(state, next((move for move in moves if isinstance(move, Up | Place)), Turn()))
    return _player_scene(state)


def _nearly_won() -> Scene:
    """Return the picture of a deal whose last cards can move to the foundations automatically (A12)."""
    left = range(0, PACKS * 2, PACKS)
    runs = tuple((Card(4, SUITS[place]), Card(3, SUITS[place])) for place in left)
    heights = tuple(FULL - len(runs[0]) * (place in left) for place in range(FOUNDATIONS))
    columns = (*runs, *((),) * (COLUMNS - len(runs)))
    return _player_scene(State(_DEAL, Position(5, heights, (), columns, (), (), redeal_left=False)))


_UNDER_WAY = partial(_scene_after, 45)
PICTURES: tuple[Callable[[], Scene], ...] = (
    example,
    partial(_scene_after, 0),
    _UNDER_WAY,
    _nearly_won,
    _UNDER_WAY,
)
