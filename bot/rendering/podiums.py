"""How it is drawn who came in where: frogs on the steps of a podium, the others in a line below."""

from __future__ import annotations

from bot.engine.scene import PODIUM_HEIGHT, PODIUM_LINE, PODIUM_STEPS, Align, Podium, Standing
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import Shape

_STEPS = ((theme.GOLD, 1.28), (theme.SILVER, 1.14), (theme.BRONZE, 1.02))

_ORDER: dict[int, tuple[int, ...]] = {1: (0,), 2: (0, 1), 3: (1, 0, 2)}

_FROG, _SEEN, _CROWN = 0.84, 0.76, 0.44
"""How large a frog and its crown are, and how much of it is seen above its step."""
_NAME, _NUMBER, _NOTE_Y, _GAP = 0.42, 0.46, 0.55, 0.06


def draw_podium(canvas: Canvas, podium: Podium) -> None:
    first, others = podium.standings[:PODIUM_STEPS], podium.standings[PODIUM_STEPS:]
    width = (podium.width - (PODIUM_STEPS - 1) * _GAP) / PODIUM_STEPS
    left = podium.x + (podium.width - len(first) * (width + _GAP) + _GAP) / 2
    for column, at in enumerate(_ORDER[len(first)]):
        _draw_step(canvas, first[at], left + column * (width + _GAP), podium.y + PODIUM_HEIGHT, width)
    for column, standing in enumerate(others):
        room = (podium.width - (len(others) - 1) * _GAP) / len(others)
        x, y = podium.x + column * (room + _GAP), podium.y + PODIUM_HEIGHT + _GAP
        _draw_other(canvas, standing, x, y, room)


def _draw_step(canvas: Canvas, standing: Standing, x: float, base: float, width: float) -> None:
    fill, height = _STEPS[min(standing.place, PODIUM_STEPS) - 1]
    top, middle = base - height, x + width / 2
    y = _draw_frog(canvas, standing, middle - _FROG / 2, top - _SEEN)
    _draw_name(canvas, standing, x, y - _NAME, width)
    canvas.block(x, top, width, height, fill)
    room, number = width - 2 * theme.PLATE_PADDING, str(standing.place)
    written = ((number, _NUMBER, top - 0.04), (standing.note, theme.NAME_SIZE, top + _NOTE_Y))
    for text, size, at in written:
        narrow = canvas.width_of(text, size) > room
        canvas.text(text, middle, at, size, fill, theme.INK, Align.CENTRE, room, narrow=narrow)


def _draw_frog(canvas: Canvas, standing: Standing, x: float, y: float) -> float:
    """Draw the frog that a seat played with, or any; who has won wears a crown. Return its top."""
    canvas.frog(standing.seat if standing.token else None, x, y, _FROG, theme.FELT)
    if not standing.crowned:
        return y
    y -= _CROWN * 0.6
    canvas.shape(Shape.CROWN, x + (_FROG - _CROWN) / 2, y, _CROWN, theme.FELT, theme.GOLD)
    return y


def _draw_name(canvas: Canvas, standing: Standing, x: float, y: float, width: float) -> None:
    room, size = width - theme.MARK_ROOM * standing.computer, theme.NAME_SIZE
    narrow = canvas.width_of(standing.name, size) > room
    left = x + (room - min(canvas.width_of(standing.name, size, narrow=narrow), room)) / 2
    if standing.computer:
        left = canvas.mark(left, y, theme.FELT)
    canvas.text(standing.name, left, y, size, width=room, narrow=narrow)


def _draw_other(canvas: Canvas, standing: Standing, x: float, y: float, width: float) -> None:
    ground, padding, size = theme.PLATE, theme.PLATE_PADDING, theme.NAME_SIZE
    canvas.block(x, y, width, PODIUM_LINE - _GAP, ground)
    number, left = f"{standing.place}.", x + padding
    y += 0.02
    canvas.text(number, left, y, size, ground, theme.MUTED)
    left += canvas.width_of(number, size) + padding
    if standing.token:
        canvas.frog(standing.seat, left, y + 0.01, theme.TOKEN_SIZE, ground)
        left += theme.TOKEN_ROOM
    if standing.computer:
        left = canvas.mark(left, y, ground)
    room = x + width - padding - left
    narrow = canvas.width_of(standing.name, size) > room
    canvas.text(standing.name, left, y, size, ground, width=room, narrow=narrow)
