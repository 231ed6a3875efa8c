"""Drawing of players' plates and of revealed hands.

A plate is the box with a player's name and lives. A hand is revealed at the end of a round, or when a
player calls ribit.
"""

from __future__ import annotations

from bot.engine.cards import Suit
from bot.engine.scene import CARD_HEIGHT, Align, Blank, Mood, Plate, Reveal
from bot.engine.translation import _
from bot.rendering import theme
from bot.rendering.badges import MOODS, draw_badge
from bot.rendering.canvas import Canvas
from bot.rendering.card_fans import draw_fan
from bot.rendering.display_list import Shape
from bot.rendering.theme import Colour


def draw_plate(canvas: Canvas, plate: Plate) -> None:
    ground, border = (theme.NOW, theme.GOLD) if plate.to_move else (theme.PLATE, None)
    canvas.block(plate.x, plate.y, plate.width, plate.height, ground, border=border)
    is_strip = plate.height < theme.PLATE_LINES
    left, right = plate.x + theme.PLATE_PADDING, plate.x + plate.width - theme.PLATE_PADDING
    top = plate.y + (max(plate.height - theme.LINE, 0.0) / 2 if is_strip else theme.PLATE_PADDING / 2)
    if is_strip:
        _draw_name(canvas, plate, left, _draw_strip_end(canvas, plate, right, top, ground), top, ground)
        return
    is_low, edge = _has_low_badge(canvas, plate), right
    if plate.badge and not is_low:
        right -= draw_badge(canvas, plate.badge, plate.mood, right, top, ground) + theme.PLATE_PADDING
    _draw_name(canvas, plate, left, right, top, ground)
    below, right = top + theme.LINE, edge
    if not plate.out:
        right = right if plate.held is None else _draw_held(canvas, plate, right, below, ground)
        if plate.dealer:
            right -= _draw_dealer(canvas, right, below, ground)
    seat = plate.seat if plate.token else None
    step = _life_step(plate, right - theme.HELD_GAP - left)
    _draw_lives(canvas, plate, left, step, below, ground, seat)
    bottom = plate.y + plate.height - theme.PLATE_PADDING
    if is_low:
        y = bottom - theme.LINE
        edge -= draw_badge(canvas, plate.badge, plate.mood, edge, y, ground) + theme.PLATE_PADDING
    if plate.height >= theme.PLATE_LINES + theme.FAN_HEIGHT and plate.held:
        backs = (Blank.BACK,) * (plate.held - len(plate.shown))
        y = bottom - theme.FAN_CARD * CARD_HEIGHT
        draw_fan(canvas, (*plate.shown, *backs), left, y, theme.FAN_CARD, edge - left, ground)


def _has_low_badge(canvas: Canvas, plate: Plate) -> bool:
    if not plate.badge or plate.height < theme.PLATE_LINES + theme.FAN_HEIGHT:
        return False
    before = theme.ARROW_ROOM * plate.to_move + theme.TOKEN_ROOM * plate.token
    badge = canvas.width_of(plate.badge, theme.BADGE_SIZE) + 2 * theme.BADGE_PADDING
    room = plate.width - 3 * theme.PLATE_PADDING - before - theme.MARK_ROOM * plate.computer - badge
    return canvas.width_of(_name(plate), theme.NAME_SIZE, narrow=True) > room


def _name(plate: Plate) -> str:
    return _("You") if plate.own else plate.name


def _ink(plate: Plate) -> Colour:
    return theme.INK if plate.to_move else theme.MUTED if plate.out else theme.CREAM


def _draw_name(
    canvas: Canvas, plate: Plate, left: float, right: float, top: float, ground: Colour
) -> None:
    if plate.to_move:
        arrow = theme.ARROW_SIZE
        canvas.shape(Shape.ARROW, left, top + (theme.LINE - arrow) / 2, arrow, ground)
        left += theme.ARROW_ROOM
    if plate.token and plate.height >= theme.PLATE_LINES:
        y = top + (theme.LINE - theme.TOKEN_SIZE) / 2
        canvas.frog(plate.seat, left, y, theme.TOKEN_SIZE, ground)
        left += theme.TOKEN_ROOM
    if plate.computer:
        left = canvas.mark(left, top, ground)
    canvas.text(_name(plate), left, top, theme.NAME_SIZE, ground, _ink(plate), width=right - left)


