"""Panels, which are a game's current buttons and menus for one viewer, as plain data.

Each choice has a key, which the bot receives when the button is clicked. A key names a position, such as
``"s2"`` for the second stock card or ``"h3"`` for the third card in the hand. It never names a hidden
card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from bot.engine.frozen import frozen

HINT = "💡"
"""The emoji on the choice that a hint recommends."""

ROW_SIZE, MENU_SIZE = 5, 25
"""Discord's maximum numbers of buttons in a row and of options in a menu."""

MORE = "more"
"""The key of the choice that leads to the next page of a menu."""


class Tone(Enum):
    """The emphasis of a choice, which decides the colour of its button."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@frozen
class Choice:
    """A button, or an entry of a menu.

    Attributes:
        key: The identifier within the panel.
        label: The displayed text.
        move: The move that the choice plays. If it is None, the choice leads to a further panel. That
            panel's path is this panel's path plus the key.
        tone: The emphasis.
        emoji: An emoji before the label, or None.
        icon: The card or suit in the label, which may be shown as a custom emoji instead.
        brief: A short label that includes the result of the move. Players can choose to see such labels.
        result: The result of the move in words, or empty if there is none.
        then: A second move that the same click plays after ``move``, or None.
    """

    key: str
    label: str
    move: Any = None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    icon: str = ""
    brief: str = ""
    result: str = ""
    then: Any = None


@frozen
class Buttons:
    """A row of up to five buttons."""

    choices: tuple[Choice, ...]


@frozen
class ChoiceMenu:
    """A menu of up to 25 choices, with a prompt."""

    prompt: str
    choices: tuple[Choice, ...]


@frozen
class Panel:
    """The choices that a viewer currently has. If there are none, the panel is empty.

    Attributes:
        rows: The rows of buttons and menus, from top to bottom.
        note: Advice for the player, for example the reason why a choice is missing.
    """

    rows: tuple[Buttons | ChoiceMenu, ...] = ()
    note: str = ""

    def choices(self) -> Iterator[Choice]:
        for row in self.rows:
            yield from row.choices

    def choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices() if choice.key == key), None)


def button_rows(choices: Sequence[Choice], size: int = ROW_SIZE) -> tuple[Buttons, ...]:
    return tuple(Buttons(tuple(choices[at : at + size])) for at in range(0, len(choices), size))


def menu_page(choices: Sequence[Choice], page: int, more: str) -> tuple[Choice, ...]:
    """Return the choices on one page of a long menu.

    If the last page would hold only one choice, the previous page includes it.

    Args:
        choices: All choices of the menu.
        page: The number of the page, from 0. Pages after the last one are empty.
        more: The label of the choice that leads to the next page.
    """
    rest = tuple(choices[page * (MENU_SIZE - 1) :])
    if len(rest) <= MENU_SIZE:
        return rest if len(rest) > 1 or not page else ()
    return (*rest[: MENU_SIZE - 1], Choice(MORE, more))
