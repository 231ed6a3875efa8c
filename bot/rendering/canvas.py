"""Canvas that records the sprites of a picture, with their positions in pixels."""

from __future__ import annotations

from math import ceil

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.scene import SMALLEST_TEXT, Align, Blank, Face, FrogFace, SuitPlace
from bot.rendering import theme
from bot.rendering.cards import index_room
from bot.rendering.display_list import (
    BlockSprite,
    CardSprite,
    FrameSprite,
    OverlapEdge,
    Placed,
    Shape,
    ShapeSprite,
    Sprite,
    TextSprite,
    TokenSprite,
)
from bot.rendering.text import fit_text, line_height, readable, width_of
from bot.rendering.theme import Colour

_SHIFTS = {Align.LEFT: 0.0, Align.CENTRE: 0.5, Align.RIGHT: 1.0}


class Canvas:
    """Drawing surface that records the sprites of a picture.

    Coordinates and sizes are in card widths.
    """

    def __init__(
        self, width: float, *, width_px: int = theme.IMAGE_WIDTH_PX, four_colours: bool = False
    ) -> None:
        self._unit = width_px / width
        self._smallest_text_px = ceil(width_px * SMALLEST_TEXT)
        self.width = width
        self.four_colours = four_colours
        self.placed: list[Placed] = []

    def card(
        self,
        face: Face | Blank | SuitPlace,
        x: float,
        y: float,
        size: float = 1.0,
        ground: Colour = theme.FELT,
        laps: OverlapEdge = OverlapEdge.NOTHING,
    ) -> None:
        """Draw a card with its upper left corner at (x, y). It may overlap the previous card."""
        card = CardSprite(face, self.px(size), ground, self.four_colours)
        self._place_sprite(card, x, y)
        if laps is not OverlapEdge.NOTHING:
            self._place_sprite(card._replace(ground=theme.IVORY, laps=laps), x, y)

    def shape(
        self,
        shape: Shape | Suit | DecktetSuit | FrogFace,
        x: float,
        y: float,
        size: float,
        ground: Colour = theme.IVORY,
        ink: Colour = theme.INK,
    ) -> None:
        """Draw a shape that fills a square. Some shapes ignore ``ink`` or have further colours."""
        self._place_sprite(ShapeSprite(shape, self.px(size), ground, ink), x, y)

    def frog(
        self, seat: int | None, x: float, y: float, size: float, ground: Colour, *, numbered: bool = True
    ) -> None:
        if seat is None:
            self.shape(Shape.FROG, x, y, size, ground)
        else:
            self._place_sprite(TokenSprite(seat, self.px(size), ground, numbered), x, y)

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        corner, line = self.px(theme.FRAME_CORNER), self.px(theme.FRAME_LINE)
        self._place_sprite(FrameSprite(self.px(width), self.px(height), corner, line), x, y)

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
        line: float = theme.PLATE_BORDER,
    ) -> None:
        width_px, height_px, corner_px = map(self.px, (width, height, corner))
        line_px = self.px(line) if border else 0
        self._place_sprite(
            BlockSprite(width_px, height_px, corner_px, fill, ground, border, line_px), x, y
        )

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        ground: Colour = theme.FELT,
        ink: Colour = theme.CREAM,
        align: Align = Align.LEFT,
        width: float | None = None,
        *,
        narrow: bool = False,
    ) -> None:
        """Draw a line of text.

        If the text is too wide, it is drawn with a condensed font. If it is still too wide, its end is
        cut off. The text is always large enough to be readable on a phone.

        Args:
            text: The text.
            x: The left edge, the centre or the right edge, according to ``align``, in card widths.
            y: The top, in card widths.
            size: The height of the font, in card widths.
            ground: The colour behind the text.
            ink: The colour of the text.
            align: The meaning of ``x``.
            width: The maximum width in card widths, or None for the width of the picture.
            narrow: True to use the condensed font in any case.
        """
        size_px = self._text_px(size)
        margin = theme.PICTURE_MARGIN
        most = self.width - 2 * margin
        room = self.px(most if width is None else max(min(width, most), 0.0))
        narrow = narrow or width_of(readable(text), size_px) > room
        line = fit_text(text, size_px, room, narrow=narrow)
        if not line:
            return
        used = width_of(line, size_px, narrow=narrow) / self._unit
        left = min(max(x - _SHIFTS[align] * used, margin), self.width - margin - used)
        self._place_sprite(TextSprite(line, size_px, ground, ink, narrow), left, y)

    def mark(self, x: float, top: float, ground: Colour) -> float:
        """Draw the mark of a computer player before its name. Return the x at which the name begins."""
        y = top + (theme.LINE - theme.MARK_SIZE) / 2
        self.shape(Shape.FROG, x, y, theme.MARK_SIZE, ground)
        return x + theme.MARK_ROOM

    def width_of(self, text: str, size: float, *, narrow: bool = False) -> float:
        return width_of(readable(text), self._text_px(size), narrow=narrow) / self._unit

    def height_of(self, size: float) -> float:
        return line_height(self._text_px(size)) / self._unit

    def index_room(self, face: Face | Blank, size: float) -> float:
        """Return the width of the left part of a card that shows its index, in card widths.

        This part must stay visible if another card overlaps the card.
        """
        return index_room(face, self.px(size)) / self._unit

    def px(self, length: float) -> int:
        return max(1, round(length * self._unit))

    def _text_px(self, size: float) -> int:
        return max(self.px(size), self._smallest_text_px)

    def _place_sprite(self, sprite: Sprite, x: float, y: float) -> None:
        self.placed.append(Placed(sprite, round(x * self._unit), round(y * self._unit)))
