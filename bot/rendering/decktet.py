"""Drawing of Decktet cards and suits. The six suits can be told apart by shape alone."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import ImageDraw

from bot.engine.decktet import CROWN, DecktetCard, DecktetSuit
from bot.rendering import theme
from bot.rendering.fonts import font
from bot.rendering.symbols import Pen, mirror, scale
from bot.rendering.theme import Box, Colour

_RAYS = 8
_SHARES = [point / 40 for point in range(41)]
"""Points along a curve, from 0 to 1."""


def draw_decktet_suit(
    draw: ImageDraw.ImageDraw, box: Box, suit: DecktetSuit, paper: Colour = theme.IVORY
) -> None:
    """Draw a suit's symbol so that it fills the box.

    ``paper`` is the colour of the gaps in the symbol.
    """
    pen, ink = Pen(draw, box), theme.SUITS[suit.name]
    match suit:
        case DecktetSuit.MOONS:
            pen.oval(0.47, 0.5, 0.94, 0.94, ink)
            pen.oval(0.68, 0.42, 0.72, 0.72, paper)
        case DecktetSuit.SUNS:
            for ray in range(_RAYS):
                turn = 2 * pi * ray / _RAYS
                pen.shape([_round(turn - 0.22, 0.3), _round(turn, 0.5), _round(turn + 0.22, 0.3)], ink)
            pen.oval(0.5, 0.5, 0.5, 0.5, ink)
        case DecktetSuit.WAVES:
            for y in (0.24, 0.5, 0.76):
                pen.shape(_wave(y), ink)
        case DecktetSuit.LEAVES:
            pen.shape(_leaf(), ink)
            pen.line([(0.12, 0.9), (0.66, 0.34)], paper, 0.06)
            pen.line([(0.4, 0.62), (0.42, 0.4)], paper, 0.045)
            pen.line([(0.4, 0.62), (0.62, 0.6)], paper, 0.045)
            pen.line([(0.02, 1.0), (0.2, 0.82)], ink, 0.08)
        case DecktetSuit.WYRMS:
            pen.line(_coil(), ink, 0.17)
            pen.oval(0.76, 0.17, 0.34, 0.28, ink)
            pen.shape([(0.84, 0.1), (1.02, 0.2), (0.84, 0.29)], ink)
            pen.oval(0.75, 0.14, 0.08, 0.08, paper)
        case DecktetSuit.KNOTS:
            _draw_knot(pen, ink, paper)


def _round(turn: float, radius: float) -> tuple[float, float]:
    return 0.5 + radius * sin(turn), 0.5 - radius * cos(turn)


def _wave(y: float) -> list[tuple[float, float]]:
    upper = [(x, y - 0.07 * sin(3 * pi * x) - 0.055) for x in _SHARES]
    return upper + [(x, high + 0.11) for x, high in reversed(upper)]


def _leaf() -> list[tuple[float, float]]:
    along = [(0.1 + 0.86 * share, 0.92 - 0.86 * share) for share in _SHARES]
    bulge = [0.252 * sin(pi * share**0.9) for share in _SHARES]
    above = [(x - wide, y - wide) for (x, y), wide in zip(along, bulge, strict=True)]
    below = [(x + wide, y + wide) for (x, y), wide in zip(along, bulge, strict=True)]
    return above + below[::-1]


def _coil() -> list[tuple[float, float]]:
    across = (0.36 * cos(2.9 * pi * share) * (1 - 0.12 * share) for share in _SHARES)
    return [(0.5 + x, 0.16 + 0.76 * share) for x, share in zip(across, _SHARES, strict=True)]


def _draw_knot(pen: Pen, ink: Colour, paper: Colour) -> None:
    """Draw the symbol of the suit of knots: three rings, each over one neighbour and under the other."""
    loops = ((0.5, 0.3, 30), (0.3, 0.66, 270), (0.7, 0.66, 150))
    for x, y, _start in loops:
        pen.bend((x, y, 0.58, 0.58), (0, 360), ink, 0.12)
    for x, y, start in loops:
        for width in (0.66, 0.42):
            pen.bend((x, y, width, width), (start, start + 70), paper, 0.04)


def draw_crown(draw: ImageDraw.ImageDraw, box: Box, ink: Colour) -> None:
    Pen(draw, box).shape(mirror((0.08, 0.9), (0.0, 0.25), (0.27, 0.55), (0.5, 0.1)), ink)


def draw_index(draw: ImageDraw.ImageDraw, box: Box, card: DecktetCard) -> None:
    left, top, side = box
    if card.rank == CROWN:
        draw_crown(draw, (left + 0.06 * side, top + 0.2 * side, 0.72 * side), theme.INK)
        return
    draw.text((left, top - 0.16 * side), card.index, fill=theme.INK, font=font(round(side)), anchor="la")


def paint_decktet_face(draw: ImageDraw.ImageDraw, unit: int, card: DecktetCard) -> None:
    _paint_corner(draw, unit, card, theme.DECKTET_INDEX, theme.DECKTET_CORNER)
    for suit, figure in zip(card.suits, theme.DECKTET_FIGURES[len(card.suits)], strict=True):
        draw_decktet_suit(draw, scale(figure, unit), suit)


def paint_small_decktet_face(draw: ImageDraw.ImageDraw, unit: int, card: DecktetCard) -> None:
    _paint_corner(draw, unit, card, theme.SMALL_DECKTET_INDEX, theme.SMALL_DECKTET_SUIT)


def _paint_corner(
    draw: ImageDraw.ImageDraw, unit: int, card: DecktetCard, index: Box, suit_box: Box
) -> None:
    draw_index(draw, scale(index, unit), card)
    left, top, side = scale(suit_box, unit)
    for place, suit in enumerate(card.suits):
        draw_decktet_suit(draw, (left, top + 1.12 * side * place, side), suit)
