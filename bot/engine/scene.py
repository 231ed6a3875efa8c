"""Scenes, which describe pictures as plain data.

A scene is made from a view, so it holds no more than its viewer knows. A hidden card is a
``Blank.BACK``. Lengths are in card widths. A card is 1 wide and ``CARD_HEIGHT`` high. x grows to the
right and y grows down, from the upper left corner of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from math import inf
from typing import TypeAlias

from bot.engine.cards import Card, Suit
from bot.engine.decktet import DecktetCard
from bot.engine.frozen import IdentityEnum, frozen

SMALLEST_TEXT = 1 / 26
"""The smallest height of text as a share of the scene's width, 11 or 12 pixels on a phone."""

FROG = "🐸"
CARD_HEIGHT = 1.4
PLATE_GAP = 0.1

Face: TypeAlias = Card | DecktetCard
"""A card of any deck."""


class Blank(IdentityEnum):
    """A place in a zone without a visible card face."""

    BACK = "back"
    GAP = "gap"


@frozen
class Awaited:
    """An empty place, marked with the suit that belongs there."""

    suit: Suit


class Mark(IdentityEnum):
    """A highlight of a place as part of the last move, a possible next move or a hint."""

    LEFT = "left"
    REACHED = "reached"
    MAY_MOVE = "may move"
    LANDING = "landing"
    TAKE = "take"
    PUT = "put"


@frozen
class Zone:
    """A row, fan or pile of cards.

    Attributes:
        title: The heading above the cards. If ``quiet``, only the alt text has it.
        x: The left edge of the first card.
        y: The upper edge of the first card.
        cards: The cards and empty places.
        step: The offset from one card to the next.
        size: The width of a card.
        note: Words below the cards.
        count: The number of cards in a pile, shown below it, or None.
        wrap: The number of cards per row, or None for a single row.
        drop: The distance from one row down to the next.
        quiet: Whether the picture omits the title.
        mark: The highlight of the last ``marked`` cards, or None.
        marked: The number of highlighted cards.
        new: Those of the cards that have just arrived.
        called: The title in the alt text, or empty if it is the same.
        said: The cards and the note in the alt text, or empty to derive them.
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
    """The facial expression of a frog: first, second, last or any other place."""

    LAUGHING = "laughing"
    WRY = "wry"
    SAD = "sad"
    PLAIN = "plain"


class Mood(IdentityEnum):
    """The tone of a badge or a caption."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


@frozen
class _Wide:
    """An item with a given width and a height that depends on its content."""

    x: float
    y: float
    width: float


@frozen
class _Box(_Wide):
    """An item in a rectangle."""

    height: float


@frozen
class _OfSeat:
    """An item about a seat, in a rectangle."""

    seat: int
    name: str
    x: float
    y: float
    width: float
    height: float


@frozen
class Plate(_OfSeat):
    """A seat at the table, with its name, lives, number of cards held and open cards.

    A plate too low for a fan of cards shows only their number. A plate too low for two lines is a
    one-line strip.

    Attributes:
        full: The lives at the start, or 0 for a game without lives.
        held: The number of cards held, or None for a game without hands.
        shown: The cards that all players may see.
        badge: A word about the seat's state, such as *safe* or *out*.
        mood: The tone of the badge.
        out: Whether the seat is out of the match. It is drawn faint.
        to_move: Whether the seat is to move.
        dealer: Whether the seat is the dealer.
        token: Whether the seat has tokens on the table.
        counted: A count shown instead of lives, such as ``2 of 6 home``.
        own: Whether the seat is the viewer's.
        computer: Whether a computer player plays the seat.
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
    """Yield the left, top, width and height of plates in centred rows across a scene.

    Args:
        count: The number of plates.
        y: The top of the first row.
        height: The height of a plate.
        width: The width of the scene.
        margin: The space to leave at each side.
        most: The largest number of plates in a row.
        widest: The largest width of a plate.
    """
    columns = -(-count // -(-count // most))
    wide = min(widest, (width - 2 * margin - (columns - 1) * PLATE_GAP) / columns)
    for place in range(count):
        row, column = divmod(place, columns)
        in_row = min(columns, count - row * columns)
        left = (width - in_row * wide - (in_row - 1) * PLATE_GAP) / 2
        yield left + column * (wide + PLATE_GAP), y + row * (height + PLATE_GAP / 2), wide, height


@frozen
class Reveal(_OfSeat):
    """A hand turned face up, with its owner, its cards, and its red and black spots.

    Attributes:
        red: The red spots.
        black: The black spots.
        lives: The lives that the seat has now.
        full: The lives at the start, or 0 for a game without lives.
        lost: Whether to show a life leaving for the pot.
        badge: A word about the hand.
        mood: The tone of the badge.
        says: A sentence with ``{name}`` for an event that all players should see, spoken by a frog, or
            empty.
        crowned: Whether the frog wears a crown.
        computer: Whether a computer player plays the seat.
        look: The frog's facial expression.
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
    """A numbered card of a path. Each of its suits is a space for one token.

    Attributes:
        number: The card's number on the path.
        tokens: The seat whose token is on each space, or None for an empty one.
        marks: The highlight of each space, or empty if no space has one.
    """

    number: int
    card: DecktetCard
    tokens: tuple[int | None, ...]
    marks: tuple[Mark | None, ...] = ()


