"""A hint in a player's own panel: the choice that leads to it is marked, and the reason said."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.panel import Choice, Panel
from bot.sessions.hints import Hint
from bot.sessions.table import Table

MARK = "💡"
_MOST_STEPS = 5


def offers_hint(table: Table) -> bool:
    """Return whether the seat to move may ask for a hint."""
    return table.gives_hints and not table.pauses


def hinted(hint: Hint, panel: Panel) -> Panel:
    """Return the first step of a player's panel with a hint in it."""
    way = _way(hint, (), panel)
    if not way:
        return panel
    thinking = hint.table.game.thinking
    view = hint.table.game.view(hint.table.state, hint.seat)
    why = thinking.reason(view, hint.move) if thinking is not None and thinking.reason else ""
    said = " · ".join(choice.label for choice in way)
    rows = tuple(
        replace(row, choices=tuple(_marked(choice, way[0]) for choice in row.choices))
        for row in panel.rows
    )
    note = f"{MARK} **{said}** {why}".rstrip()
    return Panel(rows, "\n".join(filter(None, (panel.note, note))))


def _marked(choice: Choice, hinted: Choice) -> Choice:
    return replace(choice, emoji=MARK) if choice == hinted else choice


def _way(hint: Hint, path: tuple[str, ...], panel: Panel) -> tuple[Choice, ...]:
    """Return the choices, step by step, that lead to the move; none where they do not from here."""
    choices = tuple(panel.choices())
    for choice in choices:
        if choice.move == hint.move:
            return (choice,)
    if len(path) >= _MOST_STEPS:
        return ()
    for choice in choices:
        if choice.move is None:
            after = (*path, choice.key)
            if rest := _way(hint, after, hint.table.panel(hint.seat, after)):
                return (choice, *rest)
    return ()
