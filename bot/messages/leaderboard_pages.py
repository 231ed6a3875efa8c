"""Leaderboard pages. Each page also shows the reader's own row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from bot.engine.frozen import frozen
from bot.engine.scene import Chart, Scene
from bot.engine.translation import _, ngettext
from bot.matches.leaderboard_rules import AROUND, LeaderboardRow
from bot.messages.components import (
    GOLD,
    Button,
    Content,
    Menu,
    MenuOption,
    Part,
    ScenePicture,
    Text,
    fine_print,
    layout,
    row,
)
from bot.messages.components import Row as ControlRow
from bot.messages.custom_ids import Control, RepeatableControl
from bot.messages.player_names import drawn_names

PAGE_SIZE = 10

MOST_OPTIONS = 25

_WIDTH, _MARGIN = 7.4, 0.15


@frozen
class Board:
    """The texts, columns and controls of a leaderboard.

    Attributes:
        hint: The text that is shown while the leaderboard is empty.
        cells: Returns a row's cells after the rank and the name.
        turn: Takes a page number and a button's name. Returns the custom_id of the button that shows the
            page.
        fine_print: A line in small print below the controls.
    """

    title: str
    hint: str
    headings: tuple[str, ...]
    cells: Callable[[LeaderboardRow], tuple[str, ...]]
    turn: Callable[[int, str], str]
    legend: str = ""
    controls: tuple[ControlRow, ...] = ()
    fine_print: str = ""


@frozen
class BoardPage(RepeatableControl):
    """A button that shows a page of a leaderboard.

    Attributes:
        board: The leaderboard's name.
        page: The page number, from 0.
    """

    kind = "board"
    form = "b:{0.board}:{0.page}"

    board: str
    page: int


@frozen
class PickBoard(Control):
    """A choice in the menu below a leaderboard that shows another leaderboard.

    Attributes:
        page: The custom_id of the chosen leaderboard's page.
    """

    pattern = re.compile("bm")
    kind = "board menu"

    page: str


MENU = "menu"
"""The button name in custom_ids that are options of the menu."""

_options: list[Callable[[], Iterable[MenuOption]]] = []


def register_boards(options: Callable[[], Iterable[MenuOption]]) -> None:
    """Register the options of the menu that is shown below each leaderboard.

    They replace the previous ones.
    """
    _options[:] = [options]


def board_menu(turn: Callable[[int, str], str]) -> Iterator[ControlRow]:
    """Yield the menu of all leaderboards. Yield nothing if no leaderboards are registered.

    Args:
        turn: The ``turn`` function of the current leaderboard.
    """
    current = turn(AROUND, MENU)
    options = [replace(one, picked=one.value == current) for provider in _options for one in provider()]
    if options:
        yield ControlRow((Menu("bm", _("Other leaderboards"), tuple(options[:MOST_OPTIONS])),))


@frozen
class LeaderboardPage:
    """The rows of one leaderboard page.

    Attributes:
        number: The page number from 0, or ``AROUND`` for the rows around the reader's own.
        count: The number of players on the whole leaderboard.
        rows: The rows of the page. The reader's own row may be the last one.
        own: The reader's own row if it was read separately, or None.
    """

    number: int
    count: int
    rows: Sequence[LeaderboardRow]
    own: LeaderboardRow | None = None


def last_page(count: int) -> int:
    return max(count - 1, 0) // PAGE_SIZE


def board_content(board: Board, page: LeaderboardPage, player_id: int) -> Content:
    """Return the content of a leaderboard page. The reader's own row is highlighted."""
    if not page.count:
        lines = (board.title, board.hint, board.legend)
        return layout(
            Text("\n".join(filter(None, lines))),
            *board.controls,
            *board_menu(board.turn),
            *fine_print(board.fine_print),
            colour=GOLD,
        )
    rows, last = list(page.rows), last_page(page.count)
    is_placed = page.own is not None and page.own.rank > 0
    if page.own is not None and is_placed and all(entry.player_id != player_id for entry in rows):
        rows.append(page.own)
    is_on = any(entry.player_id == player_id and entry.rank for entry in rows)
    gallery = ScenePicture(board_scene(board, rows, player_id))
    footer = ngettext("-# {n} player", "-# {n} players", page.count).format(n=page.count)
    if last and page.number != AROUND:
        footer += _(" · page {page} of {pages}").format(page=page.number + 1, pages=last + 1)
    footer = "\n".join(filter(None, (footer, board.legend)))
    controls: tuple[Part, ...] = (
        *([row(*_turns(board, page, is_placed=is_on))] if last else []),
        *board.controls,
        *board_menu(board.turn),
        *fine_print(board.fine_print),
    )
    return layout(Text(board.title), gallery, Text(footer), *controls, colour=GOLD)


def _turns(board: Board, page: LeaderboardPage, *, is_placed: bool) -> Iterator[Button]:
    last = last_page(page.count)
    if page.number == AROUND:
        yield Button(board.turn(0, "top"), _("Top"))
        return
    back, on = board.turn(max(page.number - 1, 0), "back"), board.turn(page.number + 1, "on")
    yield Button(back, "◀", disabled=page.number == 0)
    yield Button(on, "▶", disabled=page.number == last)
    if is_placed:
        yield Button(board.turn(AROUND, "mine"), _("My place"))


def board_scene(board: Board, rows: Sequence[LeaderboardRow], player_id: int) -> Scene:
    names = drawn_names([place.player for place in rows])
    chart = Chart(
        x=_MARGIN,
        y=_MARGIN,
        width=_WIDTH - 2 * _MARGIN,
        headings=("#", _("Player"), *board.headings),
        rows=tuple(
            (str(place.rank or "–"), name, *board.cells(place))
            for place, name in zip(rows, names, strict=True)
        ),
        own=next((at for at, place in enumerate(rows) if place.player_id == player_id), None),
    )
    return Scene(_WIDTH, 2 * _MARGIN + chart.height, (chart,))
