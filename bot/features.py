"""The record of a feature: what a folder in ``cogs/`` adds to the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.plans import HandContent, Notice
from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.messages.button_rows import Offer
from bot.messages.components import Content, Row
from bot.messages.match_end import Told
from bot.storage.journal import EndRecorder

Command: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

RowInRules: TypeAlias = Callable[[AnyGame, int, str | None], Awaitable[Row | None]]
"""Makes a row below a game's rules for a player, at the table of a match or (None) anywhere."""


@frozen
class BoardChoice:
    """A leaderboard, among those that can be asked for by their names.

    ``content`` makes a page of it, counted from 0, for who asks; None where there is none of it.
    ``in_profile`` says what a player has won who is on it, on a day such as 20261121.
    """

    key: str
    name: str
    content: Callable[[discord.Interaction, int], Awaitable[Content | None]]
    in_profile: Callable[[int, int], Awaitable[Iterable[str]]] | None = None


@frozen
class Feature:
    """A cog, and what it adds beside its commands, listeners and clicks.

    ``commands`` are those that are made at the start, and context menus; ``of_game`` makes those of each
    game, which become a part of the game's own command, and ``of_boards`` those of the leaderboards that
    features have. ``offers`` are buttons in messages that are another's; ``in_rules`` makes a row below
    the rules of a game, for the player who reads them, at the table of a match or anywhere.
    ``told_at_end`` are lines below a match that is over; ``at_end`` records the facts that they say, in
    the transaction that ends it. ``hand`` makes what a player is shown in place of a hand, in matches of
    the feature's own; None for any other. ``notice`` is what a channel hears of those that are private
    there.
    """

    cog: commands.Cog | None = None
    commands: Sequence[Command | app_commands.ContextMenu] = ()
    of_game: Callable[[AnyGame], Iterable[Command]] = lambda _game: ()
    boards: Sequence[BoardChoice] = ()
    of_boards: Callable[[Sequence[BoardChoice]], Iterable[Command]] = lambda _boards: ()
    offers: Sequence[Offer] = ()
    in_rules: RowInRules | None = None
    told_at_end: Sequence[Told] = ()
    at_end: EndRecorder | None = None
    hand: HandContent | None = None
    notice: Notice | None = None
