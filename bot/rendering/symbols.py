"""Vector drawings of suits and frogs."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import ImageDraw

from bot.engine.cards import JACK, KING, QUEEN, Suit
from bot.engine.scene import FrogFace
from bot.rendering import theme
from bot.rendering.fonts import font
from bot.rendering.theme import Box, Colour

_CURVE_POINTS = 72


class Pen:
    """A drawing tool for one box.

    Coordinates are fractions of the box, so drawings scale to any size.
    """

    def __init__(self, draw: ImageDraw.ImageDraw, box: Box) -> None:
        self._draw = draw
        self._left, self._top, self._side = box

    def oval(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        self._draw.ellipse(self._round(x, y, width, height), fill=colour)

    def shape(self, points: list[tuple[float, float]], colour: Colour) -> None:
        self._draw.polygon([self._point(x, y) for x, y in points], fill=colour)

    def bend(
        self, oval: tuple[float, float, float, float], ends: tuple[int, int], ink: Colour, line: float
    ) -> None:
        """Draw an elliptical arc.

        Args:
            oval: The ellipse: the x and y of its centre, its width and its height.
            ends: The start and end angles in degrees, clockwise from the right.
            ink: The colour.
            line: The width of the line, as a fraction of the box.
        """
        self._draw.arc(self._round(*oval), *ends, fill=ink, width=round(line * self._side))

    def line(self, points: list[tuple[float, float]], colour: Colour, line: float) -> None:
        width = round(line * self._side)
        places = [self._point(x, y) for x, y in points]
        self._draw.line(places, fill=colour, width=width, joint="curve")
        for x, y in (places[0], places[-1]):
            half = width / 2
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def _round(self, x: float, y: float, width: float, height: float) -> tuple[float, ...]:
        return *self._point(x - width / 2, y - height / 2), *self._point(x + width / 2, y + height / 2)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._side, self._top + y * self._side


def scale(box: Box, unit: float) -> Box:
    left, top, side = box
    return left * unit, top * unit, side * unit


def mirror(*left: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the outline of a shape that is symmetric about a vertical axis, given its left half."""
    return [*left, *((1 - x, y) for x, y in reversed(left[:-1]))]


def draw_suit(draw: ImageDraw.ImageDraw, box: Box, suit: Suit, colour: Colour) -> None:
    pen = Pen(draw, box)
    match suit:
        case Suit.HEARTS:
            pen.shape(_heart(upright=True), colour)
        case Suit.DIAMONDS:
            pen.shape([(0.5, 0.0), (0.88, 0.5), (0.5, 1.0), (0.12, 0.5)], colour)
        case Suit.SPADES:
            pen.shape(_heart(upright=False), colour)
            pen.shape([(0.5, 0.55), (0.68, 1.0), (0.32, 1.0)], colour)
        case Suit.CLUBS:
            for x, y in ((0.5, 0.26), (0.26, 0.6), (0.74, 0.6), (0.5, 0.52)):
                pen.oval(x, y, 0.46, 0.46, colour)
            pen.shape([(0.5, 0.4), (0.66, 1.0), (0.34, 1.0)], colour)


def _heart(*, upright: bool) -> list[tuple[float, float]]:
    """Return the outline of a heart or, if ``upright`` is False, of the upper part of a spade."""
    turns = [2 * pi * point / _CURVE_POINTS for point in range(_CURVE_POINTS)]
    xs = [16 * sin(t) ** 3 for t in turns]
    ys = [13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t) for t in turns]
    top, height = max(ys), max(ys) - min(ys)
    downs = [(top - y) / height for y in ys]
    at = [0.04 + 0.94 * down if upright else 0.8 * (1 - down) for down in downs]
    return [(0.5 + x / 34, y) for x, y in zip(xs, at, strict=True)]


def draw_token(draw: ImageDraw.ImageDraw, box: Box, seat: int, *, numbered: bool = True) -> None:
    """Draw a frog in the colour of a seat, seen from above.

    Its outline is visible on every background.
    """
    skin, ink = theme.TOKENS[seat % len(theme.TOKENS)]
    pen = Pen(draw, box)
    line, halo = theme.TOKEN_LINE, theme.TOKEN_HALO
    for less, colour in ((0.0, theme.WHITE), (2 * halo, theme.INK)):
        for x in (0.26, 0.74):
            pen.oval(x, 0.2, 0.4 - less, 0.4 - less, colour)
        pen.oval(0.5, 0.58, 1.0 - less, 0.84 - less, colour)
    for x in (0.26, 0.74):
        pen.oval(x, 0.2, 0.26, 0.26, theme.WHITE)
        pen.oval(x, 0.17, 0.12, 0.14, theme.INK)
    less = 2 * (halo + line)
    pen.oval(0.5, 0.58, 1.0 - less, 0.84 - less, skin)
    if numbered:
        left, top, side = box
        at, size = (left + 0.5 * side, top + 0.585 * side), round(theme.TOKEN_NUMBER * side)
        draw.text(at, str(seat + 1), fill=ink, font=font(size), anchor="mm")


