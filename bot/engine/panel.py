"""A panel: the buttons and menus a viewer has now, as plain data for any game.

A choice has a key, which is what a button carries back. A key names a *place* (``"s2"``, the
second stock card; ``"h3"``, the third card of the hand), never a hidden card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from bot.engine.immutable import frozen

HINT = "💡"
"""The mark of the choice that a hint is about."""

ROW_SIZE, MENU_SIZE = 5, 25
"""How many choices Discord takes side by side, and in a menu."""

MORE = "more"
"""The key of the choice that leads to the next page of a menu."""


class Tone(Enum):
    """How a choice presents itself among the others."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@frozen
class Choice:
    """One thing to press or pick.

    ``move`` is what it plays; without one it leads to the panel of the next step, whose path is
    this panel's path and the key. ``then`` is the move that the same click plays after it.
    ``sign`` is the card or suit that it is about, as the label spells it: it may stand there as a small
    picture, as ``emoji`` does.
    """

    key: str
    label: str
    move: Any = None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    sign: str = ""
    then: Any = None


@frozen
class Buttons:
    """Up to five choices side by side."""

    choices: tuple[Choice, ...]


@frozen
class Menu:
    """Up to 25 choices behind one line that says what they are."""

    prompt: str
    choices: tuple[Choice, ...]


@frozen
class Panel:
    """Rows of choices, top to bottom. An empty panel: nothing for this viewer to do.

    ``note`` is what a player should know before choosing, such as why something is not offered.
    """

    rows: tuple[Buttons | Menu, ...] = ()
    note: str = ""

    def choices(self) -> Iterator[Choice]:
        for row in self.rows:
            yield from row.choices

    def choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices() if choice.key == key), None)


def button_rows(choices: Sequence[Choice]) -> tuple[Buttons, ...]:
    return tuple(Buttons(tuple(choices[at : at + ROW_SIZE])) for at in range(0, len(choices), ROW_SIZE))


def menu_page(choices: Sequence[Choice], page: int, more: str) -> tuple[Choice, ...]:
    """Return what a menu has of many choices, the last leading on; nothing past the last page.

    A page that would hold one choice is the last one of the page before it.
    """
    rest = tuple(choices[page * (MENU_SIZE - 1) :])
    if len(rest) <= MENU_SIZE:
        return rest if len(rest) > 1 or not page else ()
    return (*rest[: MENU_SIZE - 1], Choice(MORE, more))
