"""Drawing of scenes as images, for any game."""

from bot.rendering.inline_icons import Drawing, drawing
from bot.rendering.picture import checksum, draw, drawn
from bot.rendering.text import is_letter, legible, readable

__all__ = ["Drawing", "checksum", "draw", "drawing", "drawn", "is_letter", "legible", "readable"]
