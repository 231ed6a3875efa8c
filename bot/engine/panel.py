"""Panels: a viewer's current buttons and menus, as plain data for any game.

Each choice has a key, which its button sends back. A key names a *position*, never a hidden card:
``"s2"`` is the second stock card, ``"h3"`` the third card of the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from bot.engine.frozen import frozen

HINT = "💡"
"""The emoji on the choice that a hint recommends."""

ROW_SIZE, MENU_SIZE = 5, 25
"""Discord's limits for choices side by side and in a menu."""

MORE = "more"
"""The key of the choice that leads to the next page of a menu."""


class Tone(Enum):
    """The emphasis of a choice."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@frozen
class Choice:
    """A button, or an entry of a menu.

    Attributes:
        key: The identifier within the panel.
        label: The words shown.
        move: The move that the choice plays. Without one, it leads to the next step, whose path is this
            panel's path plus the key.
        tone: The emphasis.
        emoji: An emoji before the label, or None.
        sign: The card or suit in the label, which may be shown as a custom emoji instead.
        brief: A short label with the result of the move, for players who want it.
        result: The result of the move in words, or empty if there is none.
        then: A second move that the same click plays after ``move``.
    """

    key: str
    label: str
    move: Any = None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    sign: str = ""
    brief: str = ""
    result: str = ""
    then: Any = None


@frozen
class Buttons:
    """Up to five choices side by side."""

    choices: tuple[Choice, ...]


@frozen
class Menu:
    """Up to 25 choices under a prompt."""

    prompt: str
    choices: tuple[Choice, ...]


@frozen
class Panel:
    """Rows of choices from top to bottom. An empty panel offers the viewer nothing.

    Attributes:
        note: Advice to read before choosing, such as the reason that something is not offered.
    """

    rows: tuple[Buttons | Menu, ...] = ()
    note: str = ""

    def choices(self) -> Iterator[Choice]:
        for row in self.rows:
            yield from row.choices

    def choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices() if choice.key == key), None)


def button_rows(choices: Sequence[Choice], size: int = ROW_SIZE) -> tuple[Buttons, ...]:
    return tuple(Buttons(tuple(choices[at : at + size])) for at in range(0, len(choices), size))


def menu_page(choices: Sequence[Choice], page: int, more: str) -> tuple[Choice, ...]:
    """Return one page of a menu.

    A later page never has a single choice, which is added to the page before instead.

    Args:
        choices: All choices of the menu.
        page: The number of the page, from 0. A page past the end is empty.
        more: The label of the last choice, which leads to the next page.
    """
    rest = tuple(choices[page * (MENU_SIZE - 1) :])
    if len(rest) <= MENU_SIZE:
        return rest if len(rest) > 1 or not page else ()
    return (*rest[: MENU_SIZE - 1], Choice(MORE, more))
