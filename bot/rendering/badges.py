"""Drawing of badges, which several types of scene items have."""

from __future__ import annotations

from bot.engine.scene import Mood
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.theme import Colour

MOODS: dict[Mood, tuple[Colour, Colour]] = {
    Mood.PLAIN: (theme.GOLD, theme.INK),
    Mood.GOOD: (theme.GOOD, theme.WHITE),
    Mood.BAD: (theme.BAD, theme.WHITE),
}


def draw_badge(
    canvas: Canvas, badge: str, mood: Mood, right: float, top: float, ground: Colour
) -> float:
    """Draw a badge, which is a text on a coloured oval, and return its width.

    Args:
        canvas: The canvas.
        badge: The text of the badge.
        mood: The mood, which determines the badge's colours.
        right: The x of the badge's right edge, in card widths.
        top: The y of the line of text, in card widths.
        ground: The colour behind the badge.
    """
    fill, _ink = MOODS[mood]
    width = canvas.width_of(badge, theme.BADGE_SIZE) + 2 * theme.BADGE_PADDING
    height = theme.LINE - 0.04
    canvas.block(right - width, top + 0.02, width, height, fill, ground=ground, corner=height / 2)
    canvas.text(badge, right - width + theme.BADGE_PADDING, top, theme.BADGE_SIZE, *MOODS[mood])
    return width
