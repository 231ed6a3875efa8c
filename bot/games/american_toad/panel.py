"""The controls of American Toad: a few buttons, and a menu of the moves, best first."""

from __future__ import annotations

from bot.engine.panel import Buttons, Choice, Menu, Panel, Tone
from bot.engine.words import _
from bot.games.american_toad.state import (
    AllUp,
    Move,
    Pile,
    Place,
    Redeal,
    Redo,
    Shift,
    Turn,
    Undo,
    Up,
)
from bot.games.american_toad.view import View
from bot.games.american_toad.words import origin

MENU_SIZE = 25
PAGE = MENU_SIZE - 1
"""Moves on a page that another one follows."""
MORE = "more"


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the buttons and a page of the moves; the pages are the steps of the path."""
    if view.is_over or any(step != MORE for step in path):
        return Panel()
    choices = [
        Choice(f"v{place}", label(view, move), move) for place, move in enumerate(menu_moves(view))
    ]
    rest = choices[PAGE * len(path) :]
    if path and len(rest) <= 1:
        return Panel()
    rows: list[Buttons | Menu] = [Buttons(row) for row in _buttons(view)]
    if rest:
        shown = rest if len(rest) <= MENU_SIZE else [*rest[:PAGE], Choice(MORE, _("More moves …"))]
        rows.append(Menu(_("Move a card"), tuple(shown)))
    return Panel(tuple(rows))


def menu_moves(view: View) -> list[Move]:
    """Return the moves of the menu, best first: up, from the reserve, runs, the waste, parts of runs."""
    moves = [move for move in view.legal if isinstance(move, Up | Place | Shift)]
    return sorted(moves, key=lambda move: _worth(view, move))


def _worth(view: View, move: Move) -> int:
    match move:
        case Up(source):
            return 0 if source is Pile.RESERVE else 1
        case Place(Pile.RESERVE, _):
            return 2
        case Shift(source, column, count) if view.columns[column]:
            return 3 if count == len(view.columns[source]) else 5
        case Place(Pile.WASTE, column) if view.columns[column]:
            return 4
        case _:
            return 6


def label(view: View, move: Move) -> str:
    """Return a move of the menu in words."""
    match move:
        case Up(source):
            return _("{card} {origin} up").format(card=view.top(source), origin=origin(source))
        case Place(source, column) if view.columns[column]:
            return _("{card} {origin} onto column {n}").format(
                card=view.top(source), origin=origin(source), n=column + 1
            )
        case Place(source, column):
            return _("{card} {origin} into empty column {n}").format(
                card=view.top(source), origin=origin(source), n=column + 1
            )
        case Shift(source, column, count) if view.columns[column]:
            return _("{card} {origin} onto column {n} ({count})").format(
                card=view.columns[source][-count],
                origin=origin(source),
                n=column + 1,
                count=_count(view, source, count),
            )
        case Shift(source, column, _):
            return _("{card} {origin} into empty column {n}").format(
                card=view.top(source), origin=origin(source), n=column + 1
            )
        case _:
            return ""


def _count(view: View, source: int, count: int) -> str:
    if count == len(view.columns[source]):
        return _("whole run of {n}").format(n=count) if count > 1 else _("single card")
    return _("top {n} of the run").format(n=count) if count > 1 else _("top card")


def _buttons(view: View) -> list[tuple[Choice, ...]]:
    """Return the rows of buttons that have one."""
    first: list[Choice] = []
    for move in view.legal:
        if isinstance(move, Turn):
            first.append(Choice("turn", _("Turn the stock"), move, Tone.MAIN))
        elif isinstance(move, Redeal):
            first.append(Choice("redeal", _("Redeal (once)"), move, Tone.MAIN))
        elif isinstance(move, AllUp):
            name = _("Finish the game") if view.can_finish else _("All up")
            first.append(Choice("up", name, move, Tone.GOOD))
    second = [
        Choice("undo", _("Undo"), move) if isinstance(move, Undo) else Choice("redo", _("Redo"), move)
        for move in view.legal
        if isinstance(move, Undo | Redo)
    ]
    row = (*first, *second)
    return [row] if row else []
