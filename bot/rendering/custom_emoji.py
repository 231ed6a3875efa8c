"""Drawing of cards, suits and frogs as custom emoji for texts and buttons."""

from __future__ import annotations

import io
from hashlib import blake2b

from PIL import Image, ImageDraw

from bot.engine.cards import Card
from bot.engine.decktet import CROWN, DecktetCard, DecktetSuit
from bot.engine.frozen import frozen
from bot.engine.icons import Icon
from bot.engine.scene import FrogFace
from bot.rendering import theme
from bot.rendering.cards import ink_of
from bot.rendering.decktet import draw_crown, draw_decktet_suit
from bot.rendering.fonts import CONDENSED, font
from bot.rendering.symbols import draw_face, draw_suit, draw_token, scale

Draw = ImageDraw.ImageDraw

_DIGEST_BYTES = 3


@frozen
class Drawing:
    """The image of a custom emoji, before it is encoded as PNG."""

    image: Image.Image

    @property
    def digest(self) -> str:
        """A hash of the image's pixels, which does not depend on the PNG encoder."""
        return blake2b(self.image.tobytes(), digest_size=_DIGEST_BYTES).hexdigest()

    def png(self) -> bytes:
        png = io.BytesIO()
        self.image.save(png, "PNG")
        return png.getvalue()


def drawing(sign: Icon) -> Drawing:
    side = theme.SIGN_PX * theme.SUPERSAMPLING
    large = Image.new("RGBA", (side, side))
    _paint(ImageDraw.Draw(large), side, sign)
    return Drawing(large.reduce(theme.SUPERSAMPLING))


def _paint(draw: Draw, side: int, sign: Icon) -> None:
    match sign.shows:
        case Card() as card:
            _paint_card(draw, side, card, four_colours=sign.four_colours)
        case DecktetCard() as decktet_card:
            _paint_decktet_card(draw, side, decktet_card)
        case DecktetSuit() as suit:
            _paint_tile(draw, side)
            draw_decktet_suit(draw, scale(theme.SIGN_LONE_SUIT, side), suit)
        case None:
            draw_face(draw, side, FrogFace.PLAIN, theme.FROG)
        case seat:
            draw_token(draw, (0, 0, side - 1), seat)


def _paint_tile(draw: Draw, side: int) -> None:
    corner, border = theme.SIGN_CORNER * side, round(theme.SIGN_BORDER * side)
    box = (0, 0, side - 1, side - 1)
    draw.rounded_rectangle(box, corner, fill=theme.IVORY, outline=theme.EDGE, width=border)


def _paint_card(draw: Draw, side: int, card: Card, *, four_colours: bool) -> None:
    _paint_tile(draw, side)
    ink = ink_of(card, four_colours=four_colours)
    is_wide = len(card.index) > 1
    _paint_index(draw, side, card.index, ink, theme.SIGN_TEN if is_wide else theme.SIGN_INDEX)
    draw_suit(draw, scale(theme.SIGN_TEN_SUIT if is_wide else theme.SIGN_SUIT, side), card.suit, ink)


def _paint_decktet_card(draw: Draw, side: int, card: DecktetCard) -> None:
    _paint_tile(draw, side)
    if card.rank == CROWN:
        draw_crown(draw, scale(theme.SIGN_CROWN, side), theme.INK)
    else:
        _paint_index(draw, side, card.index, theme.INK, theme.SIGN_INDEX)
    for box, suit in zip(theme.SIGN_SUITS[len(card.suits) - 1], card.suits, strict=True):
        draw_decktet_suit(draw, scale(box, side), suit)


def _paint_index(
    draw: Draw, side: int, index: str, ink: theme.Colour, box: tuple[float, float, float, float]
) -> None:
    left, top, width, height = (part * side for part in box)
    at = left + width / 2, top + height / 2
    x0, y0, x1, y1 = draw.textbbox((0, 0), index, font=font(side, CONDENSED))
    fitted_font = font(int(side * min(width / (x1 - x0), height / (y1 - y0))), CONDENSED)
    x0, y0, x1, y1 = draw.textbbox(at, index, font=fitted_font)
    draw.text((2 * at[0] - (x0 + x1) / 2, 2 * at[1] - (y0 + y1) / 2), index, fill=ink, font=fitted_font)
