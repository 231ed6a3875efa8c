"""Payloads of buttons and menus, with one class per type that writes and parses its custom_id.

A type is defined beside the message that uses it. Types that many messages use are defined here. A
custom_id contains no secret: a choice's key names a position, and never a card that is not public.
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
"""Largest integer that a database stores, and larger than any Discord ID before 2084."""

TABLE, HAND = "t", "h"
"""Location of a choice: on the public table, or with the player's hand."""


def number_in(text: str, most: int = LARGEST_ID) -> int | None:
    """Parse a whole number from 0 to ``most``. Return None for any other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    return number if (number := int(text)) <= most else None


class Control:
    """A type of button or menu.

    An int field is at most ``LARGEST_ID``, and a field named ``day`` is an existing day.

    Attributes:
        pattern: Matches the type's custom_ids.
        kind: The type's name in metrics.
    """

    __slots__ = ()
    pattern: ClassVar[re.Pattern[str]]
    kind: ClassVar[str]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Parse a click or a modal.

        Args:
            found: The match of ``pattern``. Its groups are fields by name.
            values: The picked options or the typed texts, for the other fields in their order. A field
                with a default may have none.

        Returns:
            The control, or None for values that this bot never sends.
        """
        known = fields(cast("Any", cls))
        others = [field for field in known if field.name not in found.re.groupindex]
        if len(values) < sum(field.default is MISSING for field in others):
            return None
        parts = found.groupdict()
        parts |= zip((field.name for field in others), values, strict=False)
        numbers = {field.name: number_in(parts[field.name]) for field in known if field.type == "int"}
        day = numbers.get("day")
        if None in numbers.values() or not (day is None or is_day(day)):
            return None
        return cls(**parts | numbers)


_PARTS = {"match_id": MATCH, "game": GAME, "board": r"(?P<board>[a-z_]{2,24})"}
_PART = re.compile(r"\{0\.(\w+)\}")


class Plain(Control):
    """A type whose custom_id holds nothing but its fields, as given by ``form``.

    ``pattern`` is derived from ``form``.
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


class Turning(Plain):
    """A type that a message may contain several times with equal fields, such as a pager's buttons."""

    __slots__ = ()
    end = "(:[a-z]+)?"

    def named(self, name: str) -> str:
        return f"{self.custom_id}:{name}"


@frozen
class Choose(Control):
    """A choice of a move or of a step towards one, in a match as shown after ``seen`` moves.

    The custom_id of a menu contains the ``path`` without the key of the picked option.
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
        """Parse a choice, or return None for a menu's custom_id without a picked option."""
        path = (*filter(None, found["path"].split(".")), *values)
        return cls(found["match_id"], int(found["seen"]), found["where"], path) if path else None


@frozen
class Action(Plain):
    """An action at a match that is not a move, such as join, leave, start or hand."""

    kind = "action"
    form = "a:{0.match_id}:{0.name}"

    match_id: str
    name: str


@frozen
class Ask(Plain):
    """A question asked by the player of a solitaire, by its key."""

    kind = "question"
    form = "q:{0.match_id}:{0.question}"

    match_id: str
    question: str


def action_id(match_id: str, name: str) -> str:
    return Action(match_id, name).custom_id
