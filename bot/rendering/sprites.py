"""Sprites: things drawn once, smooth, in the shared palette, and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image, ImageDraw

from bot.engine.cards import JACK, KING, Card, Suit
from bot.engine.decktet import DecktetCard, DecktetSuit
from bot.engine.scene import CARD_HEIGHT, Awaited, Blank, Face
from bot.rendering import theme
from bot.rendering.decktet import (
    draw_crown,
    draw_decktet_suit,
    paint_decktet_face,
    paint_small_decktet_face,
)
from bot.rendering.fonts import CONDENSED, font
from bot.rendering.shapes import draw_court, draw_dent, draw_frog, draw_pad, draw_suit, draw_token
from bot.rendering.theme import Colour

Sprite = tuple[Image.Image, Image.Image]
"""Palette indices (mode L), and the mask (mode 1) of what the sprite covers."""

Painter = Callable[[ImageDraw.ImageDraw, int, int], None]


@cache
def card_sprite(
    face: Face | Blank | Awaited, width_px: int, ground: Colour, *, four_colours: bool = False
) -> Sprite:
    """Return a card of a width, lying on a ground."""
    height_px = round(width_px * CARD_HEIGHT)
    if face is Blank.BACK:
        return _sprite(width_px, height_px, ground, _paint_back)
    if face is Blank.GAP:
        return _sprite(width_px, height_px, ground, _paint_gap)
    if isinstance(face, Awaited):
        return _awaited_sprite(face, width_px, height_px, ground)
    is_small = width_px < theme.SMALL_CARD_PX

    def paint(draw: ImageDraw.ImageDraw, width: int, _height: int) -> None:
        _paint_blank(draw, width, theme.IVORY)
        if isinstance(face, DecktetCard):
            (paint_small_decktet_face if is_small else paint_decktet_face)(draw, width, face)
        else:
            ink = ink_of(face, four_colours=four_colours)
            (_paint_small_face if is_small else _paint_face)(draw, width, face, ink)

    return _sprite(width_px, height_px, ground, paint)


def _awaited_sprite(face: Awaited, width_px: int, height_px: int, ground: Colour) -> Sprite:
    """Return a gap with the faint suit of the card that it waits for."""

    def paint(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
        _paint_gap(draw, width, height)
        left, top, side = (part * width for part in theme.AWAITED)
        draw_suit(draw, (left, top, side), face.suit, theme.MUTED)

    return _sprite(width_px, height_px, ground, paint)


@cache
def frog_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return a life: a frog."""
    return _sprite(size_px, size_px, ground, lambda draw, w, _h: draw_frog(draw, (0, 0, w - 1)))


@cache
def dent_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return where a frog sat that was lost, or where one may come to sit."""
    line = dent_colour(ground)
    return _sprite(size_px, size_px, ground, lambda draw, w, _h: draw_dent(draw, (0, 0, w - 1), line))


def dent_colour(ground: Colour) -> Colour:
    """Return in which colour an empty place is drawn on a ground."""
    return theme.FROG_DARK if ground == theme.NOW else theme.MUTED


@cache
def token_sprite(size_px: int, ground: Colour, seat: int, *, numbered: bool = True) -> Sprite:
    """Return a seat's frog, with the seat's number on its back or without."""

    def paint(draw: ImageDraw.ImageDraw, w: int, _h: int) -> None:
        draw_token(draw, (0, 0, w - 1), seat, numbered=numbered)

    return _sprite(size_px, size_px, ground, paint)


@cache
def king_sprite(size_px: int, ground: Colour) -> Sprite:
    """Return the king of frogs, for the finest moment."""
    return _sprite(
        size_px, size_px, ground, lambda draw, w, _h: draw_court(draw, (0, 0, w - 1), KING, theme.RED)
    )


@cache
def pack_suit_sprite(size_px: int, suit: Suit) -> Sprite:
    """Return a suit of the pack of 52 on a card."""
    ink = theme.RED if suit.is_red else theme.INK
    return _sprite(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_suit(draw, (0, 0, w - 1), suit, ink)
    )


@cache
def pad_sprite(size_px: int) -> Sprite:
    """Return a lily pad on a card."""
    return _sprite(size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_pad(draw, (0, 0, w - 1)))


@cache
def suit_sprite(size_px: int, suit: DecktetSuit) -> Sprite:
    """Return a suit of the Decktet on a card."""
    return _sprite(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_decktet_suit(draw, (0, 0, w - 1), suit)
    )


@cache
def crown_sprite(size_px: int) -> Sprite:
    """Return the index of a Decktet Crown, on a card."""
    return _sprite(
        size_px, size_px, theme.IVORY, lambda draw, w, _h: draw_crown(draw, (0, 0, w - 1), theme.INK)
    )


@cache
def arrow_sprite(size_px: int, colour: Colour, ground: Colour) -> Sprite:
    """Return an arrow to the right."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        draw.polygon([(0, 0), (w - 1, h / 2), (0, h - 1)], fill=colour)

    return _sprite(size_px, size_px, ground, paint)


