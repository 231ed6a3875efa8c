"""``/leaderboard`` and ``/profile``, turning the pages, and what a match has brought its people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_dispatch import handles
from bot.delivery.clicked_table import Clicked
from bot.delivery.player_names import player_of
from bot.delivery.queues import Display
from bot.delivery.start_checks import plays_here
from bot.engine.game import AnyGame
from bot.engine.thinking import Strength
from bot.engine.words import _, speaking
from bot.features import BoardChoice, Feature
from bot.games import default_of
from bot.matches.leaderboard import EVERYWHERE, Row, Uncounted, places, strongest
from bot.matches.match import PAR, Match
from bot.messages.boards import PAGE_SIZE, Page, board_content, last_page
from bot.messages.components import Content
from bot.messages.deal_calendar import day_of
from bot.messages.match_end import Told
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError
from bot.sessions.table import Table
from bot.storage.leaderboard_totals import shown_names
from bot.storage.sql import Record, Sql
from bot.storage.writer import Asker
from cogs.leaderboards.content import BoardPage, end_lines, game_board, profile_content


class Standings(Asker):
    """Who has done how well where: most wins first, then fewest matches; equals share a rank."""

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Row]:
        where = {"guild_id": guild_id, "game": game}

        async def work(sql: Sql) -> list[Row]:
            found = sql.page_of(**where, offset=offset, limit=limit)
            rows = [await self._row(sql, where, row) async for row in found]
            return await shown_names(sql, guild_id, rows)

        return await self._reader.run(work)

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row; one of rank 0 for who has played with frogs only."""

        async def work(sql: Sql) -> Row | None:
            found = await self._place_of(sql, guild_id, game, player_id)
            [row] = await shown_names(sql, guild_id, [found])
            return row if row.matches or row.against else None

        return await self._reader.run(work)

    async def count(self, guild_id: int, game: str) -> int:
        return int(await self._ask("players_of", guild_id=guild_id, game=game))

    async def profile(self, player_id: int, guild_id: int | None) -> dict[str, Row]:
        """Return a row for each game played; of one played with frogs only its rank is 0."""
        where = EVERYWHERE if guild_id is None else guild_id

        async def work(sql: Sql) -> dict[str, Row]:
            played = sql.games_of(player_id=player_id, guild_id=where)
            games = [str(row["game"]) async for row in played]
            return {game: await self._place_of(sql, where, game, player_id) for game in games}

        return await self._reader.run(work)

    async def of_match(self, match: Match) -> dict[int, Row]:
        """Return the places among people by seats, or what was won at tables with computer players."""
        guild_id, game = match.guild_id, match.game
        if guild_id is None or match.guest:
            return {}
        is_among_people = strongest(match.players) is None

        async def work(sql: Sql) -> dict[int, Row]:
            said, rows = await sql.uncounted_of(match_id=match.id), dict[int, Row]()
            why = Uncounted(said) if said else None
            for seat, player in enumerate(match.players):
                if player.is_computer_player or guild_id not in places(match, player, why):
                    continue
                if not is_among_people:
                    against = await self._against(sql, guild_id, game, player.id)
                    rows[seat] = Row(0, player.id, player.name, 0, 0, {}, against)
                elif (place := await self._place_of(sql, guild_id, game, player.id)).rank:
                    rows[seat] = place
            return rows

        return await self._reader.run(work)

    async def pars(self, player_id: int, guild_id: int | None, game: str) -> dict[int, int]:
        """Return how many deals a player won with how many moves over par, in a server or everywhere."""
        where = EVERYWHERE if guild_id is None else guild_id
        found = await self._list("pars_of", player_id=player_id, guild_id=where, game=game)
        return {row["difference"]: row["deals"] for row in found}

    async def _place_of(self, sql: Sql, guild_id: int, game: str, player_id: int) -> Row:
        where = {"guild_id": guild_id, "game": game}
        row = await sql.total_of(**where, player_id=player_id)
        if row is None:
            name = await sql.name_of(guild_id=guild_id, player_id=player_id)
            nothing = {"matches": 0, "wins": 0, "rank": 0, "user_name": ""}
            row = {"player_id": player_id, "name": name or "", **nothing}
        return await self._row(sql, where, row)

    async def _row(self, sql: Sql, where: Mapping[str, Any], row: Record) -> Row:
        found = sql.figures_of(**where, player_id=row["player_id"])
        figures = {figure["key"]: figure["value"] async for figure in found}
        against = await self._against(sql, where["guild_id"], where["game"], row["player_id"])
        counted = (row["rank"], row["player_id"], row["name"], row["matches"], row["wins"])
        return Row(*counted, figures, against, row["user_name"] or "")

    async def _against(
        self, sql: Sql, guild_id: int, game: str, player_id: int
    ) -> dict[Strength, tuple[int, int]]:
        found = sql.frog_totals_of(guild_id=guild_id, game=game, player_id=player_id)
        return {Strength(row["strength"]): (row["matches"], row["wins"]) async for row in found}


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
        self._boards |= {board.key: board for board in others}
        first = default_of(self._games).info
        boards = [app_commands.Choice(name=one.name, value=key) for key, one in self._boards.items()]

        @app_commands.command()
        @app_commands.guild_only()
        @app_commands.describe(board=f"Which leaderboard ({first.name}'s if you don't say)")
        @app_commands.choices(board=boards)
        async def leaderboard(interaction: discord.Interaction, board: str = first.key) -> None:
            """Show who has won most in this server, or today's deal."""
            await self._show(interaction, lambda: self._board(interaction, board))

        yield leaderboard

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player="Whose profile (your own if you don't say)")
    async def profile(
        self, interaction: discord.Interaction, player: discord.User | None = None
    ) -> None:
        """Show what a player has done in each game."""
        await self._show(interaction, lambda: self._profile(interaction, player or interaction.user))

    async def _show(
        self, asked: discord.Interaction, make: Callable[[], Awaitable[Content | None]]
    ) -> None:
        """Show what is made to all where games may be played, in their language, else to who asks."""
        async with answering(asked, public=True) as answer:
            in_public = await plays_here(self._display, asked)
            with speaking(await self._display.plans.spoken(asked, in_public=in_public)):
                made = await make()
            if made is None:
                raise TableError(_("Only servers have leaderboards. Use this command in one."))
            await (answer.post(made) if in_public else answer.whisper(made))

    @handles(BoardPage)
    async def turn_page(self, clicked: Clicked, asked: BoardPage) -> None:
        """Turn the page for who asked for the board; anybody else gets a private copy."""
        await clicked.turn_board(lambda: self._board(clicked.interaction, asked.board, asked.page))

    async def told_at_end(self, table: Table) -> Iterable[str]:
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
        if guild_id is None and player != interaction.user:
            raise TableError(_("Here I only show you your own profile. Ask in a server we share."))
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
    cog = Leaderboards(bot.games, bot.display, Standings(bot.database.surveying))
    told = [Told(10, cog.told_at_end)]
    await bot.add_feature(Feature(cog, of_boards=cog.board_commands, told_at_end=told))
