"""Palette PNGs: small, and quick to make."""

from __future__ import annotations

import struct

from isal import isal_zlib
from PIL import Image

from bot.rendering import theme

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _PALETTE_COLOUR = 8, 3
LEVEL = 1
"""isal's level: faster than 3, and smaller here. What it compresses to differs with the processor."""
FILTER_COLUMN_PX, NO_FILTER = 1, 0
"""A picture has one column too many on the left: what stands there are PNG's filter bytes."""
_SUMS = slice(-20, -12)
"""Where the pixels' Adler-32 and the data's CRC-32 are: before the end's chunk, which has 12 bytes."""


def encode(image: Image.Image) -> bytes:
    """Return the PNG of palette indices (mode L), of which the first column is the filter's."""
    width, height = image.width - FILTER_COLUMN_PX, image.height
    header = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _PALETTE_COLOUR, 0, 0, 0)
    data = isal_zlib.compress(image.tobytes(), LEVEL)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _PALETTE, _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    )


def checksum(picture: bytes) -> str:
    """Return what tells a PNG made here from others: the two sums in it, of its pixels and its bytes."""
    return picture[_SUMS].hex()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", isal_zlib.crc32(kind + body))


_PALETTE = _chunk(b"PLTE", b"".join(map(bytes, theme.PALETTE)))
