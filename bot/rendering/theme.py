"""Colours, sizes and the palette that all pictures share.

Sizes are in card widths unless their name ends in ``PX``.
"""

from __future__ import annotations

from collections.abc import Iterator

IMAGE_WIDTH_PX = 800
SUPERSAMPLING = 4
"""Factor by which sprites are drawn enlarged. Their edges become smooth when they are scaled down."""

Colour = tuple[int, int, int]
Box = tuple[float, float, float]
"""A square as (left, top, side)."""

FELT: Colour = (31, 92, 70)
SHADE: Colour = (24, 74, 57)
PLATE: Colour = (18, 56, 44)
NOW: Colour = (250, 224, 138)
CREAM: Colour = (246, 241, 222)
MUTED: Colour = (156, 186, 170)
IVORY: Colour = (253, 250, 240)
EDGE: Colour = (140, 132, 108)
RED: Colour = (200, 22, 44)
INK: Colour = (26, 28, 34)
ORANGE: Colour = (196, 74, 0)
NAVY: Colour = (24, 44, 92)
"""Colours of diamonds and clubs with four-colour suits.

Diamonds still look reddish and clubs dark, because Toad counts red and black spots."""
GOLD: Colour = (240, 180, 62)
GOOD: Colour = (28, 116, 170)
BAD: Colour = (178, 44, 58)
FROG: Colour = (112, 190, 74)
FROG_DARK: Colour = (58, 128, 52)
BACK: Colour = (38, 112, 128)
BACK_LIGHT: Colour = (120, 190, 190)
WHITE: Colour = (255, 255, 255)
PAD: Colour = (84, 140, 62)
SILVER: Colour = (202, 208, 210)
BRONZE: Colour = (214, 142, 84)
TRAIL: Colour = (18, 96, 168)
CHOICE: Colour = (132, 36, 156)
"""Colours of the marks around the spaces of the last move and around those that can be chosen next."""

SUITS: dict[str, Colour] = {
    "MOONS": (92, 84, 170),
    "SUNS": (196, 104, 0),
    "WAVES": (22, 118, 196),
    "LEAVES": (62, 136, 58),
    "WYRMS": (186, 40, 60),
    "KNOTS": (122, 84, 46),
}
"""Colours of the Decktet's suits. The suits also differ in shape."""

TOKENS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 222, 60), INK),
    ((92, 186, 240), INK),
    ((224, 120, 50), INK),
    ((146, 146, 152), INK),
    ((24, 60, 140), WHITE),
)
"""Colours of each seat's frog and of the number on it. Colour-blind players can tell them apart."""

RAMP_STEPS = 9
"""Number of blended colours between a background and an ink, including both, for smooth edges."""

RAMPS: tuple[tuple[Colour, Colour], ...] = (
    *((ground, CREAM) for ground in (FELT, PLATE, SHADE)),
    *((ground, INK) for ground in (NOW, GOLD, IVORY, SILVER, BRONZE)),
    *((ground, WHITE) for ground in (GOOD, BAD)),
    (PLATE, MUTED),
    (IVORY, RED),
)

BLENDS: tuple[tuple[Colour, Colour], ...] = (
    *((IVORY, suit) for suit in (*SUITS.values(), ORANGE, NAVY)),
    *((INK, skin) for skin, _number in TOKENS),
    *((FELT, thing) for thing in (IVORY, PLATE, NOW, BACK, MUTED, GOOD, BAD, GOLD, SILVER, BRONZE)),
    *((PLATE, thing) for thing in (IVORY, FROG, GOLD, NOW, BAD, GOOD)),
    *((FROG, thing) for thing in (NOW, INK, IVORY, GOOD, BAD, GOLD)),
    *((IVORY, thing) for thing in (NOW, EDGE, PAD, TRAIL, CHOICE)),
    (INK, WHITE),
)
"""Pairs of colours that meet only in sprites other than text. They need fewer blended colours."""

BLEND_STEPS = 4

