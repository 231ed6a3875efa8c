"""``/leaderboard`` and ``/profile``, turning the pages, and what a match has brought its people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked
from bot.delivery.clicks import handles
from bot.delivery.player_names import player_of
from bot.delivery.queues import Display
from bot.delivery.start_checks import plays_here
from bot.engine.game import AnyGame
from bot.engine.words import _, speaking
from bot.features import BoardChoice, Feature
from bot.games import default_of
from bot.matches.match import PAR
from bot.messages.boards import PAGE_SIZE, Page, board_content, last_page
from bot.messages.components import Content
from bot.messages.daily_deal import day_of
from bot.messages.match_end import Told
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError
from bot.sessions.table import Table
from cogs.leaderboards.content import BoardPage, end_lines, game_board, profile_content
from cogs.leaderboards.standings import Standings


class Leaderboards(commands.Cog):
    """The boards of the games and of other features, and what each player has done."""

    def __init__(self, games: Mapping[str, AnyGame], display: Display, standings: Standings) -> None:
        self._games = games
        self._display = display
        self._standings = standings
        self._boards = {
            key: BoardChoice(key, game.info.name, partial(self._page, game))
            for key, game in games.items()
        }

    def board_commands(
        self, others: Sequence[BoardChoice]
    ) -> Iterable[app_commands.Command[Any, ..., None]]:
        """Yield the command that shows a server's board: a game's, or one of ``others``."""
        self._boards |= {board.key: board for board in others}
        first = default_of(self._games).info
        boards = [app_commands.Choice(name=one.name, value=key) for key, one in self._boards.items()]

        @app_commands.command()
        @app_commands.guild_only()
        @app_commands.describe(board=f"Which leaderboard ({first.name}'s if you don't say)")
        @app_commands.choices(board=boards)
        async def leaderboard(interaction: discord.Interaction, board: str = first.key) -> None:
            """Show who has won most in this server, or today's deal."""
            async with answering(interaction, public=True) as answer:
                in_public = await plays_here(self._display, interaction)
                with speaking(await self._display.plans.spoken(interaction, in_public=in_public)):
                    made = await self._board(interaction, board)
                if made is None:
                    raise TableError(_("Only servers have leaderboards. Use this command in one."))
                await (answer.post(made) if in_public else answer.whisper(made))

        yield leaderboard

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player="Whose profile (your own if you don't say)")
    async def profile(
        self, interaction: discord.Interaction, player: discord.User | None = None
    ) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(self._display, interaction)
            is_elsewhere = interaction.guild_id is None or is_guest(interaction)
            if is_elsewhere and player not in {None, interaction.user}:
                raise TableError(_("Here I only show you your own profile. Ask in a server we share."))
            with speaking(await self._display.plans.spoken(interaction, in_public=in_public)):
                made = await self._profile(interaction, player or interaction.user)
            await (answer.post(made) if in_public else answer.whisper(made))

    @handles(BoardPage)
    async def turn_page(self, clicked: Clicked, asked: BoardPage) -> None:
        """Turn the page for who asked for the board; anybody else gets a private copy."""
        await clicked.turn_board(lambda: self._board(clicked.interaction, asked.board, asked.page))

    async def told_at_end(self, table: Table) -> Iterable[str]:
        """Return where a match that is over has brought its people."""
        return end_lines(table, await self._standings.of_match(table.match))

    async def _board(self, asked: discord.Interaction, key: str, number: int = 0) -> Content | None:
        board = self._boards.get(key)
        return None if board is None else await board.content(asked, number)

    async def _page(self, game: AnyGame, asked: discord.Interaction, number: int) -> Content | None:
        guild, player_id, found = asked.guild, asked.user.id, self._standings
        if guild is None:
            return None
        where = (guild.id, game.info.key)
        count = await found.count(*where)
        number = min(number, last_page(count))
        rows = await found.leaderboard(*where, number * PAGE_SIZE, PAGE_SIZE)
        page = Page(number, count, rows, await found.place_of(*where, player_id))
        return board_content(game_board(game, guild.name, page, player_id), page, player_id)

    async def _profile(
        self, interaction: discord.Interaction, player: discord.User | discord.Member
    ) -> Content:
        """Return what a player has done: in the server where that is asked, or else anywhere."""
        guild_id = None if is_guest(interaction) else interaction.guild_id
        today = day_of(interaction.created_at)
        played = await self._standings.profile(player.id, guild_id)
        pars = {
            key: await self._standings.pars(player.id, guild_id, key)
            for key in played
            if key in self._games and any(each.key == PAR for each in self._games[key].info.options)
        }
        others = [
            line
            for board in self._boards.values()
            if board.in_profile is not None
            for line in await board.in_profile(player.id, today)
        ]
        return profile_content(self._games, player_of(player), played, pars, others)


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    cog = Leaderboards(bot.games, bot.display, Standings(bot.database.surveying))
    told = [Told(10, cog.told_at_end)]
    await bot.add_feature(Feature(cog, of_boards=cog.board_commands, told_at_end=told))
