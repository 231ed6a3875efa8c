"""What pictures are drawn with: data, painted once, and made before anybody waits for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import get_type_hints

import pytest
from PIL import ImageDraw

from bot.engine.cards import PACK, Card
from bot.engine.decktet import BASIC, DecktetCard
from bot.engine.scene import Caption, Face, Plate, Reveal, Scene
from bot.engine.words import speaking
from bot.games import games
from bot.languages import learn_languages
from bot.prerendering import examples
from bot.rendering import bitmaps, drawn, sprites, theme, warmed
from bot.rendering.bitmaps import bitmap
from bot.rendering.cards import paint_card
from bot.rendering.display_list import CardSprite, TextSprite
from bot.rendering.drawing import laid_out, painted
from bot.rendering.fonts import font
from bot.rendering.shapes import Box, draw_token
from bot.rendering.sprites import Bitmap
from tests.rendering.scenes import recorded_scenes

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
SIZES = (20, 31, 32, 34, 39, 45)


def scene(words: str) -> Scene:
    return Scene(4, 2, (Caption(words, 0.1, 0.1, 0.4),))


def test_each_language_has_its_picture() -> None:
    """What the renderer itself says is in the language that is spoken when the scene is asked for."""
    learn_languages()
    own = Scene(4, 1, (Plate(0, "Ann", 0.1, 0.1, 3, 0.5, 2, 3, 4, own=True),))
    with speaking("de"):
        german = drawn(own)
    assert drawn(own).png != german.png
    assert "Ann (you)" in drawn(own).alt
    assert "Ann (du)" in german.alt


def test_what_a_picture_is_drawn_with_is_data() -> None:
    """Equal scenes have equal display lists; what differs between two pictures can be named."""
    one, other = (scene("one"), scene("two"))
    assert laid_out(one) == laid_out(replace(one))
    (first,), (second,) = laid_out(one).placed, laid_out(other).placed
    assert isinstance(first.sprite, TextSprite)
    assert first._replace(sprite=first.sprite._replace(text="two")) == second


def test_no_two_sprites_of_other_kinds_are_equal() -> None:
    """Sprites are found by their fields alone, so no two kinds have fields of the same types."""
    seen = {placed.sprite for scene in recorded_scenes() for placed in laid_out(scene).placed}
    kinds = {type(sprite) for sprite in seen}
    assert len(kinds) == 6
    assert len({(type(sprite), sprite) for sprite in seen}) == len(seen)
    for one, other in combinations(kinds, 2):
        fields = [tuple(get_type_hints(kind).values()) for kind in (one, other)]
        assert fields[0] != fields[1]


def test_pictures_that_are_drawn_at_the_same_time() -> None:
    """Whatever threads draw at once, and Python turns from one to another: each picture is its own."""
    often, displays = sys.getswitchinterval(), [laid_out(each) for each in recorded_scenes()[::9]]
    bitmap.cache_clear()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            at_once = list(threads.map(painted, displays))
    finally:
        sys.setswitchinterval(often)
    assert at_once == list(map(painted, displays))


@pytest.mark.parametrize("four_colours", [False, True])
@pytest.mark.parametrize("key", games())
def test_cards_are_made_before_they_are_drawn(
    key: str, four_colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After warming with a match, no card of another match's table is missing among the sprites."""
    game, chance = games()[key], Random(2)
    bitmap.cache_clear()
    for _step in warmed(examples(game)):
        pass
    made = counted(monkeypatch)
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(game.info.fewest, options, b"b" * 32)
    for _move in range(30):
        seen = game.scene(game.view(state, None), ["Ann", "Ben"])
        painted(laid_out(replace(seen, four_colours=four_colours)))
        move = game.automatic(state)
        state = game.play(state, chance.choice(game.legal_moves(state)) if move is None else move)
    assert made == []


def test_tokens_are_made_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """After warming with a match of two, every seat's numbered token is there at a table of five."""
    game, chance = games()["frogger"], Random(3)
    bitmap.cache_clear()
    for _step in warmed(examples(game)):
        pass
    made = list[int]()

    def noted(draw: ImageDraw.ImageDraw, box: Box, seat: int, *, numbered: bool) -> None:
        made.extend([seat] if numbered else [])
        draw_token(draw, box, seat, numbered=numbered)

    monkeypatch.setattr(sprites, "draw_token", noted)
    state = game.deal(game.info.most, {}, b"c" * 32)
    for _move in range(60):
        painted(laid_out(game.scene(game.view(state, None), NAMES)))
        state = game.play(state, chance.choice(game.legal_moves(state)))
    assert made == []


def test_a_rounds_end_is_made_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """After warming with a match of two, the hands turned up at a table of three need no card more."""
    game, chance = games()["toad"], Random(1)
    bitmap.cache_clear()
    for _step in warmed(examples(game)):
        pass
    made = counted(monkeypatch)
    options = {option.key: option.default for option in game.info.options}
    state, turned_up = game.deal(3, options, b"d" * 32), 0
    while turned_up < 3:
        shown = game.scene(game.view(state, None), NAMES[:3])
        turned_up = sum(isinstance(item, Reveal) for item in shown.items)
        painted(laid_out(shown))
        move = game.automatic(state)
        state = game.play(state, chance.choice(game.legal_moves(state)) if move is None else move)
    assert made == []


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Face]:
    """Return a list that gets, from now on, each face that is painted anew."""
    made = list[Face]()

    def noted(card: CardSprite) -> Bitmap:
        if isinstance(card.face, Card | DecktetCard):
            made.append(card.face)
        return paint_card(card)

    monkeypatch.setattr(bitmaps, "paint_card", noted)
    return made


@pytest.mark.parametrize("deck", [PACK, BASIC])
@pytest.mark.parametrize("ground", [theme.IVORY, theme.PLATE, theme.NOW])
def test_a_card_on_any_ground_is_as_if_it_were_made_there(
    deck: Sequence[Face], ground: theme.Colour
) -> None:
    """What is laid on another ground with another edge is that face on that ground, pixel by pixel."""
    for width_px in (43, 75, 158):
        for face in deck:
            laid, _mask = bitmap(CardSprite(face, width_px, ground))
            made, _mask = paint_card(CardSprite(face, width_px, ground))
            assert laid.tobytes() == made.tobytes()


def test_fonts_of_texts_stay() -> None:
    """What sprites are painted with, in sizes of their own, drives out no font that pictures need."""
    texts = [font(size_px) for size_px in SIZES]
    for size_px in range(100, 150):
        font(size_px)
    assert [font(size_px) for size_px in SIZES] == texts
