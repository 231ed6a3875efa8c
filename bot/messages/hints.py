"""A hint in a player's own panel: the choice that leads to it is marked, and the reason said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.panel import Choice, Panel
from bot.sessions.hints import Hint
from bot.sessions.table import Table

MARK = "💡"
_MOST_STEPS = 5


def offers_hint(table: Table) -> bool:
    """Return whether the seat to move may ask for a hint."""
    return table.gives_hints and not table.pauses


def hinted(hint: Hint) -> Panel:
    """Return the first step of a player's panel with a hint in it."""
    panel, way = pointed_out(hint.table, hint.seat, hint.move)
    if not way:
        return panel
    thinking = hint.table.game.thinking
    view = hint.table.game.view(hint.table.state, hint.seat)
    why = thinking.reason(view, hint.move) if thinking is not None and thinking.reason else ""
    note = f"{MARK} **{way}** {why}".rstrip()
    return Panel(panel.rows, "\n".join(filter(None, (panel.note, note))))


def pointed_out(table: Table, seat: int, move: Any, path: tuple[str, ...] = ()) -> tuple[Panel, str]:
    """Return a step of a player's panel with the choice marked that leads to a move, and the way there.

    The way is empty where no choice of this step leads to it.
    """
    panel = table.panel(seat, path)
    way = _way(table, seat, move, path, panel)
    if not way:
        return panel, ""
    rows = tuple(
        replace(row, choices=tuple(_marked(choice, way[0]) for choice in row.choices))
        for row in panel.rows
    )
    return replace(panel, rows=rows), " · ".join(choice.label for choice in way)


def _marked(choice: Choice, hinted: Choice) -> Choice:
    return replace(choice, emoji=MARK) if choice == hinted else choice


def _way(table: Table, seat: int, move: Any, path: tuple[str, ...], panel: Panel) -> tuple[Choice, ...]:
    """Return the choices, step by step, that lead to the move; none where they do not from here."""
    choices = tuple(panel.choices())
    for choice in choices:
        if choice.move == move:
            return (choice,)
    if len(path) >= _MOST_STEPS:
        return ()
    for choice in choices:
        if choice.move is None:
            after = (*path, choice.key)
            if rest := _way(table, seat, move, after, table.panel(seat, after)):
                return (choice, *rest)
    return ()
