"""Moving pictures: scenes as the frames of a GIF, in the one palette that all pictures share."""

from __future__ import annotations

import io
from collections.abc import Sequence

from isal import isal_zlib
from PIL import Image

from bot.engine.scene import Scene
from bot.engine.values import frozen
from bot.rendering import theme
from bot.rendering.drawing import laid_out, paste
from bot.rendering.png import LEVEL

WIDTH_PX = 700
FRAME_MS, LAST_MS = 1_000, 3_000
"""How long a frame is seen, and the last one."""

_PALETTE = bytes(part for colour in theme.PALETTE for part in colour)


@frozen
class Frame:
    """A frame of so many lines, as its deflated palette indices."""

    height_px: int
    pixels: bytes


def frame(scene: Scene) -> Frame:
    """Return a scene as a frame."""
    display = laid_out(scene, WIDTH_PX)
    image = Image.new("L", (WIDTH_PX, display.height_px), theme.INDICES[theme.FELT])
    paste(display, image)
    return Frame(display.height_px, isal_zlib.compress(image.tobytes(), LEVEL))


def gif(frames: Sequence[Frame], most_bytes: int) -> bytes:
    """Return the GIF of some frames, with some left out, evenly, where it would be too large."""
    made = _gif(frames)
    while len(made) > most_bytes and len(frames) > 1:
        count = min(len(frames) * most_bytes // len(made), len(frames) - 1)
        last = len(frames) - 1
        frames = [frames[last - place * len(frames) // count] for place in reversed(range(count))]
        made = _gif(frames)
    return made


def _gif(frames: Sequence[Frame]) -> bytes:
    height_px = max(one.height_px for one in frames)
    first, *others = (_image(one, height_px) for one in frames)
    out = io.BytesIO()
    durations = [FRAME_MS] * len(others) + [LAST_MS]
    first.save(
        out, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False
    )
    return out.getvalue()


def _image(one: Frame, height_px: int) -> Image.Image:
    """Return a frame as high as the highest, with felt below."""
    felt = bytes([theme.INDICES[theme.FELT]]) * (WIDTH_PX * (height_px - one.height_px))
    pixels = isal_zlib.decompress(one.pixels) + felt
    image = Image.frombytes("P", (WIDTH_PX, height_px), pixels)
    image.putpalette(_PALETTE)
    return image
