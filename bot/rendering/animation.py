"""Rendering of animated GIFs. Each frame shows a scene with subtitles.

All frames of a GIF have the same size. If a scene is much taller than the others, it is scaled down.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from statistics import median_low

from PIL import Image

from bot.engine.frozen import frozen
from bot.engine.scene import Scene, Subtitles
from bot.rendering import theme
from bot.rendering.picture import paint

WIDTH_PX = 700
PLAIN_MS, HELD_MS = 1_000, 3_000

ROOM_ABOVE_USUAL = 1.12
"""Maximum height of a frame, as a multiple of the median height of the scenes."""

LINES, LETTERS = 4, 50
"""Number of subtitle lines below a scene, and maximum number of letters per line."""

_WIDTH, _LINE, _MARGIN = 8.0, 0.44, 0.11
"""Width of the subtitles, height of a subtitle line, and margin, in card widths."""


@frozen
class Frame:
    """A frame of an animated GIF: a scene with subtitles below it.

    Attributes:
        scene: The scene.
        lines: The lines of the subtitles.
        held: True to show the frame for longer. If the GIF is too large, these frames are dropped last.
    """

    scene: Scene
    lines: tuple[str, ...]
    held: bool = False


def film(shots: Sequence[Frame], most_bytes: int) -> bytes:
    """Render frames as an animated GIF.

    If the GIF is larger than ``most_bytes``, frames are dropped until it is small enough. Frames with
    ``held`` are dropped after the others. The last frame is never dropped.
    """
    gif = _gif(shots)
    while len(gif) > most_bytes and len(shots) > 1:
        less = [shot for shot in shots[:-1] if not shot.held] or shots[:-1]
        left_out = set(map(id, less[::2]))
        shots = [shot for shot in shots if id(shot) not in left_out]
        gif = _gif(shots)
    return gif


def _gif(shots: Sequence[Frame]) -> bytes:
    heights = sorted(round(shot.scene.height * WIDTH_PX / shot.scene.width) for shot in shots)
    height_px = min(heights[-1], round(median_low(heights) * ROOM_ABOVE_USUAL))
    first, *others = (_picture(shot, height_px) for shot in shots)
    lasting = [HELD_MS if shot.held else PLAIN_MS for shot in shots[:-1]] + [HELD_MS]
    out = io.BytesIO()
    first.save(out, "GIF", append_images=others, save_all=True, duration=lasting, loop=0, optimize=False)
    return out.getvalue()


def _picture(shot: Frame, height_px: int) -> Image.Image:
    picture = paint(shot.scene, min(WIDTH_PX, int(height_px * shot.scene.width / shot.scene.height)))
    lines = Subtitles(_MARGIN, _MARGIN, _WIDTH - 2 * _MARGIN, _LINE * LINES, shot.lines, LINES)
    caption = paint(Scene(_WIDTH, _LINE * LINES + 2 * _MARGIN, (lines,)), WIDTH_PX)
    image = Image.new("L", (WIDTH_PX, height_px + caption.height), theme.INDICES[theme.FELT])
    image.paste(picture, ((WIDTH_PX - picture.width) // 2, (height_px - picture.height) // 2))
    image.paste(caption, (0, height_px))
    image.putpalette(theme.PALETTE_BYTES)
    return image
