"""How subtitles are drawn: lines of text on paper, with suits as they are on cards."""

from __future__ import annotations

import re

from bot.engine.cards import Card, Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.scene import Subtitles
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.cards import ink_of

_SUITS: dict[str, Suit | DecktetSuit] = {
    suit.symbol[0]: suit for suits in (Suit, DecktetSuit) for suit in suits
}
_SUIT = re.compile(f"([{''.join(_SUITS)}])[\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]?")
_SYMBOL, _SPACE = 0.8, 0.25
"""How wide a suit is, and a space beside one, as shares of the text's height."""

_BESIDE = 1.1
"""How much room a suit takes, as a share of its width."""


def draw_subtitles(canvas: Canvas, subtitles: Subtitles) -> None:
    """Draw the lines from the top; one that is too wide is narrow, and then cut."""
    x, y, width, height = subtitles.x, subtitles.y, subtitles.width, subtitles.height
    canvas.block(x, y, width, height, theme.IVORY)
    padding, step = theme.PLATE_PADDING, height / subtitles.room
    for number, line in enumerate(subtitles.lines):
        _draw_line(canvas, line, x + padding, y + step * number, width - 2 * padding, step)


def _draw_line(canvas: Canvas, line: str, left: float, y: float, room: float, step: float) -> None:
    size = step * theme.SUBTITLE_TEXT
    symbol = size * _SYMBOL
    parts = list(filter(None, _SUIT.split(line)))
    used = sum(symbol * _BESIDE if part in _SUITS else canvas.width_of(part, size) for part in parts)
    is_narrow, right = used > room, left + room
    for part in parts:
        if suit := _SUITS.get(part):
            canvas.shape(
                suit,
                left + symbol * (_BESIDE - 1),
                y + (step - symbol) / 2,
                symbol,
                theme.IVORY,
                _ink(canvas, suit),
            )
            left += symbol * _BESIDE
            continue
        left += size * _SPACE * part.startswith(" ")
        canvas.text(
            part,
            left,
            y + (step - canvas.height_of(size)) / 2,
            size,
            ink=theme.INK,
            ground=theme.IVORY,
            width=right - left,
            narrow=is_narrow,
        )
        left += canvas.width_of(part, size, narrow=is_narrow) + size * _SPACE * part.endswith(" ")
        if left > right:
            return


def _ink(canvas: Canvas, suit: Suit | DecktetSuit) -> theme.Colour:
    if isinstance(suit, DecktetSuit):
        return theme.INK
    return ink_of(Card(1, suit), four_colours=canvas.four_colours)
