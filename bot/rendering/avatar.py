"""The bot's own picture: the king of frogs before the finest hand of all."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from bot.engine.cards import KING, Card, cards_of
from bot.rendering import theme
from bot.rendering.cards import paint_card
from bot.rendering.display_list import CardSprite
from bot.rendering.shapes import draw_court

SIDE_PX = 512
CARD, CARD_TOP, CARD_TURN, CARD_APART = 0.38, 0.11, 13, 0.3
FROG, FROG_TOP = 0.54, 0.3
"""Sizes and places as shares of the side; all within the circle that Discord shows."""


def avatar() -> bytes:
    """Return the picture as a square PNG."""
    side = SIDE_PX * theme.SUPERSAMPLING
    image = Image.new("RGB", (side, side), theme.FELT)
    draw = ImageDraw.Draw(image)
    draw.ellipse((0.1 * side, 0.58 * side, 0.9 * side, 1.02 * side), fill=theme.PAD)
    for card, way in zip(cards_of("TH TS"), (-1, 1), strict=True):
        shown = _turned(card, round(CARD * side), -way * CARD_TURN)
        left = side / 2 + way * CARD_APART / 2 * side - shown.width / 2
        image.paste(shown, (round(left), round(CARD_TOP * side)), shown)
    left = (1 - FROG) / 2 * side
    draw_court(draw, (left, FROG_TOP * side, FROG * side), KING, theme.RED)
    small = image.reduce(theme.SUPERSAMPLING).quantize(colors=128, dither=Image.Dither.NONE)
    png = io.BytesIO()
    small.save(png, "PNG", optimize=True)
    return png.getvalue()


def _turned(card: Card, width_px: int, degrees: float) -> Image.Image:
    """Return a card, turned about its middle, on nothing."""
    indices, mask = paint_card(CardSprite(card, width_px, theme.FELT))
    flat = Image.frombytes("P", indices.size, indices.tobytes())
    flat.putpalette([part for colour in theme.PALETTE for part in colour])
    upright = flat.convert("RGB").convert("RGBA")
    upright.putalpha(mask.convert("L"))
    return upright.rotate(degrees, Image.Resampling.BICUBIC, expand=True)