def _draw_strip_end(canvas: Canvas, plate: Plate, right: float, top: float, ground: Colour) -> float:
    """Draw a badge, or the number of cards and lives, at the right end of a player's single-line plate.

    Return the x of the drawing's left edge.
    """
    if plate.badge and (plate.out or plate.mood is not Mood.BAD):
        right -= draw_badge(canvas, plate.badge, plate.mood, right, top, ground)
        return right - theme.PLATE_PADDING
    if plate.held is not None:
        right = _draw_held(canvas, plate, right, top, ground) - theme.PLATE_PADDING
    if not plate.full:
        return right
    lives = str(plate.lives)
    canvas.text(lives, right, top, theme.NAME_SIZE, ground, _ink(plate), Align.RIGHT)
    seat, size = (plate.seat, theme.TOKEN_SIZE) if plate.token else (None, theme.LIFE_SIZE)
    right -= canvas.width_of(lives, theme.NAME_SIZE) + theme.HELD_GAP / 2 + size
    canvas.frog(seat, right, top + (theme.LINE - size) / 2, size, ground)
    return right - theme.HELD_GAP


def _draw_held(canvas: Canvas, plate: Plate, right: float, top: float, ground: Colour) -> float:
    """Draw the number of cards in a player's hand beside a card back. Return the x of the left edge."""
    count, size = str(plate.held), theme.NAME_SIZE
    canvas.text(count, right, top, size, ground, _ink(plate), Align.RIGHT)
    left = right - canvas.width_of(count, size) - theme.HELD_GAP - theme.HELD_CARD
    y = top + (theme.LINE - theme.HELD_CARD * CARD_HEIGHT) / 2
    canvas.card(Blank.BACK, left, y, theme.HELD_CARD, ground)
    return left - theme.HELD_GAP


def _draw_dealer(canvas: Canvas, right: float, top: float, ground: Colour) -> float:
    """Draw the button that marks the dealer, and return its width."""
    size = theme.DEALER_SIZE
    box, paper, edge = (right - size, top + (theme.LINE - size) / 2, size, size), theme.IVORY, theme.EDGE
    canvas.block(*box, paper, ground=ground, corner=size / 2, border=edge)
    canvas.text(_("D"), right - size / 2, top, theme.NAME_SIZE, paper, theme.INK, Align.CENTRE)
    return size + theme.HELD_GAP


def _life_step(item: Plate | Reveal, room: float) -> float:
    return min(theme.LIFE_STEP, (room - theme.LIFE_SIZE) / max(item.full - 1, 1))


def _draw_lives(
    canvas: Canvas,
    item: Plate | Reveal,
    left: float,
    step: float,
    top: float,
    ground: Colour,
    seat: int | None = None,
) -> None:
    """Draw a player's lives: a frog for each remaining life and an empty ring for each lost one.

    If ``seat`` is given, the frogs have the colour of the seat.
    """
    size = theme.LIFE_SIZE
    y, empty = top + (theme.LINE - size) / 2, theme.FROG_DARK if ground == theme.NOW else theme.MUTED
    for life in range(item.full):
        if life < item.lives:
            canvas.frog(seat, left + step * life, y, size, ground, numbered=False)
        else:
            canvas.shape(Shape.EMPTY, left + step * life, y, size, ground, empty)


def draw_reveal(canvas: Canvas, reveal: Reveal) -> None:
    (_draw_moment if reveal.says else _draw_row)(canvas, reveal)


