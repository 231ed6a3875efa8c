"""The picture while it is being drawn: palette indices, and lengths in card widths."""

from __future__ import annotations

from enum import Enum

from PIL import Image

from bot.engine.decktet import DecktetSuit
from bot.engine.scene import Align, Awaited, Blank, Face
from bot.rendering import theme
from bot.rendering.png import FILTER_COLUMN_PX, encode
from bot.rendering.sprites import (
    Sprite,
    arrow_sprite,
    block_sprite,
    card_sprite,
    crown_sprite,
    frog_sprite,
    pad_sprite,
    suit_sprite,
    token_sprite,
)
from bot.rendering.text import fitted, text_sprite, width_of
from bot.rendering.theme import Colour, index_of


class Laps(Enum):
    """Which edge of a card lies on the card before it, and not on the ground."""

    NOTHING = "nothing"
    LEFT = "left"
    TOP = "top"


class Canvas:
    """Takes things to draw at places in card widths; gives a PNG."""

    def __init__(self, width: float, height: float) -> None:
        self._unit = theme.IMAGE_WIDTH_PX / width
        size = (theme.IMAGE_WIDTH_PX + FILTER_COLUMN_PX, round(height * self._unit))
        self._image = Image.new("L", size, index_of(theme.FELT))
        self._image.paste(0, (0, 0, FILTER_COLUMN_PX, size[1]))

    def png(self) -> bytes:
        """Return the picture."""
        return encode(self._image)

    def card(
        self,
        face: Face | Blank | Awaited,
        x: float,
        y: float,
        size: float = 1.0,
        ground: Colour = theme.FELT,
        laps: Laps = Laps.NOTHING,
    ) -> None:
        """Draw a card with its upper left corner at (x, y), on a ground or lapping over another card."""
        self._put(card_sprite(face, self.px(size), ground), x, y)
        if laps is not Laps.NOTHING:
            indices, mask = card_sprite(face, self.px(size), theme.IVORY)
            wide, high = indices.size
            half = (0, 0, wide // 2, high) if laps is Laps.LEFT else (0, 0, wide, high // 2)
            self._put((indices.crop(half), mask.crop(half)), x, y)

    def frog(self, x: float, y: float, size: float, ground: Colour, *, alive: bool) -> None:
        """Draw a life, held or lost."""
        self._put(frog_sprite(self.px(size), ground, alive=alive), x, y)

    def token(
        self, seat: int, x: float, y: float, size: float, ground: Colour, *, faint: bool = False
    ) -> None:
        """Draw a seat's frog, or faintly where it may come to sit."""
        self._put(token_sprite(self.px(size), ground, seat, faint=faint), x, y)

    def crown(self, x: float, y: float, size: float) -> None:
        """Draw the index of a Decktet Crown on a card."""
        self._put(crown_sprite(self.px(size)), x, y)

    def pad(self, x: float, y: float, size: float) -> None:
        """Draw a free space of a card."""
        self._put(pad_sprite(self.px(size)), x, y)

    def suit(self, suit: DecktetSuit, x: float, y: float, size: float) -> None:
        """Draw a suit of the Decktet on a card."""
        self._put(suit_sprite(self.px(size), suit), x, y)

    def arrow(self, x: float, y: float, size: float, ink: Colour, ground: Colour) -> None:
        """Draw an arrow to the right."""
        self._put(arrow_sprite(self.px(size), ink, ground), x, y)

    def block(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: Colour,
        *,
        ground: Colour = theme.FELT,
        corner: float = theme.PLATE_CORNER,
        border: Colour | None = None,
    ) -> None:
        """Draw a rectangle with round corners."""
        line = self.px(theme.PLATE_BORDER) if border else 0
        sprite = block_sprite(
            self.px(width), self.px(height), self.px(corner), fill, ground, border, line
        )
        self._put(sprite, x, y)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        *,
        ink: Colour = theme.CREAM,
        ground: Colour = theme.FELT,
        align: Align = Align.LEFT,
        width: float | None = None,
    ) -> None:
        """Draw a line of text, cut to a width where one is given; y is its upper edge."""
        size_px = self.px(size)
        shown = fitted(text, size_px, self.px(width) if width is not None else theme.IMAGE_WIDTH_PX)
        if not shown:
            return
        shift = {Align.LEFT: 0.0, Align.CENTRE: 0.5, Align.RIGHT: 1.0}[align]
        left = x - shift * width_of(shown, size_px) / self._unit
        self._put(text_sprite(shown, size_px, ground, ink), left, y)

    def width_of(self, text: str, size: float) -> float:
        """Return how wide a text is, in card widths."""
        size_px = self.px(size)
        return width_of(fitted(text, size_px, theme.IMAGE_WIDTH_PX), size_px) / self._unit

    def px(self, length: float) -> int:
        """Return a length in pixels."""
        return max(1, round(length * self._unit))

    def _put(self, sprite: Sprite, x: float, y: float) -> None:
        indices, mask = sprite
        place = (round(x * self._unit) + FILTER_COLUMN_PX, round(y * self._unit))
        self._image.paste(indices, place, mask)
