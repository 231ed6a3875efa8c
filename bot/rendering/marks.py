"""What several things in a scene have in common: moods, badges, lives, and cards in a fan."""

from __future__ import annotations

from bot.engine.scene import CARD_HEIGHT, Blank, Face, Mood
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.cards import Laps
from bot.rendering.theme import Colour

MOODS: dict[Mood, tuple[Colour, Colour]] = {
    Mood.PLAIN: (theme.GOLD, theme.INK),
    Mood.GOOD: (theme.GOOD, theme.WHITE),
    Mood.BAD: (theme.BAD, theme.WHITE),
}
"""Ground and ink of what is meant well or ill."""


def draw_badge(
    canvas: Canvas, badge: str, mood: Mood, right: float, top: float, ground: Colour
) -> float:
    """Draw a badge whose right edge is given; return its width."""
    fill, ink = MOODS[mood]
    width = canvas.width_of(badge, theme.BADGE_SIZE) + 2 * theme.BADGE_PADDING
    height = theme.LINE - 0.04
    canvas.block(right - width, top + 0.02, width, height, fill, ground=ground, corner=height / 2)
    x = right - width + theme.BADGE_PADDING
    canvas.text(badge, x, top, theme.BADGE_SIZE, ink=ink, ground=fill)
    return width


def draw_fan(
    canvas: Canvas,
    cards: tuple[Face | Blank, ...],
    x: float,
    y: float,
    size: float,
    room: float,
    ground: Colour,
) -> None:
    """Draw cards beside each other, closer together where there is less room."""
    step = min(size + theme.FAN_GAP, (room - size) / max(len(cards) - 1, 1))
    for place, card in enumerate(cards):
        laps = laps_of(place, (step, 0.0), size)
        canvas.card(card, x + step * place, y, size, ground, laps)


def laps_of(place: int, step: tuple[float, float], size: float) -> Laps:
    """Return how a card laps over the one before it."""
    across, down = step
    if not place:
        return Laps.NOTHING
    if across:
        return Laps.LEFT if across < size else Laps.NOTHING
    return Laps.TOP if down < size * CARD_HEIGHT else Laps.NOTHING
