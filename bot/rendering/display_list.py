"""The display list: what a picture is drawn with, in pixels and in order, as data that can be compared.

A sprite says all that its pixels depend on, so each is painted once (``bitmaps``). Two kinds of sprites
have no fields of the same types: they are tuples, whose hashes Python makes fastest, and never equal.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.immutable import IdentityEnum
from bot.engine.scene import Awaited, Blank, Face, Look
from bot.rendering.theme import Colour


class Laps(IdentityEnum):
    """Which edge of a card lies on the card before it, and not on the ground."""

    NOTHING = "nothing"
    LEFT = "left"
    TOP = "top"


class Shape(IdentityEnum):
    """What is drawn in a square, beside the suits of both decks."""

    FROG = "frog"
    KING = "king of frogs"
    EMPTY = "the empty place of a frog"
    PAD = "lily pad"
    CROWN = "crown"
    ARROW = "arrow to the right"
    CROSS = "cross"
    INTO = "where a card goes"


class CardSprite(NamedTuple):
    """A card on a ground, or a half of it that laps over another card."""

    face: Face | Blank | Awaited
    width_px: int
    ground: Colour
    four_colours: bool = False
    laps: Laps = Laps.NOTHING


class ShapeSprite(NamedTuple):
    """A shape on a ground; the ink of a frog's face is its skin."""

    shape: Shape | Suit | DecktetSuit | Look
    size_px: int
    ground: Colour
    ink: Colour


class TokenSprite(NamedTuple):
    """A seat's frog on a ground, with the seat's number on its back or without."""

    seat: int
    size_px: int
    ground: Colour
    numbered: bool


class BlockSprite(NamedTuple):
    """A rectangle with round corners on a ground, with a border or without."""

    width_px: int
    height_px: int
    corner_px: int
    fill: Colour
    ground: Colour
    border: Colour | None
    border_px: int


class FrameSprite(NamedTuple):
    """A frame, light outside and dark inside, so that it shows on felt and on cards."""

    width_px: int
    height_px: int
    corner_px: int
    line_px: int


class TextSprite(NamedTuple):
    """A line of text on a ground; one that was cut ends with an ellipsis."""

    text: str
    size_px: int
    ground: Colour
    ink: Colour
    narrow: bool


Sprite: TypeAlias = CardSprite | ShapeSprite | TokenSprite | BlockSprite | FrameSprite | TextSprite


class Placed(NamedTuple):
    """A sprite with its upper left corner in the picture."""

    sprite: Sprite
    left: int
    top: int
