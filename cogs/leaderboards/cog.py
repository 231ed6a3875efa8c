"""The command ``/leaderboard``, and leaderboards that stay in a channel and are updated there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import Clicks, handles, read
from bot.delivery.display import Display
from bot.delivery.permission_checks import check_is_admin, is_admin, plays_here
from bot.delivery.regular_posts import PostSchedule, PostType
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import server_name
from bot.engine.translation import _, pgettext, speaking
from bot.features import BoardChoice, BoardReaders, Feature
from bot.games import default_of
from bot.matches.leaderboard_rules import AROUND, Ending, page_of
from bot.messages.components import Button, Content, MenuOption, Row, row
from bot.messages.custom_ids import PlainControl, RepeatableControl
from bot.messages.leaderboard_pages import (
    MENU,
    PAGE_SIZE,
    BoardPage,
    LeaderboardPage,
    PickBoard,
    board_content,
    register_boards,
)
from bot.messages.match_end import EndLines
from bot.messages.table_view import TableView
from bot.requests.answers import answering
from bot.requests.command_sync import CHOICE
from bot.sessions.errors import TableError
from bot.storage.regular_posts import PostSettings, RegularPost
from cogs.leaderboards.content import COMPUTER_PLAYERS, computer_player_board, end_lines, game_board
from cogs.leaderboards.profile_cog import Profiles
from cogs.leaderboards.standings import Standings

KEPT = "board"
"""Type of the regular posts that keep a leaderboard in a channel.

