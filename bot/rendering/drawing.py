"""From a scene to a PNG."""

from __future__ import annotations

from bot.engine.scene import Scene
from bot.rendering.canvas import Canvas
from bot.rendering.items import draw_item


def draw(scene: Scene) -> bytes:
    """Return the scene as a palette PNG, ``theme.IMAGE_WIDTH_PX`` pixels wide."""
    return painted(scene).png()


def painted(scene: Scene) -> Canvas:
    """Return the canvas with all of a scene on it."""
    canvas = Canvas(scene.width, scene.height, four_colours=scene.four_colours)
    for item in scene.items:
        draw_item(canvas, item, scene.width)
    return canvas
