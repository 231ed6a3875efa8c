"""From a scene to a PNG, drawn once and kept while there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from bot.engine.cards import PACK, Card
from bot.engine.decktet import BASIC
from bot.engine.scene import Face, Item, Scene
from bot.engine.words import language
from bot.rendering.accounted import Accounted
from bot.rendering.cards import Laps, card_sprite, lap_sprite
from bot.rendering.items import draw_item
from bot.rendering.patches import Patches
from bot.rendering.theme import Colour

KEPT_BYTES = 24 * 1024 * 1024
"""How much is kept of what was drawn: some 500 pictures."""

_Kind: TypeAlias = tuple[type[Face], int, Colour, Laps]
"""How cards lie somewhere: of which deck, in which size, on which ground, and lapping how."""


class Pictures:
    """Draws each scene once in a language, and keeps the pictures asked for last."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[tuple[str, Scene], bytes] = OrderedDict()
        self._bytes = 0
        self._patches = Patches()

    def of(self, scene: Scene) -> bytes:
        """Return a scene's picture; the renderer's own words are in the language spoken now."""
        key = language(), scene
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
            return picture
        picture = self._kept[key] = self._patches.painted(scene).png()
        self._bytes += len(picture)
        while self._bytes > self._most and len(self._kept) > 1:
            _key, dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped)
        return picture


_PICTURES = Pictures()


def draw(scene: Scene) -> bytes:
    """Return the scene as a palette PNG, ``theme.IMAGE_WIDTH_PX`` pixels wide."""
    return _PICTURES.of(scene)


def warmed(scenes: Iterable[Scene]) -> Iterator[None]:
    """Make what scenes of these kinds are drawn with, a little at each step of the iteration.

    That is fonts, signs, and every card of a deck in the sizes and on the grounds in which some of them
    lie there, so that the first picture of a match is drawn as fast as the last.
    """
    drawn, made = set[tuple[Item, float]](), set[_Kind]()
    for scene in scenes:
        canvas = Accounted(scene.width, scene.height, four_colours=scene.four_colours)
        for item in scene.items:
            if (item, scene.width) not in drawn:
                drawn.add((item, scene.width))
                draw_item(canvas, item, scene.width)
                yield
        for kind in canvas.cards - made:
            made.add(kind)
            yield from _decked(kind, four_colours=scene.four_colours)


def _decked(kind: _Kind, *, four_colours: bool) -> Iterator[None]:
    """Make every card of a deck in a size, on a ground and lapping."""
    face_kind, size_px, ground, laps = kind
    deck: tuple[Face, ...] = PACK if face_kind is Card else BASIC
    for face in deck:
        card_sprite(face, size_px, ground, four_colours=four_colours)
        if laps is not Laps.NOTHING:
            lap_sprite(face, size_px, laps, four_colours=four_colours)
        yield
