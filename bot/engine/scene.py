"""A scene: what there is to see, as plain data, of things that are plain data too.

A scene is made from a view, so it holds no more than its viewer knows: a hidden card is a
``Blank.BACK`` and nothing else. Lengths are in card widths; a card is 1 wide and ``CARD_HEIGHT`` high;
x grows to the right and y down from the scene's upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from math import inf
from typing import TypeAlias

from bot.engine.cards import Card, Suit
from bot.engine.decktet import DecktetCard
from bot.engine.immutable import IdentityEnum, frozen

SMALLEST_TEXT = 1 / 26
"""The least height of a text, as a share of the scene's width: 11 or 12 pixels on a phone."""

FROG = "🐸"
CARD_HEIGHT = 1.4
PLATE_GAP = 0.1

Face: TypeAlias = Card | DecktetCard
"""A card of any deck."""


class Blank(IdentityEnum):
    """Where a card's face is not seen."""

    BACK = "back"
    GAP = "gap"


@frozen
class Awaited:
    """A place without a card yet, marked with the suit that it waits for."""

    suit: Suit


class Mark(IdentityEnum):
    """What is seen of a place: where the last move led, where the next may, or is advised to."""

    LEFT = "left"
    REACHED = "reached"
    MAY_MOVE = "may move"
    LANDING = "landing"
    TAKE = "take"
    PUT = "put"


@frozen
class Zone:
    """Cards that lie together: a row, a fan or a pile.

    (x, y) is the upper left corner of the first card, ``step`` the way from one card to the next,
    ``size`` the width of a card. After ``wrap`` cards the next row begins, ``drop`` lower. ``title``
    stands above the cards, where it is not ``quiet``, that is only said in words; below them stands a
    ``note``, or the ``count`` of the cards in a pile. The last ``marked`` cards bear the ``mark``;
    ``new`` are those among the cards that have just come. ``called`` is the title in words, where it is
    not just that; ``said`` are the cards and the note in words, where the game tells more by them.
    """

    title: str
    x: float
    y: float
    cards: tuple[Face | Blank | Awaited, ...]
    step: tuple[float, float] = (1.1, 0.0)
    size: float = 1.0
    note: str = ""
    count: int | None = None
    wrap: int | None = None
    drop: float = 0.0
    quiet: bool = False
    mark: Mark | None = None
    marked: int = 1
    new: tuple[Face, ...] = ()
    called: str = ""
    said: str = ""


class Look(IdentityEnum):
    """The face of a frog: first, second, last, or any."""

    LAUGHING = "laughing"
    WRY = "wry"
    SAD = "sad"
    PLAIN = "plain"


