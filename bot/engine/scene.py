"""Scenes: descriptions of pictures as plain data.

A scene is built from a player's view of the match, so it contains only what that player may know. A
hidden card is a ``Blank.BACK``. Lengths are in card widths: a card is 1 wide and ``CARD_HEIGHT`` high.
The origin is the upper left corner. x grows to the right and y grows down.
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
"""The smallest text height, as a share of the scene's width. It is 11 or 12 pixels on a phone."""

FROG = "🐸"
CARD_HEIGHT = 1.4
PLATE_GAP = 0.1

Face: TypeAlias = Card | DecktetCard
"""A card of any deck."""


class Blank(IdentityEnum):
    """A place for a card that shows no card face: a face-down card or an empty gap."""

    BACK = "back"
    GAP = "gap"


@frozen
class SuitPlace:
    """An empty place that shows the suit of the card that belongs there."""

    suit: Suit


class Mark(IdentityEnum):
    """The reason why a place is highlighted.

    LEFT and REACHED mark the last move, MAY_MOVE and LANDING a possible move, TAKE and PUT a hint.
    """

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
        title: The heading above the cards.
        x: The left edge of the first card.
        y: The upper edge of the first card.
        cards: The cards and empty places.
        step: The offset from one card to the next.
        size: The width of a card.
        note: The text below the cards.
        count: The number of cards in a pile, shown below it, or None to show no number.
        wrap: The number of cards per row, or None for a single row.
        drop: The distance from one row down to the next.
        quiet: Whether only the alt text contains the title.
        mark: The highlight of the last ``marked`` cards, or None.
        marked: The number of highlighted cards.
        new: The cards that have just arrived. They are framed.
        called: The title in the alt text. If empty, the alt text uses ``title``.
        spoken: The alt text for the cards and the note. If empty, it is generated from them.
    """

    title: str
    x: float
    y: float
    cards: tuple[Face | Blank | SuitPlace, ...]
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
    spoken: str = ""


class FrogFace(IdentityEnum):
    """A frog's facial expression, which shows how well its player did."""

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
    """A picture item with a fixed width. Its height depends on its content."""

    x: float
    y: float
    width: float


@frozen
class _Box(_Wide):
    """A picture item with a fixed width and height."""

    height: float


@frozen
class _OfSeat:
    """A picture item that shows one player. It has a fixed width and height."""

    seat: int
    name: str
    x: float
    y: float
    width: float
    height: float


@frozen
class Plate(_OfSeat):
    """A box that shows one player's name, lives, number of cards and open cards.

    A plate that is not high enough for a fan of cards shows only the number of cards. A plate that is
    not high enough for two lines is drawn as a one-line strip.

    Attributes:
        lives: The remaining lives.
        full: The lives at the start, or 0 for a game without lives.
        held: The number of cards held, or None for a game without hands.
        shown: The cards that all players may see.
        badge: A word for the player's state, such as *safe* or *out*.
        mood: The tone of the badge.
        out: Whether the player is out of the match. Such a plate is drawn faint.
        to_move: Whether it is the player's turn.
        dealer: Whether the player is the dealer.
        token: Whether the player has tokens on the table.
        counted: The progress shown instead of lives, such as ``2 of 6 home``.
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
    """Arrange player boxes (plates) in centred rows. Yield each box's left, top, width and height.

    Args:
        count: The number of plates.
        y: The top of the first row.
        height: The height of each plate.
        width: The width of the scene.
        margin: The space on the left and on the right.
        most: The maximum number of plates per row.
        widest: The maximum width of a plate.
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
    """A player's hand turned face up, with its numbers of red and black spots.

    Attributes:
        red: The number of red spots.
        black: The number of black spots.
        lives: The remaining lives.
        full: The lives at the start, or 0 for a game without lives.
        lost: Whether to show a life that moves to the pot.
        badge: A word about the hand.
        mood: The tone of the badge.
        says: An announcement that the player's frog makes, with ``{name}`` for the player, or empty.
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
    look: FrogFace = FrogFace.PLAIN


@frozen
class PathCard(_Box):
    """A card on the board's path. Each suit of the card is a space for one token.

    Attributes:
        number: The card's number on the path.
        tokens: The seat whose token is on each space, or None for an empty space.
        marks: The highlight of each space. Empty if no space is highlighted.
    """

    number: int
    card: DecktetCard
    tokens: tuple[int | None, ...]
    marks: tuple[Mark | None, ...] = ()


@frozen
class PathEnd(_Box):
    """The start or the goal of a path, with room for any number of tokens.

    Attributes:
        title: The text shown.
        tokens: The number of tokens of each seat, in seat order.
        first: True for the start of the path, False for its goal.
        mark: The highlight, or None.
    """

    title: str
    tokens: tuple[int, ...]
    first: bool = False
    mark: Mark | None = None


@frozen
class ProgressTally(_Wide):
    """Progress towards a goal, such as 7 of 10 red spots."""

    label: str
    value: int
    goal: int
    red: bool = False


class Align(IdentityEnum):
    """The part of a caption that its x refers to: the left edge, the centre or the right edge."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@frozen
