"""A picture is drawn once, and what it is drawn with is made before."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.scene import Caption, Plate, Scene
from bot.engine.words import speaking
from bot.games import games
from bot.rendering import draw, warmed
from bot.rendering.accounted import painted
from bot.rendering.cards import card_sprite, lap_sprite
from bot.rendering.drawing import Pictures
from bot.rendering.fonts import font
from bot.warming import examples
from tests.rendering.scenes import recorded_scenes

SIZES = (20, 31, 32, 34, 39, 45)


def scene(words: str) -> Scene:
    return Scene(4, 2, (Caption(words, 0.1, 0.1, 0.4),))


def test_a_scene_is_drawn_once() -> None:
    """Asked for again, the same scene is the same bytes object; an equal one too."""
    assert draw(scene("once")) is draw(scene("once"))
    assert draw(scene("once")) == painted(scene("once")).png()


def test_each_language_has_its_picture() -> None:
    """What the renderer itself says is in the language that is spoken when the scene is asked for."""
    own = Scene(4, 1, (Plate(0, "Ann", 0.1, 0.1, 3, 0.5, 2, 3, 4, own=True),))
    with speaking("de"):
        german = draw(own)
    assert draw(own) is not german


def test_what_is_kept_has_a_limit() -> None:
    """Where there is no room left, the picture that was asked for longest ago goes first."""
    size = len(Pictures().of(scene("aa")))
    kept = Pictures(most_bytes=size * 2 + size // 2)
    first, second = kept.of(scene("aa")), kept.of(scene("bb"))
    assert kept.of(scene("aa")) is first
    kept.of(scene("cc"))
    assert kept.of(scene("aa")) is first
    assert kept.of(scene("bb")) is not second


@pytest.mark.parametrize("key", games())
def test_cards_are_made_before_they_are_drawn(key: str) -> None:
    """After warming with a match, no card of another match's table is missing among the sprites."""
    game, chance = games()[key], Random(2)
    for _step in warmed(examples(game)):
        pass
    made = card_sprite.cache_info().misses, lap_sprite.cache_info().misses
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(game.info.fewest, options, b"b" * 32)
    for _move in range(30):
        painted(game.scene(game.view(state, None), ["Ann", "Ben"]))
        move = game.automatic(state)
        state = game.play(state, chance.choice(game.legal_moves(state)) if move is None else move)
    assert (card_sprite.cache_info().misses, lap_sprite.cache_info().misses) == made


def test_fonts_of_texts_stay() -> None:
    """What sprites are painted with, in sizes of their own, drives out no font that pictures need."""
    texts = [font(size_px) for size_px in SIZES]
    for size_px in range(100, 150):
        font(size_px)
    assert [font(size_px) for size_px in SIZES] == texts


def test_scenes_can_be_kept() -> None:
    """Every recorded scene has a hash, and an equal scene is found by it."""
    scenes = recorded_scenes()
    assert len(dict.fromkeys((*scenes, *scenes))) == len(scenes)
