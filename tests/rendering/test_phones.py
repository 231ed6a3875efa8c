"""Every picture can be read on a phone, about 300 pixels wide, and with weak eyesight."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, pairwise

import pytest

from bot.engine.cards import PACK
from bot.engine.scene import Chart, PathCard, Plate, ProgressTally, Reveal, Scene, Zone
from bot.engine.translation import speaking
from bot.games import games
from bot.languages import load_languages
from bot.rendering import draw
from bot.rendering.cards import index_room
from bot.rendering.theme import IMAGE_WIDTH_PX, TOKENS, Colour
from tests.games.frogger import tables as ponds
from tests.games.toad import tables
from tests.rendering.legibility import (
    face_boxes,
    icon_colours,
    shown_texts,
    smallest_text_height,
    text_boxes,
    text_colours,
    truncated_texts,
)
from tests.rendering.scenes import BOARD, NAMES, recorded_scenes
from tests.rendering.test_colours import linear_intensity

SMALLEST = 1 / 26
TEXT, SIGN = 4.5, 3.0
"""Minimum contrast of text and of other meaningful elements (WCAG 2, AA)."""

GERMAN = ("Siege", "Partien", "Topf", "Kröten", "Toadus Maximus", "Runden überlebt")

TOAD, FROGGER = games()["toad"], games()["frogger"]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21, as WCAG 2 defines it."""
    lights = sorted(
        0.2126 * linear_intensity(r) + 0.7152 * linear_intensity(g) + 0.0722 * linear_intensity(b)
        for r, g, b in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.fixture(scope="module")
def scenes() -> tuple[Scene, ...]:
    """Return every recorded scene, in every language and with four colours."""
    english = recorded_scenes()
    four = (replace(scene, four_colours=True) for scene in english[::5])
    others = chain.from_iterable(map(recorded_scenes, load_languages()))
    return *english, *others, *four


def test_contrast_is_computed_as_in_wcag() -> None:
    """The contrast of black on white is 21, of equal colours 1, and of two greys as in WCAG."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((7, 80, 9), (7, 80, 9)) == 1
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)


def test_no_text_is_too_small(scenes: tuple[Scene, ...]) -> None:
    """No text is smaller than 1/26 of the picture's width, including indices and numbers on frogs."""
    assert len(scenes) > 200
    assert min(map(smallest_text_height, scenes)) >= IMAGE_WIDTH_PX * SMALLEST


def test_all_text_has_sufficient_contrast(scenes: tuple[Scene, ...]) -> None:
    """Every text has a contrast of at least 4.5 to its background."""
    pairs = set().union(*map(text_colours, scenes))
    assert len(pairs) > 8
    weak = {pair: round(contrast(*pair), 2) for pair in pairs if contrast(*pair) < TEXT}
    assert weak == {}


def test_graphical_elements_have_sufficient_contrast(scenes: tuple[Scene, ...]) -> None:
    """Suits, lives, frogs, free spaces, bars, arrows and rings have a contrast of at least 3."""
    found = set().union(*map(icon_colours, scenes))
    assert len(found) > 15
    weak = [
        (ground, inks) for ground, inks in found if max(contrast(ground, ink) for ink in inks) < SIGN
    ]
    assert weak == []


@pytest.mark.parametrize("seat", range(len(TOKENS)))
def test_numbers_on_frogs_have_text_contrast(seat: int) -> None:
    """The number on a frog's back has the contrast of text."""
    assert contrast(*TOKENS[seat]) >= TEXT


@pytest.mark.parametrize("viewer", [0, 2])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_viewers_own_cards_are_the_largest(seats: int, viewer: int) -> None:
    """A hand's picture has no card larger than the viewer's own.

    The other players are lines, and the viewer comes last.
    """
    if viewer >= seats:
        pytest.skip("nobody sits there")
    toad = tables.new_state(*("8H 2D", "7S 6S", "3C 4C", "5C 9C", "QH 2H")[:seats], turn=viewer)
    pond = ponds.new_state(*("4YK 6MW", "2SY", "5ML", "CK", "9LK")[:seats], market="CL 7SK", turn=viewer)
    for game, state in ((TOAD, toad), (FROGGER, pond)):
        scene = game.scene(game.view(state, viewer), NAMES[:seats])
        zones = [item for item in scene.items if isinstance(item, Zone)]
        own, *others = sorted(zones, key=lambda zone: -zone.size)
        assert own.title == "Your hand"
        assert own.size > 1.3 * max(zone.size for zone in others)
        plates = [item for item in scene.items if isinstance(item, Plate)]
        plates.sort(key=lambda plate: (plate.y, plate.x))
        assert [plate.seat for plate in plates] == [
            (viewer + step) % seats for step in range(1, seats + 1)
        ]
        assert [plate.own for plate in plates] == [False] * (seats - 1) + [True]
        assert all(plate.height < own.size * 1.4 / 3 for plate in plates)


def test_a_waiting_players_hand_shows_the_mover_and_open_cards() -> None:
    """The hand of a waiting player shows the player to move and the open cards."""
    toad = tables.new_state("8H 2D", "7S 6S", "3C 4C", stock="2C JC QC KC")
    pond = ponds.new_state("4YK 6MW", "2SY", "5ML", at=["2L"], market="CL 7SK 5SW")
    for game, state, kind, count in ((TOAD, toad, Zone, 4), (FROGGER, pond, PathCard, 12)):
        items = game.scene(game.view(state, 2), NAMES[:3]).items
        assert [item.seat for item in items if isinstance(item, Plate) and item.to_move] == [0]
        assert len([item for item in items if isinstance(item, kind)]) == count


def test_exceeding_the_target_changes_the_progress_bar() -> None:
    """Pictures of 9, 10, 11 and 12 of 10 differ."""
    bars = {
        draw(Scene(5, 2, (ProgressTally(0.2, 0.5, 4, "Red", value, 10, red=True),)))
        for value in range(8, 14)
    }
    assert len(bars) == 6
    ten, eleven = (
        text_colours(Scene(5, 2, (ProgressTally(0.2, 0.5, 4, "Red", value, 10, red=True),)))
        for value in (10, 11)
    )
    assert ten != eleven, "the figures have another ground, too"


def test_only_names_are_truncated(scenes: tuple[Scene, ...]) -> None:
    """In pictures of recorded matches, each text that ends with an ellipsis is a player's name."""
    found = set().union(*map(truncated_texts, scenes))
    assert found, "the recordings have a long name"
    assert [text for text in found if not any(name.startswith(text) for name in NAMES)] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_claim_is_never_truncated(language: str) -> None:
    """A claim is shown in full, however long the claimant's name is."""
    with speaking(language):
        claimed = tables.play_moves(
            tables.new_state("8H 2D 9S AC", "2H", "3H", stock="2C 3C 4C 6C"), "ribit"
        )
        (said,) = (
            item
            for item in TOAD.scene(TOAD.view(claimed, None), ("W" * 32, "Ben", "Cleo")).items
            if isinstance(item, Reveal)
        )
        scene = Scene(7.6, 2, (said,))
    before, after = said.says.split("{name}")
    (line,) = (text for text in shown_texts(scene) if text.endswith(f"...{after}"))
    assert line.startswith(f"{before}WWW")
    assert truncated_texts(scene) == set()


@pytest.mark.parametrize("says", ["", "{name}: ribit? Not a toad!"])
def test_every_index_in_a_large_open_hand_is_visible(says: str) -> None:
    """The index of each of thirteen cards, even a ten or a queen, is not covered by the next card."""
    cards = (*PACK[8:13], *PACK[21:25], *PACK[34:38])
    hand = Reveal(0, "Ann", 0.1, 0.1, 7.4, 1.7 if says else 0.96, cards, 9, 9, 3, 3, says=says)
    seen = face_boxes(Scene(7.6, 2, (hand,)))
    assert tuple(face for face, *_place in seen) == cards
    for (face, x, _y, width), (_next, x_next, *_rest) in pairwise(seen):
        assert x_next - x >= index_room(face, width) - 1, f"{face}: but for the pixel of rounding"


def test_lines_of_text_do_not_overlap(scenes: tuple[Scene, ...]) -> None:
    """Lines of text do not overlap, even in languages with long words."""
    found = {
        (one, other)
        for scene in scenes
        for (one, (left, top, right, bottom)), (other, (x0, y0, x1, y1)) in combinations(
            text_boxes(scene), 2
        )
        if min(right, x1) - max(left, x0) > 0 and min(bottom, y1) - max(top, y0) > (bottom - top) / 4
    }
    assert found == set()


def test_leaderboard_headings_are_never_truncated() -> None:
    """The longest headings of a leaderboard are shown in full and leave room for a name."""
    for headings in (("Wins", "Matches", "Pot", "Toads", "Toadus Maximus", "Rounds survived"), GERMAN):
        (chart,) = BOARD.items
        assert isinstance(chart, Chart)
        board = replace(chart, headings=("#", "Player", *headings))
        (name,) = truncated_texts(replace(BOARD, items=(board,)))
        assert NAMES[1].startswith(name)
        short = replace(board, rows=tuple((row[0], "Florian", *row[2:]) for row in board.rows))
        assert truncated_texts(replace(BOARD, items=(short,))) == set()


def test_the_four_colours_flag_gives_each_suit_its_own_colour() -> None:
    """With the flag each suit has a colour of its own, and without it there are two colours."""

    def inks(*, four: bool) -> set[object]:
        scene = Scene(
            6, 2, (Zone("", 0.2, 0.2, (PACK[3], PACK[16], PACK[29], PACK[42])),), four_colours=four
        )
        return set(icon_colours(scene))

    assert len(inks(four=True)) == 4
    assert len(inks(four=False)) == 2
