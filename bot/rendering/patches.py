"""Things of a picture that have been drawn before, and are laid down again in one piece.

From one move to the next most of a picture stays. What a thing looks like depends on nothing but itself
and the measures of its picture, so it is kept as the rectangle that it covers. Where it lies over
something else it is drawn anew: a rectangle would hide what is seen between its parts.

Most pictures have a few rows of things, with a gap between them. Such a strip is compressed by itself,
and once: it is the same bytes in the next picture, unless something in it has changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

from PIL import Image

from bot.engine.scene import Item, Scene
from bot.engine.words import language
from bot.rendering.canvas import Box, Canvas
from bot.rendering.items import draw_item
from bot.rendering.lately import Lately
from bot.rendering.png import Squeezed, encode

KEPT_BYTES = 64 * 1024 * 1024
"""How much is kept: all that is seen in some 130 pictures, of thirty tables of Toad for three."""

CELL_PX = 4
"""How finely is told where something lies."""

_CELLS = 256
"""More than a line of a picture has."""

SQUEEZED_BYTES = 8 * 1024 * 1024
"""How much is kept of strips of pictures, compressed."""

_ANEW = 0
"""Stands for the number of what was drawn anew over something else, and is no patch."""

_Kind: TypeAlias = tuple[Item, float, bool, str]

_Lines: TypeAlias = tuple[int, int, int]
"""The first line that something covers, the one after its last, and its patch's number."""

_Strip: TypeAlias = tuple[int, ...]
"""The first line of a strip, the one after its last, and the numbers of the patches in it."""


@dataclass(slots=True)
class _Patch:
    """What a thing covers: its pixels, their rectangle, and the cells of that, a bit each.

    No other patch has its ``number``. ``is_used``: it has been laid down since it was made, or last
    looked at to make room.
    """

    pixels: Image.Image
    box: Box
    cells: int
    number: int
    is_used: bool = False


class Patches:
    """Draws scenes from patches, and keeps those used lately.

    Which those are is told when room is made, as a thing costs as much to look up as to lay down.
    """

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[_Kind, _Patch] = OrderedDict()
        self._bytes = 0
        self._numbers = count(_ANEW + 1)
        self._squeezings: Lately[_Strip, Squeezed] = Lately(SQUEEZED_BYTES, lambda one: len(one.data))

    def picture(self, scene: Scene) -> bytes:
        """Return a scene's PNG."""
        canvas = Canvas(scene.width, scene.height, four_colours=scene.four_colours)
        spoken, covered, lines = language(), 0, list[_Lines]()
        for item in scene.items:
            kind = item, scene.width, scene.four_colours, spoken
            patch = self._kept.get(kind)
            if patch is not None and not patch.cells & covered:
                patch.is_used = True
                canvas.lay(patch.pixels, patch.box)
                covered |= patch.cells
                lines.append((patch.box[1], patch.box[3], patch.number))
                continue
            draw_item(canvas, item, scene.width)
            box = canvas.covered()
            cells, number = _cells(box), _ANEW
            if patch is None and not cells & covered:
                number = next(self._numbers)
                self._keep(kind, _Patch(canvas.crop(box), box, cells, number))
            covered |= cells
            lines.append((box[1], box[3], number))
        return encode([self._squeezed(canvas, strip) for strip in _strips(lines, canvas.height_px)])

    def _squeezed(self, canvas: Canvas, strip: _Strip) -> Squeezed:
        """Return a strip of a picture, compressed; one of known patches is so once."""
        top, bottom, *numbers = strip
        done = self._squeezings.get(strip)
        if done is None:
            done = canvas.squeezed(top, bottom)
            if _ANEW not in numbers:
                self._squeezings.keep(strip, done)
        return done

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


def _strips(lines: list[_Lines], height: int) -> Iterator[_Strip]:
    """Yield the strips of a picture: between one and the next no thing goes on."""
    top, end, numbers = 0, 0, list[int]()
    for first, after, number in sorted(lines):
        if numbers and first >= end:
            yield top, end, *numbers
            top, numbers = end, []
        end = max(end, after)
        numbers.append(number)
    yield top, height, *numbers


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
