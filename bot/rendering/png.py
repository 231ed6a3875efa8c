"""Palette PNGs: small, and quick to make."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from isal import isal_zlib
from PIL import Image

from bot.rendering import theme

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ZLIB, _LAST_BLOCK = b"\x78\x01", b"\x03\x00"
"""How zlib's data begins, and an empty block that says that no other follows."""

_ADLER = 65521
_EIGHT_BITS, _PALETTE_COLOUR = 8, 3
LEVEL = 1
"""isal's level: faster than 3, and smaller here. What it compresses to differs with the processor."""
FILTER_COLUMN_PX, NO_FILTER = 1, 0
"""A picture has one column too many on the left: what stands there are PNG's filter bytes."""
_SUMS = slice(-20, -12)
"""Where the pixels' Adler-32 and the data's CRC-32 are: before the end's chunk, which has 12 bytes."""

_LINE_PX = theme.IMAGE_WIDTH_PX + FILTER_COLUMN_PX


class Compressed(NamedTuple):
    """Some lines of palette indices, compressed apart from others: their Adler-32, and their length."""

    data: bytes
    adler: int
    length: int


class Paper:
    """Memory that one picture after the other is drawn in, for to use new memory first is dear.

    It has palette indices, line by line, each after the line's filter byte.
    """

    def __init__(self) -> None:
        self._indices = bytearray()

    def image(self, height: int) -> Image.Image:
        """Return an image (mode L) of so many lines: what is drawn on it stands in the indices.

        It may show what has been drawn before.
        """
        if len(self._indices) < height * _LINE_PX:
            self._indices = bytearray(height * _LINE_PX)
        image = Image.frombuffer("L", (_LINE_PX, height), self._indices, "raw", "L", 0, 1)
        image.readonly = 0  # Pillow would draw on a copy
        return image

    def compressed(self, top: int, bottom: int) -> Compressed:
        """Return the lines from one to before another, compressed."""
        lines = memoryview(self._indices)[top * _LINE_PX : bottom * _LINE_PX]
        squeezing = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
        data = squeezing.compress(lines) + squeezing.flush(isal_zlib.Z_SYNC_FLUSH)
        return Compressed(data, isal_zlib.adler32(lines), len(lines))


def encode(strips: Sequence[Compressed]) -> bytes:
    """Return the PNG of strips, from top to bottom; the indices' first column is the filter's."""
    height = sum(strip.length for strip in strips) // _LINE_PX
    header = struct.pack(">IIBBBBB", theme.IMAGE_WIDTH_PX, height, _EIGHT_BITS, _PALETTE_COLOUR, 0, 0, 0)
    data = b"".join(strip.data for strip in strips)
    body = b"".join((_ZLIB, data, _LAST_BLOCK, struct.pack(">I", _adler(strips))))
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _palette(), _chunk(b"IDAT", body), _chunk(b"IEND", b""))
    )


def _adler(strips: Sequence[Compressed]) -> int:
    """Return the Adler-32 of all: its halves are the sum of all bytes, and of the sums after each."""
    low, high = 1, 0
    for strip in strips:
        high = (high + (strip.adler >> 16) + strip.length * (low - 1)) % _ADLER
        low = (low + (strip.adler & 0xFFFF) - 1) % _ADLER
    return high << 16 | low


def checksum(picture: bytes) -> str:
    """Return what tells a PNG made here from others: the two sums in it, of its pixels and its bytes."""
    return picture[_SUMS].hex()


@cache
def _palette() -> bytes:
    return _chunk(b"PLTE", b"".join(bytes(colour) for colour in theme.palette()))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", isal_zlib.crc32(kind + body))
