"""Painting of sprites. They are painted enlarged, scaled down and converted to the shared palette."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image, ImageDraw

from bot.engine.cards import KING, Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.scene import FrogFace
from bot.rendering import theme
from bot.rendering.decktet import draw_crown, draw_decktet_suit
from bot.rendering.display_list import BlockSprite, FrameSprite, Shape, ShapeSprite, TokenSprite
from bot.rendering.symbols import Pen, draw_court, draw_face, draw_frog, draw_suit, draw_token
from bot.rendering.theme import Colour

Bitmap = tuple[Image.Image, Image.Image]
"""An image of palette indices (mode L), and a mask (mode 1) of the pixels that the sprite covers."""

Painter = Callable[[ImageDraw.ImageDraw, int, int], None]


def paint_shape(sprite: ShapeSprite) -> Bitmap:
    return bitmap_of(sprite.size_px, sprite.size_px, sprite.ground, partial(_draw_shape, sprite))


def _draw_shape(sprite: ShapeSprite, draw: ImageDraw.ImageDraw, w: int, _h: int) -> None:
    shape, ink, box = sprite.shape, sprite.ink, (0, 0, w - 1)
    match shape:
        case Suit():
            draw_suit(draw, box, shape, ink)
        case DecktetSuit():
            draw_decktet_suit(draw, box, shape)
        case FrogFace():
            draw_face(draw, w, shape, ink)
        case Shape.FROG:
            draw_frog(draw, box)
        case Shape.KING:
            draw_court(draw, box, KING, theme.RED)
        case Shape.EMPTY:
            Pen(draw, box).bend((0.5, 0.56, 0.72, 0.72), (0, 360), ink, 0.11)
        case Shape.PAD:
            draw.pieslice((0, 0, w - 1, w - 1), -58, 264, fill=theme.PAD)
        case Shape.CROWN:
            draw_crown(draw, box, ink)
        case Shape.ARROW:
            draw.polygon([(0, 0), (w - 1, w / 2), (0, w - 1)], fill=ink)
        case Shape.CROSS:
            line = w // 6
            draw.line([(line, line), (w - line, w - line)], fill=ink, width=line)
            draw.line([(line, w - line), (w - line, line)], fill=ink, width=line)
        case Shape.INTO:
            draw.ellipse((0, 0, w - 1, w - 1), fill=ink)
            rim = w * theme.INTO_RIM
            draw.ellipse((rim, rim, w - 1 - rim, w - 1 - rim), fill=theme.NOW)
            draw.polygon([(x * w, y * w) for x, y in theme.INTO_ARROW], fill=ink)


def paint_token(sprite: TokenSprite) -> Bitmap:
    def paint(draw: ImageDraw.ImageDraw, w: int, _h: int) -> None:
        draw_token(draw, (0, 0, w - 1), sprite.seat, numbered=sprite.numbered)

    return bitmap_of(sprite.size_px, sprite.size_px, sprite.ground, paint)


def paint_block(sprite: BlockSprite) -> Bitmap:
    scale = theme.SUPERSAMPLING

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        box, corner, border = (0, 0, w - 1, h - 1), scale * sprite.corner_px, scale * sprite.border_px
        draw.rounded_rectangle(box, corner, fill=sprite.fill, outline=sprite.border, width=border)

    return bitmap_of(sprite.width_px, sprite.height_px, sprite.ground, paint)


def paint_frame(sprite: FrameSprite) -> Bitmap:
    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        scale = theme.SUPERSAMPLING
        corner, light = sprite.corner_px * scale, sprite.line_px * scale
        dark = max(sprite.line_px // 3, 1) * scale
        inner = (light, light, w - 1 - light, h - 1 - light)
        draw.rounded_rectangle(inner, corner - light, outline=theme.INK, width=dark)
        draw.rounded_rectangle((0, 0, w - 1, h - 1), corner, outline=theme.NOW, width=light)

    return bitmap_of(sprite.width_px, sprite.height_px, theme.FELT, paint)


def bitmap_of(width_px: int, height_px: int, ground: Colour, paint: Painter) -> Bitmap:
    """Paint a sprite enlarged on its background colour, scale it down and convert it to the palette.

    The painter's fourth channel (mode RGBX) records which pixels the sprite covers. It is not an alpha
    channel, because Pillow would then premultiply the colours, which takes longer than all other steps.
    """
    scale = theme.SUPERSAMPLING
    large = Image.new("RGBX", (width_px * scale, height_px * scale), (*ground, 0))
    paint(ImageDraw.Draw(large), large.width, large.height)
    small = large.reduce(scale)
    quantised = small.convert("RGB").quantize(palette=_PALETTE, dither=Image.Dither.NONE)
    indices = Image.frombytes("L", quantised.size, quantised.tobytes())
    return indices, small.getchannel("X").point([0] * 16 + [255] * 240, "1")


_PALETTE = Image.new("P", (1, 1))
_PALETTE.putpalette(theme.PALETTE_BYTES + theme.PALETTE_BYTES[:3] * (256 - len(theme.PALETTE)))
