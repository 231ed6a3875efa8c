"""Sprites: things drawn once, smooth, in the shared palette, and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from PIL import Image, ImageDraw

from bot.engine.cards import KING, Suit
from bot.engine.decktet import DecktetSuit
from bot.rendering import theme
from bot.rendering.decktet import (
    draw_crown,
    draw_decktet_suit,
)
from bot.rendering.shapes import draw_court, draw_dent, draw_frog, draw_pad, draw_suit, draw_token
from bot.rendering.theme import Colour

Sprite = tuple[Image.Image, Image.Image]
"""Palette indices (mode L), and the mask (mode 1) of what the sprite covers."""

_KEPT = 256
"""How many sprites of a kind are kept; all tables together have some 50 sizes and colours of it."""

Painter = Callable[[ImageDraw.ImageDraw, int, int], None]


@lru_cache(_KEPT)
def frog_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return a life: a frog."""
    return sprite_of(size_px, size_px, ground, lambda draw, w, _h: draw_frog(draw, (0, 0, w - 1)))


@lru_cache(_KEPT)
def dent_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return where a frog sat that was lost, or where one may come to sit."""
    line = dent_colour(ground)
    return sprite_of(size_px, size_px, ground, lambda draw, w, _h: draw_dent(draw, (0, 0, w - 1), line))


def dent_colour(ground: Colour) -> Colour:
    """Return in which colour an empty place is drawn on a ground."""
    return theme.FROG_DARK if ground == theme.NOW else theme.MUTED


@lru_cache(_KEPT)
def token_sprite(size_px: int, ground: Colour, seat: int, *, numbered: bool = True) -> Sprite:
    """Return a seat's frog, with the seat's number on its back or without."""

    def paint(draw: ImageDraw.ImageDraw, w: int, _h: int) -> None:
        draw_token(draw, (0, 0, w - 1), seat, numbered=numbered)

    return sprite_of(size_px, size_px, ground, paint)


@lru_cache(_KEPT)
def king_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return the king of frogs, for the finest moment."""
    return sprite_of(
        size_px, size_px, ground, lambda draw, w, _h: draw_court(draw, (0, 0, w - 1), KING, theme.RED)
    )


@lru_cache(_KEPT)
def pack_suit_sprite(size_px: int, suit: Suit) -> Sprite:
    """Return a suit of the pack of 52 on a card."""
    ink = theme.RED if suit.is_red else theme.INK
    return sprite_of(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_suit(draw, (0, 0, w - 1), suit, ink)
    )


@lru_cache(_KEPT)
def pad_sprite(size_px: int) -> Sprite:
    """Return a lily pad on a card."""
    return sprite_of(size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_pad(draw, (0, 0, w - 1)))


@lru_cache(_KEPT)
def suit_sprite(size_px: int, suit: DecktetSuit) -> Sprite:
    """Return a suit of the Decktet on a card."""
    return sprite_of(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_decktet_suit(draw, (0, 0, w - 1), suit)
    )


@lru_cache(_KEPT)
def crown_sprite(size_px: int) -> Sprite:
    """Return the index of a Decktet Crown, on a card."""
    return sprite_of(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_crown(draw, (0, 0, w - 1), theme.INK)
    )


@lru_cache(_KEPT)
def arrow_sprite(size_px: int, colour: Colour, ground: Colour) -> Sprite:
    """Return an arrow to the right."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        draw.polygon([(0, 0), (w - 1, h / 2), (0, h - 1)], fill=colour)

    return sprite_of(size_px, size_px, ground, paint)


@lru_cache(_KEPT)
def cross_sprite(size_px: int, colour: Colour, ground: Colour) -> Sprite:
    """Return a cross."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        line = w // 6
        draw.line([(line, line), (w - line, h - line)], fill=colour, width=line)
        draw.line([(line, h - line), (w - line, line)], fill=colour, width=line)

    return sprite_of(size_px, size_px, ground, paint)


@lru_cache(_KEPT)
def block_sprite(
    width_px: int,
    height_px: int,
    corner_px: int,
    fill: Colour,
    ground: Colour,
    border: Colour | None,
    border_px: int,
) -> Sprite:
    """Return a rectangle with round corners, with a border or without."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        draw.rounded_rectangle(
            (0, 0, w - 1, h - 1),
            corner_px * theme.SUPERSAMPLING,
            fill=fill,
            outline=border,
            width=border_px * theme.SUPERSAMPLING,
        )

    return sprite_of(width_px, height_px, ground, paint)


@lru_cache(_KEPT)
def frame_sprite(width_px: int, height_px: int, corner_px: int, line_px: int) -> Sprite:
    """Return a frame, light outside and dark inside, so that it shows on felt and on cards."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        scale = theme.SUPERSAMPLING
        light, dark = line_px * scale, max(line_px // 3, 1) * scale
        edge = light
        inner = (edge, edge, w - 1 - edge, h - 1 - edge)
        draw.rounded_rectangle(inner, corner_px * scale - edge, outline=theme.INK, width=dark)
        draw.rounded_rectangle((0, 0, w - 1, h - 1), corner_px * scale, outline=theme.NOW, width=light)

    return sprite_of(width_px, height_px, theme.FELT, paint)


@lru_cache(_KEPT)
def into_sprite(size_px: int) -> Sprite:
    """Return the sign of where a card goes: an arrow to the right on a light disc."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        draw.ellipse((0, 0, w - 1, h - 1), fill=theme.INK)
        rim = w * theme.INTO_RIM
        draw.ellipse((rim, rim, w - 1 - rim, h - 1 - rim), fill=theme.NOW)
        draw.polygon([(x * w, y * h) for x, y in theme.INTO_ARROW], fill=theme.INK)

    return sprite_of(size_px, size_px, theme.FELT, paint)


def sprite_of(width_px: int, height_px: int, ground: Colour, paint: Painter) -> Sprite:
    """Paint large on the ground, shrink, and put into the palette.

    What is painted counts as covered in the fourth channel, which is plain data here: Pillow would
    multiply a real alpha channel in and out, which takes longer than all the rest.
    """
    scale = theme.SUPERSAMPLING
    large = Image.new("RGBX", (width_px * scale, height_px * scale), (*ground, 0))
    paint(ImageDraw.Draw(large), large.width, large.height)
    small = large.reduce(scale)
    quantised = small.convert("RGB").quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    indices = Image.frombytes("L", quantised.size, quantised.tobytes())
    return indices, small.getchannel("X").point([0] * 16 + [255] * 240, "1")


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    flat = [part for colour in theme.palette() for part in colour]
    image.putpalette(flat + flat[:3] * (256 - len(theme.palette())))
    return image
