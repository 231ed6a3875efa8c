"""A picture that is laid together from what was drawn before, beside one that is drawn anew."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations

import pytest
from PIL import Image

from bot.engine.cards import Card, Suit
from bot.engine.decktet import BASIC
from bot.engine.scene import Caption, Item, Mark, Scene, Stop, Zone
from bot.engine.words import speaking
from bot.rendering.accounted import painted
from bot.rendering.canvas import Canvas
from bot.rendering.items import draw_item
from bot.rendering.patches import Patches
from bot.rendering.png import Squeezed
from tests.rendering.scenes import recorded_scenes

ZONE = Zone("Draw", 1.0, 1.0, (Card(7, Suit.CLUBS),))
OVER = Caption("over the card", 1.2, 1.4)


def pixels(scene: Scene, patches: Patches | None = None) -> bytes:
    """Return a scene as it is drawn, or laid together, as whoever opens its PNG sees it."""
    png = painted(scene).png() if patches is None else patches.picture(scene)
    return Image.open(io.BytesIO(png)).tobytes()


def of(*items: Item) -> Scene:
    """Return a scene with these things."""
    return Scene(8.0, 4.0, items)


def test_every_picture_is_as_if_drawn_anew() -> None:
    """Whatever was seen before, of this match or others, and whatever had to make room."""
    for most_bytes in (24_000_000, 1_000_000):
        patches = Patches(most_bytes)
        for scene in recorded_scenes():
            assert pixels(scene, patches) == pixels(scene)


def test_what_lies_over_something_hides_no_more_than_itself() -> None:
    """Over a card a text has the card between its letters, and alone it has not, whatever came first."""
    for order in permutations((of(OVER), of(ZONE, OVER), of(OVER, ZONE), of(ZONE))):
        patches = Patches()
        for scene in order:
            assert pixels(scene, patches) == pixels(scene)


def test_each_language_and_measure_has_its_own() -> None:
    """The same thing is drawn anew in a picture of other measures, other colours, another language."""
    patches = Patches()
    for scene in (of(ZONE), Scene(9.0, 4.0, (ZONE,)), Scene(8.0, 4.0, (ZONE,), four_colours=True)):
        for language in ("en", "de"):
            with speaking(language):
                assert pixels(scene, patches) == pixels(scene)


def test_what_is_used_stays_where_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thing that every picture shows is drawn once, however many others come and go."""
    drawn = list[Item]()

    def draw(canvas: Canvas, item: Item, width: float) -> None:
        drawn.append(item)
        draw_item(canvas, item, width)

    monkeypatch.setattr("bot.rendering.patches.draw_item", draw)
    patches = Patches(most_bytes=60_000)
    others = [Caption(f"text {number}", 4.0, 1.0) for number in range(100)]
    for other in others:
        patches.picture(of(ZONE, other))
    assert drawn.count(ZONE) == 1
    patches.picture(of(others[0]))
    assert drawn.count(others[0]) == 2


def test_a_card_of_a_path_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever frogs come and go on it, and whatever is marked: those are drawn upon it."""
    drawn = list[Item]()

    def draw(canvas: Canvas, item: Item, width: float) -> None:
        drawn.append(item)
        draw_item(canvas, item, width)

    monkeypatch.setattr("bot.rendering.patches.draw_item", draw)
    patches = Patches()
    card = Stop(1, BASIC[7], 1.0, 1.0, 0.98, 1.76, (None, None))
    seen = (card, replace(card, tokens=(0, None)), replace(card, marks=(Mark.LANDING, None)))
    for stop in seen * 2:
        assert pixels(of(stop), patches) == pixels(of(stop))
    assert drawn == [replace(card, tokens=())]


def test_pictures_that_are_drawn_at_the_same_time() -> None:
    """Each thread draws its own; Python turns from one to another in the middle of them."""
    often, scenes, patches = sys.getswitchinterval(), recorded_scenes()[::9], Patches()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            at_once = list(threads.map(lambda scene: pixels(scene, patches), scenes))
    finally:
        sys.setswitchinterval(often)
    assert at_once == list(map(pixels, scenes))


def test_rows_that_stay_are_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two rows with a gap between them only that is compressed anew in which something changes."""
    lines = list[tuple[int, int]]()
    squeezed = Canvas.squeezed

    def squeeze(canvas: Canvas, top: int, bottom: int) -> Squeezed:
        lines.append((top, bottom))
        return squeezed(canvas, top, bottom)

    monkeypatch.setattr(Canvas, "squeezed", squeeze)
    patches = Patches()
    below = [Caption(text, 1.0, 3.0) for text in ("first", "second")]
    patches.picture(of(ZONE, below[0]))
    above, under = lines
    assert (above[0], above[1], under[1]) == (0, under[0], Canvas(8.0, 4.0).height_px)
    patches.picture(of(ZONE, below[1]))
    assert lines == [above, under, under]
    for number in range(2):
        patches.picture(of(ZONE, below[number], OVER))
    assert lines == [above, under, under, above, above], "what lies over something is no patch"
