"""How it looks: colours, the one palette that every picture shares, and sizes.

Sizes are in card widths unless their name ends in ``PX``.
"""

from __future__ import annotations

from functools import cache

IMAGE_WIDTH_PX = 1100
SUPERSAMPLING = 4
"""How much larger a sprite is drawn than it is shown, so that its edges come out smooth."""

Colour = tuple[int, int, int]

FELT: Colour = (31, 92, 70)
SHADE: Colour = (24, 74, 57)
PLATE: Colour = (18, 56, 44)
NOW: Colour = (250, 224, 138)
CREAM: Colour = (246, 241, 222)
MUTED: Colour = (156, 186, 170)
FAINT: Colour = (74, 112, 96)
IVORY: Colour = (253, 250, 240)
EDGE: Colour = (196, 188, 164)
RED: Colour = (200, 22, 44)
INK: Colour = (26, 28, 34)
GOLD: Colour = (240, 180, 62)
GOOD: Colour = (28, 116, 170)
BAD: Colour = (178, 44, 58)
FROG: Colour = (112, 190, 74)
FROG_DARK: Colour = (58, 128, 52)
BACK: Colour = (38, 112, 128)
BACK_LIGHT: Colour = (120, 190, 190)
WHITE: Colour = (255, 255, 255)
PAD: Colour = (136, 186, 112)

SUITS: dict[str, Colour] = {
    "MOONS": (92, 84, 170),
    "SUNS": (222, 128, 10),
    "WAVES": (22, 118, 196),
    "LEAVES": (62, 136, 58),
    "WYRMS": (186, 40, 60),
    "KNOTS": (122, 84, 46),
}
"""The Decktet's suits; it is their shapes that tell them apart."""

TOKENS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 222, 60), INK),
    ((92, 186, 240), INK),
    ((214, 92, 0), WHITE),
    ((146, 146, 152), INK),
    ((24, 60, 140), WHITE),
)
"""The frogs of each seat, and the number on them: light and dark ones that no colour blindness mixes."""

RAMP_STEPS = 9
"""Colours from a ground to what is drawn on it, both ends included: the smooth edges of text."""

RAMPS: tuple[tuple[Colour, Colour], ...] = (
    (FELT, CREAM),
    (FELT, IVORY),
    (FELT, GOLD),
    (FELT, PLATE),
    (FELT, NOW),
    (FELT, MUTED),
    (FELT, BACK),
    (PLATE, CREAM),
    (PLATE, MUTED),
    (PLATE, FAINT),
    (PLATE, IVORY),
    (PLATE, FROG),
    (PLATE, GOLD),
    (NOW, INK),
    (NOW, FROG_DARK),
    (NOW, IVORY),
    (GOOD, WHITE),
    (BAD, WHITE),
    (GOLD, INK),
    (IVORY, RED),
    (IVORY, INK),
    (IVORY, FROG),
    (SHADE, CREAM),
)

BLENDS: tuple[tuple[Colour, Colour], ...] = (
    *((IVORY, suit) for suit in SUITS.values()),
    *((INK, skin) for skin, _number in TOKENS),
    (IVORY, PAD),
)
"""What meets in sprites only, where fewer steps do."""

BLEND_STEPS = 4

CARD_CORNER = 0.09
CARD_BORDER = 0.018
INDEX = (0.08, -0.09, 0.5)
CORNER_SUIT = (0.1, 0.56, 0.27)
FIGURE = (0.36, 0.67, 0.55)
"""Left, top and side of the small suit under the index, and of the big suit or court frog."""

AWAITED = (0.25, 0.45, 0.5)
"""Left, top and side of the suit in a gap that waits for it."""

TEN_SHARE, SMALL_TEN_SHARE = 0.8, 0.72
"""How large a ten is among the indices: its two figures must show where cards lie close together."""

SMALL_INDEX = (0.07, -0.13, 0.74)
SMALL_SUIT = (0.1, 0.78, 0.5)
SMALL_CARD_PX = 80
"""Narrower than this, a card shows its index and suit only."""

