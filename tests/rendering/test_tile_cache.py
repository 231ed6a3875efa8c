"""A picture that is laid together from what was drawn before, beside one that is drawn anew."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations

from PIL import Image

from bot.engine.cards import Card, Suit
from bot.engine.decktet import BASIC
from bot.engine.scene import Caption, Item, Mark, Scene, Stop, Zone
from bot.engine.words import speaking
from bot.rendering.display_list import painted
from bot.rendering.tile_cache import TileCache
from tests.rendering.scenes import recorded_scenes

ZONE = Zone("Draw", 1.0, 1.0, (Card(7, Suit.CLUBS),))
OVER = Caption("over the card", 1.2, 1.4)


def pixels(scene: Scene, patches: TileCache | None = None) -> bytes:
    """Return a scene as it is drawn, or laid together, as whoever opens its PNG sees it."""
    png = painted(scene).png() if patches is None else patches.picture(scene)
    return Image.open(io.BytesIO(png)).tobytes()


def of(*items: Item) -> Scene:
    """Return a scene with these things."""
    return Scene(8.0, 4.0, items)


def test_every_picture_is_as_if_drawn_anew() -> None:
    """Whatever was seen before, of this match or others, and whatever had to make room."""
    for most_bytes in (24_000_000, 1_000_000):
        patches = TileCache(most_bytes)
        for scene in recorded_scenes():
            assert pixels(scene, patches) == pixels(scene)


def test_what_lies_over_something_hides_no_more_than_itself() -> None:
    """Over a card a text has the card between its letters, and alone it has not, whatever came first."""
    for order in permutations((of(OVER), of(ZONE, OVER), of(OVER, ZONE), of(ZONE))):
        patches = TileCache()
        for scene in order:
            assert pixels(scene, patches) == pixels(scene)


def test_each_language_and_measure_has_its_own() -> None:
    """The same thing is drawn anew in a picture of other measures, other colours, another language."""
    patches = TileCache()
    for scene in (of(ZONE), Scene(9.0, 4.0, (ZONE,)), Scene(8.0, 4.0, (ZONE,), four_colours=True)):
        for language in ("en", "de"):
            with speaking(language):
                assert pixels(scene, patches) == pixels(scene)


def test_a_card_of_a_path_with_whatever_is_on_it() -> None:
    """Whichever frogs come and go on it, and whatever is marked: nothing of them stays behind."""
    patches = TileCache()
    card = Stop(1, BASIC[7], 1.0, 1.0, 0.98, 1.76, (None, None))
    seen = (card, replace(card, tokens=(0, None)), replace(card, marks=(Mark.LANDING, None)))
    for stop in seen * 2:
        assert pixels(of(stop), patches) == pixels(of(stop))


def test_pictures_that_are_drawn_at_the_same_time() -> None:
    """Each thread draws its own; Python turns from one to another in the middle of them."""
    often, scenes, patches = sys.getswitchinterval(), recorded_scenes()[::9], TileCache()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            at_once = list(threads.map(lambda scene: pixels(scene, patches), scenes))
    finally:
        sys.setswitchinterval(often)
    assert at_once == list(map(pixels, scenes))
