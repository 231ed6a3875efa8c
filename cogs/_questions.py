"""What the command ``start`` of a game asks: the game's own options, and those of every table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands

from bot.engine.game import Info
from bot.engine.match import BANK
from bot.engine.values import frozen
from bot.messages.time_limits import BANKS, TURN_LIMITS

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


IN_WORDS = "Only tell me, in words, all that there is to see; nobody else sees that"
"""What the commands ask that show a table or a hand."""

SEATS, TURN = "seats", "turn"
"""What is asked of every table: how many may sit down, and how many seconds a turn may take."""


def option_questions(info: Info) -> list[Question]:
    """Return what the game itself asks."""
    return [
        yes_or_no_question(option.key, option.asks, default=option.default)
        if option.is_yes_or_no
        else Question(
            option.key,
            option.asks,
            RANGE[int, option.least + option.by_lot, option.most] | None,
            None if option.by_lot else option.default,
        )
        for option in info.options
        if option.asks
    ]


def yes_or_no_question(key: str, words: str, *, default: int | None) -> Question:
    """Return a question that is answered with yes (1) or no (0); ``default`` None: it may stay open."""
    answers = [app_commands.Choice(name="yes", value=1), app_commands.Choice(name="no", value=0)]
    return Question(key, words, int if default is not None else int | None, default, answers)


def seats_question(info: Info) -> Question:
    """Return the question how many may sit down."""
    words = f"How many may sit down ({info.most} if you don't say)"
    return Question(SEATS, words, RANGE[int, info.fewest, info.most] | None)


TURN_QUESTION = Question(
    TURN,
    "Time limit for a turn (this server's setting if you don't say)",
    int | None,
    choices=[app_commands.Choice(name=name, value=each) for each, name in TURN_LIMITS.items()],
)


BANK_QUESTION = Question(
    BANK,
    "Time that each has for the whole match when a turn takes longer",
    int,
    0,
    choices=[app_commands.Choice(name=name, value=each) for each, name in BANKS.items()],
)
