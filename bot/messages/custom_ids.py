"""What buttons and menus carry: each kind is one class, which writes its custom_id and reads it again.

A kind stands beside the message that has it; here are those that many messages have. Nothing in a
custom_id is secret: a choice's key names a place, never a card that is not public.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar, Self, cast

from bot.engine.immutable import frozen
from bot.messages.deal_calendar import is_day
from bot.sessions.events import Click

MATCH = r"(?P<match_id>[0-9a-z]{4,16})"
GAME = r"(?P<game>[a-z_]{2,24})"

LARGEST_ID = 2**63 - 1
"""The largest number that a database stores, and larger than any ID of Discord's before 2084."""

TABLE, HAND = "t", "h"
"""Where a choice is offered: on the public table, or with the player's hand."""


def number_in(text: str, most: int = LARGEST_ID) -> int | None:
    """Return the whole number from 0 to ``most`` that a text is, or None for any other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    return number if (number := int(text)) <= most else None


class Control:
    """A kind of button or menu: ``pattern`` is of its custom_ids, ``kind`` what clicks count as.

    A field that is an int is at most ``LARGEST_ID``, and one that is called ``day`` is a real day.
    """

    __slots__ = ()
    pattern: ClassVar[re.Pattern[str]]
    kind: ClassVar[str]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Return what is asked for: in a field the pattern's part of its name, else what was picked.

        ``values`` are that, or were typed. None for what this bot does not send.
        """
        known, parts = fields(cast("Any", cls)), found.groupdict()
        others = [field.name for field in known if field.name not in parts]
        if len(values) < len(others):
            return None
        parts |= zip(others, values, strict=False)
        numbers = {field.name: number_in(parts[field.name]) for field in known if field.type == "int"}
        day = numbers.get("day")
        if None in numbers.values() or not (day is None or is_day(day)):
            return None
        return cls(**parts | numbers)


_PARTS = {"match_id": MATCH, "game": GAME, "board": r"(?P<board>[a-z_]{2,24})"}
_PART = re.compile(r"\{0\.(\w+)\}")


class Plain(Control):
    """A kind whose custom_id has nothing but its fields, as ``form`` says; its pattern is made of it."""

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
    """A kind of which a message may have several that are equal, such as buttons that lead to a page."""

    __slots__ = ()
    end = "(:[a-z]+)?"

    def named(self, name: str) -> str:
        return f"{self.custom_id}:{name}"


@frozen
class Choose(Control):
    """A choice of a move, or a step on the way to one, at a match as it was seen after so many moves.

    A menu's ``path`` is written without the key of what is picked.
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
        """Return the choice; None where it is none, but the custom_id of a menu alone."""
        path = (*filter(None, found["path"].split(".")), *values)
        return cls(found["match_id"], int(found["seen"]), found["where"], path) if path else None


@frozen
class Action(Plain):
    """Something to do with a match that is not a move: join, leave, start, hand and so on."""

    kind = "action"
    form = "a:{0.match_id}:{0.name}"

    match_id: str
    name: str


@frozen
class Ask(Plain):
    """Something that the player of a game for one asks, by the key of the question."""

    kind = "question"
    form = "q:{0.match_id}:{0.question}"

    match_id: str
    question: str


def action_id(match_id: str, name: str) -> str:
    return Action(match_id, name).custom_id
