"""Clicks: which method of a cog carries out one on which kind of button or menu."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MethodType
from typing import Any, TypeVar

import discord
from discord.ext import commands

from bot.delivery.click_context import ClickContext, unknown_button
from bot.engine.immutable import frozen
from bot.messages.custom_ids import Action, Control

F = TypeVar("F", bound=Callable[..., Awaitable[None]])

_MARK = "__clicks__"

_KINDS: dict[type[Control], None] = {Action: None}
"""All kinds of controls that something carries out, in the order of their cogs."""


@frozen
class Handler:
    """What carries out a click on a kind of control, or an action by its name.

    ``in_private``: it stands where only its player sees it; ``learns``: who clicks is learned by name.
    """

    kind: type[Control] | str
    carry_out: Callable[..., Awaitable[None]]
    in_private: bool = False
    learns: bool = True


def handles(kind: type[Control], *, in_private: bool = False, learns: bool = True) -> Callable[[F], F]:
    """Mark the method of a cog that carries out what a kind of control asks for."""
    return lambda carry_out: _marked(carry_out, Handler(kind, carry_out, in_private, learns))


def handles_at_table(kind: type[Control] | str, *, in_private: bool = False) -> Callable[[F], F]:
    """Mark the method that carries out what a kind of control asks for, given the match's table.

    That of an action, which is known by its name, is given nothing more: it asks for nothing more.
    """

    def mark(carry_out: F) -> F:
        async def enter(cog: Any, clicked: ClickContext, asked: Any) -> None:
            more = () if isinstance(kind, str) else (asked,)
            await carry_out(cog, clicked, await clicked.enter(asked.match_id), *more)

        return _marked(carry_out, Handler(kind, enter, in_private))

    return mark


action = handles_at_table


def _marked(carry_out: F, handler: Handler) -> F:
    if not isinstance(handler.kind, str):
        _KINDS[handler.kind] = None
    setattr(carry_out, _MARK, handler)
    return carry_out


def read(custom_id: str, values: Sequence[str]) -> Control | None:
    """Return what a custom_id and the values of a menu ask for; None for what this bot never sends."""
    for kind in _KINDS if custom_id.isascii() else ():
        found = kind.pattern.fullmatch(custom_id)
        if found and (control := kind.read(found, values)) is not None:
            return control
    return None


def asked_by(interaction: discord.Interaction) -> Control | None:
    """Return what a click asks for, with the values that were picked, or typed in a form."""
    data: Mapping[str, Any] = interaction.data or {}
    fields = (part.get("component") or {} for part in data.get("components", ()))
    values = data.get("values") or [field["value"] for field in fields if "value" in field]
    return read(str(data.get("custom_id", "")), [str(value) for value in values])


class Clicks:
    """The handlers of all cogs that are loaded."""

    def __init__(self) -> None:
        self.handlers: dict[type[Control] | str, Handler] = {}

    def add(self, cog: commands.Cog) -> None:
        for member in vars(type(cog)).values():
            found = getattr(member, _MARK, None)
            if isinstance(found, Handler):
                self.handlers[found.kind] = replace(found, carry_out=MethodType(found.carry_out, cog))

    def handler_of(self, asked: Control | None) -> Handler | None:
        if asked is None:
            return None
        return self.handlers.get(asked.name if isinstance(asked, Action) else type(asked))

    async def carry_out(self, clicked: ClickContext, asked: Control | None) -> None:
        """Carry out a click; raises TableError for what is offered nowhere, or not there."""
        handler = self.handler_of(asked)
        if handler is None or (handler.in_private and not clicked.is_private):
            raise unknown_button()
        await handler.carry_out(clicked, asked)

    def counted_as(self, asked: Control | None) -> str | None:
        if asked is None or self.handler_of(asked) is None:
            return None
        return asked.name if isinstance(asked, Action) else asked.kind
