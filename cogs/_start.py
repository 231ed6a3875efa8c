"""The command ``start`` of any game, made from what the game says of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from cogs._questions import Question

Start: TypeAlias = Callable[[discord.Interaction, Mapping[str, int | None]], Awaitable[None]]
"""Starts a game with what was answered, question by question."""


def start_command(
    description: str, questions: Sequence[Question], start: Start
) -> app_commands.Command[Any, ..., None]:
    """Return the command ``start``, which asks these questions."""

    async def asked(interaction: discord.Interaction, **answers: int | None) -> None:
        await start(interaction, answers)

    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    rest = (
        Parameter(each.key, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.kind)
        for each in questions
    )
    # discord.py reads a command's options from its callback's signature, which `inspect` lets a function
    # say of itself in this attribute; the stubs of functions do not have it.
    asked.__signature__ = Signature([first, *rest])  # type: ignore[attr-defined]
    app_commands.describe(**{each.key: each.description for each in questions})(asked)
    app_commands.choices(**{each.key: list(each.choices) for each in questions if each.choices})(asked)
    return app_commands.Command(name="start", description=description, callback=asked)
