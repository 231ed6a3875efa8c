"""Rows of buttons and menus, with the choices of a panel, the hint and the buttons of features."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from operator import attrgetter
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.panel import HINT, ROW_SIZE, Buttons, Choice, Panel
from bot.engine.panel import Menu as Choices
from bot.engine.translation import _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Menu, Option, Row, row
from bot.messages.custom_ids import Choose
from bot.sessions.events import FIRST_STEP
from bot.sessions.table import Table


class Place(Enum):
    """A place for a feature's button.

    In a lobby, below a finished match, below a post that shares its end, below a match in play, below a
    hand that has choices, below the hand of the player to move, and below a replay.
    """

    LOBBY = "lobby"
    END = "end"
    SHARED = "shared"
    TABLE = "table"
    HAND = "hand"
    TURN = "turn"
    REPLAY = "replay"


@frozen
class Offer:
    """A feature's button.

    Attributes:
        place: The place at which the button is shown.
        order: Position among the buttons of this place, lowest first. The table's own buttons have 10.
        button: Returns the button for a table, or None if the table does not have it.
    """

    place: Place
    order: int
    button: Callable[[Table], Button | None]


_offers: dict[tuple[Place, int], Offer] = {}


def know_offers(offers: Iterable[Offer]) -> None:
    """Register offers. An offer replaces an earlier one of the same place and order."""
    _offers.update({(each.place, each.order): each for each in offers})


def feature_buttons(place: Place, table: Table) -> list[Button]:
    """Return the buttons that features offer at a place for a table, in their order."""
    found = sorted((each for each in _offers.values() if each.place is place), key=attrgetter("order"))
    return list(filter(None, (each.button(table) for each in found)))


_MOST_STEPS = 5


def hint_panel(table: Table, seat: int, path: tuple[str, ...] = ()) -> Panel:
    """Return a step of a player's panel. While a hint is shown, each step names the whole way to it.

    Args:
        table: The table.
        seat: The player's seat.
        path: Keys of the choices picked so far.
    """
    plan = table.hinted if seat == table.to_move else ()
    if not plan:
        return table.panel(seat, path)
    panel, _way_on = mark_choice(table, seat, plan[0], path)
    _first, way = mark_choice(table, seat, plan[0])
    thinking = table.game.thinking
    view = table.game.view(table.state, seat)
    why = thinking.reason(view, plan) if thinking is not None and thinking.reason else ""
    colon = "" if way.endswith("!") or not why else ":"
    note = f"{HINT} **{way}**{colon} {why}".rstrip()
    return Panel(panel.rows, "\n".join(filter(None, (panel.note, note))))


def mark_choice(table: Table, seat: int, move: Any, path: tuple[str, ...] = ()) -> tuple[Panel, str]:
    """Mark the choice in a panel that leads to a move.

    Returns:
        The panel, and the labels of the choices that lead to the move. The text is empty if no way leads
        there.
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


def panel_rows(
    table: Table, panel: Panel, where: str, path: tuple[str, ...], look: Appearance = PLAIN
) -> tuple[list[Row], str]:
    """Return a panel's rows and its note. After the first step, the rows have a button to go back.

    Args:
        table: The table.
        panel: The panel.
        where: ``TABLE`` or ``HAND``, the message with the panel.
        path: Keys of the choices picked so far.
        look: The custom emoji and colours.
    """

    def control(path: tuple[str, ...]) -> str:
        return Choose(table.match.id, table.n, where, path).custom_id

    def press(choice: Choice) -> Button:
        custom_id = control((*path, choice.key))
        emoji, label = look.labelled(look.words_of(choice), choice.sign, choice.emoji)
        return Button(custom_id, label, choice.tone, emoji=emoji)

    def option(choice: Choice) -> Option:
        emoji, label = look.labelled(look.words_of(choice), choice.sign, choice.emoji)
        return Option(label, choice.key, emoji=emoji)

    rows = []
    for line in panel.rows:
        match line:
            case Buttons(choices):
                rows.append(row(*map(press, choices)))
            case Choices(prompt, choices):
                rows.append(Row((Menu(control(path), prompt, tuple(map(option, choices))),)))
    if path and rows:
        first = Button(control((FIRST_STEP,)), _("Back"), emoji="↩️")
        rows = with_last(rows, first)
    return rows, look.told(panel.note)


def with_first(rows: list[Row], item: Button) -> list[Row]:
    """Return the rows with a button before all others, in the first row if it has room."""
    if rows and len(first := rows[0].items) < ROW_SIZE and isinstance(first[0], Button):
        return [Row((item, *first)), *rows[1:]]
    return [row(item), *rows]


def with_last(rows: list[Row], *items: Button) -> list[Row]:
    """Return the rows with buttons after all others, in the last row while it has room."""
    for item in items:
        if rows and len(last := rows[-1].items) < ROW_SIZE and isinstance(last[0], Button):
            rows = [*rows[:-1], Row((*last, item))]
        else:
            rows = [*rows, row(item)]
    return rows
