"""How a hand that is turned up is drawn: at the end of a round, and when somebody says ribit."""

from __future__ import annotations

from bot.engine.cards import Suit
from bot.engine.scene import CARD_HEIGHT, Mood, Reveal
from bot.engine.words import _
from bot.rendering import theme
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import Shape
from bot.rendering.marks import MOODS, draw_badge, draw_fan
from bot.rendering.theme import Colour


def draw_reveal(canvas: Canvas, reveal: Reveal) -> None:
    (_draw_moment if reveal.says else _draw_row)(canvas, reveal)


def _draw_row(canvas: Canvas, reveal: Reveal) -> None:
    ground, padding = theme.PLATE, theme.PLATE_PADDING
    border = MOODS[reveal.mood][0] if reveal.badge else None
    canvas.block(reveal.x, reveal.y, reveal.width, reveal.height, ground, border=border)
    left, top = reveal.x + padding, reveal.y + (reveal.height - 2 * theme.LINE) / 2
    name_x = canvas.mark(left, top, ground) if reveal.computer else left
    fan_x = reveal.x + theme.REVEAL_NAME
    canvas.text(reveal.name, name_x, top, theme.NAME_SIZE, ground=ground, width=fan_x - padding - name_x)
    _draw_lives(canvas, reveal, left, top + theme.LINE, fan_x - padding)
    right = reveal.x + reveal.width - padding
    size = theme.REVEAL_CARD
    y = reveal.y + (reveal.height - size * CARD_HEIGHT) / 2
    room = right - theme.REVEAL_SPOTS - padding - fan_x
    draw_fan(canvas, reveal.cards, fan_x, y, size, room, ground)
    if reveal.badge:
        draw_badge(canvas, reveal.badge, reveal.mood, right, top - 0.02, ground)
        spots_y = top + theme.LINE
    else:
        spots_y = top + theme.LINE / 2
    _draw_spots(canvas, reveal, right - theme.REVEAL_SPOTS, spots_y, ground)


def _draw_lives(canvas: Canvas, reveal: Reveal, left: float, top: float, right: float) -> None:
    """Draw the lives, a lost one on its way to the pot."""
    size, ground = theme.LIFE_SIZE, theme.PLATE
    pot = _("Pot")
    leaving = canvas.width_of(pot, theme.NAME_SIZE) + theme.ARROW_ROOM if reveal.lost else 0.0
    step = min(theme.LIFE_STEP, (right - left - leaving - size) / max(reveal.full - 1, 1))
    y = top + (theme.LINE - size) / 2
    for life in range(reveal.full):
        x = left + step * life
        if life < reveal.lives:
            canvas.shape(Shape.FROG, x, y, size, ground)
        else:
            canvas.lost_frog(x, y, size, ground)
    if not reveal.lost:
        return
    x, height = left + step * reveal.lives, theme.LINE - 0.02
    used = size + leaving + 3 * theme.HELD_GAP
    canvas.block(x - 0.04, top + 0.01, used, height, theme.IVORY, ground=ground, corner=height / 2)
    canvas.shape(Shape.FROG, x, y, size)
    x += size + theme.HELD_GAP
    arrow = theme.ARROW_SIZE
    canvas.shape(Shape.ARROW, x, top + (theme.LINE - arrow) / 2, arrow, ink=theme.RED)
    x += theme.ARROW_ROOM
    canvas.text(pot, x, top, theme.NAME_SIZE, ink=theme.RED, ground=theme.IVORY)


def _draw_spots(canvas: Canvas, reveal: Reveal, x: float, top: float, ground: Colour) -> None:
    width, height, suit = theme.REVEAL_SPOTS, theme.LINE - 0.02, theme.REVEAL_SUIT
    canvas.block(x, top, width, height, theme.IVORY, ground=ground, corner=0.08)
    half = width / 2
    for place, (sign, count, ink) in enumerate(
        ((Suit.DIAMONDS, reveal.red, theme.RED), (Suit.SPADES, reveal.black, theme.INK))
    ):
        left = x + half * place + 0.07
        canvas.shape(sign, left, top + (height - suit) / 2, suit, ink=ink)
        canvas.text(
            str(count), left + suit + 0.06, top - 0.01, theme.NAME_SIZE, ink=ink, ground=theme.IVORY
        )


def _draw_moment(canvas: Canvas, reveal: Reveal) -> None:
    ground, ink = MOODS[reveal.mood]
    canvas.block(reveal.x, reveal.y, reveal.width, reveal.height, ground)
    padding, frog = theme.BAND_PADDING, theme.REVEAL_FROG
    top = reveal.y + (reveal.height - frog) / 2
    canvas.block(reveal.x + padding, top, frog, frog, theme.IVORY, ground=ground)
    face = frog - 2 * padding
    at = reveal.x + 2 * padding, top + padding
    canvas.shape(Shape.KING if reveal.crowned else Shape.FROG, *at, face)
    if reveal.mood is Mood.BAD:
        canvas.shape(Shape.CROSS, *at, face, ink=theme.BAD)
    left = reveal.x + padding + frog + padding
    right = reveal.x + reveal.width - padding
    said = _shortened(canvas, reveal, right - left)
    canvas.text(said, left, reveal.y + 0.03, theme.REVEAL_TITLE_SIZE, ink=ink, ground=ground)
    size = theme.REVEAL_CARD_LOUD
    y = reveal.y + reveal.height - padding / 2 - size * CARD_HEIGHT
    spots_x = right - theme.REVEAL_SPOTS
    draw_fan(canvas, reveal.cards, left, y, size, spots_x - padding - left, ground)
    _draw_spots(canvas, reveal, spots_x, y + (size * CARD_HEIGHT - theme.LINE) / 2, ground)


def _shortened(canvas: Canvas, reveal: Reveal, width: float) -> str:
    """Return what is said, with no more of the name than leaves room for all the rest of it."""
    name, said = reveal.name, reveal.says.format(name=reveal.name)
    while name and canvas.width_of(said, theme.REVEAL_TITLE_SIZE) > width:
        name = name[:-1].rstrip()
        said = reveal.says.format(name=f"{name}…")
    return said