CARD_CORNER = 0.09
CARD_BORDER = 0.018
INDEX = (0.08, -0.09, 0.5)
CORNER_SUIT = (0.1, 0.56, 0.27)
FIGURE = (0.36, 0.67, 0.55)
"""Left, top and side of the suit under a card's index, and of the large suit or frog on the card."""

AWAITED = (0.25, 0.45, 0.5)
"""Left, top and side of the suit shown in an empty place for a card of that suit."""

TEN_SHARE, SMALL_TEN_SHARE = 0.86, 0.92
"""Size of a ten relative to other indices. Both digits must be visible when cards overlap."""

SMALL_INDEX = (0.07, -0.15, 0.76)
SMALL_SUIT = (0.1, 0.78, 0.5)
SMALL_CARD_PX = 62
"""Card width in pixels below which a card shows only its index and suit."""

DECKTET_INDEX = (0.08, 0.08, 0.4)
DECKTET_CORNER = (0.08, 0.55, 0.25)
DECKTET_FIGURES: tuple[tuple[Box, ...], ...] = (
    (),
    ((0.38, 0.5, 0.54),),
    ((0.42, 0.2, 0.48), (0.42, 0.8, 0.48)),
    ((0.4, 0.12, 0.36), (0.56, 0.52, 0.36), (0.4, 0.92, 0.36)),
)
"""Left, top and side of the rank, of the first small suit, and of up to three large suits."""

SMALL_DECKTET_INDEX = (0.12, -0.08, 0.76)
SMALL_DECKTET_SUIT = (0.14, 0.62, 0.33)

SIGN_PX = 128
"""Size in pixels at which Discord stores an emoji. Discord displays emoji at about 18 to 44 pixels."""
SIGN_CORNER, SIGN_BORDER = 0.14, 0.03
SIGN_INDEX = (0.06, 0.1, 0.43, 0.8)
SIGN_TEN = (0.05, 0.19, 0.56, 0.62)
"""Left, top, width and height of the box that a card's index fills in a custom emoji."""
SIGN_SUIT, SIGN_TEN_SUIT = (0.5, 0.26, 0.46), (0.61, 0.31, 0.37)
SIGN_CROWN = (0.06, 0.24, 0.46)
SIGN_SUITS = (((0.53, 0.28, 0.43),), ((0.52, 0.06, 0.42), (0.52, 0.52, 0.42)))
SIGN_LONE_SUIT = (0.12, 0.12, 0.76)

TOKEN_NUMBER = 0.8
TOKEN_HALO, TOKEN_LINE = 0.05, 0.05
"""Widths of a token's light and dark outlines. One of them is visible on every background."""

STOP_HEADER = 0.36
STOP_SUIT, STOP_SUIT_X = 0.34, 0.07
STOP_TOKEN, STOP_TOKEN_X = 0.42, 0.48
STOP_NUMBER_SIZE, STOP_RANK_SIZE, STOP_ARROW = 0.31, 0.31, 0.15
STOP_NUMBER_WIDTH = 0.42
STOP_RING_X, STOP_RING_WIDTH, STOP_RING_HEIGHT = 0.42, 0.55, 0.45
RING_LINE = 0.035
FRAME_LINE, FRAME_CORNER = 0.06, 0.13
FRAME_ROOM = 0.045
"""Distance by which a frame extends beyond the cards that it marks."""
INTO_SIZE, INTO_RIM = 0.36, 0.09
INTO_ARROW = ((0.36, 0.22), (0.78, 0.5), (0.36, 0.78))
"""Corners of the arrow that marks a card's destination, as shares of the marker's size."""
CAMP_TOKEN, CAMP_COUNT_SIZE = 0.41, 0.31
CAMP_LINES = 3
"""Maximum number of seats per column in a camp, which is the start or the goal of a path."""
STOP_FOOT = 0.05
CAMP_TITLE_SIZE = 0.31

