"""Measuring, shortening and cleaning of text for pictures."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from math import ceil

from PIL import Image, ImageDraw

from bot.rendering.display_list import TextSprite
from bot.rendering.fonts import CONDENSED, NARROW, face_of, font, is_mark, runs
from bot.rendering.rasterizer import Bitmap
from bot.rendering.theme import ramp

_ELLIPSIS = "…"
_MOST_LENGTHS = 4096
"""Maximum number of texts whose width is cached. Measuring a word takes 0.5 ms."""


def readable(text: str) -> str:
    """Return a text with plain letters in place of decorative ones.

    Characters that cannot be drawn in pictures are removed.
    """
    return _with_letters(text, _is_drawable)


def legible(text: str) -> str:
    """Return a text with plain letters in place of decorative ones.

    Unlike ``readable``, this keeps letters and digits that pictures cannot show but Discord can. Other
    characters that cannot be drawn are removed.
    """
    return _with_letters(text, lambda letter: is_letter(letter) or _is_drawable(letter))


def is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN"


def _with_letters(text: str, keeps: Callable[[str], bool]) -> str:
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    letters, is_kept = list[str](), False
    for letter in unicodedata.normalize("NFKC", text):
        is_kept = is_kept if is_mark(letter) else keeps(letter)
        if is_kept:
            letters.append(letter)
    return " ".join("".join(letters).split())


def _is_drawable(letter: str) -> bool:
    return letter.isspace() or (letter.isprintable() and face_of(letter) is not None)


def fit_text(text: str, size_px: int, width_px: int, *, narrow: bool = False) -> str:
    """Remove characters that cannot be drawn. If the text is wider than ``width_px``, shorten it to fit.

    A shortened text ends with an ellipsis.
    """
    line = readable(text)
    if width_of(line, size_px, narrow=narrow) <= width_px:
        return line
    length = bisect_right(
        range(len(line)),
        width_px,
        key=lambda n: width_of(line[:n] + _ELLIPSIS, size_px, narrow=narrow),
    )
    return line[: max(length - 1, 0)].rstrip() + _ELLIPSIS


def width_of(text: str, size_px: int, *, narrow: bool = False) -> int:
    """Return the width of a text in a picture, rounded to whole pixels."""
    return round(length_of(text, size_px, narrow=narrow))


@lru_cache(_MOST_LENGTHS)
def length_of(text: str, size_px: int, *, narrow: bool = False) -> float:
    """Return the width of a text in a picture in pixels, without rounding."""
    width = CONDENSED if narrow else NARROW
    return sum(font(size_px, width, face).getlength(piece) for face, piece in runs(text))


def line_height(size_px: int) -> int:
    """Return the height of a line of text in a picture, in pixels."""
    return sum(font(size_px).getmetrics())


def paint_text(sprite: TextSprite) -> Bitmap:
    text, size_px, ground, ink, narrow = sprite
    width = CONDENSED if narrow else NARROW
    size = width_of(text, size_px, narrow=narrow) + 2, line_height(size_px)
    coverage = Image.new("L", size)
    left, ascent = 1.0, font(size_px, width).getmetrics()[0]
    for face, piece in runs(text):
        piece_font = font(size_px, width, face)
        length = piece_font.getlength(piece)
        if piece.isspace():
            left += length
            continue
        mask = Image.new("L", (2 * size_px + ceil(length), size[1]))  # letters may overhang
        ImageDraw.Draw(mask).text((size_px, ascent), piece, fill=255, font=piece_font, anchor="ls")
        coverage.paste(255, (round(left) - size_px, 0), mask)
        left += length
    return coverage.point(ramp(ground, ink)), coverage.point([0] + [255] * 255, "1")
