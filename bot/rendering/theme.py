"""The theme: colours, the one palette that every picture shares, and sizes.

Sizes are in card widths unless their name ends in ``PX``.
"""

from __future__ import annotations

from collections.abc import Iterator

IMAGE_WIDTH_PX = 800
SUPERSAMPLING = 4
"""How much larger a sprite is drawn than it is shown, so that its edges come out smooth."""

Colour = tuple[int, int, int]
Box = tuple[float, float, float]
"""A square: left, top and side."""

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
"""Diamonds and clubs of four colours: still a red and a black, which Toad counts."""
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
"""Round the spaces of the last move, and round those that may be chosen for the next."""

SUITS: dict[str, Colour] = {
    "MOONS": (92, 84, 170),
    "SUNS": (196, 104, 0),
    "WAVES": (22, 118, 196),
    "LEAVES": (62, 136, 58),
    "WYRMS": (186, 40, 60),
    "KNOTS": (122, 84, 46),
}
"""The Decktet's suits; it is their shapes that tell them apart."""

TOKENS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 222, 60), INK),
    ((92, 186, 240), INK),
    ((224, 120, 50), INK),
    ((146, 146, 152), INK),
    ((24, 60, 140), WHITE),
)
"""The frogs of each seat, and the number on them: light and dark ones that no colour blindness mixes."""

RAMP_STEPS = 9
"""Colours from a ground to what is drawn on it, both ends included: the smooth edges of text."""

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

TEN_SHARE, SMALL_TEN_SHARE = 0.86, 0.92
"""How large a ten is among the indices: its two figures must show where cards lie close together."""

SMALL_INDEX = (0.07, -0.15, 0.76)
SMALL_SUIT = (0.1, 0.78, 0.5)
SMALL_CARD_PX = 62
"""Narrower than this, a card shows its index and suit only."""

DECKTET_INDEX = (0.08, 0.08, 0.4)
DECKTET_CORNER = (0.08, 0.55, 0.25)
DECKTET_FIGURES: tuple[tuple[Box, ...], ...] = (
    (),
    ((0.38, 0.5, 0.54),),
    ((0.42, 0.2, 0.48), (0.42, 0.8, 0.48)),
    ((0.4, 0.12, 0.36), (0.56, 0.52, 0.36), (0.4, 0.92, 0.36)),
)
"""Left, top and side of rank, first small suit, and the large suits of cards with none to three."""

SMALL_DECKTET_INDEX = (0.12, -0.08, 0.76)
SMALL_DECKTET_SUIT = (0.14, 0.62, 0.33)

SIGN_PX = 128
"""As large as Discord keeps an emoji; it shows it at some 18 to 44."""
SIGN_CORNER, SIGN_BORDER = 0.14, 0.03
SIGN_INDEX = (0.06, 0.1, 0.43, 0.8)
SIGN_TEN = (0.05, 0.19, 0.56, 0.62)
"""The box that an index fills: left, top, width and height."""
SIGN_SUIT, SIGN_TEN_SUIT = (0.5, 0.26, 0.46), (0.61, 0.31, 0.37)
SIGN_CROWN = (0.06, 0.24, 0.46)
SIGN_SUITS = (((0.53, 0.28, 0.43),), ((0.52, 0.06, 0.42), (0.52, 0.52, 0.42)))
SIGN_LONE_SUIT = (0.12, 0.12, 0.76)

TOKEN_NUMBER = 0.8
TOKEN_HALO, TOKEN_LINE = 0.05, 0.05
"""The light and the dark line round a token: on every ground one of them is seen."""

STOP_HEADER = 0.36
STOP_SUIT, STOP_SUIT_X = 0.34, 0.07
STOP_TOKEN, STOP_TOKEN_X = 0.42, 0.48
STOP_NUMBER_SIZE, STOP_RANK_SIZE, STOP_ARROW = 0.31, 0.31, 0.15
STOP_NUMBER_WIDTH = 0.42
STOP_RING_X, STOP_RING_WIDTH, STOP_RING_HEIGHT = 0.42, 0.55, 0.45
RING_LINE = 0.035
FRAME_LINE, FRAME_CORNER = 0.06, 0.13
FRAME_ROOM = 0.045
"""How far a frame reaches over the cards that it marks."""
INTO_SIZE, INTO_RIM = 0.36, 0.09
INTO_ARROW = ((0.36, 0.22), (0.78, 0.5), (0.36, 0.78))
"""Corners of the arrow in the sign of where a card goes, as shares of it."""
CAMP_TOKEN, CAMP_COUNT_SIZE = 0.41, 0.31
CAMP_LINES = 3
"""How many seats a camp shows one below the other; more stand in two columns."""
STOP_FOOT = 0.05
CAMP_TITLE_SIZE = 0.31

TITLE_SIZE = 0.3
PICTURE_MARGIN = 0.06
"""No text comes closer to the picture's left and right edges."""

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
"""A plate has room for a fan of cards when it is this much higher than its two lines."""
PLATE_LINES = 0.86
FAN_CARD = 0.44
FAN_GAP = 0.05
LEAST_FAN_CARD = 0.42
"""As small as cards in a fan become, where there are too many to see each index on larger ones."""
FAN_STEP = 0.02
BACK_SHARE = 0.12
"""How much is seen of a card that lies face down, where there is no room for more."""
BADGE_SIZE = 0.3
BADGE_PADDING = 0.1

REVEAL_CARD, REVEAL_CARD_LOUD = 0.56, 0.78
REVEAL_FACE, REVEAL_NAME = 0.66, 2.65
"""How wide a face and the name are beside a hand that is turned up, and how wide are its spots."""
REVEAL_SPOTS = 1.55
REVEAL_FROG = 1.3
REVEAL_TITLE_SIZE = 0.35
REVEAL_SUIT = 0.24

TALLY_SIZE = 0.32
TALLY_BAR = 0.26
TALLY_DOT = 0.42
"""How large a spot that is still missing is, as a share of its place on the bar."""
MOST_PAST_GOAL = 4

BAND_PADDING = 0.16
BAND_MARGIN = 0.1
SUBTITLE_TEXT = 0.72
"""How high the text of a subtitle is, as a share of its line."""

BAND_LINE = 0.35

CHART_SIZE = 0.3
CHART_HEADING_SIZE = 0.285
CHART_HEADING_LINE = 0.36
CHART_PADDING = 0.11
LEAST_BAR = 0.28
CHART_NAME = 1.3
"""The least width that names have in a table of figures."""


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
"""The colours that all pictures share, at most 256."""

PALETTE_BYTES = b"".join(map(bytes, PALETTE))

INDICES: dict[Colour, int] = {colour: index for index, colour in enumerate(PALETTE)}


def ramp(ground: Colour, ink: Colour) -> list[int]:
    """Return the palette's indices from a ground to an ink, for the 256 levels of coverage."""
    if (ground, ink) not in RAMPS:
        raise ValueError(f"the palette has no ramp from {ground} to {ink}")
    steps = [INDICES[mix(ground, ink, step)] for step in range(RAMP_STEPS)]
    return [steps[round(level * (RAMP_STEPS - 1) / 255)] for level in range(256)]