TITLE_SIZE = 0.3
PICTURE_MARGIN = 0.06
"""Minimum distance between text and the left or right edge of a picture."""

PLATE_CORNER = 0.12
PLATE_PADDING = 0.1
PLATE_BORDER = 0.04
NAME_SIZE = 0.3
LINE = 0.42
LIFE_SIZE = 0.28
LIFE_STEP = 0.31
HELD_CARD, HELD_GAP = 0.19, 0.06
DEALER_SIZE = 0.36
TOKEN_SIZE, TOKEN_ROOM = 0.4, 0.46
MARK_SIZE, MARK_ROOM = 0.3, 0.34
ARROW_SIZE = 0.2
ARROW_ROOM = 0.27
FAN_HEIGHT = 0.66
"""Height that a plate needs for a fan of cards, in addition to its two lines of text."""
PLATE_LINES = 0.86
FAN_CARD = 0.44
FAN_GAP = 0.05
LEAST_FAN_CARD = 0.42
"""Minimum width of a card in a fan with many cards."""
FAN_STEP = 0.02
BACK_SHARE = 0.12
"""Visible share of a face-down card when space is short."""
BADGE_SIZE = 0.3
BADGE_PADDING = 0.1

REVEAL_CARD, REVEAL_CARD_LOUD = 0.56, 0.78
REVEAL_FACE, REVEAL_NAME = 0.66, 2.65
"""Width of the face, and position of the cards, in the row of a revealed hand."""
REVEAL_SPOTS = 1.55
REVEAL_FROG = 1.3
REVEAL_TITLE_SIZE = 0.35
REVEAL_SUIT = 0.24

TALLY_SIZE = 0.32
TALLY_BAR = 0.26
TALLY_DOT = 0.42
"""Size of the dot for a missing spot in a tally, as a share of its space on the bar."""
MOST_PAST_GOAL = 4

BAND_PADDING = 0.16
BAND_MARGIN = 0.1
SUBTITLE_TEXT = 0.72
"""Height of a subtitle's text, as a share of its line."""

BAND_LINE = 0.35

CHART_SIZE = 0.3
CHART_HEADING_SIZE = 0.285
CHART_HEADING_LINE = 0.36
CHART_PADDING = 0.11
LEAST_BAR = 0.28
MEDAL, MEDAL_BORDER, MEDAL_FIGURES = 0.78, 0.06, 4
CHART_NAME = 1.3
"""Minimum width of the column of names in a table of numbers."""


def mix(ground: Colour, ink: Colour, step: int, steps: int = RAMP_STEPS) -> Colour:
    share = step / (steps - 1)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(ground, ink, strict=True))
    return red, green, blue


def _palette() -> Iterator[Colour]:
    yield from (FELT, SHADE, PLATE, NOW, EDGE, GOOD, BAD, FROG, FROG_DARK, BACK, BACK_LIGHT, WHITE)
    for pairs, steps in ((RAMPS, RAMP_STEPS), (BLENDS, BLEND_STEPS)):
        for ground, ink in pairs:
            yield from (mix(ground, ink, step, steps) for step in range(steps))


PALETTE: tuple[Colour, ...] = tuple(dict.fromkeys(_palette()))
"""Colours that all pictures share, at most 256."""

PALETTE_BYTES = b"".join(map(bytes, PALETTE))

INDICES: dict[Colour, int] = {colour: index for index, colour in enumerate(PALETTE)}


def ramp(ground: Colour, ink: Colour) -> list[int]:
    """Return a table that converts the opacity of text at a pixel (0 to 255) to a palette index.

    Raises:
        ValueError: The palette has no blended colours for this background and text colour.
    """
    if (ground, ink) not in RAMPS:
        raise ValueError(f"the palette has no ramp from {ground} to {ink}")
    steps = [INDICES[mix(ground, ink, step)] for step in range(RAMP_STEPS)]
    return [steps[round(level * (RAMP_STEPS - 1) / 255)] for level in range(256)]
