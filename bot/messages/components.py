"""The parts that messages are built from, as plain data: text, pictures, buttons, menus and rows.

What a message shows can be compared and printed. Delivery makes Discord's components of it when it is
sent, and only then is a picture drawn.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from bot.engine.immutable import frozen
from bot.engine.panel import Tone
from bot.engine.scene import Scene
from bot.engine.words import language

POND = 0x3E8E5A
GOLD = 0xD9A441
STONE = 0x6B7280


@frozen
class Text:
    """A paragraph of Discord's markdown.

    ``news`` is what it tells of that has just happened, without small pictures: an alt text begins so.
    """

    words: str
    news: str = ""


@frozen
class Separator:
    """A line between two parts."""


@frozen
class Picture:
    """The picture of a scene, with its alt text."""

    scene: Scene


@frozen
class Button:
    """A button, by what it carries (``custom_id``) and how it looks."""

    custom_id: str
    label: str | None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    disabled: bool = False


@frozen
class Option:
    """A choice of a menu; one that is ``picked`` stands in the menu when it is closed."""

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
    """A menu of the server's channels that games can be played in; ``picked`` are ids of channels."""

    custom_id: str
    prompt: str
    picked: tuple[int, ...]
    most: int
    disabled: bool = False


@frozen
class UserMenu:
    """A menu from which one Discord user is picked."""

    custom_id: str
    prompt: str
    disabled: bool = False


Pressable: TypeAlias = Button | Menu | ChannelMenu | UserMenu


@frozen
class Row:
    """Up to five buttons beside each other, or one menu."""

    items: tuple[Pressable, ...]


@frozen
class File:
    """A file to keep, by its name."""

    name: str
    data: bytes


Part: TypeAlias = Text | Separator | Picture | File | Row


@frozen
class Content:
    """What one message shows: its parts, top to bottom, within an edge of a colour, in a language.

    Without a ``colour`` there is no edge: so little is said that it needs none.
    """

    parts: tuple[Part, ...]
    colour: int | None = POND
    language: str = field(default_factory=language)

    @property
    def picture(self) -> Picture | None:
        return next((part for part in self.parts if isinstance(part, Picture)), None)


def layout(*parts: Part, colour: int = POND) -> Content:
    return Content(parts, colour)


def row(*buttons: Button) -> Row:
    return Row(buttons)


def notice_content(words: str, *rows: Row) -> Content:
    return layout(Text(words), *rows, colour=STONE)
