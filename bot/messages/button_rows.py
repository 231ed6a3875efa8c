"""Rows of buttons and menus below a message.

They contain the choices of a panel (a game's current set of choices for one player) and the additional
buttons of features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from operator import attrgetter
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.panel import HINT, ROW_SIZE, Buttons, Choice, Panel
from bot.engine.panel import ChoiceMenu as Choices
from bot.engine.translation import _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Menu, MenuOption, Row, row
from bot.messages.custom_ids import HAND, TABLE, Choose, action_id
from bot.messages.table_view import TableView
from bot.sessions.events import FIRST_STEP


class ButtonPlace(Enum):
    """A type of message to which features can add buttons.

    In order: a lobby, a finished match, a post that shares a finished match, a match in progress, a hand
    that has choices, the hand of the player to move, and a replay.
    """

    LOBBY = "lobby"
    END = "end"
    SHARED = "shared"
    TABLE = "table"
    HAND = "hand"
    TURN = "turn"
    REPLAY = "replay"


@frozen
class FeatureButton:
    """A button that a feature adds to one type of message.

    Attributes:
        place: The type of message.
        order: Position among the message's buttons, lowest first. The table's own buttons have 10.
        button: Returns the button for a table, or None if the table does not have the button.
    """

    place: ButtonPlace
    order: int
    button: Callable[[TableView], Button | None]


_offers: dict[tuple[ButtonPlace, int], FeatureButton] = {}


def register_offers(offers: Iterable[FeatureButton]) -> None:
    """Register the buttons that features add to messages.

    A button replaces an earlier one with the same place and order.
    """
    _offers.update({(offer.place, offer.order): offer for offer in offers})


def feature_buttons(place: ButtonPlace, table: TableView) -> list[Button]:
    """Return the buttons that features add to one type of message for a table, in display order."""
    offers = sorted(
        (offer for offer in _offers.values() if offer.place is place), key=attrgetter("order")
    )
    return list(filter(None, (offer.button(table) for offer in offers)))


_MOST_STEPS = 5


def hint_panel(table: TableView, path: tuple[str, ...] = ()) -> Panel:
    """Return a player's current choices. If the player asked for a hint, mark the recommended choice.

    A move may take several choices, one per step. At each step, the panel's note names all the choices
    that lead to the recommended move.

    Args:
        table: The player's view of the table.
        path: The keys of the choices that the player has made so far.
    """
    if not (plan := table.hinted):
        return table.panel(path)
    panel, _way_on = mark_choice(table, plan[0], path)
    _first, way = mark_choice(table, plan[0])
    thinking = table.game.thinking
    why = thinking.reason(table.view, plan) if thinking is not None and thinking.reason else ""
    colon = "" if way.endswith("!") or not why else ":"
    note = f"{HINT} **{way}**{colon} {why}".rstrip()
    return Panel(panel.rows, "\n".join(filter(None, (panel.note, note))))


def mark_choice(table: TableView, move: Any, path: tuple[str, ...] = ()) -> tuple[Panel, str]:
    """Mark the choice in a panel that leads to a given move.

    Returns:
        The panel, and the labels of all choices that lead to the move. If the move cannot be reached
        from this panel, the labels are empty.
    """
    panel, way = table.panel(path), _way(table, move, path)
    if not way:
        return panel, ""
    marked, first = replace(way[0], emoji=HINT), way[0]
    rows = tuple(
        replace(row, choices=tuple(marked if choice == first else choice for choice in row.choices))
        for row in panel.rows
    )
    return replace(panel, rows=rows), " · ".join(choice.label for choice in way)


def _way(table: TableView, move: Any, path: tuple[str, ...]) -> tuple[Choice, ...]:
    choices = tuple(table.panel(path).choices())
    for choice in choices:
        if choice.move == move:
            return (choice,)
    for choice in choices if len(path) < _MOST_STEPS else ():
        if choice.move is None and (rest := _way(table, move, (*path, choice.key))):
            return (choice, *rest)
    return ()


def panel_rows(
    table: TableView, panel: Panel, path: tuple[str, ...], look: Appearance = PLAIN
) -> tuple[list[Row], str]:
    """Return the rows of buttons and menus for a player's choices, and the text above them.

    After the first step of choosing a move, the rows include a *Back* button.

    Args:
        table: The table.
        panel: The panel.
        path: The keys of the choices that the player has made so far.
        look: The custom emoji and colours.
    """
    where = TABLE if table.viewer is None else HAND

    def control(path: tuple[str, ...]) -> str:
        return Choose(table.match.id, table.n, where, path).custom_id

    def press(choice: Choice) -> Button:
        emoji, label = look.emoji_and_label(look.words_of(choice), choice.icon, choice.emoji)
        return Button(control((*path, choice.key)), label, choice.tone, emoji=emoji)

    def option(choice: Choice) -> MenuOption:
        emoji, label = look.emoji_and_label(look.words_of(choice), choice.icon, choice.emoji)
        return MenuOption(label, choice.key, emoji=emoji)

    rows = []
    for line in panel.rows:
        match line:
            case Buttons(choices):
                rows.append(row(*map(press, choices)))
            case Choices(prompt, choices):
                rows.append(Row((Menu(control(path), prompt, tuple(map(option, choices))),)))
    if path and rows:
        rows = with_last(rows, Button(control((FIRST_STEP,)), _("Back"), emoji="↩️"))
    return rows, look.replace_icons(panel.note)


def rules_button(match_id: str) -> Button:
    return Button(action_id(match_id, "rules"), _("How to play"))


def with_first(rows: list[Row], item: Button) -> list[Row]:
    """Insert a button before all other buttons. If the first row is full, add a new row."""
    if rows and len(first := rows[0].items) < ROW_SIZE and isinstance(first[0], Button):
        return [Row((item, *first)), *rows[1:]]
    return [row(item), *rows]


def with_last(rows: list[Row], *items: Button) -> list[Row]:
    """Append buttons after all other buttons. When the last row is full, add a new row."""
    for item in items:
        if rows and len(last := rows[-1].items) < ROW_SIZE and isinstance(last[0], Button):
            rows = [*rows[:-1], Row((*last, item))]
        else:
            rows = [*rows, row(item)]
    return rows
