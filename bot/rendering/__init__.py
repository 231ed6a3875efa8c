"""Rendering of scenes as pictures. This package knows no game."""

from bot.rendering.custom_emoji import Drawing, drawing
from bot.rendering.picture import checksum, draw, draw_picture
from bot.rendering.text import is_letter, legible, readable

__all__ = ["Drawing", "checksum", "draw", "draw_picture", "drawing", "is_letter", "legible", "readable"]
