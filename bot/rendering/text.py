"""Text in the one font, measured, cut to fit, and free of what the font cannot draw."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont

from bot.engine.names import cleaned
from bot.engine.words import _
from bot.rendering.theme import Colour, ramp

BOLD, NARROW, CONDENSED = 700, 86, 62.5
_PROBE_PX = 20
_ELLIPSIS = "…"
_CACHED_TEXTS = 4096


@cache
def font(size_px: int, width: float = NARROW) -> ImageFont.FreeTypeFont:
    """Return the font (Noto Sans, bold and a little narrow) at a size."""
    source = files("fontpkg_noto_sans").joinpath("files").joinpath("NotoSans[wdth,wght].ttf")
    with as_file(source) as path:
        loaded = ImageFont.truetype(str(path), size_px)
    wanted = {b"Weight": BOLD, b"Width": width}
    axes = loaded.get_variation_axes()
    loaded.set_variation_by_axes([wanted.get(bytes(axis["name"] or b""), BOLD) for axis in axes])
    return loaded


@lru_cache(_CACHED_TEXTS)
def readable(text: str) -> str:
    """Return the text without what the font cannot draw; fancy letters become plain ones."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(letter for letter in plain if _is_drawable(letter)).split())


def drawable_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as pictures can have them; a name of which nothing is left is ``Player 2``."""
    return tuple(
        readable(cleaned(name)) or _("Player {n}").format(n=number)
        for number, name in enumerate(names, 1)
    )


@cache
def _is_drawable(letter: str) -> bool:
    if letter.isspace():
        return True
    if not letter.isprintable():
        return False
    return bytes(font(_PROBE_PX).getmask(letter)) != bytes(font(_PROBE_PX).getmask("\uffff"))


@lru_cache(_CACHED_TEXTS)
def fitted(text: str, size_px: int, width_px: int) -> str:
    """Return the text, cut with an ellipsis where it is wider than it may be."""
    shown = readable(text)
    if width_of(shown, size_px) <= width_px:
        return shown
    while shown and width_of(shown + _ELLIPSIS, size_px) > width_px:
        shown = shown[:-1]
    return shown.rstrip() + _ELLIPSIS


@lru_cache(_CACHED_TEXTS)
def width_of(text: str, size_px: int) -> int:
    """Return how wide a text is, in pixels."""
    return round(font(size_px).getlength(text))


@lru_cache(_CACHED_TEXTS)
def text_sprite(text: str, size_px: int, ground: Colour, ink: Colour) -> tuple[Image.Image, Image.Image]:
    """Return a line of text on a ground: palette indices, and the mask of what it covers.

    The sprite is as high as the font's size and as wide as the text.
    """
    ascent, descent = font(size_px).getmetrics()
    coverage = Image.new("L", (width_of(text, size_px) + 2, ascent + descent))
    ImageDraw.Draw(coverage).text((1, 0), text, fill=255, font=font(size_px))
    return coverage.point(ramp(ground, ink)), coverage.point([0] + [255] * 255, "1")
