"""Drawing functions for all types of scene items."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.cards import Card, Suit
from bot.engine.decktet import DecktetSuit
from bot.engine.scene import (
    CARD_HEIGHT,
    Align,
    Bars,
    Caption,
    Chart,
    Mark,
    Medals,
    PathCard,
    PathEnd,
    Plate,
    Podium,
    ProgressTally,
    Reveal,
    Subtitles,
    Weeks,
    Zone,
)
from bot.rendering import theme
from bot.rendering.badges import MOODS
from bot.rendering.canvas import Canvas
from bot.rendering.card_fans import laps_of
from bot.rendering.cards import ink_of
from bot.rendering.charts import draw_bars, draw_chart, draw_medals, draw_tally, draw_weeks
from bot.rendering.corridor import draw_camp, draw_stop
from bot.rendering.display_list import OverlapEdge, Shape
from bot.rendering.podiums import draw_podium
from bot.rendering.seat_plates import draw_plate, draw_reveal


def _draw_zone(canvas: Canvas, zone: Zone) -> None:
    across, down = zone.step
    in_row = len(zone.cards) if zone.wrap is None else min(zone.wrap, len(zone.cards))
    width = zone.size + across * max(in_row - 1, 0)
    height = zone.size * CARD_HEIGHT + down * max(in_row - 1, 0)
    middle = zone.x + width / 2
    if zone.title and not zone.quiet:
        above = zone.y - canvas.height_of(theme.TITLE_SIZE)
        _draw_beside(canvas, zone.title, middle, above, width)
    for number, card in enumerate(zone.cards):
        line, place = divmod(number, max(in_row, 1))
        laps = laps_of(place, zone.step, zone.size)
        if line and laps is OverlapEdge.NOTHING and zone.drop < zone.size * CARD_HEIGHT:
            laps = OverlapEdge.TOP
        x, y = zone.x + across * place, zone.y + down * place + zone.drop * line
        canvas.card(card, x, y, zone.size, theme.FELT, laps)
    _draw_new(canvas, zone, max(in_row, 1))
    if zone.mark is not None:
        _draw_zone_mark(canvas, zone, zone.mark)
    below = str(zone.count) if zone.count is not None else zone.note
    if below:
        _draw_beside(canvas, below, middle, zone.y + height, width)


def _draw_new(canvas: Canvas, zone: Zone, in_row: int) -> None:
    """Draw a frame around each newly added card.

    If other cards cover a part of it, frame the visible part.
    """
    across, room = zone.step[0], theme.FRAME_ROOM
    for number, card in enumerate(zone.cards):
        if card not in zone.new:
            continue
        line, place = divmod(number, in_row)
        is_last = place == in_row - 1 or number == len(zone.cards) - 1
        is_low = number + in_row >= len(zone.cards)
        width = zone.size if is_last else min(zone.size, across)
        height = zone.size * CARD_HEIGHT if is_low else min(zone.size * CARD_HEIGHT, zone.drop)
        x, y = zone.x + across * place, zone.y + zone.drop * line
        canvas.frame(x - room, y - room, width + 2 * room, height + 2 * room)


def _draw_zone_mark(canvas: Canvas, zone: Zone, mark: Mark) -> None:
    (across, down), room = zone.step, theme.FRAME_ROOM
    first, between = max(len(zone.cards) - zone.marked, 0), min(zone.marked, len(zone.cards)) - 1
    x, y = zone.x + across * first - room, zone.y + down * first - room
    width = zone.size + across * between + 2 * room
    height = zone.size * CARD_HEIGHT + down * between + 2 * room
    canvas.frame(x, y, width, height)
    if mark is Mark.PUT:
        size = theme.INTO_SIZE
        left, top = max(x - size / 2, 0.0), y + height * 0.62 - size / 2
        canvas.shape(Shape.INTO, left, top, size, theme.FELT)


def _draw_beside(canvas: Canvas, text: str, middle: float, y: float, width: float) -> None:
    narrow = canvas.width_of(text, theme.TITLE_SIZE) > width
    canvas.text(text, middle, y, theme.TITLE_SIZE, align=Align.CENTRE, narrow=narrow)


def _draw_caption(canvas: Canvas, caption: Caption) -> None:
    scene_width = canvas.width
    if not caption.loud:
        room = caption.room or scene_width - 2 * theme.PICTURE_MARGIN
        narrow = canvas.width_of(caption.text, caption.height) > room
        at = caption.x, caption.y, caption.height
        canvas.text(caption.text, *at, align=caption.align, narrow=narrow)
        return
    fill, ink = MOODS[caption.mood]
    most = scene_width - 2 * theme.BAND_MARGIN - 2 * theme.BAND_PADDING
    size = caption.height * min(1.0, most / canvas.width_of(caption.text, caption.height))
    lines = [caption.text]
    if canvas.width_of(caption.text, size) > most:  # it is too long even at the smallest size
        lines = _halves(caption.text)
    used = max(canvas.width_of(line, size) for line in lines)
    width, height = min(used, most) + 2 * theme.BAND_PADDING, caption.height * 1.4 + theme.BAND_PADDING
    top = caption.y - theme.BAND_PADDING / 2
    canvas.block((scene_width - width) / 2, top, width, height, fill)
    for number, line in enumerate(lines):
        middle = top + height / 2 + theme.BAND_LINE * (number - (len(lines) - 1) / 2)
        y = middle - canvas.height_of(size) / 2
        canvas.text(line, scene_width / 2, y, size, fill, ink, Align.CENTRE, most)


def _halves(text: str) -> list[str]:
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    if not spaces:
        return [text]
    at = min(spaces, key=lambda place: abs(place - len(text) / 2))
    return [text[:at], text[at + 1 :]]


_SUITS: dict[str, Suit | DecktetSuit] = {
    suit.symbol[0]: suit for suits in (Suit, DecktetSuit) for suit in suits
}
_SUIT = re.compile(f"([{''.join(_SUITS)}])[\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]?")
_SYMBOL, _SPACE = 0.8, 0.25
"""Width of a suit and of the space next to it, as shares of the text height."""

_BESIDE = 1.1
"""Space that a suit takes in a line, as a multiple of its width."""


def _draw_subtitles(canvas: Canvas, subtitles: Subtitles) -> None:
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
    is_narrow, right, paper = used > room, left + room, (theme.IVORY, theme.INK)
    for part in parts:
        if suit := _SUITS.get(part):
            x, top = left + symbol * (_BESIDE - 1), y + (step - symbol) / 2
            canvas.shape(suit, x, top, symbol, ink=_ink(canvas, suit))
            left += symbol * _BESIDE
            continue
        left += size * _SPACE * part.startswith(" ")
        top = y + (step - canvas.height_of(size)) / 2
        canvas.text(part, left, top, size, *paper, width=right - left, narrow=is_narrow)
        left += canvas.width_of(part, size, narrow=is_narrow) + size * _SPACE * part.endswith(" ")
        if left > right:
            return


def _ink(canvas: Canvas, suit: Suit | DecktetSuit) -> theme.Colour:
    if isinstance(suit, DecktetSuit):
        return theme.INK
    return ink_of(Card(1, suit), four_colours=canvas.four_colours)


DRAWN: Mapping[type, Callable[[Canvas, Any], None]] = {
    Zone: _draw_zone,
    Plate: draw_plate,
    Reveal: draw_reveal,
    Podium: draw_podium,
    PathCard: draw_stop,
    PathEnd: draw_camp,
    ProgressTally: draw_tally,
    Caption: _draw_caption,
    Chart: draw_chart,
    Bars: draw_bars,
    Medals: draw_medals,
    Weeks: draw_weeks,
    Subtitles: _draw_subtitles,
}
