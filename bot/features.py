"""The record of a feature: what a folder in ``cogs/`` adds to the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.delivery.plans import HandContent
from bot.engine.game import AnyGame
from bot.engine.values import frozen
from bot.messages.components import Row
from bot.messages.offers import Offer

Command: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

RowInRules: TypeAlias = Callable[[AnyGame, int, str | None], Awaitable[Row | None]]
"""Makes a row below a game's rules for a player, at the table of a match or (None) anywhere."""


@frozen
class Feature:
    """A cog, and what it adds beside its commands, listeners and clicks.

    ``commands`` are those that are made at the start, and context menus; ``of_game`` makes those of each
    game, which become a part of the game's own command. ``offers`` are buttons in messages that are
    another's; ``in_rules`` makes a row below the rules of a game, for the player who reads them, at the
    table of a match or anywhere. ``hand`` makes what a player is shown in place of a hand, in matches of
    the feature's own; None for any other.
    """

    cog: commands.Cog | None = None
    commands: Sequence[Command | app_commands.ContextMenu] = ()
    of_game: Callable[[AnyGame], Iterable[Command]] = lambda _game: ()
    offers: Sequence[Offer] = ()
    in_rules: RowInRules | None = None
    hand: HandContent | None = None
