"""The command ``start`` of any game, made from what the game says of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.game import Info, Option
from bot.engine.immutable import frozen

IN_WORDS = "Only tell me, in words, all that there is to see; nobody else sees that"
"""What the commands ask that show a table or a hand."""

RANGE: Any = app_commands.Range  # read when a game is known, where type checkers want it in the source


@frozen
class Question:
    """An option of a slash command: a number that one may choose, and need not."""

    key: str
    words: str
    kind: Any
    default: int | None = None
    choices: Sequence[app_commands.Choice[int]] = ()

    @property
    def description(self) -> str:
        """What Discord shows beside it."""
        if self.default is None:
            return self.words
        named = {choice.value: choice.name for choice in self.choices}
        return f"{self.words} ({named.get(self.default, self.default)} if you don't say)"


def yes_or_no_question(key: str, words: str, *, default: int | None) -> Question:
    """Return a question whose answer is yes (1) or no (0), or none where ``default`` is None."""
    answers = [app_commands.Choice(name="yes", value=1), app_commands.Choice(name="no", value=0)]
    return Question(key, words, int if default is not None else int | None, default, answers)


def _question_of(option: Option) -> Question:
    if option.is_yes_or_no:
        return yes_or_no_question(option.key, option.asks, default=option.default)
    kind = RANGE[int, option.least + option.by_lot, option.most] | None
    return Question(option.key, option.asks, kind, None if option.by_lot else option.default)


Start: TypeAlias = Callable[[discord.Interaction, Mapping[str, int | None]], Awaitable[None]]
"""Starts a game with what was answered, question by question."""


def start_command(
    info: Info, description: str, start: Start, *more: Question
) -> app_commands.Command[Any, ..., None]:
    """Return the command ``start``, which asks for the options of the game and then ``more``."""
    questions = (*(_question_of(option) for option in info.options if option.asks), *more)

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
