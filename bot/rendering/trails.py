"""How a path of cards is drawn: its stops, and the camps at both ends."""

from __future__ import annotations

from bot.engine.decktet import CROWN
from bot.engine.scene import Align, Camp, Stop
from bot.rendering import theme
from bot.rendering.canvas import Canvas


def draw_stop(canvas: Canvas, stop: Stop) -> None:
    """Draw a card of a path: its number and rank, and each suit beside its space."""
    canvas.block(
        stop.x, stop.y, stop.width, stop.height, theme.IVORY, corner=theme.CARD_CORNER, border=None
    )
    header = theme.STOP_HEADER
    canvas.block(stop.x, stop.y, stop.width * 0.42, header, theme.SHADE, corner=theme.CARD_CORNER)
    middle = stop.x + stop.width * 0.21
    canvas.text(
        str(stop.number),
        middle,
        stop.y - 0.02,
        theme.STOP_NUMBER_SIZE,
        ink=theme.CREAM,
        ground=theme.SHADE,
        align=Align.CENTRE,
    )
    arrow = theme.STOP_ARROW
    canvas.arrow(
        stop.x + stop.width * 0.52, stop.y + (header - arrow) / 2, arrow, theme.PAD, theme.IVORY
    )
    right, size = stop.x + stop.width - 0.08, theme.STOP_RANK_SIZE
    if stop.card.rank == CROWN:
        canvas.crown(right - size * 0.9, stop.y + 0.03, size * 0.9)
    else:
        rank = stop.card.index
        canvas.text(
            rank, right, stop.y - 0.02, size, ink=theme.INK, ground=theme.IVORY, align=Align.RIGHT
        )
    line = (stop.height - header - theme.STOP_FOOT) / len(stop.card.suits)
    for place, (suit, seat) in enumerate(zip(stop.card.suits, stop.tokens, strict=True)):
        centre = stop.y + header + line * (place + 0.5)
        canvas.suit(suit, stop.x + theme.STOP_SUIT_X, centre - theme.STOP_SUIT / 2, theme.STOP_SUIT)
        x, y = stop.x + theme.STOP_TOKEN_X, centre - theme.STOP_TOKEN / 2
        if seat is None:
            canvas.pad(x, y, theme.STOP_TOKEN)
        else:
            canvas.token(seat, x, y, theme.STOP_TOKEN, theme.IVORY)


def draw_camp(canvas: Canvas, camp: Camp) -> None:
    """Draw an end of a path: the tokens of each seat there, with their numbers."""
    ground = theme.IVORY if camp.first else theme.PLATE
    ink = theme.INK if camp.first else theme.CREAM
    border = None if camp.first else theme.GOLD
    canvas.block(
        camp.x, camp.y, camp.width, camp.height, ground, corner=theme.CARD_CORNER, border=border
    )
    canvas.text(
        camp.title,
        camp.x + camp.width / 2,
        camp.y,
        theme.CAMP_TITLE_SIZE,
        ink=ink,
        ground=ground,
        align=Align.CENTRE,
    )
    held = [(seat, count) for seat, count in enumerate(camp.tokens) if count]
    columns = 1 if len(held) <= theme.CAMP_LINES else 2
    lines = max(-(-len(held) // columns), theme.CAMP_LINES)
    room = (camp.height - theme.STOP_HEADER - theme.STOP_FOOT) / lines
    width = camp.width / columns
    for place, (seat, count) in enumerate(held):
        column, line = divmod(place, lines)
        words = f"×{count}" if columns == 1 else str(count)
        used = theme.CAMP_TOKEN + theme.HELD_GAP + canvas.width_of(words, theme.CAMP_COUNT_SIZE)
        x = camp.x + width * column + (width - used) / 2
        y = camp.y + theme.STOP_HEADER + room * line + (room - theme.CAMP_TOKEN) / 2
        canvas.token(seat, x, y, theme.CAMP_TOKEN, ground)
        x += theme.CAMP_TOKEN + theme.HELD_GAP
        canvas.text(words, x, y + 0.03, theme.CAMP_COUNT_SIZE, ink=ink, ground=ground)
