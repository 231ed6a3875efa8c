"""Display list of a picture: its sprites in drawing order, with their positions in pixels.

A sprite is a small image, described by all values on which its pixels depend. Equal sprites are painted
once and cached. Sprites are named tuples, because Python computes the hashes of tuples fastest. No two
sprite classes have the same field types, so sprites of different classes are never equal. A sprite's
*ground* is the background colour with which its edges are blended.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.frozen import IdentityEnum
from bot.engine.scene import Blank, Face, FrogFace, SuitPlace
from bot.rendering.theme import Colour


class OverlapEdge(IdentityEnum):
    """The edge of a card that lies on another card instead of the background."""

    NOTHING = "nothing"
    LEFT = "left"
    TOP = "top"


class Shape(IdentityEnum):
    """A shape that is drawn in a square, except suits and frogs' faces.

    These have enums of their own.
    """

    FROG = "frog"
    KING = "king of frogs"
    EMPTY = "the empty place of a frog"
    PAD = "lily pad"
    CROWN = "crown"
    ARROW = "arrow to the right"
    CROSS = "cross"
    INTO = "where a card goes"


class CardSprite(NamedTuple):
    """A playing card, or the half of a card that lies on another card."""

    face: Face | Blank | SuitPlace
    width_px: int
    ground: Colour
    four_colours: bool = False
    laps: OverlapEdge = OverlapEdge.NOTHING


class ShapeSprite(NamedTuple):
    """A shape, suit or frog's face in a square. For a frog's face, ``ink`` is the colour of its skin."""

    shape: Shape | Suit | DecktetSuit | FrogFace
    size_px: int
    ground: Colour
    ink: Colour


class TokenSprite(NamedTuple):
    """A frog in the colour of a seat, with or without the seat's number on its back."""

    seat: int
    size_px: int
    ground: Colour
    numbered: bool


class BlockSprite(NamedTuple):
    """A rectangle with rounded corners, with or without a border."""

    width_px: int
    height_px: int
    corner_px: int
    fill: Colour
    ground: Colour
    border: Colour | None
    border_px: int


class FrameSprite(NamedTuple):
    """A frame that highlights cards. A light and a dark line make it visible on every background."""

    width_px: int
    height_px: int
    corner_px: int
    line_px: int


class TextSprite(NamedTuple):
    """A line of text, which may end with an ellipsis if it was too long."""

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
