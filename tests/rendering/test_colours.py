"""Frogs and suits can be distinguished without colour vision or with a colour deficiency."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageDraw

from bot.engine.cards import PACK
from bot.engine.decktet import DecktetSuit
from bot.rendering.cards import ink_of
from bot.rendering.decktet import draw_decktet_suit
from bot.rendering.symbols import draw_token
from bot.rendering.theme import INK, IVORY, RED, SUITS, TOKENS, Colour

Triple = tuple[float, float, float]

SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red (protanopia)": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green (deuteranopia)": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue (tritanopia)": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices for linear RGB (Machado, Oliveira, Fernandes 2009, at full strength)."""

WHITE_POINT: Triple = (0.95047, 1.0, 1.08883)
TO_XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""Matrix of the CIE for linear sRGB under daylight."""

APART, READABLE, DARKER = 30, 45, 30
A_LITTLE_APART = 14
"""Distances in CIELAB, in which 2 is barely visible side by side, and steps of lightness."""

SMALL, SCALE = 20, 10
"""Side of a suit on a phone in pixels, and the scale at which it is drawn first."""

OTHERWISE = 0.35
"""Minimum share of two shapes that must not overlap."""


def matrix_product(matrix: tuple[Triple, Triple, Triple], colour: Triple) -> Triple:
    first, second, third = (
        sum(weight * part for weight, part in zip(row, colour, strict=True)) for row in matrix
    )
    return first, second, third


def linear_intensity(level: int) -> float:
    """Return the linear intensity of an sRGB level from 0 to 255."""
    share = level / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def lab_colour(colour: Colour, sight: str) -> Triple:
    """Return the lightness and the two colour axes as seen with this vision."""
    red, green, blue = map(linear_intensity, colour)
    seen = matrix_product(SIGHTS[sight], (red, green, blue))
    low, middle, high = (min(max(part, 0.0), 1.0) for part in seen)
    x, y, z = (
        _lab_root(part / white)
        for part, white in zip(matrix_product(TO_XYZ, (low, middle, high)), WHITE_POINT, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_root(part: float) -> float:
    return float(part ** (1 / 3)) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def colour_distance(one: Colour, other: Colour, sight: str) -> float:
    pairs = zip(lab_colour(one, sight), lab_colour(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def _grey_level(colour: Colour) -> int:
    return Image.new("RGB", (1, 1), colour).convert("L").tobytes()[0]


def suit_pixels(suit: DecktetSuit) -> bytes:
    """Return a suit at its size on a phone, in black and white."""
    side = SMALL * SCALE
    image = Image.new("RGB", (side, side), IVORY)
    draw_decktet_suit(ImageDraw.Draw(image), (0, 0, side), suit)
    small = image.convert("L").resize((SMALL, SMALL), Image.Resampling.BOX)
    return small.point(lambda level: 255 * (level < 200)).tobytes()


@pytest.mark.parametrize("sight", SIGHTS)
def test_colour_blindness_simulation_keeps_black_and_white(sight: str) -> None:
    """White and black stay the same for all types of vision, at a lightness difference of 100."""
    assert colour_distance((255, 255, 255), (0, 0, 0), sight) == pytest.approx(100, abs=0.1)
    assert lab_colour((255, 255, 255), sight)[0] == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize(
    ("sight", "one", "other"),
    [
        ("no red (protanopia)", (92, 186, 240), (236, 150, 200)),
        ("no green (deuteranopia)", (62, 136, 58), (186, 40, 60)),
        ("no blue (tritanopia)", (22, 118, 196), (62, 136, 58)),
    ],
)
def test_colour_blindness_simulation_confuses_known_pairs(
    sight: str, one: Colour, other: Colour
) -> None:
    """Each pair of colours is clear with normal vision, and similar without one type of cone."""
    assert colour_distance(one, other, "all colours") > 2 * APART - 5
    assert colour_distance(one, other, sight) < APART / 2


@pytest.mark.parametrize("sight", SIGHTS)
def test_seat_colours_are_distinct(sight: str) -> None:
    """The colours of five seats are distinct."""
    skins = [skin for skin, _number in TOKENS]
    assert len(skins) == 5
    for one, other in combinations(skins, 2):
        assert colour_distance(one, other, sight) >= APART


@pytest.mark.parametrize("sight", SIGHTS)
def test_seat_numbers_on_frogs_are_readable_without_colour(sight: str) -> None:
    """The seat's number on a frog's back can be read without its colour."""
    for skin, number in TOKENS:
        assert colour_distance(skin, number, sight) >= READABLE
        assert abs(lab_colour(skin, sight)[0] - lab_colour(number, sight)[0]) >= DARKER


def test_frog_backs_differ_without_colour() -> None:
    """The backs of the five frogs differ even without colour."""
    backs = set[bytes]()
    for seat, (skin, number) in enumerate(TOKENS):
        image = Image.new("RGB", (100, 100), IVORY)
        draw_token(ImageDraw.Draw(image), (0, 0, 100), seat)
        back, middle = (
            image.crop((30, 38, 70, 78)).convert("L").tobytes(),
            (_grey_level(skin) + _grey_level(number)) / 2,
        )
        written = bytes((level > middle) == (_grey_level(number) > middle) for level in back)
        assert 100 < sum(written) < 1000
        backs.add(written)
    assert len(backs) == 5


@pytest.mark.parametrize("sight", SIGHTS)
def test_four_suit_colours_are_distinct_and_read_as_red_or_black(sight: str) -> None:
    """The four suit colours can be distinguished on paper and still read as Toad's red and black."""
    inks = {card.suit: ink_of(card, four_colours=True) for card in PACK}
    assert len(set(inks.values())) == 4
    for one, other in combinations(inks.values(), 2):
        assert colour_distance(one, other, sight) >= A_LITTLE_APART
    for suit, ink in inks.items():
        assert lab_colour(IVORY, sight)[0] - lab_colour(ink, sight)[0] >= DARKER
        is_red = colour_distance(ink, RED, sight) < colour_distance(ink, INK, sight)
        assert is_red == suit.is_red


@pytest.mark.parametrize("sight", SIGHTS)
def test_suit_colours_contrast_with_cards_for_all_vision_types(sight: str) -> None:
    """The six suit colours are darker than a card for all types of vision."""
    for suit in DecktetSuit:
        assert lab_colour(IVORY, sight)[0] - lab_colour(SUITS[suit.name], sight)[0] >= DARKER


def test_suits_differ_in_shape_at_small_sizes() -> None:
    """Any two suits differ in shape, even if they are small and in black and white."""
    shapes = {suit: suit_pixels(suit) for suit in DecktetSuit}
    for one, other in combinations(DecktetSuit, 2):
        pixels = list(zip(shapes[one], shapes[other], strict=True))
        covered = sum(1 for a, b in pixels if a or b)
        assert sum(a != b for a, b in pixels) >= OTHERWISE * covered, f"{one.name} and {other.name}"
