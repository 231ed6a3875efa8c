"""A hint in a player's own panel: the choice that leads to it is marked, and the reason said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.panel import HINT, Choice, Panel
from bot.sessions.table import Table

_MOST_STEPS = 5


def hinted(table: Table, seat: int, path: tuple[str, ...] = ()) -> Panel:
    """Return a step of a player's panel with the hint that the player was given, as long as it holds.

    The whole way to the move is told at each step, and marked where the step is on it.
    """
    plan = table.hinted if seat == table.to_move else ()
    if not plan:
        return table.panel(seat, path)
    panel, _way_on = pointed_out(table, seat, plan[0], path)
    _first, way = pointed_out(table, seat, plan[0])
    thinking = table.game.thinking
    view = table.game.view(table.state, seat)
    why = thinking.reason(view, plan) if thinking is not None and thinking.reason else ""
    colon = "" if way.endswith("!") or not why else ":"
    note = f"{HINT} **{way}**{colon} {why}".rstrip()
    return Panel(panel.rows, "\n".join(filter(None, (panel.note, note))))


def pointed_out(table: Table, seat: int, move: Any, path: tuple[str, ...] = ()) -> tuple[Panel, str]:
    """Return a step of a player's panel with the choice marked that leads to a move, and the way there.

    The way is empty where no choice of this step leads to it.
    """
    panel = table.panel(seat, path)
    way = _way(table, seat, move, path, panel)
    if not way:
        return panel, ""
    marked, first = replace(way[0], emoji=HINT), way[0]
    rows = tuple(
        replace(row, choices=tuple(marked if choice == first else choice for choice in row.choices))
        for row in panel.rows
    )
    return replace(panel, rows=rows), " · ".join(choice.label for choice in way)


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
