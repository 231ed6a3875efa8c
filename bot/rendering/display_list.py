"""Display list of a picture, with sprites and their positions in pixels in drawing order.

A sprite holds everything that its pixels depend on, so each is painted once (``bitmaps``). Sprites are
named tuples because Python hashes tuples fastest. No two classes have the same field types, so sprites
of different classes are never equal.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.frozen import IdentityEnum
from bot.engine.scene import Awaited, Blank, Face, Look
from bot.rendering.theme import Colour


class Laps(IdentityEnum):
    """The edge of a card that overlaps the card before it instead of the ground."""

    NOTHING = "nothing"
    LEFT = "left"
    TOP = "top"


class Shape(IdentityEnum):
    """A shape drawn in a square, apart from the suits of both decks."""

    FROG = "frog"
    KING = "king of frogs"
    EMPTY = "the empty place of a frog"
    PAD = "lily pad"
    CROWN = "crown"
    ARROW = "arrow to the right"
    CROSS = "cross"
    INTO = "where a card goes"


class CardSprite(NamedTuple):
    """A card on a ground, or the half of a card that overlaps another card."""

    face: Face | Blank | Awaited
    width_px: int
    ground: Colour
    four_colours: bool = False
    laps: Laps = Laps.NOTHING


class ShapeSprite(NamedTuple):
    """A shape on a ground. For a frog's face, the ink is the colour of its skin."""

    shape: Shape | Suit | DecktetSuit | Look
    size_px: int
    ground: Colour
    ink: Colour


class TokenSprite(NamedTuple):
    """A seat's frog on a ground, with or without the seat's number on its back."""

    seat: int
    size_px: int
    ground: Colour
    numbered: bool


class BlockSprite(NamedTuple):
    """A rectangle with rounded corners on a ground, with or without a border."""

    width_px: int
    height_px: int
    corner_px: int
    fill: Colour
    ground: Colour
    border: Colour | None
    border_px: int


class FrameSprite(NamedTuple):
    """A frame that is light outside and dark inside, so that it is visible on felt and on cards."""

    width_px: int
    height_px: int
    corner_px: int
    line_px: int


class TextSprite(NamedTuple):
    """A line of text on a ground. Text that was cut ends with an ellipsis."""

    text: str
    size_px: int
    ground: Colour
    ink: Colour
    narrow: bool


Sprite: TypeAlias = CardSprite | ShapeSprite | TokenSprite | BlockSprite | FrameSprite | TextSprite


class Placed(NamedTuple):
    """A sprite with the position of its upper left corner in the picture, in pixels."""

    sprite: Sprite
    left: int
    top: int