class Caption:
    """A line of text.

    Attributes:
        x: The left edge, the centre or the right edge, according to ``align``.
        y: The upper edge.
        height: The height of the text.
        align: The meaning of ``x``.
        loud: Whether to draw a band across the scene, for an event that all players should notice.
        mood: The tone.
        room: The available width. Longer text is condensed. 0 means the width of the picture.
        spoken: The alt text. If empty, the alt text uses ``text``.
    """

    text: str
    x: float
    y: float
    height: float = 0.25
    align: Align = Align.LEFT
    loud: bool = False
    mood: Mood = Mood.PLAIN
    room: float = 0.0
    spoken: str = ""


@frozen
class Chart(_Wide):
    """A table of numbers, with a heading for each column. Columns are as wide as their content.

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
        """The height of the table, including headings of up to two lines."""
        return CHART_HEAD + CHART_LINE * len(self.rows)


CHART_HEAD, CHART_LINE = 0.8, 0.5


@frozen
class Bars(_Wide):
    """A bar chart with one line per result. Each bar shows how often the result occurred."""

    rows: tuple[tuple[str, int], ...]

    @property
    def height(self) -> float:
        return CHART_LINE * len(self.rows)


@frozen
class Medal:
    """A player's total in one category, and the medal earned for it.

    Attributes:
        label: The category.
        value: The total.
        level: 0 for no medal, 1 for bronze, 2 for silver or 3 for gold.
        is_against_computer: Whether the total counts matches against computer players. Such medals have
            a green edge.
    """

    label: str
    value: str
    level: int = 0
    is_against_computer: bool = False


MEDALS_ACROSS, MEDAL_LINE = 2, 0.6


@frozen
class Medals(_Wide):
    """A list of medals, two per row."""

    medals: tuple[Medal, ...]

    @property
    def height(self) -> float:
        return MEDAL_LINE * -(-len(self.medals) // MEDALS_ACROSS)


WEEK, WEEK_LINE = 7, 0.42


@frozen
class Weeks(_Wide):
    """A calendar of a player's daily games, with one column per week up to the current week.

    Attributes:
        title: The heading.
        days: The result of each day: True if done, False if missed, None if not tried.
        note: The text below the calendar.
        saved: The indices in ``days`` of missed days that did not end the player's streak.
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
        lines: The lines of text.
        room: The number of lines to reserve space for.
    """

    lines: tuple[str, ...]
    room: int


PODIUM_STEPS, PODIUM_HEIGHT, PODIUM_LINE = 3, 2.8, 0.54
PODIUM_LONE = 0.8
"""The height of the step of a podium with a single frog."""


@frozen
class Standing:
    """A player's final place in a match.

    Attributes:
        name: The player's name.
        place: The place, from 1.
        note: A remark about the result.
        crowned: Whether the player won.
        token: Whether to draw the frog in the seat's colour, and the note instead of the place.
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
    """Return the final standings, sorted by place.

    Args:
        names: The player's name for each seat.
        places: The place of each seat, from 1.
        winners: The winning seats.
        note: Returns the remark for a seat.
    """
    return tuple(
        Standing(seat, names[seat], places[seat], note(seat), crowned=seat in winners)
        for seat in sorted(range(len(names)), key=places.__getitem__)
    )


@frozen
class Podium(_Wide):
    """The final standings. The first three players are on a podium. The others are in a line below."""

    standings: tuple[Standing, ...]

    @property
    def height(self) -> float:
        return PODIUM_HEIGHT + (PODIUM_LINE if self.standings[PODIUM_STEPS:] else 0.0)


_OfGame: TypeAlias = Zone | Plate | Reveal | Podium | PathCard | PathEnd | ProgressTally
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
