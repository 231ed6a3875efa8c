"""A scene becomes an image. Draws any scene and knows no game."""

from bot.rendering.drawing import draw

__all__ = ["draw"]
