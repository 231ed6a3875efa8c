"""How each kind of thing in a scene is drawn."""

from __future__ import annotations

from typing import assert_never

from bot.engine.scene import (
    CARD_HEIGHT,
    Align,
    Blank,
    Camp,
    Caption,
    Chart,
    Face,
    Item,
    Mood,
    Plate,
    Stop,
    Tally,
    Zone,
)
from bot.engine.words import _
from bot.rendering import theme
from bot.rendering.canvas import Canvas, Laps
from bot.rendering.theme import Colour
from bot.rendering.trails import draw_camp, draw_stop

_BADGES: dict[Mood, tuple[Colour, Colour]] = {
    Mood.PLAIN: (theme.GOLD, theme.INK),
    Mood.GOOD: (theme.GOOD, theme.WHITE),
    Mood.BAD: (theme.BAD, theme.WHITE),
}


def draw_item(canvas: Canvas, item: Item, scene_width: float) -> None:
    """Draw one thing of a scene."""
    match item:
        case Zone():
            _draw_zone(canvas, item)
        case Plate():
            _draw_plate(canvas, item)
        case Stop():
            draw_stop(canvas, item)
        case Camp():
            draw_camp(canvas, item)
        case Tally():
            _draw_tally(canvas, item)
        case Caption():
            _draw_caption(canvas, item, scene_width)
        case Chart():
            _draw_chart(canvas, item)
        case _:
            assert_never(item)


def _draw_zone(canvas: Canvas, zone: Zone) -> None:
    across, down = zone.step
    width = zone.size + across * max(len(zone.cards) - 1, 0)
    height = zone.size * CARD_HEIGHT + down * max(len(zone.cards) - 1, 0)
    middle = zone.x + width / 2
    if zone.title:
        canvas.text(zone.title, middle, zone.y - theme.TITLE_RISE, theme.TITLE_SIZE, align=Align.CENTRE)
    for place, card in enumerate(zone.cards):
        laps = _laps(place, zone.step, zone.size)
        x, y = zone.x + across * place, zone.y + down * place
        canvas.card(card, x, y, zone.size, theme.FELT, laps)
    if zone.note:
        below = zone.y + height + theme.NOTE_DROP
        canvas.text(zone.note, middle, below, theme.NOTE_SIZE, align=Align.CENTRE)


def _draw_plate(canvas: Canvas, plate: Plate) -> None:
    ground = theme.NOW if plate.to_move else theme.PLATE
    ink = theme.INK if plate.to_move else theme.MUTED if plate.out else theme.CREAM
    border = theme.GOLD if plate.to_move else None
    canvas.block(plate.x, plate.y, plate.width, plate.height, ground, border=border)
    left, right = plate.x + theme.PLATE_PADDING, plate.x + plate.width - theme.PLATE_PADDING
    top = plate.y + theme.PLATE_PADDING / 2
    room = right - left
    if plate.badge:
        room -= _draw_badge(canvas, plate, right, top) + theme.PLATE_PADDING
    name_x = left
    if plate.to_move:
        canvas.arrow(left, top + theme.ARROW_SIZE / 2, theme.ARROW_SIZE, theme.INK, ground)
        name_x, room = left + theme.ARROW_ROOM, room - theme.ARROW_ROOM
    if plate.token:
        canvas.token(plate.seat, name_x, top + 0.02, theme.TOKEN_SIZE, ground)
        name_x, room = name_x + theme.TOKEN_ROOM, room - theme.TOKEN_ROOM
    canvas.text(plate.name, name_x, top, theme.NAME_SIZE, ink=ink, ground=ground, width=room)
    below = top + theme.NAME_SIZE * 1.5
    count_left = right if plate.out else _draw_held(canvas, plate, right, below, ground, ink)
    room = count_left - theme.PLATE_PADDING - left - theme.LIFE_SIZE
    step = min(theme.LIFE_STEP, room / max(plate.full - 1, 1))
    for life in range(plate.full):
        held = life < plate.lives
        if plate.token:
            canvas.token(plate.seat, left + step * life, below, theme.LIFE_SIZE, ground, faint=not held)
        else:
            canvas.frog(left + step * life, below, theme.LIFE_SIZE, ground, alive=held)


def _draw_badge(canvas: Canvas, plate: Plate, right: float, top: float) -> float:
    """Draw the badge at a plate's right edge; return its width."""
    fill, ink = _BADGES[plate.mood]
    ground = theme.NOW if plate.to_move else theme.PLATE
    width = canvas.width_of(plate.badge, theme.BADGE_SIZE) + 2 * theme.BADGE_PADDING
    height = theme.BADGE_SIZE * 1.5
    canvas.block(right - width, top + 0.03, width, height, fill, ground=ground, corner=height / 2)
    x = right - width + theme.BADGE_PADDING
    canvas.text(plate.badge, x, top + 0.04, theme.BADGE_SIZE, ink=ink, ground=fill)
    return width


