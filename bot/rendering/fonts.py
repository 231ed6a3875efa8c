"""Fonts for all supported scripts, and the choice of a font for each letter of a text.

Right-to-left scripts and scripts with joined letters need Pillow's Raqm layout, which depends on the
system's FriBiDi library. Without FriBiDi, the letters of these scripts cannot be drawn.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import ImageFont, features

from bot.engine.frozen import frozen

BOLD, NARROW, CONDENSED = 700, 86, 62.5
_PROBE_PX = 20
_MOST_FONTS = 96
"""Maximum number of cached fonts. Each size counts as a font, and takes 0.3 MB and 15 ms to load."""

_MOST_LETTERS = 4096
"""Maximum number of letters whose font is cached. Names may contain any of 150,000 letters."""

_NOBODYS_LETTER = "\uffff"
_DEVANAGARI = frozenset(map(chr, range(0x900, 0x980)))
_RIGHT_TO_LEFT = {"R", "AL"}


@frozen
class Face:
    """A font file in an installed Python package.

    If ``shaped`` is True, its script needs Pillow's Raqm layout.
    """

    package: str
    path: str
    shaped: bool = True


MAIN = Face("fontpkg_noto_sans", "files/NotoSans[wdth,wght].ttf", shaped=False)
OTHERS = (
    Face("fontpkg_noto_sans_arabic", "files/NotoSansArabic[wdth,wght].ttf"),
    Face("fontpkg_heebo", "files/Heebo[wght].ttf"),
    Face("fontpkg_noto_sans_thai", "files/NotoSansThai[wdth,wght].ttf"),
    Face("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc", shaped=False),
)
"""Fallback fonts for scripts that Noto Sans lacks: Arabic, Hebrew and Thai.

With the extra ``cjk``, they also include Chinese, Japanese and Korean. Noto Sans contains Latin, Greek,
Cyrillic and Devanagari."""


@lru_cache(_MOST_FONTS)
def font(size_px: int, width: float = NARROW, face: Face = MAIN) -> ImageFont.FreeTypeFont:
    with as_file(files(face.package).joinpath(face.path)) as path:
        loaded = ImageFont.truetype(str(path), size_px)
    wanted = {b"Weight": BOLD, b"Width": width}
    axes = loaded.get_variation_axes()
    loaded.set_variation_by_axes([wanted.get(bytes(axis["name"] or b""), BOLD) for axis in axes])
    return loaded


_CAN_SHAPE = bool(features.check("raqm") and features.check("fribidi"))


def _can_draw_with(face: Face) -> bool:
    try:
        is_there = files(face.package).joinpath(face.path).is_file()
    except ModuleNotFoundError:
        return False
    return is_there and (_CAN_SHAPE or not face.shaped)


_FACES = (MAIN, *filter(_can_draw_with, OTHERS))


@lru_cache(_MOST_LETTERS)
def face_of(letter: str) -> Face | None:
    """Return the first font that can draw a letter, or None if no font can."""
    if letter in _DEVANAGARI and not _CAN_SHAPE:  # the main font has Devanagari, but it needs Raqm
        return None
    for face in _FACES:
        probe = font(_PROBE_PX, NARROW, face)
        if bytes(probe.getmask(letter)) != bytes(probe.getmask(_NOBODYS_LETTER)):
            return face
    return None


def is_mark(letter: str) -> bool:
    """Return whether a character is a combining mark, such as an accent or a vowel sign."""
    return unicodedata.category(letter).startswith("M")


def runs(text: str) -> list[tuple[Face, str]]:
    """Split a text into parts that need the same font.

    The parts are in drawing order, from left to right. If all letters of the text are right-to-left, the
    order of the parts is reversed.
    """
    parts = [(face, part) for face, part in _parts(text) if part]
    directions = {unicodedata.bidirectional(letter) for letter in text}
    return parts[::-1] if directions & _RIGHT_TO_LEFT and "L" not in directions else parts


def _parts(text: str) -> Iterator[tuple[Face, str]]:
    part, spaces, current = "", "", MAIN
    for letter in text:
        if letter.isspace():
            spaces += letter
            continue
        face = current if is_mark(letter) else face_of(letter) or MAIN
        if face is current:
            part, spaces = part + spaces + letter, ""
            continue
        yield current, part
        yield MAIN, spaces  # a space between two scripts belongs to neither font
        part, spaces = letter, ""
        current = face
    yield current, part + spaces
