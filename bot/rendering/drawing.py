"""From a scene to a PNG, drawn once and kept while there is room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from bot.engine.cards import PACK, Card
from bot.engine.decktet import BASIC
from bot.engine.scene import Face, Item, Scene, describe
from bot.engine.values import frozen
from bot.engine.words import language
from bot.rendering import theme
from bot.rendering.cards import card_sprite
from bot.rendering.display_list import DisplayList
from bot.rendering.items import draw_item
from bot.rendering.lru_cache import LRUCache
from bot.rendering.sprites import token_sprite
from bot.rendering.theme import Colour
from bot.rendering.tile_cache import TileCache

KEPT_BYTES = 4 * 1024 * 1024
"""How much is kept of what was drawn: some 100 pictures."""


@frozen
class Picture:
    """A scene as a palette PNG, ``theme.IMAGE_WIDTH_PX`` pixels wide, and its alt text."""

    png: bytes
    alt: str


class Pictures:
    """Draws and describes each scene once in a language, and keeps the pictures asked for last."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._kept: LRUCache[tuple[str, Scene], Picture] = LRUCache(most_bytes, lambda one: len(one.png))
        self._patches = TileCache()

    def of(self, scene: Scene) -> Picture:
        """Return a scene's picture; the renderer's own words are in the language spoken now."""
        key = language(), scene
        picture = self._kept.get(key)
        if picture is None:
            picture = Picture(self._patches.picture(scene), describe(scene))
            self._kept.keep(key, picture)
        return picture


_PICTURES = Pictures()


def drawn(scene: Scene) -> Picture:
    """Return the picture of a scene."""
    return _PICTURES.of(scene)


def draw(scene: Scene) -> bytes:
    """Return the PNG of a scene."""
    return drawn(scene).png


def warmed(scenes: Iterable[Scene]) -> Iterator[None]:
    """Make what scenes of these kinds are drawn with, a little at each step of the iteration.

    That is fonts, signs, every card of a deck in the sizes in which some of them lie there, and every
    seat's token in the sizes and on the grounds of some, so that the first picture of a match is drawn
    as fast as the last; and, at the end, the cards for who likes a colour for each suit. The number on a
    token of a new size takes 10 ms, all else of it one.
    """
    drawn, decks = set[tuple[Item, float]](), set[tuple[type[Face], int]]()
    tokens = set[tuple[int, Colour]]()
    for scene in scenes:
        canvas = DisplayList(scene.width, scene.height)
        for item in scene.items:
            if (item, scene.width) not in drawn:
                drawn.add((item, scene.width))
                draw_item(canvas, item, scene.width)
                yield
        for kind, size_px in {(type(face), size_px) for face, _x, _y, size_px in canvas.faces} - decks:
            decks.add((kind, size_px))
            for face in _deck(kind):
                card_sprite(face, size_px, theme.FELT, four_colours=False)
                yield
        tokens |= canvas.tokens
    sizes, grounds = sorted({size_px for size_px, _on in tokens}), {ground for _px, ground in tokens}
    for size_px, ground, seat in product(sizes, grounds, range(len(theme.TOKENS))):
        token_sprite(size_px, ground, seat, numbered=True)
        yield
    for kind, size_px in decks:
        for face in _deck(kind):
            card_sprite(face, size_px, theme.FELT, four_colours=True)
            yield


def _deck(kind: type[Face]) -> tuple[Face, ...]:
    return PACK if kind is Card else BASIC
