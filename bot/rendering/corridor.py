"""Drawing of Frogger's path: its cards, and the camps of frogs at both ends."""

from __future__ import annotations

from math import ceil

from bot.engine.decktet import CROWN
from bot.engine.scene import Align, Mark, PathCard, PathEnd
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import Shape
from bot.rendering.theme import Colour

_MARKS: dict[Mark, Colour] = {
    Mark.LEFT: theme.TRAIL,
    Mark.REACHED: theme.TRAIL,
    Mark.MAY_MOVE: theme.CHOICE,
    Mark.LANDING: theme.CHOICE,
}
"""Colour of each mark. It is filled on a space with a frog, and a ring on an empty space."""


def draw_stop(canvas: Canvas, stop: PathCard) -> None:
    canvas.block(stop.x, stop.y, stop.width, stop.height, theme.IVORY, corner=theme.CARD_CORNER)
    _draw_header(canvas, stop)
    for suit, centre in zip(stop.card.suits, _lines(stop), strict=True):
        x, y = stop.x + theme.STOP_SUIT_X, centre - theme.STOP_SUIT / 2
        canvas.shape(suit, x, y, theme.STOP_SUIT, ink=theme.SUITS[suit.name])
    marks = stop.marks or (None,) * len(stop.tokens)
    for centre, seat, mark in zip(_lines(stop), stop.tokens, marks, strict=False):
        _draw_space(canvas, stop.x, centre, seat, mark)


def _lines(stop: PathCard) -> list[float]:
    line = (stop.height - theme.STOP_HEADER - theme.STOP_FOOT) / len(stop.card.suits)
    first = stop.y + theme.STOP_HEADER + line / 2
    return [first + line * place for place in range(len(stop.card.suits))]


def _draw_header(canvas: Canvas, stop: PathCard) -> None:
    header, size = theme.STOP_HEADER, theme.STOP_NUMBER_SIZE
    tab = stop.width * theme.STOP_NUMBER_WIDTH
    canvas.block(stop.x, stop.y, tab, header, theme.SHADE, corner=theme.CARD_CORNER)
    y = stop.y + (header - size * 1.4) / 2
    middle, at = stop.x + tab / 2, Align.CENTRE
    canvas.text(str(stop.number), middle, y, size, theme.SHADE, align=at, narrow=True)
    arrow = theme.STOP_ARROW
    top = stop.y + (header - arrow) / 2
    canvas.shape(Shape.ARROW, stop.x + tab + 0.06, top, arrow, ink=theme.PAD)
    right, size = stop.x + stop.width - 0.08, theme.STOP_RANK_SIZE
    if stop.card.rank == CROWN:
        canvas.shape(Shape.CROWN, right - size * 0.9, stop.y + 0.05, size * 0.9)
    else:
        canvas.text(stop.card.index, right, y, size, theme.IVORY, theme.INK, Align.RIGHT)


def _draw_space(canvas: Canvas, x: float, centre: float, seat: int | None, mark: Mark | None) -> None:
    if mark is not None:
        height, colour = theme.STOP_RING_HEIGHT, _MARKS[mark]
        ring = x + theme.STOP_RING_X, centre - height / 2, theme.STOP_RING_WIDTH, height
        fill, line = theme.IVORY if seat is None else colour, theme.RING_LINE
        canvas.block(*ring, fill, ground=theme.IVORY, corner=height / 2, border=colour, line=line)
    size = theme.STOP_TOKEN * (0.8 if mark is not None and seat is None else 1)  # smaller in a ring
    left, top = x + theme.STOP_TOKEN_X + (theme.STOP_TOKEN - size) / 2, centre - size / 2
    if seat is not None:
        canvas.frog(seat, left, top, size, theme.IVORY)
        return
    canvas.shape(Shape.PAD, left, top, size, ink=theme.PAD)
    if mark is Mark.LEFT:
        arrow = size * 0.5
        canvas.shape(Shape.ARROW, left + size * 0.3, centre - arrow / 2, arrow, theme.PAD)


def draw_camp(canvas: Canvas, camp: PathEnd) -> None:
    ground, ink = (theme.IVORY, theme.INK) if camp.first else (theme.PLATE, theme.CREAM)
    border, line = (None, 0.0) if camp.first else (theme.GOLD, theme.PLATE_BORDER)
    if camp.mark is not None:
        border, line = (_MARKS[camp.mark] if camp.first else theme.NOW), 0.055
    box, corner = (camp.x, camp.y, camp.width, camp.height), theme.CARD_CORNER
    canvas.block(*box, ground, corner=corner, border=border, line=line)
    middle = camp.x + camp.width / 2
    canvas.text(camp.title, middle, camp.y, theme.CAMP_TITLE_SIZE, ground, ink, Align.CENTRE)
    _draw_camp_tokens(canvas, camp, ground, ink)


def _draw_camp_tokens(canvas: Canvas, camp: PathEnd, ground: Colour, ink: Colour) -> None:
    counts = [(seat, count) for seat, count in enumerate(camp.tokens) if count]
    columns = 1 if len(counts) <= theme.CAMP_LINES else 2
    lines = max(ceil(len(counts) / columns), theme.CAMP_LINES)
    room = (camp.height - theme.STOP_HEADER - theme.STOP_FOOT) / lines
    width = camp.width / columns
    for place, (seat, count) in enumerate(counts):
        column, row = divmod(place, lines)
        words, size, token = f"×{count}", theme.CAMP_COUNT_SIZE, theme.CAMP_TOKEN + 0.01
        used = token + canvas.width_of(words, size, narrow=True)
        x = camp.x + width * column + (width - used) / 2
        y = camp.y + theme.STOP_HEADER + room * row
        canvas.frog(seat, x, y + (room - theme.CAMP_TOKEN) / 2, theme.CAMP_TOKEN, ground)
        canvas.text(words, x + token, y + (room - theme.LINE) / 2, size, ground, ink, narrow=True)
