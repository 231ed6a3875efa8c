"""Dispatch of clicks on buttons and menus to handler methods of cogs.

A control is the parsed payload of a button, menu or form. Each type of control has one handler.
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
"""All control types with a handler, in the order in which their modules were loaded."""


@frozen
class Handler:
    """A cog's method that handles clicks on one type of control (a button, menu or form).

    Attributes:
        kind: The control type, or the name of an ``Action`` such as *join*.
        carry_out: The method that handles a click.
        in_private: True if clicks are allowed only in messages that no other user can see.
        learns: True if a click also records the user's current names.
    """

    kind: type[Control] | str
    carry_out: Callable[..., Awaitable[None]]
    in_private: bool = False
    learns: bool = True


def handles(kind: type[Control], *, in_private: bool = False, learns: bool = True) -> Callable[[F], F]:
    """Return a decorator that registers a cog's method as the click handler for one type of control.

    The method gets the parsed button, menu or form as its argument.

    Args:
        kind: The control type.
        in_private: True if clicks are allowed only in messages that no other user can see.
        learns: True if a click also records the user's current names.
    """
    return lambda carry_out: _mark_handler(carry_out, Handler(kind, carry_out, in_private, learns))


def handles_at_table(kind: type[Control] | str, *, in_private: bool = False) -> Callable[[F], F]:
    """Return a decorator that registers a cog's method as a handler for clicks on components of a table.

    The method gets the table of the clicked match as an argument. If ``kind`` is a control type, the
    method gets the clicked control as well.

    Args:
        kind: The control type, or the name of an action.
        in_private: True if clicks are allowed only in messages that no other user can see.
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
    """Parse a component's custom_id. Return None if the bot never sends such a custom_id.

    Args:
        custom_id: The clicked component's custom_id.
        values: The values that the user picked in a menu or typed into a form.
    """
    for kind in _KINDS if custom_id.isascii() else ():
        match = kind.pattern.fullmatch(custom_id)
        if match and (control := kind.read(match, values)) is not None:
            return control
    return None


def parse_click(interaction: discord.Interaction) -> Control | None:
    """Parse the custom_id and values of a click or form.

    Return None if the bot never sends such data.
    """
    data: Mapping[str, Any] = interaction.data or {}
    fields = (part.get("component") or {} for part in data.get("components", ()))
    values = data.get("values") or [field["value"] for field in fields if "value" in field]
    return read(str(data.get("custom_id", "")), [str(value) for value in values])


class Clicks:
    """A registry of the click handlers of all loaded cogs."""

    def __init__(self) -> None:
        self.handlers: dict[type[Control] | str, Handler] = {}

    def add(self, cog: commands.Cog) -> None:
        """Register a cog's click handlers."""
        for member in vars(type(cog)).values():
            handler = getattr(member, _MARK, None)
            if isinstance(handler, Handler):
                self.handlers[handler.kind] = replace(
                    handler, carry_out=MethodType(handler.carry_out, cog)
                )

    def handler_of(self, asked: Control | None) -> Handler | None:
        """Return the handler for clicks on a control, or None if no cog handles them."""
        if asked is None:
            return None
        return self.handlers.get(asked.name if isinstance(asked, Action) else type(asked))

    async def handle_click(self, clicked: ClickContext, asked: Control | None) -> None:
        """Call the handler that is registered for the clicked control.

        Raises:
            TableError: The control has no handler, or is not allowed in the clicked message.
        """
        handler = self.handler_of(asked)
        if handler is None or (handler.in_private and not clicked.is_private):
            raise unknown_button()
        await handler.carry_out(clicked, asked)

    def metric_label(self, asked: Control | None) -> str | None:
        """Return the metrics label for clicks on a control, or None if the control has no handler."""
        if asked is None or self.handler_of(asked) is None:
            return None
        return asked.name if isinstance(asked, Action) else asked.kind
