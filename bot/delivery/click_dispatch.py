"""Dispatch of clicks to the methods of cogs.

Each type of button or menu has one handler.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MethodType
from typing import Any, TypeVar

import discord
from discord.ext import commands

from bot.delivery.click_context import ClickContext, unknown_button
from bot.engine.frozen import frozen
from bot.messages.custom_ids import Action, Control

F = TypeVar("F", bound=Callable[..., Awaitable[None]])

_MARK = "__clicks__"

_KINDS: dict[type[Control], None] = {Action: None}
"""All types of controls that have a handler, in the order in which their modules were loaded."""


@frozen
class Handler:
    """The handler of a type of control, or of an action.

    Attributes:
        kind: The type of the control, or the name of the action.
        carry_out: The method that handles a click.
        in_private: True if the control is only in messages that no other user sees.
        learns: True if a click records the user's names.
    """

    kind: type[Control] | str
    carry_out: Callable[..., Awaitable[None]]
    in_private: bool = False
    learns: bool = True


def handles(kind: type[Control], *, in_private: bool = False, learns: bool = True) -> Callable[[F], F]:
    """Mark a method of a cog as the handler of a type of control.

    Args:
        kind: The type of control, which is passed to the method.
        in_private: True if the control is only in messages that no other user sees.
        learns: True if a click records the user's names.
    """
    return lambda carry_out: _mark_handler(carry_out, Handler(kind, carry_out, in_private, learns))


def handles_at_table(kind: type[Control] | str, *, in_private: bool = False) -> Callable[[F], F]:
    """Mark a method of a cog as a handler that gets the table of the clicked match.

    Args:
        kind: The type of control, which is passed to the method as well, or the name of an action.
        in_private: True if the control is only in messages that no other user sees.
    """

    def mark(carry_out: F) -> F:
        async def enter(cog: Any, clicked: ClickContext, asked: Any) -> None:
            more = () if isinstance(kind, str) else (asked,)
            await carry_out(cog, clicked, await clicked.enter(asked.match_id), *more)

        return _mark_handler(carry_out, Handler(kind, enter, in_private))

    return mark


action = handles_at_table


def _mark_handler(carry_out: F, handler: Handler) -> F:
    if not isinstance(handler.kind, str):
        _KINDS[handler.kind] = None
    setattr(carry_out, _MARK, handler)
    return carry_out


def read(custom_id: str, values: Sequence[str]) -> Control | None:
    """Return the control with a custom_id, or None if this bot never sends such a custom_id.

    Args:
        custom_id: The custom_id of the clicked component.
        values: The values picked in a menu or typed into a form.
    """
    for kind in _KINDS if custom_id.isascii() else ():
        found = kind.pattern.fullmatch(custom_id)
        if found and (control := kind.read(found, values)) is not None:
            return control
    return None


def parse_click(interaction: discord.Interaction) -> Control | None:
    """Return the control that was clicked, with the values that were picked or typed."""
    data: Mapping[str, Any] = interaction.data or {}
    fields = (part.get("component") or {} for part in data.get("components", ()))
    values = data.get("values") or [field["value"] for field in fields if "value" in field]
    return read(str(data.get("custom_id", "")), [str(value) for value in values])


class Clicks:
    """The handlers of all loaded cogs."""

    def __init__(self) -> None:
        self.handlers: dict[type[Control] | str, Handler] = {}

    def add(self, cog: commands.Cog) -> None:
        """Register the handlers of a cog."""
        for member in vars(type(cog)).values():
            found = getattr(member, _MARK, None)
            if isinstance(found, Handler):
                self.handlers[found.kind] = replace(found, carry_out=MethodType(found.carry_out, cog))

    def handler_of(self, asked: Control | None) -> Handler | None:
        """Return the handler of a control, or None if it is unknown."""
        if asked is None:
            return None
        return self.handlers.get(asked.name if isinstance(asked, Action) else type(asked))

    async def carry_out(self, clicked: ClickContext, asked: Control | None) -> None:
        """Handle a click.

        Raises:
            TableError: The control has no handler, or is not allowed in the clicked message.
        """
        handler = self.handler_of(asked)
        if handler is None or (handler.in_private and not clicked.is_private):
            raise unknown_button()
        await handler.carry_out(clicked, asked)

    def counted_as(self, asked: Control | None) -> str | None:
        """Return the label of a control in metrics, or None if it has no handler."""
        if asked is None or self.handler_of(asked) is None:
            return None
        return asked.name if isinstance(asked, Action) else asked.kind
