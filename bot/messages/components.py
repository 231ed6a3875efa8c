"""Content of messages as plain data: text, pictures, buttons, menus and rows.

Contents can be compared and printed. Only when a message is sent is its content converted to Discord's
components, and only then are its pictures drawn.
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
    """A paragraph of text in Discord's markdown.

    Attributes:
        words: The text.
        news: The part of the text about recent events, without custom emoji. The picture's alt text
            begins with it.
        is_fine_print: True for unimportant text. Text mode omits it while a match is in progress.
    """

    words: str
    news: str = ""
    is_fine_print: bool = False


@frozen
class Separator:
    """A horizontal line between two parts of a message."""


@frozen
class ScenePicture:
    """A picture of a game scene. Its image and its alt text are created when the message is sent."""

    scene: Scene


@frozen
class Button:
    """A button in a message."""

    custom_id: str
    label: str | None
    tone: Tone = Tone.PLAIN
    emoji: str | None = None
    disabled: bool = False


@frozen
class MenuOption:
    """An option of a menu. If ``picked`` is True, the closed menu shows the option."""

    label: str
    value: str
    about: str | None = None
    emoji: str | None = None
    picked: bool = False


@frozen
class Menu:
    """A menu with text options, from which the user picks one."""

    custom_id: str
    prompt: str
    options: tuple[MenuOption, ...]
    disabled: bool = False


@frozen
class ChannelMenu:
    """A menu for selecting channels of the server in which games can be played.

    Attributes:
        picked: The IDs of the selected channels.
        most: The maximum number of selected channels.
    """

    custom_id: str
    prompt: str
    picked: tuple[int, ...]
    most: int
    disabled: bool = False


@frozen
class UserMenu:
    """A menu for selecting up to ``most`` Discord users."""

    custom_id: str
    prompt: str
    most: int = 1
    disabled: bool = False


@frozen
class RoleMenu:
    """A menu for selecting one of the server's roles.

    Attributes:
        picked: The ID of the selected role in a tuple, or an empty tuple.
    """

    custom_id: str
    prompt: str
    picked: tuple[int, ...] = ()
    disabled: bool = False


Pressable: TypeAlias = Button | Menu | ChannelMenu | UserMenu | RoleMenu


@frozen
class Row:
    """A row of up to five buttons, or of one menu."""

    items: tuple[Pressable, ...]


@frozen
class Field:
    """A labelled menu in a modal dialog.

    Attributes:
        label: The label, at most 45 characters.
        menu: The menu.
        about: An explanation of at most 100 characters, or None.
    """

    label: str
    menu: Menu | ChannelMenu | UserMenu | RoleMenu
    about: str | None = None


@frozen
class File:
    """A file in a message that users can download."""

    name: str
    data: bytes


Part: TypeAlias = Text | Separator | ScenePicture | File | Row


@frozen
class Content:
    """The content of a message.

    Attributes:
        parts: The parts from top to bottom.
        colour: The accent colour, or None for a message without a container.
        language: The locale.
    """

    parts: tuple[Part, ...]
    colour: int | None = POND
    language: str = field(default_factory=language)

    @property
    def picture(self) -> ScenePicture | None:
        return next((part for part in self.parts if isinstance(part, ScenePicture)), None)


def fine_print(line: str) -> tuple[Text, ...]:
    """Return a line of small print for the end of a message.

    If the line is empty, return an empty tuple.
    """
    return (Text(f"-# {line}", is_fine_print=True),) if line else ()


def layout(*parts: Part, colour: int = POND) -> Content:
    """Combine parts into the content of a message. Empty texts are left out.

    Discord would refuse them (error 50035).
    """
    return Content(tuple(part for part in parts if not isinstance(part, Text) or part.words), colour)


def row(*buttons: Button) -> Row:
    return Row(buttons)


def notice_content(words: str, *rows: Row) -> Content:
    """Return the content of a short message with a grey accent colour and optional rows of controls."""
    return layout(Text(words), *rows, colour=STONE)
