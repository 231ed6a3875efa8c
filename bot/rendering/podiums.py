"""Drawing of a match's final standings: frogs on a podium, and the other players in a line below it."""

from __future__ import annotations

from bot.engine.scene import (
    PODIUM_HEIGHT,
    PODIUM_LINE,
    PODIUM_LONE,
    PODIUM_STEPS,
    Align,
    FrogFace,
    Podium,
    Standing,
)
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import Shape

_STEPS = ((theme.GOLD, 1.28), (theme.SILVER, 1.14), (theme.BRONZE, 1.02))

_ORDER: dict[int, tuple[int, ...]] = {2: (0, 1), 3: (1, 0, 2)}

_FROG, _SEEN, _CROWN, _ALONE = 1.0, 0.92, 0.5, 1.8
"""Sizes of a frog, its visible part and its crown in card widths, and the scale for a single frog."""
_NAME, _NUMBER, _LARGE, _NOTE_Y, _GAP = 0.42, 0.46, 0.42, 0.55, 0.06
_SECOND = 2


def draw_podium(canvas: Canvas, podium: Podium) -> None:
    first, others = podium.standings[:PODIUM_STEPS], podium.standings[PODIUM_STEPS:]
    if len(first) == 1:
        _draw_alone(canvas, podium, first[0])
        return
    best, last = podium.standings[0].place, podium.standings[-1].place
    last = last if best == 1 else best  # if nobody has won, everybody has lost
    width = (podium.width - (len(first) - 1) * _GAP) / len(first)
    for column, at in enumerate(_ORDER[len(first)]):
        x = podium.x + column * (width + _GAP)
        _draw_step(canvas, first[at], _look(first[at].place, last), x, podium.y + PODIUM_HEIGHT, width)
    for column, standing in enumerate(others):
        room = (podium.width - (len(others) - 1) * _GAP) / len(others)
        x, y = podium.x + column * (room + _GAP), podium.y + PODIUM_HEIGHT + _GAP
        _draw_other(canvas, standing, _look(standing.place, last), x, y, room)


def _look(place: int, last: int) -> FrogFace:
    if place == 1:
        return FrogFace.LAUGHING
    return FrogFace.SAD if place >= last else FrogFace.WRY if place == _SECOND else FrogFace.PLAIN


def _draw_alone(canvas: Canvas, podium: Podium, standing: Standing) -> None:
    middle, top = podium.x + podium.width / 2, podium.y + PODIUM_HEIGHT - PODIUM_LONE
    _draw_frog(canvas, standing, FrogFace.LAUGHING, middle, top, _ALONE)
    canvas.block(podium.x, top, podium.width, PODIUM_LONE, theme.GOLD)
    y = top + (PODIUM_LONE - canvas.height_of(_LARGE)) / 2
    _write(canvas, standing.note, middle, y, _LARGE, theme.GOLD, podium.width)


def _draw_step(
    canvas: Canvas, standing: Standing, look: FrogFace, x: float, base: float, width: float
) -> None:
    fill, height = _STEPS[min(standing.place, PODIUM_STEPS) - 1]
    top, middle = base - height, x + width / 2
    y = _draw_frog(canvas, standing, look, middle, top)
    _draw_name(canvas, standing, x, y - _NAME, width)
    canvas.block(x, top, width, height, fill)
    if standing.token:  # a step's height shows the place already, so only one number is written
        y = top + (height - canvas.height_of(_LARGE)) / 2
        _write(canvas, standing.note, middle, y, _LARGE, fill, width)
        return
    _write(canvas, str(standing.place), middle, top - 0.04, _NUMBER, fill, width)
    _write(canvas, standing.note, middle, top + _NOTE_Y, theme.NAME_SIZE, fill, width)


def _draw_frog(
    canvas: Canvas, standing: Standing, look: FrogFace, middle: float, base: float, larger: float = 1.0
) -> float:
    """Draw a player's frog on its step of the podium. A winner's frog wears a crown.

    Return the y of the drawing's top edge.
    """
    frog, crown, y = _FROG * larger, _CROWN * larger, base - _SEEN * larger
    canvas.shape(look, middle - frog / 2, y, frog, theme.FELT, _skin(standing))
    if not standing.crowned:
        return y
    y -= crown * 0.6
    canvas.shape(Shape.CROWN, middle - crown / 2, y, crown, theme.FELT, theme.GOLD)
    return y


def _write(
    canvas: Canvas, text: str, middle: float, y: float, size: float, fill: theme.Colour, width: float
) -> None:
    room = width - 2 * theme.PLATE_PADDING
    canvas.text(text, middle, y, size, fill, theme.INK, Align.CENTRE, room)


def _skin(standing: Standing) -> theme.Colour:
    return theme.TOKENS[standing.seat][0] if standing.token else theme.FROG


def _draw_name(canvas: Canvas, standing: Standing, x: float, y: float, width: float) -> None:
    room, size = width - theme.MARK_ROOM * standing.computer, theme.NAME_SIZE
    narrow = canvas.width_of(standing.name, size) > room
    left = x + (room - min(canvas.width_of(standing.name, size, narrow=narrow), room)) / 2
    if standing.computer:
        left = canvas.mark(left, y, theme.FELT)
    canvas.text(standing.name, left, y, size, width=room)


def _draw_other(
    canvas: Canvas, standing: Standing, look: FrogFace, x: float, y: float, width: float
) -> None:
    ground, padding, size = theme.PLATE, theme.PLATE_PADDING, theme.NAME_SIZE
    canvas.block(x, y, width, PODIUM_LINE - _GAP, ground)
    number, left = f"{standing.place}.", x + padding
    y += 0.02
    canvas.text(number, left, y, size, ground, theme.MUTED)
    left += canvas.width_of(number, size) + padding
    canvas.shape(look, left, y + 0.01, theme.TOKEN_SIZE, ground, _skin(standing))
    left += theme.TOKEN_ROOM
    if standing.computer:
        left = canvas.mark(left, y, ground)
    canvas.text(standing.name, left, y, size, ground, width=x + width - padding - left)
