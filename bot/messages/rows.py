"""A panel's choices as rows of buttons and menus."""

from __future__ import annotations

import discord
from discord import ui

from bot.engine.panel import Buttons, Choice, Menu, Panel
from bot.engine.words import _
from bot.messages.ids import move_id
from bot.messages.look import PLAIN, Look
from bot.messages.parts import button, row
from bot.sessions.click import FIRST_STEP
from bot.sessions.table import Table

_ROW_SIZE = 5


def panel_rows(
    table: Table, panel: Panel, where: str, path: tuple[str, ...], look: Look = PLAIN
) -> tuple[list[ui.ActionRow[ui.LayoutView]], str]:
    """Return a panel as rows whose custom_ids say match, move and choice, and what is said before them.

    Whoever is on the way to a move can go back to its first step.
    """

    def press(choice: Choice) -> ui.Button[ui.LayoutView]:
        custom_id = move_id(table.match.id, table.n, where, (*path, choice.key))
        emoji, label = look.labelled(choice.label, choice.sign, choice.emoji)
        return button(custom_id, label, choice.tone, emoji=emoji, disabled=choice.disabled)

    def option(choice: Choice) -> discord.SelectOption:
        emoji, label = look.labelled(choice.label, choice.sign, choice.emoji)
        return discord.SelectOption(label=label, value=choice.key, emoji=emoji)

    def pick(menu: Menu) -> ui.Select[ui.LayoutView]:
        options = list(map(option, menu.choices))
        custom_id = move_id(table.match.id, table.n, where, path)
        none = [discord.SelectOption(label=menu.prompt)]  # Discord takes no menu without an option
        return ui.Select(
            custom_id=custom_id, placeholder=menu.prompt, options=options or none, disabled=not options
        )

    rows = []
    for line in panel.rows:
        match line:
            case Buttons(choices):
                rows.append(row(*map(press, choices)))
            case Menu():
                rows.append(row(pick(line)))
    if path and rows:
        first = button(move_id(table.match.id, table.n, where, (FIRST_STEP,)), _("Back"), emoji="↩️")
        rows = with_last(rows, first)
    return rows, look.told(panel.note)


def with_last(
    rows: list[ui.ActionRow[ui.LayoutView]], item: ui.Button[ui.LayoutView]
) -> list[ui.ActionRow[ui.LayoutView]]:
    """Return the rows with one more button, in the last row where it has room."""
    if rows and len(rows[-1].children) < _ROW_SIZE and isinstance(rows[-1].children[0], ui.Button):
        rows[-1].add_item(item)
        return rows
    return [*rows, row(item)]
