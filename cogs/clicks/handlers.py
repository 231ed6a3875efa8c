"""Which function carries out a click on which kind of button or menu."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from bot.engine.values import frozen
from bot.messages.custom_ids import Action, Control
from bot.services.click import Clicked
from bot.sessions.table import Table

CarryOut: TypeAlias = Callable[[Clicked, Any], Awaitable[None]]
AtTable: TypeAlias = Callable[[Clicked, Table, Any], Awaitable[None]]
OnTable: TypeAlias = Callable[[Clicked, Table], Awaitable[None]]


@frozen
class Handler:
    """What carries out a click; ``in_private``: its button stands where only its player sees it."""

    carry_out: CarryOut
    in_private: bool


HANDLERS: dict[type[Control], Handler] = {}
ACTIONS: dict[str, Handler] = {}
"""Those of the actions, by their names."""


def handles(kind: type[Control], *, in_private: bool = False) -> Callable[[CarryOut], CarryOut]:
    """Have a function carry out what a kind of control asks for."""

    def register(carry_out: CarryOut) -> CarryOut:
        HANDLERS[kind] = Handler(carry_out, in_private)
        return carry_out

    return register


def handles_at_table(kind: type[Control], *, in_private: bool = False) -> Callable[[AtTable], AtTable]:
    """Have a function carry out what a kind of control asks for, given the table of its match."""

    def register(carry_out: AtTable) -> AtTable:
        @handles(kind, in_private=in_private)
        async def enter(clicked: Clicked, asked: Any) -> None:
            await carry_out(clicked, await clicked.enter(asked.match_id), asked)

        return carry_out

    return register


def action(name: str, *, in_private: bool = False) -> Callable[[OnTable], OnTable]:
    """Have a function carry out an action, given the table."""

    def register(carry_out: OnTable) -> OnTable:
        async def enter(clicked: Clicked, asked: Any) -> None:
            await carry_out(clicked, await clicked.enter(asked.match_id))

        ACTIONS[name] = Handler(enter, in_private)
        return carry_out

    return register


def read(custom_id: str, values: Sequence[str]) -> Control | None:
    """Return what a custom_id, and the values picked where it is a menu, ask for.

    None for anything that this bot does not send.
    """
    kinds: tuple[type[Control], ...] = (Action, *HANDLERS)
    for kind in kinds:
        if found := kind.pattern.fullmatch(custom_id):
            return kind.read(found, values)
    return None


def handler_of(asked: Control | None) -> Handler | None:
    """Return what carries out what is asked for, or None where nothing does."""
    if isinstance(asked, Action):
        return ACTIONS.get(asked.name)
    return None if asked is None else HANDLERS[type(asked)]


def counted_as(asked: Control | None) -> str | None:
    """Return what a click is counted as: one of few words, whatever was sent; None for none of ours."""
    if isinstance(asked, Action):
        return asked.name if asked.name in ACTIONS else None
    return None if asked is None else asked.kind
