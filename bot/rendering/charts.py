"""Drawing of tallies, bar charts, medals, calendars and tables of numbers."""

from __future__ import annotations

from bot.engine.frozen import frozen
from bot.engine.scene import (
    CHART_HEAD,
    CHART_LINE,
    MEDAL_LINE,
    MEDALS_ACROSS,
    WEEK,
    WEEK_LINE,
    Align,
    Bars,
    Chart,
    Medals,
    Mood,
    ProgressTally,
    Weeks,
)
from bot.rendering import theme
from bot.rendering.badges import draw_badge
from bot.rendering.canvas import Canvas
from bot.rendering.display_list import Shape
from bot.rendering.theme import Colour


def draw_tally(canvas: Canvas, tally: ProgressTally) -> None:
    count, right, size = f"{tally.value}/{tally.goal}", tally.x + tally.width, theme.TALLY_SIZE
    room = tally.width - canvas.width_of(count, size) - 2 * theme.BADGE_PADDING
    canvas.text(tally.label, tally.x, tally.y, size, width=room)
    if tally.value >= tally.goal:
        mood = Mood.GOOD if tally.value == tally.goal else Mood.BAD
        draw_badge(canvas, count, mood, right, tally.y, theme.FELT)
    else:
        canvas.text(count, right, tally.y, size, align=Align.RIGHT)
    past = min(max(tally.value - tally.goal, 0), theme.MOST_PAST_GOAL)
    top, bar = tally.y + theme.LINE + 0.04, theme.TALLY_BAR
    canvas.block(tally.x, top, tally.width, bar + 0.1, theme.IVORY, corner=0.06)
    step = (tally.width - 0.1) / (tally.goal + past)
    ink = theme.RED if tally.red else theme.INK
    for place in range(tally.goal + past):
        x, y = tally.x + 0.05 + step * place, top + 0.05
        if place >= tally.goal:
            cross = min(bar, step)
            canvas.shape(Shape.CROSS, x + (step - cross) / 2, y + (bar - cross) / 2, cross, ink=ink)
        elif place < tally.value:
            _draw_spot(canvas, x + step * 0.07, y, step * 0.86, bar, ink)
        else:
            dot = bar * theme.TALLY_DOT
            _draw_spot(canvas, x + (step - dot) / 2, y + (bar - dot) / 2, dot, dot, theme.EDGE)


def _draw_spot(canvas: Canvas, x: float, y: float, width: float, height: float, ink: Colour) -> None:
    canvas.block(x, y, width, height, ink, ground=theme.IVORY, corner=0.03)


def draw_bars(canvas: Canvas, bars: Bars) -> None:
    size = theme.CHART_SIZE
    labels = max(canvas.width_of(label, size) for label, _value in bars.rows)
    most = max(1, *(value for _label, value in bars.rows))
    left, right = bars.x + labels + theme.CHART_PADDING, bars.x + bars.width - theme.CHART_PADDING
    room = right - canvas.width_of(str(most), size) - theme.CHART_PADDING - left
    for place, (label, value) in enumerate(bars.rows):
        y = bars.y + CHART_LINE * place
        canvas.text(label, left - theme.CHART_PADDING, y + 0.02, size, align=Align.RIGHT)
        height = CHART_LINE * 0.84
        canvas.block(left, y, room, height, theme.PLATE)
        if value:
            length = max(room * value / most, theme.LEAST_BAR)
            canvas.block(left, y, length, height, theme.GOLD, ground=theme.PLATE)
        canvas.text(str(value), right, y + 0.02, size, align=Align.RIGHT)


_LEVELS = (
    (theme.PLATE, theme.MUTED),
    (theme.BRONZE, theme.INK),
    (theme.SILVER, theme.INK),
    (theme.GOLD, theme.INK),
)


def draw_medals(canvas: Canvas, medals: Medals) -> None:
    step, height = medals.width / MEDALS_ACROSS, MEDAL_LINE * 0.84
    for place, medal in enumerate(medals.medals):
        line, column = divmod(place, MEDALS_ACROSS)
        x, y = medals.x + step * column, medals.y + MEDAL_LINE * line
        fill, ink = _LEVELS[medal.level]
        edge = theme.FROG if medal.is_against_computer else None
        canvas.block(
            x, y, theme.MEDAL, height, fill, corner=height / 2, border=edge, line=theme.MEDAL_BORDER
        )
        top = y + (height - canvas.height_of(theme.CHART_SIZE)) / 2
        value = f"{medal.value[:-3]}k" if medal.value[theme.MEDAL_FIGURES :] else medal.value
        middle, room = x + theme.MEDAL / 2, theme.MEDAL - theme.CHART_PADDING
        canvas.text(value, middle, top, theme.CHART_SIZE, fill, ink, Align.CENTRE, room, narrow=True)
        left, room = x + theme.MEDAL + theme.CHART_PADDING, step - theme.MEDAL - 2 * theme.CHART_PADDING
        canvas.text(medal.label, left, top, theme.CHART_SIZE, width=room, narrow=True)


