"""Moving pictures: scenes as the frames of a GIF, in the one palette that all pictures share."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TypeAlias

from PIL.Image import Image, new

from bot.engine.scene import Scene
from bot.rendering import theme
from bot.rendering.drawing import laid_out, paste

WIDTH_PX = 700
FRAME_MS, LAST_MS = 1_000, 3_000
"""How long a frame is seen, and the last one."""

_PALETTE = bytes(part for colour in theme.PALETTE for part in colour)


Frame: TypeAlias = Image
"""A scene as palette indices (mode L)."""


def frame(scene: Scene) -> Frame:
    display = laid_out(scene, WIDTH_PX)
    image = new("L", (WIDTH_PX, display.height_px), theme.INDICES[theme.FELT])
    paste(display, image)
    return image


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
    first, *others = (_padded(one, max(each.height for each in frames)) for one in frames)
    out = io.BytesIO()
    durations = [FRAME_MS] * len(others) + [LAST_MS]
    first.save(
        out, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False
    )
    return out.getvalue()


def _padded(one: Frame, height_px: int) -> Image:
    image = new("L", (WIDTH_PX, height_px), theme.INDICES[theme.FELT])
    image.paste(one, (0, 0))
    image.putpalette(_PALETTE)
    return image
