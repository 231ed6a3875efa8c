"""The command ``start`` of any game, made from what the game says of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.game import Info
from bot.engine.match import HINTS
from bot.engine.thinking import Strength
from bot.sessions.lobby import no_such_frog
from cogs._questions import RANGE, Question, yes_or_no_question

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


FROGS, STRENGTH = "frogs", "strength"
"""What is asked where the bot can play: how many frogs sit down, and how well they play."""

_STRENGTHS = tuple(Strength)
_ASKED_HINTS = "Allow hints (only to who plays without other people if you don't say)"
_USUAL = Strength.FROGLET


def frog_questions(info: Info) -> list[Question]:
    """Return the questions how many frogs sit down with the host, and how well they play."""
    return [
        Question(
            FROGS,
            "How many frogs play with you; the match starts at once unless you name seats",
            RANGE[int, 0, info.most - 1] | None,
        ),
        Question(
            STRENGTH,
            f"How well the frogs play ({_USUAL.value} if you don't say)",
            int | None,
            choices=[
                app_commands.Choice(name=strength.value, value=access)
                for access, strength in enumerate(_STRENGTHS)
            ],
        ),
        yes_or_no_question(HINTS, _ASKED_HINTS, default=None),
    ]


def hints_of(answers: Mapping[str, int | None]) -> dict[str, int]:
    """Return the option that says whether there are hints, if that was asked for."""
    hints = answers.get(HINTS)
    return {} if hints is None else {HINTS: int(bool(hints))}


def frogs_of(answers: Mapping[str, int | None]) -> list[Strength]:
    """Return the strengths of the frogs that were asked for; raises TableError for one there is not."""
    access = answers.get(STRENGTH)
    if access is not None and not 0 <= access < len(_STRENGTHS):
        raise no_such_frog()
    return (answers.get(FROGS) or 0) * [_USUAL if access is None else _STRENGTHS[access]]
