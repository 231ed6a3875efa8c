"""Record of a feature, which is what a folder in ``cogs/`` adds to the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.plans import HandContent, Notice
from bot.delivery.regular_posts import PostType
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.messages.button_rows import Offer
from bot.messages.components import Button, Content, Option, Row
from bot.messages.daily_items import DailyItem
from bot.messages.match_end import Told
from bot.sessions.table import Table
from bot.storage.journal import EndRecorder

Command: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

RowInRules: TypeAlias = Callable[[AnyGame, int, str | None], Awaitable[Row | None]]
"""Returns a row below a game's rules for a player, at a match's table, or anywhere if that is None."""


class Occasion(Enum):
    """A message that says what the bot is."""

    JOINED = "joined"  # the greeting of a new server
    HELP = "help"  # the answer to ``/help``


@frozen
class StartButton:
    """A feature's button for users who are new to the bot.

    Attributes:
        order: Position among the buttons, lowest first.
        occasions: The messages that have the button.
        button: Returns the button for the game that newcomers play first, or None for no button.
    """

    order: int
    occasions: frozenset[Occasion]
    button: Callable[[AnyGame], Button | None]


@frozen
class BoardReaders:
    """All who read a leaderboard that is kept in a channel, in place of the user of an interaction."""

    guild: discord.Guild | None
    created_at: datetime
    user: discord.Object = discord.Object(0)


@frozen
class BoardChoice:
    """A leaderboard that users can request by its name.

    Attributes:
        content: Returns a page, counted from 0 or ``AROUND``, for the user of an interaction, or None
            if the leaderboard is not available there.
        in_profile: Returns lines about a player's wins on the leaderboard, for a user ID and a day such
            as
            20261121.
        options: Returns the leaderboard's options in the menu of all leaderboards, with the custom_ids
            of pages as their values. None means one option.
    """

    key: str
    name: str
    content: Callable[[discord.Interaction | BoardReaders, int], Awaitable[Content | None]]
    in_profile: Callable[[int, int], Awaitable[Iterable[str]]] | None = None
    options: Callable[[], Sequence[Option]] | None = None


@frozen
class DayStreak:
    """Something that is tried once a day (UTC), with a streak.

    Attributes:
        name: Returns its name.
        command: The command that begins the try.
        at_stake: Returns the length of a player's streak that ends with a day unless the try is made,
            given the player's ID and a day such as 20261121. 0 means that no streak is at stake.
    """

    name: Callable[[], str]
    command: str
    at_stake: Callable[[int, int], Awaitable[int]]


@frozen
class Feature:
    """A feature's cog, and what the feature adds besides its commands, listeners and clicks.

    Attributes:
        commands: Commands created at the start, and context menus.
        of_game: Returns subcommands for the command of a game.
        boards: The feature's leaderboards.
        of_boards: Returns the commands for the leaderboards of all features.
        offers: Buttons in messages of other parts of the bot.
        starts: Buttons for users who are new to the bot.
        in_rules: Returns a row below the rules of a game, for the player who reads them.
        told_at_end: Lines below a finished match.
        at_end: Records the facts for these lines in the transaction that ends a match.
        hand: Returns the content shown in place of a player's hand in the feature's own matches, or None
            for any other match.
        notice: The content shown in a channel for matches that are private there.
        daily_items: What the feature offers each day, which the daily post of a server lists.
        posts: The types of posts that a server gets regularly.
        in_settings: Returns buttons for the settings of a server.
        in_own_settings: Returns buttons for the panel of a user's own settings in a server.
        streaks: What the feature offers for a try a day.
        before_forgetting: Called with the ID of a player who is then forgotten.
        at_lobby: Called with the table after its lobby is shown, perhaps repeatedly.
    """

    cog: commands.Cog | None = None
    commands: Sequence[Command | app_commands.ContextMenu] = ()
    of_game: Callable[[AnyGame], Iterable[Command]] = lambda _game: ()
    boards: Sequence[BoardChoice] = ()
    of_boards: Callable[[Sequence[BoardChoice]], Iterable[Command]] = lambda _boards: ()
    offers: Sequence[Offer] = ()
    starts: Sequence[StartButton] = ()
    in_rules: RowInRules | None = None
    told_at_end: Sequence[Told] = ()
    at_end: EndRecorder | None = None
    hand: HandContent | None = None
    notice: Notice | None = None
    daily_items: Sequence[DailyItem] = ()
    posts: Sequence[PostType] = ()
    in_settings: Callable[[], Sequence[Button]] | None = None
    in_own_settings: Callable[[], Sequence[Button]] | None = None
    streaks: Sequence[DayStreak] = ()
    at_lobby: Callable[[Table], Awaitable[None]] | None = None
    before_forgetting: Callable[[int], Awaitable[None]] | None = None