_DAYS = {True: theme.GOLD, False: theme.BAD, None: theme.PLATE}


def draw_weeks(canvas: Canvas, weeks: Weeks) -> None:
    cell = weeks.cell
    canvas.text(weeks.title, weeks.x, weeks.y, theme.CHART_SIZE, width=weeks.width, narrow=True)
    for place, result in enumerate(weeks.days):
        week, day = divmod(place, WEEK)
        x, y = weeks.x + cell * week, weeks.y + WEEK_LINE + cell * day
        colour, border = (
            (theme.WHITE, theme.BACK_LIGHT) if place in weeks.saved else (_DAYS[result], None)
        )
        size = cell * 0.84
        canvas.block(x, y, size, size, colour, corner=cell * 0.2, border=border, line=cell * 0.15)
    top = weeks.y + WEEK_LINE + cell * WEEK
    canvas.text(weeks.note, weeks.x, top, theme.CHART_SIZE, width=weeks.width, narrow=True)


@frozen
class _Column:
    """The layout of a column of numbers. ``lines`` contains the lines of its heading."""

    lines: tuple[str, ...]
    width: float
    right: float = 0.0


def draw_chart(canvas: Canvas, chart: Chart) -> None:
    ranks = (canvas.width_of(row[0], theme.CHART_SIZE) for row in chart.rows)
    rank = max(ranks, default=0.0) + 2 * theme.CHART_PADDING
    columns = _columns(canvas, chart, chart.width - rank - theme.CHART_NAME)
    line, size = theme.CHART_HEADING_LINE, theme.CHART_HEADING_SIZE
    for column in columns:
        for number, words in enumerate(reversed(column.lines)):
            top = chart.y + CHART_HEAD - line * (number + 1) - 0.03
            room = column.width + theme.CHART_PADDING / 4
            canvas.text(words, column.right, top, size, align=Align.RIGHT, width=room, narrow=True)
    name_x = chart.x + rank
    figures = sum(column.width + theme.CHART_PADDING for column in columns)
    name_room = chart.width - rank - figures - theme.CHART_PADDING
    for place, cells in enumerate(chart.rows):
        y = chart.y + CHART_HEAD + CHART_LINE * place
        colours = (theme.NOW, theme.INK) if place == chart.own else (theme.PLATE, theme.CREAM)
        canvas.block(chart.x, y, chart.width, CHART_LINE * 0.92, colours[0])
        top, size = y + 0.02, theme.CHART_SIZE
        canvas.text(cells[0], name_x - theme.CHART_PADDING, top, size, *colours, Align.RIGHT)
        canvas.text(cells[1], name_x, top, size, *colours, width=name_room, narrow=True)
        for cell, column in zip(cells[2:], columns, strict=True):
            canvas.text(cell, column.right, top, size, *colours, Align.RIGHT)


def _columns(canvas: Canvas, chart: Chart, room: float) -> list[_Column]:
    """Compute the layout of a table's columns of numbers.

    If they do not fit, the columns whose headings are widest compared with their numbers become
    narrower.
    """
    lines = [_broken(canvas, heading) for heading in chart.headings[2:]]
    cells = [
        max((canvas.width_of(row[2 + place], theme.CHART_SIZE) for row in chart.rows), default=0.0)
        for place in range(len(lines))
    ]
    widths = [
        max(cell, *(_heading(canvas, words) for words in line))
        for cell, line in zip(cells, lines, strict=True)
    ]
    spare = sum(widths) + theme.CHART_PADDING * len(widths) - room
    for place in sorted(range(len(widths)), key=lambda at: cells[at] - widths[at]):
        give = min(max(spare, 0.0), widths[place] - cells[place])
        widths[place] -= give
        spare -= give
    right, columns = chart.x + chart.width - theme.CHART_PADDING, list[_Column]()
    for heading_lines, width in zip(reversed(lines), reversed(widths), strict=True):
        columns.append(_Column(heading_lines, width, right))
        right -= width + theme.CHART_PADDING
    return columns[::-1]


def _heading(canvas: Canvas, words: str) -> float:
    return canvas.width_of(words, theme.CHART_HEADING_SIZE, narrow=True)


def _broken(canvas: Canvas, heading: str) -> tuple[str, ...]:
    words = heading.split(" ")
    ways = [(heading,)] + [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(ways, key=lambda way: max(_heading(canvas, line) for line in way))
