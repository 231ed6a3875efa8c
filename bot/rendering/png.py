"""Palette PNGs: small, and quick to make."""

from __future__ import annotations

import struct
from functools import cache

from isal import isal_zlib
from PIL import Image

from bot.rendering.theme import palette

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _PALETTE_COLOUR = 8, 3
LEVEL = 1
"""isal's level: faster than 3, and smaller here. What it compresses to differs with the processor."""
FILTER_COLUMN_PX = 1
"""A picture has one column too many on the left: index 0 there is PNG's filter byte «none»."""


def encode(indices: Image.Image) -> bytes:
    """Return the PNG of an image (mode L) of palette indices whose first column is the filter's."""
    width = indices.width - FILTER_COLUMN_PX
    header = struct.pack(">IIBBBBB", width, indices.height, _EIGHT_BITS, _PALETTE_COLOUR, 0, 0, 0)
    body = isal_zlib.compress(indices.tobytes(), LEVEL)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _palette(), _chunk(b"IDAT", body), _chunk(b"IEND", b""))
    )


@cache
def _palette() -> bytes:
    return _chunk(b"PLTE", b"".join(bytes(colour) for colour in palette()))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", isal_zlib.crc32(kind + body))
