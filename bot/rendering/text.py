"""Text, measured, cut to fit, and free of what no font can draw."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil

from PIL import Image, ImageDraw

from bot.engine.names import cleaned
from bot.engine.words import _
from bot.rendering.fonts import CONDENSED, MAIN, NARROW, Face, face_of, font, is_mark, runs
from bot.rendering.theme import Colour, ramp

_ELLIPSIS = "…"
_CACHED_TEXTS, _CACHED_WORDS, _CACHED_SPRITES = 4096, 256, 512
"""How many are kept; of a word some 6 KB, of a line's sprite 16, of all else hardly anything."""

_APART = re.compile("([0-9]| +)")
"""What the main font sets beside anything without moving it nearer: digits and spaces."""


@lru_cache(_CACHED_TEXTS)
def readable(text: str) -> str:
    """Return the text without what no font can draw; fancy letters become plain ones."""
    kept: list[str] = []
    is_base_kept = False
    for letter in unicodedata.normalize("NFKC", text):
        if is_mark(letter):
            is_kept = is_base_kept
        else:
            is_kept = is_base_kept = _is_drawable(letter)
        if is_kept:
            kept.append(letter)
    return " ".join("".join(kept).split())


def drawable_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as pictures can have them; a name of which nothing is left is ``Player 2``.

    Words that stand beside a picture use the same ones, so that one player has one name.
    """
    return tuple(
        readable(cleaned(name)) or _("Player {n}").format(n=number)
        for number, name in enumerate(names, 1)
    )


def _is_drawable(letter: str) -> bool:
    return letter.isspace() or (letter.isprintable() and face_of(letter) is not None)


@lru_cache(_CACHED_TEXTS)
def fitted(text: str, size_px: int, width_px: int, *, narrow: bool = False) -> str:
    """Return the text, cut with an ellipsis where it is wider than it may be."""
    shown = readable(text)
    if width_of(shown, size_px, narrow=narrow) <= width_px:
        return shown
    while shown and width_of(shown + _ELLIPSIS, size_px, narrow=narrow) > width_px:
        shown = shown[:-1]
    return shown.rstrip() + _ELLIPSIS


@lru_cache(_CACHED_TEXTS)
def width_of(text: str, size_px: int, *, narrow: bool = False) -> int:
    """Return how wide a text is, in pixels."""
    width = CONDENSED if narrow else NARROW
    return round(sum(_length(piece, size_px, width, face) for face, piece in _pieces(text)))


def line_height(size_px: int) -> int:
    """Return how high a line of text is, in pixels."""
    return sum(font(size_px).getmetrics())


@lru_cache(_CACHED_SPRITES)
def text_sprite(
    text: str, size_px: int, ground: Colour, ink: Colour, *, narrow: bool = False
) -> tuple[Image.Image, Image.Image, int]:
    """Return a line of text on a ground: palette indices, the mask of what it covers, and its top.

    The sprite is as wide as the text and as high as what is written, which begins so many pixels below
    the upper edge of a line of the main font.
    """
    width = CONDENSED if narrow else NARROW
    coverage = Image.new("L", (width_of(text, size_px, narrow=narrow) + 2, line_height(size_px)))
    left = 1.0
    for face, piece in _pieces(text):
        mask = _mask(piece, size_px, width, face)
        coverage.paste(255, (round(left) - size_px, 0), mask)
        left += _length(piece, size_px, width, face)
    _left, top, _right, bottom = coverage.getbbox() or (0, 0, 0, 1)
    written = coverage.crop((0, top, coverage.width, bottom))
    return written.point(ramp(ground, ink)), written.point([0] + [255] * 255, "1"), top


def _pieces(text: str) -> Iterator[tuple[Face, str]]:
    """Yield what of a text is laid out by itself: words and digits, or all that is in another script.

    To lay out even a letter takes a tenth of a millisecond or more; words and digits are drawn often.
    """
    for face, part in runs(text):
        yield from ((face, piece) for piece in (_words(part) if face is MAIN else [part]))


def _words(text: str) -> list[str]:
    """Return words, digits and spaces in turn, with the accents and strokes that are theirs."""
    words = list[str]()
    for piece in filter(None, _APART.split(text)):
        if words and is_mark(piece[0]):
            words[-1] += piece
        else:
            words.append(piece)
    return words


@lru_cache(_CACHED_TEXTS)
def _length(piece: str, size_px: int, width: float, face: Face) -> float:
    return font(size_px, width, face).getlength(piece)


@lru_cache(_CACHED_WORDS)
def _mask(piece: str, size_px: int, width: float, face: Face) -> Image.Image:
    """Return what a piece covers, with its size as room on both sides: letters may hang over."""
    ascent, _descent = font(size_px, width).getmetrics()
    room = 2 * size_px + ceil(_length(piece, size_px, width, face))
    mask = Image.new("L", (room, line_height(size_px)))
    ImageDraw.Draw(mask).text(
        (size_px, ascent), piece, fill=255, font=font(size_px, width, face), anchor="ls"
    )
    return mask
