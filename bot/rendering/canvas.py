"""The picture while it is being drawn: palette indices, and lengths in card widths."""

from __future__ import annotations

from typing import Any, TypeAlias

from bot.engine.cards import Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.scene import Align, Awaited, Blank, Face
from bot.rendering import sprites, theme
from bot.rendering.cards import Laps, card_sprite, index_room, lap_sprite
from bot.rendering.png import FILTER_COLUMN_PX, NO_FILTER, Compressed, Paper, encode
from bot.rendering.sprites import Sprite
from bot.rendering.text import fitted, line_height, readable, text_sprite, width_of
from bot.rendering.theme import Colour, index_of

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle, in pixels of the image; the last two are outside it."""

Pixels: TypeAlias = Any
"""What Pillow has behind an image, without a public name: its ways skip what an image asks each time."""

_SHIFTS = {Align.LEFT: 0.0, Align.CENTRE: 0.5, Align.RIGHT: 1.0}
"""How much of a text is left of the place where it is aligned."""


class Canvas:
    """Takes things to draw at places in card widths; gives a PNG.

    What it drew is told to its last methods, which do nothing here: ``Accounted`` keeps account of it.
    """

    def __init__(
        self, width: float, height: float, *, four_colours: bool = False, paper: Paper | None = None
    ) -> None:
        """``paper`` is what it is drawn on, which nothing else may be meanwhile; else on new one."""
        self._unit = theme.IMAGE_WIDTH_PX / width
        self._width = width
        self._four_colours = four_colours
        self._paper = paper or Paper()
        self._image = self._paper.image(round(height * self._unit))
        self._pixels: Pixels = self._image.im
        self._pixels.paste(NO_FILTER, (0, 0, FILTER_COLUMN_PX, self._image.height))
        self._pixels.paste(index_of(theme.FELT), (FILTER_COLUMN_PX, 0, *self._image.size))
        self._boxes: list[Box] = []

    @property
    def height_px(self) -> int:
        """How many lines the picture has."""
        return self._image.height

    def png(self) -> bytes:
        """Return the picture."""
        return encode([self.compressed(0, self.height_px)])

    def compressed(self, top: int, bottom: int) -> Compressed:
        """Return the lines from one to before another, compressed for a PNG."""
        return self._paper.compressed(top, bottom)

    def covered(self) -> Box:
        """Return the part of the image that has been drawn to since this was asked last."""
        boxes, self._boxes = self._boxes or [(0, 0, 0, 0)], []
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        width, height = self._image.size
        return max(min(lefts), 0), max(min(tops), 0), min(max(rights), width), min(max(bottoms), height)

    def crop(self, box: Box) -> Pixels:
        """Return a part of the image as it is now."""
        return self._pixels.crop(box)

    def lay(self, pixels: Pixels, box: Box) -> None:
        """Lay such a part down where it was."""
        self._pixels.paste(pixels, box)

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
        size_px, four = self.px(size), self._four_colours
        self._put(card_sprite(face, size_px, ground, four_colours=four), x, y)
        if laps is not Laps.NOTHING:
            self._put(lap_sprite(face, size_px, laps, four_colours=four), x, y)
        if isinstance(face, (Blank, Awaited)):
            return
        self._lies(face, x, y, size_px)

    def frog(self, x: float, y: float, size: float, ground: Colour, *, crowned: bool = False) -> None:
        """Draw a life, or the king of frogs."""
        sprite = sprites.king_sprite if crowned else sprites.frog_sprite
        self._put(sprite(self.px(size), ground), x, y)
        self._signed(ground, theme.FROG, theme.INK)

    def dent(self, x: float, y: float, size: float, ground: Colour) -> None:
        """Draw the place of a frog that is not there."""
        self._put(sprites.dent_sprite(self.px(size), ground), x, y)
        self._signed(ground, sprites.dent_colour(ground))

    def token(
        self, seat: int, x: float, y: float, size: float, ground: Colour, *, numbered: bool = True
    ) -> None:
        """Draw a seat's frog, with its number or, where that is told already, without."""
        self._put(sprites.token_sprite(self.px(size), ground, seat, numbered=numbered), x, y)
        self._signed(ground, theme.WHITE, theme.INK)
        if numbered:
            self._numbered(seat, self.px(size), ground)

    def crown(self, x: float, y: float, size: float) -> None:
        """Draw the index of a Decktet Crown on a card."""
        self._put(sprites.crown_sprite(self.px(size)), x, y)
        self._signed(theme.IVORY, theme.INK)

    def pad(self, x: float, y: float, size: float) -> None:
        """Draw a free space of a card."""
        self._put(sprites.pad_sprite(self.px(size)), x, y)
        self._signed(theme.IVORY, theme.PAD)

    def suit(self, suit: DecktetSuit | Suit, x: float, y: float, size: float) -> None:
        """Draw a suit on a card's paper."""
        if isinstance(suit, Suit):
            self._put(sprites.pack_suit_sprite(self.px(size), suit), x, y)
            return
        self._put(sprites.suit_sprite(self.px(size), suit), x, y)
        self._signed(theme.IVORY, theme.SUITS[suit.name])

    def arrow(self, x: float, y: float, size: float, ink: Colour, ground: Colour) -> None:
        """Draw an arrow to the right."""
        self._put(sprites.arrow_sprite(self.px(size), ink, ground), x, y)
        self._signed(ground, ink)

    def cross(self, x: float, y: float, size: float, ink: Colour, ground: Colour) -> None:
        """Draw a cross: one too many."""
        self._put(sprites.cross_sprite(self.px(size), ink, ground), x, y)
        self._signed(ground, ink)

    def mark(self, x: float, y: float, width: float, height: float, ink: Colour) -> None:
        """Draw a rectangle that means something, on a card's paper."""
        self.block(x, y, width, height, ink, ground=theme.IVORY, corner=0.03)
        self._signed(theme.IVORY, ink)

    def ring(
        self, x: float, y: float, width: float, height: float, ink: Colour, *, filled: bool
    ) -> None:
        """Draw a ring on a card's paper, or the same place filled."""
        fill = ink if filled else theme.IVORY
        self.block(
            x,
            y,
            width,
            height,
            fill,
            ground=theme.IVORY,
            corner=height / 2,
            border=ink,
            line=theme.RING_LINE,
        )
        self._signed(theme.IVORY, ink)

    def bar(self, x: float, y: float, width: float, height: float, length: float) -> None:
        """Draw a groove of a width, and in it from the left a bar of a length, or none."""
        self.block(x, y, width, height, theme.PLATE)
        if length:
            self.block(x, y, length, height, theme.GOLD, ground=theme.PLATE)
        self._signed(theme.PLATE, theme.GOLD)

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a frame round cards that are to be taken, or round where they go."""
        line, corner = theme.FRAME_LINE, theme.FRAME_CORNER
        sprite = sprites.frame_sprite(self.px(width), self.px(height), self.px(corner), self.px(line))
        self._put(sprite, x, y)
        self._signed(theme.FELT, theme.NOW)
        self._signed(theme.IVORY, theme.INK)

    def into(self, x: float, y: float, size: float) -> None:
        """Draw the sign of where a card goes."""
        self._put(sprites.into_sprite(self.px(size)), x, y)
        self._signed(theme.NOW, theme.INK)

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
        """Draw a rectangle with round corners."""
        sprite = sprites.block_sprite(
            self.px(width),
            self.px(height),
            self.px(corner),
            fill,
            ground,
            border,
            self.px(line) if border else 0,
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
        narrow: bool = False,
    ) -> None:
        """Draw a line of text, cut to a width where one is given; y is its upper edge.

        It is never smaller than a phone can show, and never leaves the picture.
        """
        size_px = self._text_px(size)
        margin = theme.PICTURE_MARGIN
        most = self._width - 2 * margin
        room = self.px(most if width is None else max(min(width, most), 0.0))
        shown = fitted(text, size_px, room, narrow=narrow)
        if not shown:
            self._wrote(text, shown, (0, 0, 0, 0), ground, ink)
            return
        shift = _SHIFTS[align]
        used = width_of(shown, size_px, narrow=narrow) / self._unit
        left = min(max(x - shift * used, margin), self._width - margin - used)
        indices, mask, below = text_sprite(shown, size_px, ground, ink, narrow=narrow)
        corner = round(left * self._unit), round(y * self._unit)
        self._put_at((indices, mask), corner[0], corner[1] + below)
        box = (*corner, corner[0] + self.px(used), corner[1] + size_px)
        self._wrote(text, shown, box, ground, ink)

    def width_of(self, text: str, size: float, *, narrow: bool = False) -> float:
        """Return how wide a text is, in card widths."""
        return width_of(readable(text), self._text_px(size), narrow=narrow) / self._unit

    def height_of(self, size: float) -> float:
        """Return how high a line of text is, in card widths."""
        return line_height(self._text_px(size)) / self._unit

    def index_room(self, face: Face | Blank, size: float) -> float:
        """Return how much of a card is seen from the left on, where its index is, in card widths."""
        return index_room(face, self.px(size)) / self._unit

    def px(self, length: float) -> int:
        """Return a length in pixels."""
        return max(1, round(length * self._unit))

    def _text_px(self, size: float) -> int:
        return max(self.px(size), theme.SMALLEST_TEXT_PX)

    def _put(self, sprite: Sprite, x: float, y: float) -> None:
        self._put_at(sprite, round(x * self._unit), round(y * self._unit))

    def _put_at(self, sprite: Sprite, left: int, top: int) -> None:
        indices, mask = sprite
        pixels = indices.im
        width, height = pixels.size
        left += FILTER_COLUMN_PX
        box = left, top, left + width, top + height
        self._pixels.paste(pixels, box, mask.im)
        self._boxes.append(box)

    # ---- for account -----------------------------------------------------------------------------

    def _lies(self, face: Face, x: float, y: float, size_px: int) -> None:
        """Know of a card that lies face up."""

    def _numbered(self, seat: int, size_px: int, ground: Colour) -> None:
        """Know of a token with a number."""

    def _wrote(self, text: str, shown: str, box: Box, ground: Colour, ink: Colour) -> None:
        """Know of a text: what of it is shown, and where."""

    def _signed(self, ground: Colour, *colours: Colour) -> None:
        """Know of something else that means something."""
