"""A canvas that keeps account of what it drew."""

from __future__ import annotations

from bot.engine.scene import Face, Scene
from bot.rendering import theme
from bot.rendering.canvas import Box, Canvas
from bot.rendering.cards import index_px, inks_of
from bot.rendering.items import draw_item
from bot.rendering.text import readable
from bot.rendering.theme import Colour


class DisplayList(Canvas):
    """Knows what it drew with, and what its picture asks of the eye.

    ``faces`` are its cards that lie face up, in their order, each with its left and upper edge and its
    width in pixels. ``tokens`` has how wide its numbered tokens are, and on which ground. ``texts`` has
    all that is written, ``lines`` where it stands (left, top, right and bottom, in pixels), ``cut`` what
    had not enough room, ``least_text`` is the height of the smallest in pixels, and ``written`` has the
    pairs of ground and ink. ``signs`` are pairs too, of all else that means something: a ground, and
    colours of which one must stand out.
    """

    def __init__(self, width: float, height: float, *, four_colours: bool = False) -> None:
        super().__init__(width, height, four_colours=four_colours)
        self.least_text = float(theme.IMAGE_WIDTH_PX)
        self.faces: list[tuple[Face, int, int, int]] = []
        self.tokens: set[tuple[int, Colour]] = set()
        self.texts: set[str] = set()
        self.lines: list[tuple[str, Box]] = []
        self.cut: set[str] = set()
        self.written: set[tuple[Colour, Colour]] = set()
        self.signs: set[tuple[Colour, tuple[Colour, ...]]] = set()

    def _lies(self, face: Face, x: float, y: float, size_px: int) -> None:
        self.faces.append((face, round(x * self._unit), round(y * self._unit), size_px))
        self.least_text = min(self.least_text, index_px(face, size_px))
        for ink in inks_of(face, four_colours=self._four_colours):
            self._signed(theme.IVORY, ink)

    def _numbered(self, seat: int, size_px: int, ground: Colour) -> None:
        self.tokens.add((size_px, ground))
        self.least_text = min(self.least_text, size_px * theme.TOKEN_NUMBER)
        self.written.add(theme.TOKENS[seat % len(theme.TOKENS)])

    def _wrote(self, text: str, shown: str, box: Box, ground: Colour, ink: Colour) -> None:
        self.texts.add(shown)
        if shown != readable(text):
            self.cut.add(text)
        if not shown:
            return
        _left, top, _right, bottom = box
        self.lines.append((shown, box))
        self.least_text = min(self.least_text, bottom - top)
        self.written.add((ground, ink))

    def _signed(self, ground: Colour, *colours: Colour) -> None:
        self.signs.add((ground, colours))


def painted(scene: Scene) -> DisplayList:
    """Return the canvas with all of a scene on it."""
    canvas = DisplayList(scene.width, scene.height, four_colours=scene.four_colours)
    for item in scene.items:
        draw_item(canvas, item, scene.width)
    return canvas