The post's slot consists of this type, the leaderboard's key and the channel's ID.
"""


@frozen
class KeepBoard(PlainControl):
    """A button that keeps a leaderboard in its channel permanently, or stops keeping it there."""

    kind = "keep board"
    form = "kb:{0.board}"

    board: str


def keep_button(board: str, *, is_kept: bool = False) -> Row:
    label = _("Stop keeping it here") if is_kept else _("Keep it here")
    return row(Button(KeepBoard(board).custom_id, label, emoji="📌"))


def with_control(content: Content, control: Row) -> Content:
    return replace(content, parts=(*content.parts, control))


class Leaderboards(commands.Cog):
    """The ``/leaderboard`` cog. Games and other features provide the leaderboards."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        display: Display,
        standings: Standings,
        schedule: PostSchedule,
        clicks: Clicks,
    ) -> None:
        self._games, self._schedule = games, schedule
        self._clicks = clicks
        self._display = display
        self._standings = standings
        self._boards = {
            key: BoardChoice(key, game.info.name, partial(self._page, game))
            for key, game in games.items()
        }
        if any(game.thinking for game in games.values()):
            self._boards[COMPUTER_PLAYERS] = BoardChoice(
                COMPUTER_PLAYERS, "Against frogs", self._computer_player_page
            )

    def board_commands(
        self, others: Sequence[BoardChoice]
    ) -> Iterable[app_commands.Command[Any, ..., None]]:
        self._boards |= {board.key: board for board in others}
        register_boards(lambda: chain.from_iterable(map(board_options, self._boards.values())))
        first = default_of(self._games).info
        boards = [app_commands.Choice(name=one.name, value=key) for key, one in self._boards.items()]

        @app_commands.command()
        @app_commands.guild_only()
        @app_commands.describe(board=f"Which leaderboard (default: {first.name}'s)")
        @app_commands.choices(board=boards)
        async def leaderboard(interaction: discord.Interaction, board: str = first.key) -> None:
            """Show who has won the most in this server, or another leaderboard."""
            await self._show(interaction, board, lambda: self._board(interaction, board, AROUND))

        yield leaderboard

    async def _show(
        self, interaction: discord.Interaction, board: str, make: Callable[[], Awaitable[Content | None]]
    ) -> None:
        """Post a leaderboard in the channel if games are allowed there.

        Otherwise, send it to the user as an ephemeral message.
        """
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(self._display, interaction)
            with speaking(await self._display.plans.spoken(interaction, in_public=in_public)):
                content = await make()
            if content is None:
                raise TableError(_("Leaderboards only exist in servers. Use this command in one."))
            if in_public and is_admin(interaction):
                content = with_control(content, keep_button(board))
            await (answer.post(content) if in_public else answer.send_ephemeral(content))

    @handles(BoardPage)
    async def turn_page(self, clicked: ClickContext, asked: BoardPage) -> None:
        """Show another page of a leaderboard.

        If the user requested the leaderboard, its message is edited. Other users get the page in an
        ephemeral message.
        """
        await clicked.turn_board(lambda: self._board(clicked.interaction, asked.board, asked.page))

    @handles(KeepBoard)
    async def keep(self, clicked: ClickContext, asked: KeepBoard) -> None:
        """Keep the clicked leaderboard in its channel permanently, or stop keeping it there.

        A leaderboard that is kept is updated automatically and posted again each day.
        """
        guild, channel_id = check_is_admin(clicked.interaction), clicked.interaction.channel_id or 0
        slot = f"{KEPT} {asked.board} {channel_id}"
        if clicked.is_private or asked.board not in self._boards:
            raise unknown_button()
        if await self._schedule.drop(guild.id, slot):
            await clicked.answer.send_sentence(_("I've stopped updating this leaderboard here."))
            return
        await self._schedule.keep(guild.id, slot, channel_id, clicked.message.id)
        await clicked.answer.send_sentence(
            _(
                "I'll keep this leaderboard up to date and repost it every day. Press the button "
                "to stop that."
            )
        )

    async def kept_content(self, post: RegularPost, _settings: PostSettings) -> Content | None:
        """Return the current content of a leaderboard that is kept in a channel.

        Return None if a newer post has replaced this one.
        """
        _type, key, _channel = post.slot.split()
        guild = self._schedule.guild(post.guild_id)
        at = datetime.fromtimestamp(self._schedule.clock(), UTC)
        content = await self._board(BoardReaders(guild, at), key) if post.is_open else None
        return content and with_control(content, keep_button(key, is_kept=True))

    @handles(PickBoard)
    async def pick_board(self, clicked: ClickContext, picked: PickBoard) -> None:
        page = read(picked.page, ())
        if not isinstance(page, RepeatableControl):
            raise unknown_button()
        await self._clicks.handle_click(clicked, page)

    async def match_end_lines(self, table: TableView, ending: Ending) -> Iterable[str]:
        return end_lines(table, ending.facts)

    async def _board(
        self, interaction: discord.Interaction | BoardReaders, key: str, number: int = 0
    ) -> Content | None:
        board = self._boards.get(key)
        return None if board is None else await board.content(interaction, number)

    async def _page(
        self, game: AnyGame, interaction: discord.Interaction | BoardReaders, number: int
    ) -> Content | None:
        guild, player_id, standings = interaction.guild, interaction.user.id, self._standings
        if guild is None:
            return None
        where = (guild.id, game.info.key)
        count = await standings.count(*where)
        own = await standings.place_of(*where, player_id)
        is_placed = number == AROUND and own is not None and own.rank
        position = await standings.position_of(*where, player_id) if is_placed else None
        number, offset, size = page_of(number, PAGE_SIZE, count, position)
        rows = await standings.leaderboard(*where, offset, size)
        page = LeaderboardPage(number, count, rows, own)
        return board_content(game_board(game, server_name(guild.name)), page, player_id)

    async def _computer_player_page(
        self, interaction: discord.Interaction | BoardReaders, number: int
    ) -> Content | None:
        if interaction.guild is None:
            return None
        page = await self._standings.computer_player_page(
            interaction.guild.id, interaction.user.id, number
        )
        board = computer_player_board(default_of(self._games), server_name(interaction.guild.name))
        return board_content(board, page, interaction.user.id)


def board_options(board: BoardChoice) -> Sequence[MenuOption]:
    """Return a leaderboard's options in the menu that lists all leaderboards."""
    if board.options is not None:
        return board.options()
    page = BoardPage(board.key, AROUND).custom_id_of(MENU)
    return [MenuOption(pgettext(CHOICE, board.name), page)]


async def setup(bot: Ribit) -> None:
    standings = Standings(bot.database.surveying)
    cog = Leaderboards(bot.games, bot.display, standings, bot.post_schedule, bot.clicks)
    lines = [EndLines(10, cog.match_end_lines)]
    await bot.add_feature(
        Feature(
            cog,
            of_boards=cog.board_commands,
            match_end_lines=lines,
            at_end=standings.record_end,
            posts=[PostType(KEPT, cog.kept_content)],
        )
    )
    profiles = Profiles(bot.games, bot.display, standings, bot.in_profile)
    menus = [app_commands.ContextMenu(name="Profile", callback=profiles.of_user)]
    lines = [EndLines(12, profiles.match_end_lines)]
    await bot.add_feature(Feature(profiles, menus, match_end_lines=lines, at_end=profiles.record_end))
