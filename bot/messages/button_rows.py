"""A panel's choices as rows of buttons and menus."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.panel import Buttons, Choice, Panel
from bot.engine.panel import Menu as Choices
from bot.engine.words import _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Menu, Option, Row, row
from bot.messages.custom_ids import Choose
from bot.sessions.events import FIRST_STEP
from bot.sessions.table import Table

_ROW_SIZE = 5


def panel_rows(
    table: Table, panel: Panel, where: str, path: tuple[str, ...], look: Appearance = PLAIN
) -> tuple[list[Row], str]:
    """Return a panel as rows whose custom_ids say match, move and choice, and what is said before them.

    Whoever is on the way to a move can go back to its first step.
    """

    def control(path: tuple[str, ...]) -> str:
        return Choose(table.match.id, table.n, where, path).custom_id

    def press(choice: Choice) -> Button:
        custom_id = control((*path, choice.key))
        emoji, label = look.labelled(choice.label, choice.sign, choice.emoji)
        return Button(custom_id, label, choice.tone, emoji=emoji)

    def option(choice: Choice) -> Option:
        emoji, label = look.labelled(choice.label, choice.sign, choice.emoji)
        return Option(label, choice.key, emoji=emoji)

    def pick(menu: Choices) -> Menu:
        return Menu(control(path), menu.prompt, tuple(map(option, menu.choices)))

    rows = []
    for line in panel.rows:
        match line:
            case Buttons(choices):
                rows.append(row(*map(press, choices)))
            case Choices():
                rows.append(Row((pick(line),)))
    if path and rows:
        first = Button(control((FIRST_STEP,)), _("Back"), emoji="↩️")
        rows = with_last(rows, first)
    return rows, look.told(panel.note)


def with_first(rows: list[Row], item: Button) -> list[Row]:
    """Return the rows with one more button before all others, in their row where that has room."""
    if rows and len(first := rows[0].items) < _ROW_SIZE and isinstance(first[0], Button):
        return [Row((item, *first)), *rows[1:]]
    return [row(item), *rows]


def with_last(rows: list[Row], *items: Button) -> list[Row]:
    """Return the rows with more buttons, each in the last row where that has room."""
    for item in items:
        if rows and len(last := rows[-1].items) < _ROW_SIZE and isinstance(last[0], Button):
            rows = [*rows[:-1], Row((*last, item))]
        else:
            rows = [*rows, row(item)]
    return rows


def turned_off(row: Row) -> Row:
    """Return a row in which nothing can be pressed or picked."""
    return Row(tuple(replace(item, disabled=True) for item in row.items))
