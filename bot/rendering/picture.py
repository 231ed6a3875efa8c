"""Rendering of scenes as PNG files with a palette of at most 256 colours."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from isal import isal_zlib
from PIL import Image

from bot.engine.alt_text import describe
from bot.engine.frozen import frozen
from bot.engine.scene import Item, Scene
from bot.engine.translation import language
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.cards import paint_card
from bot.rendering.display_list import (
    BlockSprite,
    CardSprite,
    FrameSprite,
    OverlapEdge,
    Placed,
    ShapeSprite,
    Sprite,
    TextSprite,
    TokenSprite,
)
from bot.rendering.items import DRAWN
from bot.rendering.rasterizer import Bitmap, paint_block, paint_frame, paint_shape, paint_token
from bot.rendering.text import paint_text

MOST_ITEMS = 2_048
"""Maximum number of scene items whose sprites are cached. Each takes about 1 KB."""


@frozen
class Picture:
    """A picture as a PNG file, with its alt text.

    Attributes:
        png: The PNG file, ``theme.IMAGE_WIDTH_PX`` pixels wide.
        alt: The alt text.
    """

    png: bytes
    alt: str


def draw_picture(scene: Scene, news: Sequence[str] = ()) -> Picture:
    """Render a scene as a PNG file, and describe it in an alt text in the current language.

    Args:
        scene: The scene.
        news: Sentences for the beginning of the alt text.
    """
    return Picture(draw(scene), describe(scene, news))


def draw(scene: Scene) -> bytes:
    """Render a scene as a PNG file, with its texts in the current language."""
    return _png(paint(scene, theme.IMAGE_WIDTH_PX, FILTER_COLUMN_PX))


def laid_out(scene: Scene, width_px: int = theme.IMAGE_WIDTH_PX) -> tuple[Placed, ...]:
    look = scene.width, width_px, scene.four_colours, language()
    return tuple(chain.from_iterable(_place_item(item, *look) for item in scene.items))


@lru_cache(MOST_ITEMS)
def _place_item(
    item: Item, width: float, width_px: int, four_colours: bool, _spoken: str
) -> tuple[Placed, ...]:
    """Return the sprites of a scene item, with their positions.

    The result is cached, because most items are the same in the next picture of a match.
    """
    canvas = Canvas(width, width_px=width_px, four_colours=four_colours)
    DRAWN[type(item)](canvas, item)
    return tuple(canvas.placed)


def paint(scene: Scene, width_px: int, right_by: int = 0) -> Image.Image:
    """Render a scene as an image whose pixels are palette indices (mode L).

    Args:
        scene: The scene.
        width_px: The width of the scene in pixels.
        right_by: The number of empty pixel columns to insert on the left.
    """
    size = width_px + right_by, round(scene.height * width_px / scene.width)
    image = Image.new("L", size, theme.INDICES[theme.FELT])
    for sprite, left, top in laid_out(scene, width_px):
        indices, mask = bitmap(sprite)
        image.paste(indices, (left + right_by, top), mask)
    return image


MOST_BITMAPS = 4096
"""Maximum number of cached bitmaps, 12 KB each on average. The cards of all games need about 1,300."""


@lru_cache(MOST_BITMAPS)
def bitmap(sprite: Sprite) -> Bitmap:
    return _PAINTED[type(sprite)](sprite)


def _card(card: CardSprite) -> Bitmap:
    if card.laps is not OverlapEdge.NOTHING:
        indices, outline = bitmap(card._replace(laps=OverlapEdge.NOTHING))
        wide, high = indices.size
        half = (0, 0, wide // 2, high) if card.laps is OverlapEdge.LEFT else (0, 0, wide, high // 2)
        return indices.crop(half), outline.crop(half)
    return paint_card(card)


_PAINTED: Mapping[type, Callable[[Any], Bitmap]] = {
    CardSprite: _card,
    ShapeSprite: paint_shape,
    TokenSprite: paint_token,
    BlockSprite: paint_block,
    FrameSprite: paint_frame,
    TextSprite: paint_text,
}


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _PALETTE_COLOUR = 8, 3
LEVEL = 1
"""Compression level of isal. Level 1 is faster than 3, and these files are smaller with it.

The compressed bytes depend on the CPU."""
FILTER_COLUMN_PX, NO_FILTER = 1, 0
"""Width of the extra column on the left of an image. Its pixels become the PNG's filter bytes."""
_SUMS = slice(-20, -12)
"""Position of the image data's Adler-32 and CRC-32 checksums. Only the 12-byte IEND chunk follows."""


def _png(image: Image.Image) -> bytes:
    """Encode an image of palette indices (mode L) as PNG. Its first pixel column is overwritten.

    This column holds the filter byte that PNG requires at the beginning of each row.
    """
    width, height = image.width - FILTER_COLUMN_PX, image.height
    image.paste(NO_FILTER, (0, 0, FILTER_COLUMN_PX, height))
    header = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _PALETTE_COLOUR, 0, 0, 0)
    data = isal_zlib.compress(image.tobytes(), LEVEL)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _PALETTE, _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    )


def checksum(picture: bytes) -> str:
    """Return the checksums (Adler-32 and CRC-32) of a PNG file's image data, in hexadecimal.

    The PNG must have been made by this module.
    """
    return picture[_SUMS].hex()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", isal_zlib.crc32(kind + body))


_PALETTE = _chunk(b"PLTE", theme.PALETTE_BYTES)
