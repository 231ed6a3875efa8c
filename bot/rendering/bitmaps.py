"""Bitmaps: the sprites of a display list, each painted once, smooth and in the shared palette."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from PIL import ImageChops

from bot.engine.cards import Card
from bot.engine.decktet import DecktetCard
from bot.engine.scene import Blank
from bot.rendering import theme
from bot.rendering.cards import paint_card
from bot.rendering.display_list import (
    BlockSprite,
    CardSprite,
    FrameSprite,
    Laps,
    ShapeSprite,
    Sprite,
    TextSprite,
    TokenSprite,
)
from bot.rendering.sprites import Bitmap, paint_block, paint_frame, paint_shape, paint_token
from bot.rendering.text import paint_text

MOST_BITMAPS = 4096
"""How many are kept, of 12 KB on average; all the cards of all tables are some 1,300."""


@lru_cache(MOST_BITMAPS)
def bitmap(sprite: Sprite) -> Bitmap:
    """Return the pixels of a sprite."""
    match sprite:
        case CardSprite():
            return _card(sprite)
        case ShapeSprite():
            return paint_shape(sprite)
        case TokenSprite():
            return paint_token(sprite)
        case BlockSprite():
            return paint_block(sprite)
        case FrameSprite():
            return paint_frame(sprite)
        case TextSprite():
            return paint_text(sprite)
        case _:
            assert_never(sprite)


def _card(card: CardSprite) -> Bitmap:
    """Return a card, made of the one on the felt where there is such a one.

    To paint a face takes a millisecond, to lay it on another ground a hundredth of that.
    """
    if card.laps is not Laps.NOTHING:
        indices, outline = bitmap(card._replace(laps=Laps.NOTHING))
        wide, high = indices.size
        half = (0, 0, wide // 2, high) if card.laps is Laps.LEFT else (0, 0, wide, high // 2)
        return indices.crop(half), outline.crop(half)
    gap = CardSprite(Blank.GAP, card.width_px, theme.FELT)
    if card == gap:
        return paint_card(card)
    outline = bitmap(gap)[1]  # of all cards of a width: what is printed on one may reach over its edge
    if card.ground == theme.FELT or not isinstance(card.face, Card | DecktetCard):
        return paint_card(card)[0], outline
    indices = bitmap(card._replace(ground=theme.FELT))[0].copy()
    here, on_felt = (
        bitmap(CardSprite(None, card.width_px, ground))[0] for ground in (card.ground, theme.FELT)
    )
    indices.paste(here, (0, 0), ImageChops.difference(here, on_felt).point([0] + [255] * 255, "1"))
    return indices, outline
