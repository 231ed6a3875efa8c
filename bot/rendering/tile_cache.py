"""Things of a picture that have been drawn before, and are laid down again in one piece.

From one move to the next most of a picture stays. What a thing looks like depends on nothing but itself
and the measures of its picture, so it is kept as the rectangle that it covers. Where it lies over
something else it is drawn anew: a rectangle would hide what is seen between its parts.

Most pictures have a few rows of things, with a gap between them. Such a strip is compressed by itself,
and once: it is the same bytes in the next picture, unless something in it has changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from bot.engine.scene import Item, Scene
from bot.engine.words import language
from bot.rendering.canvas import Box, Canvas, Pixels
from bot.rendering.items import bare, draw_item, draw_upon
from bot.rendering.lru_cache import LRUCache
from bot.rendering.png import Compressed, Paper, encode

KEPT_BYTES = 24 * 1024 * 1024
"""How much is kept: all that is seen in some 50 pictures."""

SQUEEZED_BYTES = 4 * 1024 * 1024
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
    """What a thing covers: its pixels, and their rectangle.

    No other patch has its ``number``. ``is_used``: it has been laid down since it was made, or last
    looked at to make room.
    """

    pixels: Pixels
    box: Box
    number: int
    is_used: bool = False


class _Own(threading.local):
    """What each thread draws on."""

    def __init__(self) -> None:
        self.paper = Paper()


class TileCache:
    """Draws scenes from patches, and keeps those used lately.

    Which those are is told when room is made, as a thing costs as much to look up as to lay down.
    """

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[_Kind, _Patch] = OrderedDict()
        self._bytes = 0
        self._numbers = count(_ANEW + 1)
        self._own = _Own()
        self._squeezings: LRUCache[_Strip, Compressed] = LRUCache(
            SQUEEZED_BYTES, lambda one: len(one.data)
        )

    def picture(self, scene: Scene) -> bytes:
        """Return a scene's PNG."""
        canvas = Canvas(
            scene.width, scene.height, four_colours=scene.four_colours, paper=self._own.paper
        )
        spoken, covered, lines = language(), list[Box](), list[_Lines]()
        for item in scene.items:
            box, number = self._put(canvas, (item, scene.width, scene.four_colours, spoken), covered)
            covered.append(box)
            lines.append((box[1], box[3], number))
        return encode([self._squeezed(canvas, strip) for strip in _strips(lines, canvas.height_px)])

    def _put(self, canvas: Canvas, kind: _Kind, covered: list[Box]) -> tuple[Box, int]:
        """Lay a thing down, or draw it anew; return what it covers, and the number of its patch."""
        patch = self._kept.get(kind)
        if patch is not None and _is_free(patch.box, covered):
            patch.is_used = True
            canvas.lay(patch.pixels, patch.box)
            return patch.box, patch.number
        box, number = self._drawn(canvas, kind, covered), _ANEW
        if patch is None and _is_free(box, covered):
            number = next(self._numbers)
            self._keep(kind, _Patch(canvas.crop(box), box, number))
        return box, number

    def _drawn(self, canvas: Canvas, kind: _Kind, covered: list[Box]) -> Box:
        """Draw a thing, upon what there is of it when it is bare; return what it covers."""
        item, width, four_colours, spoken = kind
        below = bare(item)
        if below is None:
            draw_item(canvas, item, width)
            return canvas.covered()
        box, _number = self._put(canvas, (below, width, four_colours, spoken), covered)
        draw_upon(canvas, item)
        return _around(box, canvas.covered())

    def _squeezed(self, canvas: Canvas, strip: _Strip) -> Compressed:
        """Return a strip of a picture, compressed; one of known patches is so once."""
        top, bottom, *numbers = strip
        done = self._squeezings.get(strip)
        if done is None:
            done = canvas.compressed(top, bottom)
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
    left, top, right, bottom = patch.box
    return (right - left) * (bottom - top)


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


def _around(one: Box, other: Box) -> Box:
    """Return the rectangle round two."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _is_free(box: Box, covered: list[Box]) -> bool:
    """Return whether a rectangle overlaps none of those that are covered."""
    left, top, right, bottom = box
    for its_left, its_top, its_right, its_bottom in covered:
        if top < its_bottom and its_top < bottom and left < its_right and its_left < right:
            return False
    return True
