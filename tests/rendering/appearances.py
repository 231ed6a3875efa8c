"""Properties of a drawn picture that do not depend on its bytes, which differ between processors."""

from __future__ import annotations

import io

from PIL import Image, ImageChops

from bot.engine.scene import Scene
from bot.rendering.theme import IMAGE_WIDTH_PX, PALETTE

MOST_EDGES = 1 / 8
"""Share of pixels that differ from the one before them, which determines the cost of compression."""


def open_picture(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    image.load()
    return image


def edge_share(image: Image.Image) -> float:
    """Return the share of a palette picture's pixels that differ from the one to their left."""
    width, height = image.size
    indices = Image.frombytes("L", image.size, image.tobytes())
    right, left = (indices.crop((at, 0, width - 1 + at, height)) for at in (1, 0))
    same = ImageChops.difference(right, left).histogram()[0]
    return 1 - same / ((width - 1) * height)


def assert_small_picture(picture: bytes, scene: Scene) -> None:
    """The picture has the theme's width and palette, and compresses well."""
    image = open_picture(picture)
    assert (image.format, image.mode) == ("PNG", "P")
    assert image.size == (IMAGE_WIDTH_PX, round(scene.height * IMAGE_WIDTH_PX / scene.width))
    assert {colour for _count, colour in image.convert("RGB").getcolors(256) or ()} <= set(PALETTE)
    assert 0 < edge_share(image) <= MOST_EDGES