@cache
def cross_sprite(size_px: int, colour: Colour, ground: Colour) -> Sprite:
    """Return a cross."""

    def paint(draw: ImageDraw.ImageDraw, w: int, h: int) -> None:
        line = w // 6
        draw.line([(line, line), (w - line, h - line)], fill=colour, width=line)
        draw.line([(line, h - line), (w - line, line)], fill=colour, width=line)

    return _sprite(size_px, size_px, ground, paint)


@cache
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

    return _sprite(width_px, height_px, ground, paint)


def _sprite(width_px: int, height_px: int, ground: Colour, paint: Painter) -> Sprite:
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


def _paint_face(draw: ImageDraw.ImageDraw, unit: int, card: Card, ink: Colour) -> None:
    """Paint a card as wide as ``unit``: its index, its suit under it, and the suit or a frog, large."""
    index_x, index_y, index_size = (part * unit for part in theme.INDEX)
    _paint_index(draw, card, (index_x, index_y), index_size, ink, theme.TEN_SHARE)
    left, top, side = (part * unit for part in theme.CORNER_SUIT)
    draw_suit(draw, (left, top, side), card.suit, ink)
    left, top, side = (part * unit for part in theme.FIGURE)
    if card.rank >= JACK:
        draw_court(draw, (left, top, side), card.rank, ink)
    else:
        draw_suit(draw, (left, top, side), card.suit, ink)


def _paint_small_face(draw: ImageDraw.ImageDraw, unit: int, card: Card, ink: Colour) -> None:
    """Paint a card as wide as ``unit``: its index and its suit, as large as they fit."""
    index_x, index_y, index_size = (part * unit for part in theme.SMALL_INDEX)
    _paint_index(draw, card, (index_x, index_y), index_size, ink, theme.SMALL_TEN_SHARE)
    left, top, side = (part * unit for part in theme.SMALL_SUIT)
    draw_suit(draw, (left, top, side), card.suit, ink)


def _paint_index(
    draw: ImageDraw.ImageDraw,
    card: Card,
    at: tuple[float, float],
    size: float,
    ink: Colour,
    ten_share: float,
) -> None:
    """Paint an index; a ten is smaller and closer to the edge, on the same line."""
    if len(card.index) == 1:
        draw.text(at, card.index, fill=ink, font=font(round(size)), anchor="la")
        return
    left, top = at
    narrow = font(round(size * ten_share), CONDENSED)
    baseline = top + font(round(size)).getmetrics()[0]
    draw.text((left / 2, baseline), card.index, fill=ink, font=narrow, anchor="ls")


def ink_of(card: Card, *, four_colours: bool) -> Colour:
    """Return in which colour a card of the pack of 52 is printed."""
    if four_colours and card.suit in _FOUR_COLOURS:
        return _FOUR_COLOURS[card.suit]
    return theme.RED if card.suit.is_red else theme.INK


_FOUR_COLOURS = {Suit.DIAMONDS: theme.BLUE, Suit.CLUBS: theme.GREEN}


def inks_of(face: Face, *, four_colours: bool) -> tuple[Colour, ...]:
    """Return the colours of what a card bears."""
    if isinstance(face, DecktetCard):
        return (theme.INK, *(theme.SUITS[suit.name] for suit in face.suits))
    return (ink_of(face, four_colours=four_colours),)


def index_px(face: Face, width_px: int) -> float:
    """Return how large the index is on a card of a width."""
    is_small = width_px < theme.SMALL_CARD_PX
    if isinstance(face, DecktetCard):
        return (theme.SMALL_DECKTET_INDEX if is_small else theme.DECKTET_INDEX)[2] * width_px
    size = (theme.SMALL_INDEX if is_small else theme.INDEX)[2] * width_px
    share = theme.SMALL_TEN_SHARE if is_small else theme.TEN_SHARE
    return size * (share if len(face.index) > 1 else 1)


def _paint_blank(draw: ImageDraw.ImageDraw, width: int, fill: Colour) -> None:
    box = (0, 0, width - 1, round(width * CARD_HEIGHT) - 1)
    corner, border = theme.CARD_CORNER * width, max(1, round(theme.CARD_BORDER * width))
    draw.rounded_rectangle(box, corner, fill=fill, outline=theme.EDGE, width=border)


def _paint_back(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    _paint_blank(draw, width, theme.IVORY)
    rim = 0.07 * width
    draw.rounded_rectangle(
        (rim, rim, width - rim, height - rim), theme.CARD_CORNER * width, fill=theme.BACK
    )
    pad = (0.18 * width, 0.62 * width, 0.82 * width, 1.1 * width)
    draw.pieslice(pad, -60, 270, fill=theme.BACK_LIGHT)
    draw_frog(draw, (0.3 * width, 0.42 * width, 0.4 * width))


def _paint_gap(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    draw.rounded_rectangle(
        (0, 0, width - 1, height - 1),
        theme.CARD_CORNER * width,
        fill=theme.SHADE,
        outline=theme.MUTED,
        width=max(1, round(theme.CARD_BORDER * width)),
    )
