"""Factory of each game's ``start`` command. The command's options come from the game's description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.frozen import frozen
from bot.engine.game import GameOption, Info

IN_WORDS = "Describe everything in words. Only you can see it."
"""Description of the option for a text version, used by all commands that show a table or a hand."""

RANGE: Any = app_commands.Range  # used with values known at run time, which type checkers reject


@frozen
class StartOption:
    """An optional slash command option with an integer value.

    Attributes:
        key: The option's name.
        words: The option's description, without the default.
        kind: The type annotation of the callback's parameter.
        default: The value that is used if the user picks none, or None if there is no default.
        choices: The values to choose from. If empty, the user may enter any number that ``kind`` allows.
    """

    key: str
    words: str
    kind: Any
    default: int | None = None
    choices: Sequence[app_commands.Choice[int]] = ()

    @property
    def description(self) -> str:
        """The option's description in Discord, with the default value."""
        if self.default is None:
            return self.words
        choice_names = {choice.value: choice.name for choice in self.choices}
        return f"{self.words} (default: {choice_names.get(self.default, self.default)})"


def yes_or_no_question(key: str, words: str, *, default: int | None) -> StartOption:
    """Return an option with the choices *yes* (value 1) and *no* (value 0).

    Args:
        key: The option's name.
        words: The option's description, without the default.
        default: The value that is used if the user picks none, or None if there is no default.
    """
    answers = [app_commands.Choice(name="yes", value=1), app_commands.Choice(name="no", value=0)]
    return StartOption(key, words, int if default is not None else int | None, default, answers)


def _question_of(option: GameOption) -> StartOption:
    if option.is_yes_or_no:
        return yes_or_no_question(option.key, option.asks, default=option.default)
    kind = RANGE[int, option.least + option.by_lot, option.most] | None
    return StartOption(option.key, option.asks, kind, None if option.by_lot else option.default)


Start: TypeAlias = Callable[[discord.Interaction, Mapping[str, int | None]], Awaitable[None]]
"""A function that starts a game. It gets the option values by name, with None for an unset option."""


def start_command(
    info: Info, description: str, start: Start, *more: StartOption
) -> app_commands.Command[Any, ..., None]:
    """Create a game's ``start`` command.

    Args:
        info: The game's description, which contains its options.
        description: The command's description in Discord.
        start: Called when a user runs the command. It starts the game.
        more: Additional options, placed after the game's own.
    """
    questions = (*(_question_of(option) for option in info.options if option.asks), *more)

    async def start_match(interaction: discord.Interaction, **answers: int | None) -> None:
        await start(interaction, answers)

    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    rest = (
        Parameter(
            question.key, Parameter.KEYWORD_ONLY, default=question.default, annotation=question.kind
        )
        for question in questions
    )
    # discord.py reads a command's options from its callback's signature. `inspect` takes the signature
    # from this attribute, which the type stubs of functions lack.
    start_match.__signature__ = Signature([first, *rest])  # type: ignore[attr-defined]
    app_commands.describe(**{question.key: question.description for question in questions})(start_match)
    app_commands.choices(
        **{question.key: list(question.choices) for question in questions if question.choices}
    )(start_match)
    return app_commands.Command(name="start", description=description, callback=start_match)
