"""Display list of a picture: the sprites in drawing order, with their positions in pixels.

A sprite is a small image, described by all values that its pixels depend on. Equal sprites are painted
once and cached. Sprites are named tuples because Python hashes tuples fastest. No two sprite classes
have the same field types, so sprites of different classes are never equal. A sprite's *ground* is the
background colour that its edges are blended with.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.frozen import IdentityEnum
from bot.engine.scene import Blank, Face, FrogFace, SuitPlace
from bot.rendering.theme import Colour


class OverlapEdge(IdentityEnum):
    """The edge of a card that lies on the previous card instead of the background."""

    NOTHING = "nothing"
    LEFT = "left"
    TOP = "top"


class Shape(IdentityEnum):
    """A shape drawn in a square. The suits of both decks and the frogs' faces are separate enums."""

    FROG = "frog"
    KING = "king of frogs"
    EMPTY = "the empty place of a frog"
    PAD = "lily pad"
    CROWN = "crown"
    ARROW = "arrow to the right"
    CROSS = "cross"
    INTO = "where a card goes"


class CardSprite(NamedTuple):
    """A whole card, or the half of a card that overlaps another card."""

    face: Face | Blank | SuitPlace
    width_px: int
    ground: Colour
    four_colours: bool = False
    laps: OverlapEdge = OverlapEdge.NOTHING


class ShapeSprite(NamedTuple):
    """A shape. If it is a frog's face, ``ink`` is the skin colour."""

    shape: Shape | Suit | DecktetSuit | FrogFace
    size_px: int
    ground: Colour
    ink: Colour


class TokenSprite(NamedTuple):
    """A frog in a seat's colour, with or without the seat's number on its back."""

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
    """A rectangular frame. Its outer line is light and its inner line dark, for contrast everywhere."""

    width_px: int
    height_px: int
    corner_px: int
    line_px: int


class TextSprite(NamedTuple):
    """A line of text. If the text was cut, it ends with an ellipsis."""

    text: str
    size_px: int
    ground: Colour
    ink: Colour
    narrow: bool


Sprite: TypeAlias = CardSprite | ShapeSprite | TokenSprite | BlockSprite | FrameSprite | TextSprite


class Placed(NamedTuple):
    """A sprite and the position of its upper left corner in the picture, in pixels."""

    sprite: Sprite
    left: int
    top: int
