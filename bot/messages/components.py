"""Parts of messages as plain data: text, pictures, buttons, menus and rows.

The content of a message can be compared and printed. Delivery converts it to Discord's components when
it is sent, and draws pictures only then.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.scene import Scene
from bot.engine.translation import language

POND = 0x3E8E5A
GOLD = 0xD9A441
STONE = 0x6B7280


@frozen
class Text:
    """A paragraph of Discord's markdown.

    Attributes:
        words: The text.
        news: The part about recent events, without custom emoji. The alt text of a picture begins with
            it.
        is_fine_print: True for a text that a turn's message in words leaves out.
    """

    words: str
    news: str = ""
    is_fine_print: bool = False


@frozen
class Separator:
    """A line between two parts."""


@frozen
class Picture:
    """The picture of a scene, with its alt text."""

    scene: Scene


@frozen
class Button:
    """A button, with its custom_id and its look."""

    custom_id: str
    label: str | None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    disabled: bool = False


@frozen
class Option:
    """An option of a menu. The closed menu shows the ``picked`` option."""

    label: str
    value: str
    about: str | None = None
    emoji: str | None = None
    picked: bool = False


@frozen
class Menu:
    """A menu from which one option is picked."""

    custom_id: str
    prompt: str
    options: tuple[Option, ...]
    disabled: bool = False


@frozen
class ChannelMenu:
    """A menu of the server's channels in which games can be played. ``picked`` are channel IDs."""

    custom_id: str
    prompt: str
    picked: tuple[int, ...]
    most: int
    disabled: bool = False


@frozen
class UserMenu:
    """A menu from which Discord users are picked."""

    custom_id: str
    prompt: str
    most: int = 1
    disabled: bool = False


@frozen
class RoleMenu:
    """A menu of the server's roles, of which one or none is picked. ``picked`` are role IDs."""

    custom_id: str
    prompt: str
    picked: tuple[int, ...] = ()
    disabled: bool = False


Pressable: TypeAlias = Button | Menu | ChannelMenu | UserMenu | RoleMenu


@frozen
class Row:
    """Up to five buttons beside each other, or one menu."""

    items: tuple[Pressable, ...]


@frozen
class Field:
    """A menu in a form, with its label of at most 45 letters and an explanation of at most 100."""

    label: str
    menu: Menu | ChannelMenu | UserMenu | RoleMenu
    about: str | None = None


@frozen
class File:
    """A file to download, with its name."""

    name: str
    data: bytes


Part: TypeAlias = Text | Separator | Picture | File | Row


@frozen
class Content:
    """The content of a message: its parts from top to bottom, the colour of its edge and its language.

    A short message without an edge has no ``colour``.
    """

    parts: tuple[Part, ...]
    colour: int | None = POND
    language: str = field(default_factory=language)

    @property
    def picture(self) -> Picture | None:
        return next((part for part in self.parts if isinstance(part, Picture)), None)


def fine_print(line: str) -> tuple[Text, ...]:
    """Return a line in small print for the end of a message, or nothing if it is empty."""
    return (Text(f"-# {line}", is_fine_print=True),) if line else ()


def layout(*parts: Part, colour: int = POND) -> Content:
    """Return a message of parts, without empty texts, which Discord refuses (error 50035)."""
    return Content(tuple(each for each in parts if not isinstance(each, Text) or each.words), colour)


def row(*buttons: Button) -> Row:
    return Row(buttons)


def notice_content(words: str, *rows: Row) -> Content:
    """Return a short message in grey, with optional rows of controls."""
    return layout(Text(words), *rows, colour=STONE)