class Mood(IdentityEnum):
    """How a badge or a caption is meant."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


@frozen
class _Wide:
    """What is of a width, and as high as what is in it."""

    x: float
    y: float
    width: float


@frozen
class _Box(_Wide):
    """What stands in a rectangle."""

    height: float


@frozen
class _OfSeat:
    """What is drawn of a seat in a rectangle."""

    seat: int
    name: str
    x: float
    y: float
    width: float
    height: float


@frozen
class Plate(_OfSeat):
    """A seat at the table: name, lives out of ``full``, number of cards held, cards all may see.

    A game without lives has a ``full`` of 0, one without hands a ``held`` of None: neither is told.
    ``badge`` is a word on how it stands, such as safe or out; a seat that is ``out`` is drawn
    faint. A plate too low for a fan of cards gives their number only, one too low for two lines is
    a strip of one. Where a seat has tokens on the table, ``token`` says so, and ``counted`` what
    its lives are, such as ``2 of 6 home``. ``own`` is the viewer's seat, ``computer`` that
    of a computer player.
    """

    lives: int = 0
    full: int = 0
    held: int | None = None
    shown: tuple[Face, ...] = ()
    badge: str = ""
    mood: Mood = Mood.PLAIN
    out: bool = False
    to_move: bool = False
    dealer: bool = False
    token: bool = False
    counted: str = ""
    own: bool = False
    computer: bool = False


def plate_boxes(
    count: int, y: float, height: float, width: float, margin: float, most: int, widest: float = inf
) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, width and height of some plates, so many in a row at ``most``, across a scene."""
    columns = -(-count // -(-count // most))
    wide = min(widest, (width - 2 * margin - (columns - 1) * PLATE_GAP) / columns)
    for place in range(count):
        row, column = divmod(place, columns)
        in_row = min(columns, count - row * columns)
        left = (width - in_row * wide - (in_row - 1) * PLATE_GAP) / 2
        yield left + column * (wide + PLATE_GAP), y + row * (height + PLATE_GAP / 2), wide, height


@frozen
class Reveal(_OfSeat):
    """A hand turned up: whose, the cards, and how many red and black spots they have.

    ``lives`` are those the seat has now; a ``lost`` one is seen leaving for the pot. One that ``says``
    something is the moment everybody should see: a sentence with ``{name}`` in it, and a frog says it
    too.
    """

    cards: tuple[Face, ...]
    red: int
    black: int
    lives: int = 0
    full: int = 0
    lost: bool = False
    badge: str = ""
    mood: Mood = Mood.PLAIN
    says: str = ""
    crowned: bool = False
    computer: bool = False
    look: Look = Look.PLAIN


@frozen
class Stop(_Box):
    """A numbered card of a path. Each of its suits is a space with the seat whose token it holds.

    ``marks``, where there are any, say of each space how it stands in the last move or the next.
    """

    number: int
    card: DecktetCard
    tokens: tuple[int | None, ...]
    marks: tuple[Mark | None, ...] = ()


@frozen
class Camp(_Box):
    """An end of a path, with room for any number of tokens: how many of each seat, in seat order.

    The ``first`` is where the tokens come from, the other where they go.
    """

    title: str
    tokens: tuple[int, ...]
    first: bool = False
    mark: Mark | None = None


@frozen
class Tally(_Wide):
    """A count on its way to a goal, such as red spots 7 of 10."""

    label: str
    value: int
    goal: int
    red: bool = False


class Align(IdentityEnum):
    """Which point of a caption x names."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@frozen
class Caption:
    """A line of text, ``height`` card widths high, its upper edge at y.

    A ``loud`` caption is the moment everybody should see: a band across the scene. Any other is written
    narrow where it is wider than its ``room``, as it may be in a long language; 0: than the picture.
    ``said`` is the same for who hears it, where that is not read aloud as it is written.
    """

    text: str
    x: float
    y: float
    height: float = 0.25
    align: Align = Align.LEFT
    loud: bool = False
    mood: Mood = Mood.PLAIN
    room: float = 0.0
    said: str = ""


@frozen
class Chart(_Wide):
    """A table of figures: a heading for each column, and rows of as many cells.

    Its columns are as wide as what stands in them. ``own`` is the index of the row to mark as the
    viewer's.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    own: int | None = None

    @property
    def height(self) -> float:
        """How high the table is with its headings, which may take two lines."""
        return CHART_HEAD + CHART_LINE * len(self.rows)


CHART_HEAD, CHART_LINE = 0.8, 0.5


@frozen
class Bars(_Wide):
    """How often each of some results came: a line for each, with a bar as long as its number."""

    rows: tuple[tuple[str, int], ...]

    @property
    def height(self) -> float:
        return CHART_LINE * len(self.rows)


@frozen
class Medal:
    """What somebody has come to count of something, and the ``level`` of that: 0 for none, to 3."""

    label: str
    value: str
    level: int = 0


MEDALS_ACROSS, MEDAL_LINE = 2, 0.6


@frozen
class Medals(_Wide):
    """Medals in rows of two."""

    medals: tuple[Medal, ...]

    @property
    def height(self) -> float:
        return MEDAL_LINE * -(-len(self.medals) // MEDALS_ACROSS)


WEEK, WEEK_LINE = 7, 0.42


@frozen
class Weeks(_Wide):
    """A calendar, a column for each week up to today's: days that were done well, ill (False) or not.

    ``note`` is written below it.
    """

    title: str
    days: tuple[bool | None, ...]
    note: str

    @property
    def cell(self) -> float:
        return self.width * WEEK / len(self.days)

    @property
    def height(self) -> float:
        return 2 * WEEK_LINE + WEEK * self.cell


@frozen
class Subtitles(_Box):
    """What is told below a picture of a moving one: lines of text, with room for so many."""

    lines: tuple[str, ...]
    room: int


PODIUM_STEPS, PODIUM_HEIGHT, PODIUM_LINE = 3, 2.8, 0.54
PODIUM_LONE = 0.8
"""How high a step is on which one frog stands alone."""


@frozen
class Standing:
    """The place of a seat in a match that is over, from 1, with a ``note`` on how it came there.

    Who is ``crowned`` has won. ``token``: its frog is the one it played with.
    """

    seat: int
    name: str
    place: int
    note: str = ""
    crowned: bool = False
    token: bool = False
    computer: bool = False


def standings(
    names: Sequence[str], places: Sequence[int], winners: Collection[int], note: Callable[[int], str]
) -> tuple[Standing, ...]:
    """Return who came in where, best first, with the ``note`` of each seat."""
    return tuple(
        Standing(seat, names[seat], places[seat], note(seat), crowned=seat in winners)
        for seat in sorted(range(len(names)), key=places.__getitem__)
    )


@frozen
class Podium(_Wide):
    """Who came in where: the first ones on steps, the others in a line below. Best first."""

    standings: tuple[Standing, ...]

    @property
    def height(self) -> float:
        return PODIUM_HEIGHT + (PODIUM_LINE if self.standings[PODIUM_STEPS:] else 0.0)


_OfGame: TypeAlias = Zone | Plate | Reveal | Podium | Stop | Camp | Tally
Item: TypeAlias = _OfGame | Caption | Chart | Bars | Medals | Weeks | Subtitles
"""Anything that a scene may have in it."""


@frozen
class Scene:
    """All there is to see, in the order in which a reader should come to it.

    With ``four_colours`` each suit of a pack of 52 has a colour of its own.
    """

    width: float
    height: float
    items: tuple[Item, ...] = field(default=())
    four_colours: bool = False
