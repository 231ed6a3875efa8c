"""Controls: the payloads of buttons and menus.

Each type of control is a class that writes and parses its custom_id. A type is defined next to the
message that uses it. This module defines the types that many messages use. A custom_id contains no
secrets, because the key of a choice is a position and never a hidden card.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Self, cast

from bot.engine.frozen import frozen
from bot.messages.deal_calendar import is_day
from bot.sessions.events import Click

MATCH = r"(?P<match_id>[0-9a-z]{4,16})"
GAME = r"(?P<game>[a-z_]{2,24})"

LARGEST_ID = 2**63 - 1
"""The largest integer that the database can store. All Discord IDs before the year 2084 are smaller."""

TABLE, HAND = "t", "h"
"""The message in which a choice was clicked: the public table, or the player's hand."""


def number_in(text: str, most: int = LARGEST_ID) -> int | None:
    """Parse a whole number from 0 to a maximum. Return None for any other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    return number if (number := int(text)) <= most else None


class Control:
    """The parsed payload of a button, menu or form. Each type of button, menu or form has a subclass.

    Parsed int fields are at most ``LARGEST_ID``. A parsed field named ``day`` is a valid day.

    Attributes:
        pattern: A regular expression that matches the type's custom_ids.
        kind: The type's name in metrics.
    """

    __slots__ = ()
    pattern: ClassVar[re.Pattern[str]]
    kind: ClassVar[str]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Create the control from a clicked component's custom_id and the values that the user entered.

        Args:
            found: The match of ``pattern``. Its named groups are the fields with the same names.
            values: The options that the user picked or the texts that the user typed. They fill the
                remaining fields in order. A field with a default may have no value.

        Returns:
            The control, or None if this bot never sends such values.
        """
        all_fields = fields(cast("Any", cls))
        others = [field for field in all_fields if field.name not in found.re.groupindex]
        if len(values) < sum(field.default is MISSING for field in others):
            return None
        parts = found.groupdict()
        parts |= zip((field.name for field in others), values, strict=False)
        numbers = {
            field.name: number_in(parts[field.name]) for field in all_fields if field.type == "int"
        }
        day = numbers.get("day")
        if None in numbers.values() or not (day is None or is_day(day)):
            return None
        return cls(**parts | numbers)


_PARTS = {"match_id": MATCH, "game": GAME, "board": r"(?P<board>[a-z_]{2,24})"}
_PART = re.compile(r"\{0\.(\w+)\}")


class PlainControl(Control):
    """A control whose custom_id has a fixed format, given by the format string ``form``.

    The format string refers to the control's fields. ``pattern`` is derived from ``form`` and ``end``.
    """

    __slots__ = ()
    form: ClassVar[str]
    end: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        kinds = cls.__annotations__

        def part(found: re.Match[str]) -> str:
            name = found[1]
            letters = r"\d{1,8}" if kinds[name] == "int" else "[a-z]{2,12}"
            return _PARTS.get(name, f"(?P<{name}>{letters})")

        if "form" in vars(cls):
            cls.pattern = re.compile(_PART.sub(part, cls.form) + cls.end)

    @property
    def custom_id(self) -> str:
        return self.form.format(self)


class RepeatableControl(PlainControl):
    """A control that a message may contain more than once with equal fields, such as a page button.

    A name at the end makes each custom_id unique.
    """

    __slots__ = ()
    end = "(:[a-z]+)?"

    def custom_id_of(self, name: str) -> str:
        return f"{self.custom_id}:{name}"


@frozen
class Choose(Control):
    """A button or menu option that plays a move, or leads to the next step of choosing a move.

    A menu's custom_id contains ``path`` without the key of the picked option.

    Attributes:
        seen: The number of moves that had been made in the state that the message shows.
        where: ``TABLE`` or ``HAND``.
        path: The keys of all steps so far. The last one is this choice.
    """

    pattern = re.compile(
        rf"m:{MATCH}:(?P<seen>\d{{1,6}}):(?P<where>[th]):(?P<path>\w{{0,20}}(\.\w{{1,20}}){{0,3}})"
    )
    kind = "choice"

    match_id: str
    seen: int
    where: str
    path: tuple[str, ...]

    @property
    def custom_id(self) -> str:
        return f"m:{self.match_id}:{self.seen}:{self.where}:{'.'.join(self.path)}"

    @property
    def click(self) -> Click:
        return Click(self.match_id, self.seen, self.where == TABLE, self.path)

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Create the control from a click. If no menu option was picked, return None."""
        path = (*filter(None, found["path"].split(".")), *values)
        return cls(found["match_id"], int(found["seen"]), found["where"], path) if path else None


@frozen
class Action(PlainControl):
    """A button for an action that is not a move, such as *join*, *leave*, *start* or *hand*."""

    kind = "action"
    form = "a:{0.match_id}:{0.name}"

    match_id: str
    name: str


@frozen
class Ask(PlainControl):
    """A button with which a player asks a question about a solitaire deal.

    Attributes:
        question: The question's key.
    """

    kind = "question"
    form = "q:{0.match_id}:{0.question}"

    match_id: str
    question: str


def action_id(match_id: str, name: str) -> str:
    return Action(match_id, name).custom_id
