"""Interface through which features extend the bot. Each folder in ``cogs/`` is one feature."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.message_plans import HandContent, Notice
from bot.delivery.regular_posts import PostType
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.messages.button_rows import FeatureButton
from bot.messages.components import Button, Content, MenuOption, Row
from bot.messages.daily_items import DailyItem
from bot.messages.match_end import EndLines
from bot.sessions.table_state import Table
from bot.storage.journal import EndRecorder

Command: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

RowInRules: TypeAlias = Callable[[AnyGame, int, str | None], Awaitable[Row | None]]
"""A function that returns a row to show below a game's rules, or None.

Its arguments are the game, the reading player's ID and the ID of the match at whose table the player
reads the rules. The last one is None if the player reads them elsewhere.
"""


class Occasion(Enum):
    """A type of message that introduces the bot to users."""

    JOINED = "joined"  # the greeting of a new server
    HELP = "help"  # the answer to ``/help``


@frozen
class StartButton:
    """A button that a feature offers to users who are new to the bot.

    Attributes:
        order: Position among the buttons, lowest first.
        occasions: The messages that include the button.
        button: Takes the game that newcomers play first. Returns the button, or None for no button.
    """

    order: int
    occasions: frozenset[Occasion]
    button: Callable[[AnyGame], Button | None]


@frozen
class BoardReaders:
    """The readers of a leaderboard that is shown permanently in a channel.

    It is used in place of an interaction, because no particular user has requested the leaderboard.
    """

    guild: discord.Guild | None
    created_at: datetime
    user: discord.Object = discord.Object(0)


@frozen
class BoardChoice:
    """A leaderboard that users can request by name.

    Attributes:
        content: Takes an interaction and a page number from 0, or ``AROUND``. Returns the page for the
            interaction's user, or None if the leaderboard is not available there.
        options: Returns the leaderboard's options in the menu of all leaderboards. Their values are the
            custom_ids of pages. None means that the leaderboard has one option.
    """

    key: str
    name: str
    content: Callable[[discord.Interaction | BoardReaders, int], Awaitable[Content | None]]
    options: Callable[[], Sequence[MenuOption]] | None = None


ProfileLines: TypeAlias = Callable[[int, int], Awaitable[Iterable[str]]]


@frozen
class DayStreak:
    """A daily activity for which players have streaks. A player can do it once per day (UTC).

    Attributes:
        name: Returns the name of the activity.
        command: The command that begins the activity.
        at_stake: Takes a player's ID and a day such as 20261121. Returns the length of the streak that
            the player loses by not playing on that day, or 0 if there is none.
    """

    name: Callable[[], str]
    command: str
    at_stake: Callable[[int, int], Awaitable[int]]


@frozen
class Feature:
    """Everything that a feature adds to the bot.

    Attributes:
        cog: The cog with the feature's commands, listeners and click handlers, or None.
        commands: Context menus, and commands that are created at startup.
        of_game: Takes a game and returns subcommands for its slash command.
        boards: The feature's leaderboards.
        of_boards: Takes the leaderboards of all features and returns commands for them.
        offers: Buttons that the feature adds to messages of other parts of the bot.
        starts: Buttons for users who are new to the bot.
        in_rules: Returns a row to show below a game's rules.
        match_end_lines: Lines to show below a finished match.
        at_end: Records the facts for these lines, in the transaction that ends the match.
        hand: Returns the content that replaces a player's hand in the feature's own matches. Returns
            None for any other match.
        notice: The public message about a server's private matches.
        daily_items: The entries for servers' daily posts.
        posts: The types of regular posts.
        in_settings: Returns buttons for a server's settings.
        status: Returns lines about a server for ``/doctor``.
        in_own_settings: Returns buttons for a user's own settings in a server.
        in_daily_post: Returns buttons for servers' daily posts.
        streaks: The daily activities with a streak.
        in_profile: Takes a user ID and a day such as 20261121. Returns lines about the player's results
            for the player's profile.
        before_forgetting: Called with a player's ID before the player's data is deleted.
        at_lobby: Called with the table after its lobby is shown. It may be called repeatedly.
    """

    cog: commands.Cog | None = None
    commands: Sequence[Command | app_commands.ContextMenu] = ()
    of_game: Callable[[AnyGame], Iterable[Command]] = lambda _game: ()
    boards: Sequence[BoardChoice] = ()
    of_boards: Callable[[Sequence[BoardChoice]], Iterable[Command]] = lambda _boards: ()
    offers: Sequence[FeatureButton] = ()
    starts: Sequence[StartButton] = ()
    in_rules: RowInRules | None = None
    match_end_lines: Sequence[EndLines] = ()
    at_end: EndRecorder | None = None
    hand: HandContent | None = None
    notice: Notice | None = None
    daily_items: Sequence[DailyItem] = ()
    posts: Sequence[PostType] = ()
    in_settings: Callable[[], Sequence[Button]] | None = None
    status: Callable[[int], Awaitable[Sequence[str]]] | None = None
    in_own_settings: Callable[[], Sequence[Button]] | None = None
    in_daily_post: Callable[[], Sequence[Button]] | None = None
    streaks: Sequence[DayStreak] = ()
    in_profile: ProfileLines | None = None
    at_lobby: Callable[[Table], Awaitable[None]] | None = None
    before_forgetting: Callable[[int], Awaitable[None]] | None = None