def _draw_held(
    canvas: Canvas, plate: Plate, right: float, below: float, ground: Colour, ink: Colour
) -> float:
    """Draw how many cards a seat holds, and, where there is room, the cards: open or as backs.

    Returns where the count begins.
    """
    count = str(plate.held)
    size = theme.TITLE_SIZE
    canvas.text(count, right, below - 0.05, size, ink=ink, ground=ground, align=Align.RIGHT)
    left = right - canvas.width_of(count, size) - theme.HELD_GAP - theme.HELD_CARD
    canvas.card(Blank.BACK, left, below + 0.02, theme.HELD_CARD, ground)
    if plate.dealer:
        deals = _("deals")
        left -= theme.HELD_GAP * 2
        canvas.text(deals, left, below - 0.05, size, ink=ink, ground=ground, align=Align.RIGHT)
        left -= canvas.width_of(deals, size)
    if plate.height >= theme.PLATE_LINES + theme.FAN_HEIGHT and plate.held:
        _draw_fan(canvas, plate, ground)
    return left


def _draw_fan(canvas: Canvas, plate: Plate, ground: Colour) -> None:
    """Draw the cards that a seat holds: those that all may see, and backs."""
    cards: tuple[Face | Blank, ...] = (*plate.shown, *(Blank.BACK,) * (plate.held - len(plate.shown)))
    room = plate.width - 2 * theme.PLATE_PADDING - theme.FAN_CARD
    step = min(theme.FAN_CARD + theme.FAN_GAP, room / max(len(cards) - 1, 1))
    y = plate.y + plate.height - theme.PLATE_PADDING * 0.8 - theme.FAN_CARD * CARD_HEIGHT
    for place, card in enumerate(cards):
        x = plate.x + theme.PLATE_PADDING + step * place
        laps = _laps(place, (step, 0.0), theme.FAN_CARD)
        canvas.card(card, x, y, theme.FAN_CARD, ground, laps)


def _laps(place: int, step: tuple[float, float], size: float) -> Laps:
    """Return how a card laps over the one before it."""
    across, down = step
    if not place:
        return Laps.NOTHING
    if across:
        return Laps.LEFT if across < size else Laps.NOTHING
    return Laps.TOP if down < size * CARD_HEIGHT else Laps.NOTHING


def _draw_tally(canvas: Canvas, tally: Tally) -> None:
    ink = theme.IVORY
    canvas.text(tally.label, tally.x, tally.y, theme.TALLY_SIZE, ink=theme.CREAM)
    count = f"{tally.value}/{tally.goal}"
    right = tally.x + tally.width
    done = tally.value == tally.goal
    canvas.text(
        count, right, tally.y, theme.TALLY_SIZE, ink=theme.GOLD if done else ink, align=Align.RIGHT
    )
    top = tally.y + theme.TALLY_SIZE * 1.5
    step = tally.width / tally.goal
    fill = theme.RED if tally.red else theme.INK
    for place in range(tally.goal):
        colour = fill if place < tally.value else theme.FAINT
        canvas.block(tally.x + step * place, top, step * 0.86, theme.TALLY_BAR, colour, corner=0.04)


def _draw_caption(canvas: Canvas, caption: Caption, scene_width: float) -> None:
    if not caption.loud:
        canvas.text(caption.text, caption.x, caption.y, caption.height, align=caption.align)
        return
    fill, ink = _BADGES[caption.mood]
    width = min(
        canvas.width_of(caption.text, caption.height) + 4 * theme.BAND_PADDING,
        scene_width - 2 * theme.BAND_MARGIN,
    )
    height = caption.height * 1.4 + theme.BAND_PADDING
    x = (scene_width - width) / 2
    canvas.block(x, caption.y - theme.BAND_PADDING / 2, width, height, fill)
    canvas.text(
        caption.text,
        scene_width / 2,
        caption.y,
        caption.height,
        ink=ink,
        ground=fill,
        align=Align.CENTRE,
        width=width - 2 * theme.BAND_PADDING,
    )


def _draw_chart(canvas: Canvas, chart: Chart) -> None:
    figures = len(chart.headings) - 2
    name_width = max(theme.CHART_NAME, chart.width - theme.CHART_RANK - figures * 0.95)
    step = (chart.width - theme.CHART_RANK - name_width) / max(figures, 1)
    first = chart.x + theme.CHART_RANK + name_width
    rights = [first + step * (place + 1) - theme.CHART_PADDING for place in range(figures)]
    size, y = theme.CHART_HEADING_SIZE, chart.y
    for heading, right in zip(chart.headings[2:], rights, strict=True):
        for line, word in enumerate(reversed(heading.split(maxsplit=1))):
            top = y + theme.CHART_HEADING_DROP - line * size
            canvas.text(word, right, top, size, ink=theme.MUTED, align=Align.RIGHT, width=step - 0.02)
    for place, cells in enumerate(chart.rows):
        y += theme.CHART_LINE
        own = place == chart.own
        ground = theme.NOW if own else theme.PLATE
        ink = theme.INK if own else theme.CREAM
        canvas.block(chart.x, y, chart.width, theme.CHART_LINE * 0.92, ground)
        top, size = y + 0.03, theme.CHART_SIZE
        canvas.text(
            cells[0],
            chart.x + theme.CHART_RANK - 0.12,
            top,
            size,
            ink=ink,
            ground=ground,
            align=Align.RIGHT,
        )
        name_x = chart.x + theme.CHART_RANK
        canvas.text(cells[1], name_x, top, size, ink=ink, ground=ground, width=name_width - 0.1)
        for cell, right in zip(cells[2:], rights, strict=True):
            canvas.text(cell, right, top, size, ink=ink, ground=ground, align=Align.RIGHT)
