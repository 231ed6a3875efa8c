"""Painting of card sprites of any size: faces of both decks, card backs and empty places."""

from __future__ import annotations

from PIL import ImageDraw

from bot.engine.cards import JACK, Card, Suit
from bot.engine.decktet import DecktetCard
from bot.engine.scene import CARD_HEIGHT, Blank, Face, SuitPlace
from bot.rendering import theme
from bot.rendering.decktet import paint_decktet_face, paint_small_decktet_face
from bot.rendering.display_list import CardSprite
from bot.rendering.fonts import CONDENSED, font
from bot.rendering.rasterizer import Bitmap, bitmap_of
from bot.rendering.symbols import draw_court, draw_frog, draw_suit, scale
from bot.rendering.text import length_of
from bot.rendering.theme import Box, Colour

HANGING = ("J", "Q")

HANGING_SHARE = 0.85


def paint_card(card: CardSprite) -> Bitmap:
    face, width_px, ground, four_colours, _laps = card
    height_px = round(width_px * CARD_HEIGHT)
    is_small = width_px < theme.SMALL_CARD_PX

    def paint(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
        match face:
            case Blank.BACK:
                _paint_back(draw, width, height)
            case Blank.GAP:
                _paint_edged(draw, width, height, theme.SHADE, theme.MUTED)
            case SuitPlace():
                _paint_edged(draw, width, height, theme.SHADE, theme.MUTED)
                draw_suit(draw, scale(theme.AWAITED, width), face.suit, theme.MUTED)
            case DecktetCard():
                _paint_blank(draw, width)
                (paint_small_decktet_face if is_small else paint_decktet_face)(draw, width, face)
            case Card():
                _paint_blank(draw, width)
                ink = ink_of(face, four_colours=four_colours)
                (_paint_small_face if is_small else _paint_face)(draw, width, face, ink)

    return bitmap_of(width_px, height_px, ground, paint)


def _paint_face(draw: ImageDraw.ImageDraw, unit: int, card: Card, ink: Colour) -> None:
    _paint_index(draw, card, scale(theme.INDEX, unit), ink, theme.TEN_SHARE)
    draw_suit(draw, scale(theme.CORNER_SUIT, unit), card.suit, ink)
    if card.rank >= JACK:
        draw_court(draw, scale(theme.FIGURE, unit), card.rank, ink)
    else:
        draw_suit(draw, scale(theme.FIGURE, unit), card.suit, ink)


def _paint_small_face(draw: ImageDraw.ImageDraw, unit: int, card: Card, ink: Colour) -> None:
    if card.index in HANGING:
        _paint_hanging(draw, card.index, scale(theme.SMALL_INDEX, unit), ink)
    else:
        _paint_index(draw, card, scale(theme.SMALL_INDEX, unit), ink, theme.SMALL_TEN_SHARE)
    draw_suit(draw, scale(theme.SMALL_SUIT, unit), card.suit, ink)


def _paint_index(draw: ImageDraw.ImageDraw, card: Card, box: Box, ink: Colour, ten_share: float) -> None:
    """Paint the index of a card. A ten is smaller and closer to the edge, but has the same baseline."""
    left, top, size = box
    if len(card.index) == 1:
        draw.text((left, top), card.index, fill=ink, font=font(round(size)), anchor="la")
        return
    narrow = font(round(size * ten_share), CONDENSED)
    baseline = top + font(round(size)).getmetrics()[0]
    draw.text((left / 2, baseline), card.index, fill=ink, font=narrow, anchor="ls")


def _paint_hanging(draw: ImageDraw.ImageDraw, index: str, box: Box, ink: Colour) -> None:
    """Paint the index of a card if it has a descender, such as J and Q.

    It is smaller and higher than other indices, so that it does not touch the suit below it.
    """
    start, top, size = box
    _left, cap_top, _right, line = draw.textbbox((start, top), "A", font=font(round(size)), anchor="la")
    small_font = font(round(size * HANGING_SHARE))
    left, top, _right, bottom = draw.textbbox((0, 0), index, font=small_font, anchor="la")
    middle = (cap_top + line - top - bottom) / 2
    draw.text((start - min(left, 0), middle), index, fill=ink, font=small_font, anchor="la")


def ink_of(card: Card, *, four_colours: bool) -> Colour:
    plain = theme.RED if card.suit.is_red else theme.INK
    return _FOUR_COLOURS.get(card.suit, plain) if four_colours else plain


_FOUR_COLOURS = {Suit.DIAMONDS: theme.ORANGE, Suit.CLUBS: theme.NAVY}


def _index_box(face: Face, width_px: int) -> Box:
    is_small = width_px < theme.SMALL_CARD_PX
    if isinstance(face, DecktetCard):
        return scale(theme.SMALL_DECKTET_INDEX if is_small else theme.DECKTET_INDEX, width_px)
    left, top, size = scale(theme.SMALL_INDEX if is_small else theme.INDEX, width_px)
    if len(face.index) == 1:
        return left, top, size
    return left / 2, top, size * (theme.SMALL_TEN_SHARE if is_small else theme.TEN_SHARE)


def index_px(face: Face, width_px: int) -> float:
    return _index_box(face, width_px)[2]


def index_room(face: Face | Blank, width_px: int) -> float:
    """Return the width of the left part of a card that shows its index, in pixels.

    This part must stay visible if another card overlaps the card.
    """
    if isinstance(face, Blank):
        return width_px * theme.BACK_SHARE
    left, _top, size = _index_box(face, width_px)
    if isinstance(face, DecktetCard):
        return left + size
    return left + length_of(face.index, round(size), narrow=len(face.index) > 1)


def _paint_blank(draw: ImageDraw.ImageDraw, width: int) -> None:
    _paint_edged(draw, width, round(width * CARD_HEIGHT), theme.IVORY, theme.EDGE)


def _paint_edged(draw: ImageDraw.ImageDraw, width: int, height: int, fill: Colour, edge: Colour) -> None:
    corner, border = theme.CARD_CORNER * width, max(1, round(theme.CARD_BORDER * width))
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, fill=fill, outline=edge, width=border)


def _paint_back(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    _paint_blank(draw, width)
    rim, corner = 0.07 * width, theme.CARD_CORNER * width
    draw.rounded_rectangle((rim, rim, width - rim, height - rim), corner, fill=theme.BACK)
    pad = (0.18 * width, 0.62 * width, 0.82 * width, 1.1 * width)
    draw.pieslice(pad, -60, 270, fill=theme.BACK_LIGHT)
    draw_frog(draw, (0.3 * width, 0.42 * width, 0.4 * width))