DECKTET_INDEX = (0.08, 0.1, 0.34)
DECKTET_CORNER = (0.08, 0.5, 0.23)
DECKTET_FIGURES: tuple[tuple[tuple[float, float, float], ...], ...] = (
    ((0.4, 0.42, 0.5),),
    ((0.4, 0.16, 0.42), (0.5, 0.66, 0.42)),
    ((0.4, 0.1, 0.34), (0.58, 0.44, 0.34), (0.4, 0.78, 0.34)),
)
"""Left, top and side of rank, first small suit, and the large suits of cards with one, two or three."""
DECKTET_NAME_SIZE, DECKTET_NAME_MARGIN, DECKTET_NAME_Y = 0.17, 0.06, 1.26

SMALL_DECKTET_INDEX = (0.14, 0.1, 0.46)
SMALL_DECKTET_SUIT = (0.2, 0.59, 0.33)

STOP_HEADER = 0.26
STOP_SUIT, STOP_SUIT_X = 0.34, 0.08
STOP_TOKEN, STOP_TOKEN_X = 0.44, 0.5
STOP_NUMBER_SIZE, STOP_RANK_SIZE, STOP_ARROW = 0.2, 0.22, 0.13
CAMP_TOKEN, CAMP_COUNT_SIZE = 0.36, 0.24
CAMP_LINES = 3
"""How many seats a camp shows one below the other; more stand in two columns."""
STOP_FOOT = 0.05
CAMP_TITLE_SIZE = 0.22

TITLE_SIZE = 0.23
TITLE_RISE = 0.31
NOTE_SIZE = 0.23
NOTE_DROP = 0.05

PLATE_CORNER = 0.12
PLATE_PADDING = 0.1
PLATE_BORDER = 0.04
NAME_SIZE = 0.27
LIFE_SIZE = 0.26
LIFE_STEP = 0.3
HELD_CARD, HELD_GAP = 0.16, 0.06
TOKEN_SIZE, TOKEN_ROOM = 0.32, 0.38
ARROW_SIZE = 0.2
ARROW_ROOM = 0.27
FAN_HEIGHT = 0.62
"""A plate has room for a fan of cards when it is this much higher than its two lines."""
PLATE_LINES = 0.78
FAN_CARD = 0.42
FAN_GAP = 0.05
BADGE_SIZE = 0.2
BADGE_PADDING = 0.08

TALLY_SIZE = 0.26
TALLY_BAR = 0.17

BAND_PADDING = 0.16
BAND_MARGIN = 0.1

CHART_LINE = 0.5
CHART_SIZE = 0.27
CHART_HEADING_SIZE = 0.2
CHART_HEADING_DROP = 0.2
CHART_PADDING = 0.1
CHART_RANK, CHART_NAME = 0.55, 2.0


@cache
def palette() -> tuple[Colour, ...]:
    """Return the colours that all pictures share, at most 256."""
    colours = dict.fromkeys(
        (FELT, SHADE, PLATE, NOW, FAINT, EDGE, GOOD, BAD, FROG, FROG_DARK, BACK, BACK_LIGHT, WHITE)
    )
    for pairs, steps in ((RAMPS, RAMP_STEPS), (BLENDS, BLEND_STEPS)):
        for ground, ink in pairs:
            colours.update(dict.fromkeys(mix(ground, ink, step, steps) for step in range(steps)))
    return tuple(colours)


@cache
def index_of(colour: Colour) -> int:
    """Return the palette's index of a colour that is in it."""
    return palette().index(colour)


@cache
def ramp(ground: Colour, ink: Colour) -> tuple[int, ...]:
    """Return the palette's indices from a ground to an ink, for the 256 levels of coverage."""
    if (ground, ink) not in RAMPS:
        raise ValueError(f"the palette has no ramp from {ground} to {ink}")
    last = RAMP_STEPS - 1
    return tuple(index_of(mix(ground, ink, round(level * last / 255))) for level in range(256))


def mix(ground: Colour, ink: Colour, step: int, steps: int = RAMP_STEPS) -> Colour:
    """Return the colour at a step of a ramp of so many steps."""
    share = step / (steps - 1)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(ground, ink, strict=True))
    return red, green, blue