def _draw_row(canvas: Canvas, reveal: Reveal) -> None:
    ground, padding = theme.PLATE, theme.PLATE_PADDING
    border = MOODS[reveal.mood][0] if reveal.badge else None
    canvas.block(reveal.x, reveal.y, reveal.width, reveal.height, ground, border=border)
    left, top = reveal.x + theme.REVEAL_FACE + padding, reveal.y + (reveal.height - 2 * theme.LINE) / 2
    face_y, face = reveal.y + (reveal.height - theme.REVEAL_FACE) / 2, theme.REVEAL_FACE
    canvas.shape(reveal.look, reveal.x + padding / 2, face_y, face, ground, theme.FROG)
    name_x = canvas.mark(left, top, ground) if reveal.computer else left
    fan_x, size = reveal.x + theme.REVEAL_NAME, theme.REVEAL_CARD
    canvas.text(reveal.name, name_x, top, theme.NAME_SIZE, ground, width=fan_x - padding - name_x)
    _draw_life_row(canvas, reveal, left, top + theme.LINE, fan_x - padding)
    right, y = reveal.x + reveal.width - padding, reveal.y + (reveal.height - size * CARD_HEIGHT) / 2
    spots_x, spots_y = right - theme.REVEAL_SPOTS, top + theme.LINE / 2
    draw_fan(canvas, reveal.cards, fan_x, y, size, spots_x - padding - fan_x, ground)
    if reveal.badge:
        draw_badge(canvas, reveal.badge, reveal.mood, right, top - 0.02, ground)
        spots_y = top + theme.LINE
    _draw_spots(canvas, reveal, spots_x, spots_y, ground)


def _draw_life_row(canvas: Canvas, reveal: Reveal, left: float, top: float, right: float) -> None:
    size, ground, pot = theme.LIFE_SIZE, theme.PLATE, _("Pot")
    leaving = canvas.width_of(pot, theme.NAME_SIZE) + theme.ARROW_ROOM if reveal.lost else 0.0
    step = _life_step(reveal, right - left - leaving)
    _draw_lives(canvas, reveal, left, step, top, ground)
    if not reveal.lost:
        return
    x, height = left + step * reveal.lives, theme.LINE - 0.02
    used = size + leaving + 3 * theme.HELD_GAP
    canvas.block(x - 0.04, top + 0.01, used, height, theme.IVORY, ground=ground, corner=height / 2)
    canvas.shape(Shape.FROG, x, top + (theme.LINE - size) / 2, size)
    x += size + theme.HELD_GAP
    arrow = theme.ARROW_SIZE
    canvas.shape(Shape.ARROW, x, top + (theme.LINE - arrow) / 2, arrow, ink=theme.RED)
    canvas.text(pot, x + theme.ARROW_ROOM, top, theme.NAME_SIZE, theme.IVORY, theme.RED)


def _draw_spots(canvas: Canvas, reveal: Reveal, x: float, top: float, ground: Colour) -> None:
    width, height, suit = theme.REVEAL_SPOTS, theme.LINE - 0.02, theme.REVEAL_SUIT
    canvas.block(x, top, width, height, theme.IVORY, ground=ground, corner=0.08)
    spots = ((Suit.DIAMONDS, reveal.red, theme.RED), (Suit.SPADES, reveal.black, theme.INK))
    for place, (sign, count, ink) in enumerate(spots):
        left = x + width / 2 * place + 0.07
        canvas.shape(sign, left, top + (height - suit) / 2, suit, ink=ink)
        canvas.text(str(count), left + suit + 0.06, top - 0.01, theme.NAME_SIZE, theme.IVORY, ink)


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
    left, right = reveal.x + padding + frog + padding, reveal.x + reveal.width - padding
    title = _fit_reveal(canvas, reveal, right - left)
    canvas.text(title, left, reveal.y + 0.03, theme.REVEAL_TITLE_SIZE, ground, ink)
    size = theme.REVEAL_CARD_LOUD
    y = reveal.y + reveal.height - padding / 2 - size * CARD_HEIGHT
    spots_x = right - theme.REVEAL_SPOTS
    draw_fan(canvas, reveal.cards, left, y, size, spots_x - padding - left, ground)
    _draw_spots(canvas, reveal, spots_x, y + (size * CARD_HEIGHT - theme.LINE) / 2, ground)


def _fit_reveal(canvas: Canvas, reveal: Reveal, width: float) -> str:
    name, title = reveal.name, reveal.says.format(name=reveal.name)
    while name and canvas.width_of(title, theme.REVEAL_TITLE_SIZE) > width:
        name = name[:-1].rstrip()
        title = reveal.says.format(name=f"{name}…")
    return title
