"""The command ``start`` of any game, made from what the game says of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.game import Info
from bot.engine.values import frozen
from bot.messages.turns import TURN_CHOICES

Start: TypeAlias = Callable[[discord.Interaction, Mapping[str, int | None]], Awaitable[None]]
"""Starts a game with what was answered, question by question."""

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
        return f"{self.words} ({named.get(self.default, self.default)} if you do not say)"


SEATS, TURN = "seats", "turn"
"""What is asked of every table: how many may sit down, and how many seconds a turn may take."""


def option_questions(info: Info) -> list[Question]:
    """Return what the game itself asks."""
    return [
        Question(
            option.key,
            option.asks,
            int if option.answers else RANGE[int, option.least + option.by_lot, option.most] | None,
            None if option.by_lot else option.default,
            [
                app_commands.Choice(name=answer, value=value)
                for value, answer in enumerate(option.answers, option.least)
            ],
        )
        for option in info.options
        if option.asks
    ]


def seats_question(info: Info) -> Question:
    """Return the question how many may sit down."""
    return Question(
        SEATS,
        f"How many may sit down ({info.most} if you do not say)",
        RANGE[int, info.fewest, info.most] | None,
    )


TURN_QUESTION = Question(
    TURN,
    "How long a turn may take, before it is passed (this server's setting if you do not say)",
    int | None,
    choices=TURN_CHOICES,
)


def start_command(
    description: str, questions: Sequence[Question], start: Start
) -> app_commands.Command[Any, ..., None]:
    """Return the command ``start``, which asks these questions."""

    async def asked(interaction: discord.Interaction, **answers: int | None) -> None:
        await start(interaction, answers)

    # discord.py reads a command's options from its callback's signature.
    asked.__signature__ = Signature(  # type: ignore[attr-defined]  # Python's own name for it
        [
            Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction),
            *(
                Parameter(each.key, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.kind)
                for each in questions
            ),
        ]
    )
    app_commands.describe(**{each.key: each.description for each in questions})(asked)
    app_commands.choices(**{each.key: list(each.choices) for each in questions if each.choices})(asked)
    return app_commands.Command(name="start", description=description, callback=asked)
