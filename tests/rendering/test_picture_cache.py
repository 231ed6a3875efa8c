"""Cached data from which pictures are drawn."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from typing import get_type_hints

import pytest

from bot.engine.cards import PACK
from bot.engine.decktet import BASIC
from bot.engine.scene import Caption, Face, Plate, Scene
from bot.engine.translation import speaking
from bot.languages import load_languages
from bot.rendering import draw_picture, theme
from bot.rendering.cards import paint_card
from bot.rendering.display_list import CardSprite, TextSprite
from bot.rendering.fonts import font
from bot.rendering.picture import bitmap, draw, laid_out
from tests.rendering.scenes import recorded_scenes

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
SIZES = (20, 31, 32, 34, 39, 45)


def new_scene(words: str) -> Scene:
    return Scene(4, 2, (Caption(words, 0.1, 0.1, 0.4),))


def test_the_renderer_uses_the_callers_language() -> None:
    """The renderer's own words are in the language of the caller."""
    load_languages()
    own = Scene(4, 1, (Plate(0, "Ann", 0.1, 0.1, 3, 0.5, 2, 3, 4, own=True),))
    with speaking("de"):
        german = draw_picture(own)
    assert draw_picture(own).png != german.png
    assert "Ann (you)" in draw_picture(own).alt
    assert "Ann (du)" in german.alt


def test_equal_scenes_have_equal_display_lists() -> None:
    """Equal scenes have equal display lists, and the differences between two pictures can be listed."""
    one, other = (new_scene("one"), new_scene("two"))
    assert laid_out(one) == laid_out(replace(one))
    (first,), (second,) = laid_out(one), laid_out(other)
    assert isinstance(first.sprite, TextSprite)
    assert first._replace(sprite=first.sprite._replace(text="two")) == second


def test_sprite_types_have_distinct_field_types() -> None:
    """No two types of sprites have fields of the same types.

    The cache's keys are the fields alone.
    """
    seen = {placed.sprite for scene in recorded_scenes() for placed in laid_out(scene)}
    kinds = {type(sprite) for sprite in seen}
    assert len(kinds) == 6
    assert len({(type(sprite), sprite) for sprite in seen}) == len(seen)
    for one, other in combinations(kinds, 2):
        fields = [tuple(get_type_hints(kind).values()) for kind in (one, other)]
        assert fields[0] != fields[1]


def test_concurrently_drawn_pictures_are_independent() -> None:
    """Pictures drawn by several threads at the same time are independent of each other."""
    often, scenes = sys.getswitchinterval(), recorded_scenes()[::9]
    bitmap.cache_clear()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            at_once = list(threads.map(draw, scenes))
    finally:
        sys.setswitchinterval(often)
    assert at_once == list(map(draw, scenes))


@pytest.mark.parametrize("deck", [PACK, BASIC])
@pytest.mark.parametrize("ground", [theme.IVORY, theme.PLATE, theme.NOW])
def test_cached_cards_equal_cards_drawn_in_place(deck: Sequence[Face], ground: theme.Colour) -> None:
    """A cached card on a background with another edge has the pixels of one drawn there directly."""
    for width_px in (43, 75, 158):
        for face in deck:
            laid, _mask = bitmap(CardSprite(face, width_px, ground))
            made, _mask = paint_card(CardSprite(face, width_px, ground))
            assert laid.tobytes() == made.tobytes()


def test_sprite_fonts_evict_no_picture_fonts() -> None:
    """Fonts of sprites, in sizes of their own, evict no font that pictures need."""
    texts = [font(size_px) for size_px in SIZES]
    for size_px in range(100, 150):
        font(size_px)
    assert [font(size_px) for size_px in SIZES] == texts