def draw_frog(
    draw: ImageDraw.ImageDraw, box: Box, look: FrogFace = FrogFace.PLAIN, skin: Colour = theme.FROG
) -> None:
    pen = Pen(draw, box)
    for less, colour in ((0.0, theme.INK), (0.08, skin)):
        for x in (0.27, 0.73):
            pen.oval(x, 0.28, 0.4 - less, 0.4 - less, colour)
        pen.oval(0.5, 0.58, 1.0 - less, 0.74 - less, colour)
    ink = theme.WHITE if skin == theme.TOKENS[-1][0] else theme.INK
    for x, pupil in ((0.27, 0.29), (0.73, 0.71)):
        if look is FrogFace.LAUGHING:
            pen.bend((x, 0.36, 0.22, 0.26), (190, 350), ink, 0.055)
            continue
        pen.oval(x, 0.29, 0.22, 0.22, theme.WHITE)
        pen.oval(pupil, 0.31 + 0.03 * (look is FrogFace.SAD), 0.11, 0.13, theme.INK)
    match look:
        case FrogFace.LAUGHING:
            for colour, width, height in ((theme.INK, 0.29, 0.31), (theme.RED, 0.2, 0.2)):
                turns = [pi * point / _CURVE_POINTS for point in range(_CURVE_POINTS + 1)]
                low = 0.56 if colour == theme.INK else 0.64
                pen.shape([(0.5 + width * cos(t), low + height * sin(t)) for t in turns], colour)
        case FrogFace.WRY:
            pen.bend((0.5, 0.64, 0.5, 0.14), (20, 160), ink, 0.055)
        case FrogFace.SAD:
            pen.bend((0.5, 0.86, 0.44, 0.32), (205, 335), ink, 0.055)
            pen.shape([(0.83, 0.44), (0.9, 0.58), (0.83, 0.66), (0.76, 0.58)], theme.WHITE)
        case FrogFace.PLAIN:
            pen.bend((0.5, 0.56, 0.62, 0.4), (15, 165), ink, 0.055)


def draw_face(draw: ImageDraw.ImageDraw, side: int, look: FrogFace, skin: Colour) -> None:
    """Draw a frog's face with a light outline, which makes it visible on every background."""
    pen = Pen(draw, (0, 0, side - 1))
    for x in (0.27, 0.73):
        pen.oval(x, 0.29, 0.48, 0.48, theme.WHITE)
    pen.oval(0.5, 0.58, 1.0, 0.8, theme.WHITE)
    draw_frog(draw, (0.06 * side, 0.06 * side, 0.88 * side), look, skin)


def draw_court(draw: ImageDraw.ImageDraw, box: Box, rank: int, colour: Colour) -> None:
    left, top, side = box
    draw_frog(draw, (left, top + 0.22 * side, side))
    pen = Pen(draw, box)
    if rank == KING:
        pen.shape(mirror((0.18, 0.36), (0.1, 0.0), (0.32, 0.17), (0.5, -0.04)), theme.GOLD)
        for x in (0.3, 0.5, 0.7):
            pen.oval(x, 0.28, 0.08, 0.08, colour)
    elif rank == QUEEN:
        pen.shape(mirror((0.24, 0.36), (0.3, 0.16), (0.42, 0.26), (0.5, 0.06)), theme.GOLD)
        pen.oval(0.5, 0.08, 0.12, 0.12, colour)
        for x in (0.1, 0.9):
            pen.oval(x, 0.9, 0.12, 0.12, theme.GOLD)
    elif rank == JACK:
        pen.shape([(0.2, 0.36), (0.28, 0.1), (0.72, 0.04), (0.82, 0.36)], colour)
        pen.shape([(0.7, 0.22), (0.96, -0.06), (0.86, 0.26)], theme.GOLD)