@frozen
class Camp(_Box):
    """An end of a path, with room for any number of tokens.

    Attributes:
        title: The words shown.
        tokens: The number of tokens of each seat, in seat order.
        first: Whether this is the start of the path, not its goal.
        mark: The highlight, or None.
    """

    title: str
    tokens: tuple[int, ...]
    first: bool = False
    mark: Mark | None = None


@frozen
class Tally(_Wide):
    """Progress towards a goal, such as 7 of 10 red spots."""

    label: str
    value: int
    goal: int
    red: bool = False


class Align(IdentityEnum):
    """The point of a caption that x refers to."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@frozen
class Caption:
    """A line of text.

    Attributes:
        text: The words.
        x: The horizontal position of the point that ``align`` names.
        y: The upper edge.
        height: The height of the text.
        align: The meaning of x.
        loud: Whether to draw a band across the scene, for an event that all players should see.
        mood: The tone.
        room: The width beyond which the text is condensed, as in long languages. 0 means the width of
            the picture.
        said: The words for the alt text, or empty if ``text`` reads well aloud.
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
    """A table with a heading for each column. Columns are as wide as their content.

    Attributes:
        headings: The heading of each column.
        rows: The cells, row by row.
        own: The index of the viewer's row, which is highlighted, or None.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    own: int | None = None

    @property
    def height(self) -> float:
        """The height with the headings, which may take two lines."""
        return CHART_HEAD + CHART_LINE * len(self.rows)


CHART_HEAD, CHART_LINE = 0.8, 0.5


@frozen
class Bars(_Wide):
    """A bar chart of how often each result occurred, one line per result."""

    rows: tuple[tuple[str, int], ...]

    @property
    def height(self) -> float:
        return CHART_LINE * len(self.rows)


@frozen
class Medal:
    """A player's total in one category, and the medal that it earned.

    Attributes:
        label: The category.
        value: The total.
        level: 0 for no medal, or 1 (bronze) to 3 (gold).
        is_frog: True for matches against computer players, whose medals have a green edge.
    """

    label: str
    value: str
    level: int = 0
    is_frog: bool = False


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
    """A calendar with a column for each week up to the current one.

    Attributes:
        title: The heading.
        days: True for a day done, False for a day missed, None for a day not tried.
        note: Words below the calendar.
        saved: The positions in ``days`` of missed days that a streak has survived.
    """

    title: str
    days: tuple[bool | None, ...]
    note: str
    saved: frozenset[int] = frozenset()

    @property
    def cell(self) -> float:
        return self.width * WEEK / len(self.days)

    @property
    def height(self) -> float:
        return 2 * WEEK_LINE + WEEK * self.cell


@frozen
class Subtitles(_Box):
    """Lines of text below a frame of an animation.

    Attributes:
        lines: The text.
        room: The number of lines to leave room for.
    """

    lines: tuple[str, ...]
    room: int


PODIUM_STEPS, PODIUM_HEIGHT, PODIUM_LINE = 3, 2.8, 0.54
PODIUM_LONE = 0.8
"""The height of the step if a podium shows a single frog."""


@frozen
class Standing:
    """The place of a seat in a finished match.

    Attributes:
        name: The player's name.
        place: The place, from 1.
        note: Words about the result.
        crowned: Whether the seat won.
        token: Whether to draw the frog that the seat played with.
        computer: Whether a computer player played the seat.
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
    """Return the standings, best first.

    Args:
        names: The players' names, by seat.
        places: The places from 1, by seat.
        winners: The winning seats.
        note: Returns the note of a seat.
    """
    return tuple(
        Standing(seat, names[seat], places[seat], note(seat), crowned=seat in winners)
        for seat in sorted(range(len(names)), key=places.__getitem__)
    )


@frozen
class Podium(_Wide):
    """The standings, best first. The first ones are on steps, the others on a line below."""

    standings: tuple[Standing, ...]

    @property
    def height(self) -> float:
        return PODIUM_HEIGHT + (PODIUM_LINE if self.standings[PODIUM_STEPS:] else 0.0)


_OfGame: TypeAlias = Zone | Plate | Reveal | Podium | Stop | Camp | Tally
Item: TypeAlias = _OfGame | Caption | Chart | Bars | Medals | Weeks | Subtitles
"""Any item of a scene."""


@frozen
class Scene:
    """A picture as plain data.

    Attributes:
        items: The items in reading order.
        four_colours: Whether each of the four French suits has its own colour.
    """

    width: float
    height: float
    items: tuple[Item, ...] = field(default=())
    four_colours: bool = False
