"""Rows of overlapping cards."""

from __future__ import annotations

from bot.engine.scene import CARD_HEIGHT, Blank, Face
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import OverlapEdge
from bot.rendering.theme import Colour


def draw_fan(
    canvas: Canvas,
    cards: tuple[Face | Blank, ...],
    x: float,
    y: float,
    full: float,
    room: float,
    ground: Colour,
) -> None:
    """Draw a row of cards in a limited width.

    If the cards do not fit side by side, they overlap. If their indices would then be hidden, the cards
    are drawn smaller.

    Args:
        canvas: The canvas.
        cards: The cards from the left.
        x: The left edge, in card widths.
        y: The y of the top edge of full-size cards, in card widths.
        full: The width of a full-size card, in card widths.
        room: The width available for the whole row, in card widths.
        ground: The colour behind the cards.
    """
    if not cards:
        return
    size, steps = _fan(canvas, cards, full, room)
    y += (full - size) * CARD_HEIGHT / 2
    for place, (card, step) in enumerate(zip(cards, (0.0, *steps), strict=True)):
        x += step
        canvas.card(card, x, y, size, ground, laps_of(place, (step, 0.0), size))


def _fan(
    canvas: Canvas, cards: tuple[Face | Blank, ...], size: float, room: float
) -> tuple[float, tuple[float, ...]]:
    natural = size + theme.FAN_GAP
    gaps = len(cards) - 1
    even = min(natural, (room - size) / max(gaps, 1))
    if even >= max((canvas.index_room(card, size) for card in cards[:-1]), default=0.0):
        return size, (even,) * gaps
    while True:
        needed = [canvas.index_room(card, size) for card in cards[:-1]]
        spare = (room - size - sum(needed)) / gaps
        if spare >= 0 or size <= theme.LEAST_FAN_CARD:
            return size, tuple(width + spare for width in needed)
        size = max(size - theme.FAN_STEP, theme.LEAST_FAN_CARD)


def laps_of(place: int, step: tuple[float, float], size: float) -> OverlapEdge:
    across, down = step
    if not place:
        return OverlapEdge.NOTHING
    if across:
        return OverlapEdge.LEFT if across < size else OverlapEdge.NOTHING
    return OverlapEdge.TOP if down < size * CARD_HEIGHT else OverlapEdge.NOTHING
