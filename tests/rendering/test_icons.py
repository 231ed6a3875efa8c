"""Icons at the size of 22 pixels at which Discord shows them, on dark and light backgrounds."""

from __future__ import annotations

import io
from functools import cache

import pytest
from PIL import Image

from bot.engine.cards import Card
from bot.engine.decktet import DecktetCard
from bot.engine.icons import SIGNS, Icon
from bot.rendering import drawing, theme
from bot.rendering.theme import Colour
from tests.rendering.test_phones import SIGN, TEXT, contrast

SMALL = 22
LEAST_INDEX = 10
"""Minimum number of pixel rows of a small icon that its index covers."""

GROUNDS: tuple[Colour, ...] = ((49, 51, 56), (255, 255, 255), (88, 101, 242), (36, 128, 70))
"""Discord's dark and light background and two of its buttons."""

CARDS = [sign for sign in SIGNS if isinstance(sign.shows, Card | DecktetCard)]


def pixels(image: Image.Image, box: tuple[int, int, int, int]) -> list[list[Colour]]:
    """Return the pixels of a part of a picture, line by line."""
    data = image.convert("RGB").crop(box).tobytes()
    width = box[2] - box[0]
    flat = [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]
    return [flat[at : at + width] for at in range(0, len(flat), width)]


drawn = cache(drawing)


def small_icon(sign: Icon, ground: Colour) -> Image.Image:
    """Return an icon as it appears on a background."""
    image = Image.new("RGBA", (theme.SIGN_PX, theme.SIGN_PX), (*ground, 255))
    image.alpha_composite(drawn(sign).image)
    return image.resize((SMALL, SMALL), Image.Resampling.BOX)


@pytest.mark.parametrize("sign", CARDS, ids=lambda sign: sign.name)
def test_card_icon_indices_are_readable(sign: Icon) -> None:
    """The index of a card icon is ten pixels high and has the contrast of text."""
    left = pixels(small_icon(sign, GROUNDS[0]), (2, 2, SMALL // 2, SMALL - 2))
    lines = [max(contrast(pixel, theme.IVORY) for pixel in line) for line in left]
    assert sum(contrast >= SIGN for contrast in lines) >= (
        LEAST_INDEX - 3 if "crown" in sign.name else LEAST_INDEX
    )
    assert max(lines) >= TEXT


@pytest.mark.parametrize("ground", GROUNDS)
def test_icons_contrast_with_every_discord_background(ground: Colour) -> None:
    """A large part of each icon contrasts with every background of Discord's."""
    for sign in SIGNS:
        lines = pixels(small_icon(sign, ground), (0, 0, SMALL, SMALL))
        clear = sum(contrast(pixel, ground) >= SIGN for line in lines for pixel in line)
        assert clear >= SMALL * SMALL / 12, sign.name


def test_icons_are_distinct_square_pngs() -> None:
    """Each icon has a stable digest of its own and is a square PNG."""
    drawings = {sign.name: drawn(sign) for sign in SIGNS}
    assert len({each.digest for each in drawings.values()}) == len(SIGNS)
    assert drawing(SIGNS[0]).digest == drawings[SIGNS[0].name].digest
    image = Image.open(io.BytesIO(drawings["frog"].png()))
    assert (image.format, image.size) == ("PNG", (theme.SIGN_PX, theme.SIGN_PX))
    assert image.convert("RGBA").getpixel((0, 0)) == (0, 0, 0, 0)
