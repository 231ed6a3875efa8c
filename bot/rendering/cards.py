"""Cards as sprites: every face of both decks, backs and gaps, in every size."""

from __future__ import annotations

from PIL import ImageDraw

from bot.engine.cards import JACK, Card, Suit
from bot.engine.decktet import DecktetCard
from bot.engine.scene import CARD_HEIGHT, Awaited, Blank, Face
from bot.rendering import theme
from bot.rendering.decktet import paint_decktet_face, paint_small_decktet_face
from bot.rendering.display_list import CardSprite
from bot.rendering.fonts import CONDENSED, font
from bot.rendering.shapes import draw_court, draw_frog, draw_suit
from bot.rendering.sprites import Bitmap, bitmap_of
from bot.rendering.text import length_of
from bot.rendering.theme import Colour

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
                _paint_gap(draw, width, height)
            case Awaited():
                _paint_awaited(draw, width, height, face.suit)
            case DecktetCard():
                _paint_blank(draw, width)
                (paint_small_decktet_face if is_small else paint_decktet_face)(draw, width, face)
            case Card():
                _paint_blank(draw, width)
                ink = ink_of(face, four_colours=four_colours)
                (_paint_small_face if is_small else _paint_face)(draw, width, face, ink)
            case None:
                _paint_blank(draw, width)

    return bitmap_of(width_px, height_px, ground, paint)


def _paint_awaited(draw: ImageDraw.ImageDraw, width: int, height: int, suit: Suit) -> None:
    _paint_gap(draw, width, height)
    left, top, side = (part * width for part in theme.AWAITED)
    draw_suit(draw, (left, top, side), suit, theme.MUTED)


def _paint_face(draw: ImageDraw.ImageDraw, unit: int, card: Card, ink: Colour) -> None:
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
    index_x, index_y, index_size = (part * unit for part in theme.SMALL_INDEX)
    if card.index in HANGING:
        _paint_hanging(draw, card.index, (index_x, index_y), index_size, ink)
    else:
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


def _paint_hanging(
    draw: ImageDraw.ImageDraw, index: str, at: tuple[float, float], size: float, ink: Colour
) -> None:
    """Paint a letter that hangs below the line smaller, and halfway up: it would touch its suit."""
    _left, cap_top, _right, line = draw.textbbox(at, "A", font=font(round(size)), anchor="la")
    shown = font(round(size * HANGING_SHARE))
    left, top, _right, bottom = draw.textbbox((0, 0), index, font=shown, anchor="la")
    middle = (cap_top + line - top - bottom) / 2
    draw.text((at[0] - min(left, 0), middle), index, fill=ink, font=shown, anchor="la")


def ink_of(card: Card, *, four_colours: bool) -> Colour:
    if four_colours and card.suit in _FOUR_COLOURS:
        return _FOUR_COLOURS[card.suit]
    return theme.RED if card.suit.is_red else theme.INK


_FOUR_COLOURS = {Suit.DIAMONDS: theme.ORANGE, Suit.CLUBS: theme.NAVY}


def index_px(face: Face, width_px: int) -> float:
    is_small = width_px < theme.SMALL_CARD_PX
    if isinstance(face, DecktetCard):
        return (theme.SMALL_DECKTET_INDEX if is_small else theme.DECKTET_INDEX)[2] * width_px
    size = (theme.SMALL_INDEX if is_small else theme.INDEX)[2] * width_px
    share = theme.SMALL_TEN_SHARE if is_small else theme.TEN_SHARE
    return size * (share if len(face.index) > 1 else 1)


def index_room(face: Face | Blank, width_px: int) -> float:
    """Return how much of a card of a width must be seen from its left edge on, for its index."""
    if isinstance(face, Blank):
        return width_px * theme.BACK_SHARE
    is_small = width_px < theme.SMALL_CARD_PX
    if isinstance(face, DecktetCard):
        left, _top, side = theme.SMALL_DECKTET_INDEX if is_small else theme.DECKTET_INDEX
        return (left + side) * width_px
    left = (theme.SMALL_INDEX if is_small else theme.INDEX)[0] * width_px
    size = index_px(face, width_px)
    if len(face.index) > 1:
        return left / 2 + length_of(face.index, round(size), narrow=True)
    return left + length_of(face.index, round(size))


def _paint_blank(draw: ImageDraw.ImageDraw, width: int) -> None:
    box = (0, 0, width - 1, round(width * CARD_HEIGHT) - 1)
    corner, border = theme.CARD_CORNER * width, max(1, round(theme.CARD_BORDER * width))
    draw.rounded_rectangle(box, corner, fill=theme.IVORY, outline=theme.EDGE, width=border)


def _paint_back(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    _paint_blank(draw, width)
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
