"""Things of a picture that have been drawn before, and are laid down again in one piece.

From one move to the next most of a picture stays. What a thing looks like depends on nothing but itself
and the measures of its picture, so it is kept as the rectangle that it covers. Where it lies over
something else it is drawn anew: a rectangle would hide what is seen between its parts.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from PIL import Image

from bot.engine.scene import Item, Scene
from bot.engine.words import language
from bot.rendering.canvas import Box, Canvas
from bot.rendering.items import draw_item

KEPT_BYTES = 64 * 1024 * 1024
"""How much is kept: all that is seen in some 130 pictures, of thirty tables of Toad for three."""

CELL_PX = 4
"""How finely is told where something lies."""

_CELLS = 256
"""More than a line of a picture has."""

_Kind: TypeAlias = tuple[Item, float, bool, str]


@dataclass(slots=True)
class _Patch:
    """What a thing covers: its pixels, their rectangle, and the cells of that, a bit each.

    ``is_used``: it has been laid down since it was made, or last looked at to make room.
    """

    pixels: Image.Image
    box: Box
    cells: int
    is_used: bool = False


class Patches:
    """Draws scenes from patches, and keeps those used lately.

    Which those are is told when room is made, as a thing costs as much to look up as to lay down.
    """

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[_Kind, _Patch] = OrderedDict()
        self._bytes = 0

    def painted(self, scene: Scene) -> Canvas:
        """Return the canvas with all of a scene on it; it keeps no account of that."""
        canvas = Canvas(scene.width, scene.height, four_colours=scene.four_colours)
        spoken, covered = language(), 0
        for item in scene.items:
            kind = item, scene.width, scene.four_colours, spoken
            patch = self._kept.get(kind)
            if patch is not None and not patch.cells & covered:
                patch.is_used = True
                canvas.lay(patch.pixels, patch.box)
                covered |= patch.cells
                continue
            draw_item(canvas, item, scene.width)
            box = canvas.covered()
            cells = _cells(box)
            if patch is None and not cells & covered:
                self._keep(kind, _Patch(canvas.crop(box), box, cells))
            covered |= cells
        return canvas

    def _keep(self, kind: _Kind, patch: _Patch) -> None:
        self._kept[kind] = patch
        self._bytes += _size(patch)
        while self._bytes > self._most:
            oldest, patch = self._kept.popitem(last=False)
            if patch.is_used:
                patch.is_used = False
                self._kept[oldest] = patch
            else:
                self._bytes -= _size(patch)


def _size(patch: _Patch) -> int:
    return patch.pixels.width * patch.pixels.height


def _cells(box: Box) -> int:
    """Return the cells that a rectangle touches, a bit each, line after line."""
    left, top = box[0] // CELL_PX, box[1] // CELL_PX
    right, bottom = -(-box[2] // CELL_PX), -(-box[3] // CELL_PX)
    line = ((1 << (right - left)) - 1) << left
    return line * _lines(bottom - top) << _CELLS * top


@cache
def _lines(number: int) -> int:
    """Return the first bit of each of so many lines."""
    return sum(1 << _CELLS * line for line in range(number))
