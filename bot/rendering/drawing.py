"""From a scene to a PNG: laid out as a display list, then painted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from PIL import Image

from bot.engine.items import Item
from bot.engine.scene import Scene, describe
from bot.engine.values import frozen
from bot.engine.words import language
from bot.rendering import theme
from bot.rendering.bitmaps import bitmap
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import DisplayList, Placed
from bot.rendering.items import draw_item
from bot.rendering.png import FILTER_COLUMN_PX, NO_FILTER, encode

MOST_ITEMS = 2_048
"""Of how many things in scenes it is kept what they are drawn with, 1 KB each."""


@frozen
class Picture:
    """A scene as a palette PNG, ``theme.IMAGE_WIDTH_PX`` pixels wide, and its alt text."""

    png: bytes
    alt: str


def drawn(scene: Scene, news: Sequence[str] = ()) -> Picture:
    """Return the picture of a scene, in the language spoken now; its alt text begins with the news."""
    return Picture(painted(laid_out(scene)), describe(scene, news))


def draw(scene: Scene) -> bytes:
    """Return the PNG of a scene."""
    return drawn(scene).png


def laid_out(scene: Scene, width_px: int = theme.IMAGE_WIDTH_PX) -> DisplayList:
    """Return what a scene is drawn with."""
    look, spoken = (scene.width, width_px, scene.four_colours), language()
    placed = (_placed(item, *look, spoken) for item in scene.items)
    height_px = round(scene.height * width_px / scene.width)
    return DisplayList(height_px, tuple(chain.from_iterable(placed)))


@lru_cache(MOST_ITEMS)
def _placed(
    item: Item, width: float, width_px: int, four_colours: bool, _spoken: str
) -> tuple[Placed, ...]:
    """Return what one item of a scene is drawn with: most stay from a picture to the next."""
    canvas = Canvas(width, width_px=width_px, four_colours=four_colours)
    draw_item(canvas, item, width)
    return tuple(canvas.placed)


def painted(display: DisplayList) -> bytes:
    """Return the PNG of a display list."""
    size = theme.IMAGE_WIDTH_PX + FILTER_COLUMN_PX, display.height_px
    image = Image.new("L", size, theme.INDICES[theme.FELT])
    image.paste(NO_FILTER, (0, 0, FILTER_COLUMN_PX, display.height_px))
    paste(display, image, FILTER_COLUMN_PX)
    return encode(image)


def paste(display: DisplayList, image: Image.Image, right_by: int = 0) -> None:
    """Paste the sprites of a display list into a picture of palette indices (mode L)."""
    pixels = image.im  # Pillow's own, whose paste skips what an image asks each time
    for sprite, x, top in display.placed:
        indices, mask = bitmap(sprite)
        left, (width, height) = x + right_by, indices.size
        pixels.paste(indices.im, (left, top, left + width, top + height), mask.im)
