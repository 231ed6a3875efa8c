"""Card puzzles, for example ``/toad puzzle``, which are shown in ephemeral messages.

Each day has one puzzle that is the same for all players. It is derived from the day and a secret, so
that nobody can know it in advance. Only a player's first answer to it counts. All other puzzles are
random and never count.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.permission_checks import check_may_share
from bot.delivery.turn_pings import COOLDOWN_SECONDS, RecentActivity
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import server_name
from bot.engine.puzzle import GRADES, FindPuzzle, Puzzle
from bot.engine.shuffle import lot
from bot.engine.translation import _, speaking
from bot.features import BoardChoice, BoardReaders, Command, DayStreak, Feature
from bot.matches.leaderboard_rules import PUZZLE_BOARD_DAYS
from bot.matches.match import Player
from bot.messages.components import Content
from bot.messages.daily_items import DailyItem, DayNews, longest_streaks
from bot.messages.deal_calendar import as_date, day_before, day_of
from bot.messages.leaderboard_pages import PAGE_SIZE, LeaderboardPage, board_content
from bot.messages.streaks import row_lately, streak_up_to
from bot.messages.text_mode import adapted_to_reader
from bot.messages.time_limits import when
from bot.requests.answers import answering
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.storage.bot_downtime import off_days
from bot.storage.named_queries import Sql
from bot.storage.ranked_boards import RankedBoards
from cogs.puzzles.content import (
    GRADE_WORDS,
    MOST_MISSED,
    OF_A_DAY,
    ROW,
    PickMissed,
    Pose,
    PoseToday,
    PuzzleMenu,
    PuzzleStanding,
    ShareDay,
    TryDay,
    item_name,
    puzzle_board,
    puzzle_content,
    puzzle_name,
    puzzles_of,
    shared_content,
    solved_content,
    today_buttons,
)

MOST_STREAKS = 50
"""Maximum number of players whose streaks are computed for a server's daily post."""

NUMBERS = 2**31
"""Puzzles of the day have this number or a higher one. Random puzzles have lower numbers."""


@dataclass(eq=False)
class PuzzleCog(commands.Cog):
    """The cog that poses the puzzles of all games and provides their leaderboards."""

    _display: Display
    _thinkers: Opponents
    _played: Callable[[int | None], Awaitable[None]]
    _shared: RecentActivity
    _boards: RankedBoards = field(default_factory=RankedBoards)

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        if game.puzzles is None:
            return

        @app_commands.command()
        @app_commands.describe(grade="Get a puzzle of this difficulty (default: the puzzle of the day)")
        @app_commands.choices(
            grade=[app_commands.Choice(name=_(name), value=level) for level, name in GRADE_WORDS.items()]
        )
        async def puzzle(interaction: discord.Interaction, grade: int | None = None) -> None:
            """Solve a puzzle: find the best turn. Only you can see it. There's a new one every day."""
            async with answering(interaction) as answer:
                await answer.send_ephemeral(await self._pose(interaction, game, grade))

        yield puzzle

    def boards(self) -> Iterable[BoardChoice]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                board = f"{key}_puzzles"
                yield BoardChoice(
                    board, f"{game.info.command.capitalize()}: puzzles", partial(self._page, game, board)
                )

    def daily_items(self) -> Iterable[DailyItem]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                name = partial(item_name, game)
                yield DailyItem(
                    f"{key}_puzzle", name, partial(self._news, game), partial(today_buttons, game)
                )

    async def _news(self, game: AnyGame, guild_id: int, day: int) -> DayNews:
        """Return the section about a game's puzzle for a server's daily post."""
        before, key = day_before(day), game.info.key
        settled = day_before(before)
        days = {"since": settled, "until": day}

        async def work(sql: Sql) -> DayNews:
            records = sql.puzzle_days(guild_id=guild_id, game=key, **days)
            rows = [row async for row in records]
            lately = {row["player_id"]: row for row in rows if row["is_right"] and row["day"] != settled}
            off, streaks = await off_days(sql), list[tuple[Player, int]]()
            for player_id, one in list(lately.items())[:MOST_STREAKS]:
                won = {
                    as_date(record["day"])
                    async for record in sql.days_right(player_id=player_id, game=key)
                }
                player = Player(player_id, one["name"], user_name=one["user_name"] or "")
                streaks.append((player, row_lately(won, as_date(day), off)))
            right = [row["is_right"] for row in rows if row["day"] == settled]
            words = _("🏆 {day}: solved by {n} of {players}")
            line = words.format(day=as_date(settled), n=sum(right), players=len(right)) if right else ""
            played = (sum(row["day"] == utc_day for row in rows) for utc_day in (day, before))
            return DayNews(line, longest_streaks(streaks), *played)

        return await self._display.database.surveying.run(work)

    @handles(PoseToday)
    async def pose_today(self, clicked: ClickContext, asked: PoseToday) -> None:
        content = await self._pose(clicked.interaction, self._game(asked.game), None)
        await clicked.answer.send_ephemeral(content)

    def streaks(self) -> Iterable[DayStreak]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                name, command = partial(puzzle_name, game), f"{game.info.command} puzzle"
                yield DayStreak(name, command, partial(self._at_stake, key))

    async def _at_stake(self, game: str, player_id: int, day: int) -> int:
        """Return the length of the streak that a player loses unless they solve the given day's puzzle.

        Return 0 if the player has already answered that puzzle or has no streak.
        """
        off_days = await self._display.database.outages.off_days()

        async def work(sql: Sql) -> int:
            if await sql.has_answered(player_id=player_id, game=game, day=day):
                return 0
            rows = sql.days_right(player_id=player_id, game=game)
            return row_lately({as_date(row["day"]) async for row in rows}, as_date(day), off_days)

        return await self._display.database.surveying.run(work)

    @handles(Pose, in_private=True)
    async def pose(self, clicked: ClickContext, asked: Pose) -> None:
        content = await self._pose(clicked.interaction, self._game(asked.game), asked.grade)
        await clicked.answer.update(content)

    @handles(PuzzleMenu, in_private=True)
    async def solve(self, clicked: ClickContext, asked: PuzzleMenu) -> None:
        game, standing = self._game(asked.game), PuzzleStanding()
        puzzle = await self._find_puzzle(clicked.interaction, game, asked)
        if asked.way >= len(puzzle.ways):
            raise TableError(_("That turn isn't possible in this puzzle."))
        if asked.day:
            is_right = asked.way == puzzle.ranking[0]
            await self._store(asked, clicked.player_id, is_right=is_right)
            standing = await self._standing(clicked.interaction, asked.game, asked.day)
            await self._played(clicked.interaction.guild_id)
        look = await self._display.appearances.of_asker(clicked.interaction)
        content = solved_content(game, asked, puzzle, standing, look)
        await clicked.answer.update(adapted_to_reader(content, look))

    @handles(TryDay)
    async def try_day(self, clicked: ClickContext, asked: TryDay) -> None:
        content = await self._pose(clicked.interaction, self._game(asked.game), None, asked.day)
        await clicked.answer.send_ephemeral(content)

    @handles(PickMissed, in_private=True)
    async def try_again(self, clicked: ClickContext, picked: PickMissed) -> None:
        content = await self._pose(clicked.interaction, self._game(picked.game), None, picked.day)
        await clicked.answer.update(content)

    @handles(ShareDay, in_private=True)
    async def share(self, clicked: ClickContext, asked: ShareDay) -> None:
        game, interaction = self._game(asked.game), clicked.interaction
        is_answered = await self._has_answered(clicked.player_id, asked.game, asked.day)
        if not (is_answered and _is_open(interaction, asked.day)):
            raise unknown_button()
        await check_may_share(self._display, interaction)
        if (until := self._shared.until(clicked.player_id)) is not None:
            words = _("You've just shared a puzzle. You can share the next one {when}.")
            raise TableError(words.format(when=when(until)))
        self._shared.note(clicked.player_id)
        standing = await self._standing(interaction, asked.game, asked.day)
        with speaking(await self._display.plans.spoken(interaction, in_public=True)):
            content = shared_content(game, asked.day, clicked.player_id, standing.streak)
        await clicked.answer.post(content)

    async def _page(
        self, game: AnyGame, key: str, interaction: discord.Interaction | BoardReaders, number: int
    ) -> Content | None:
        guild, player_id, today = interaction.guild, interaction.user.id, interaction.created_at.date()
        if guild is None:
            return None
        since = day_of(interaction.created_at - timedelta(days=PUZZLE_BOARD_DAYS))
        off_days = await self._display.database.outages.off_days()
        key_of_board = (guild.id, game.info.key, since)

        async def work(sql: Sql) -> LeaderboardPage:
            find = partial(sql.puzzle_board, guild_id=guild.id, game=game.info.key, since=since)
            page_number, count, rows = await self._boards.page(
                sql, key_of_board, find, number, PAGE_SIZE, guild.id, player_id
            )
            for at, place in enumerate(rows):
                day_rows = sql.days_right(player_id=place.player_id, game=game.info.key)
                right = {as_date(day["day"]) async for day in day_rows}
                rows[at] = replace(place, figures={ROW: row_lately(right, today, off_days)})
            return LeaderboardPage(page_number, count, rows)

        page = await self._display.database.surveying.run(work)
        return board_content(puzzle_board(game, key, server_name(guild.name)), page, player_id)

    def _game(self, key: str) -> AnyGame:
        game = self._display.tables.games.get(key)
        if game is None or game.puzzles is None:
            raise unknown_button()
        return game

    async def _pose(
        self, interaction: discord.Interaction, game: AnyGame, grade: int | None, day: int | None = None
    ) -> Content:
        """Return a message that poses a puzzle to the user.

        Args:
            interaction: The user's interaction.
            game: The game.
            grade: The difficulty of a random puzzle, or None for a puzzle of the day.
            day: The day, such as 20261121, or None for today.
        """
        key, version, standing = game.info.key, puzzles_of(game).version, None
        if grade is None:
            posed = PuzzleMenu(key, OF_A_DAY, day=day or day_of(interaction.created_at), version=version)
            standing = await self._standing(interaction, key, posed.day)
        else:
            posed = PuzzleMenu(key, grade, secrets.randbelow(NUMBERS), version=version)
        puzzle = await self._find_puzzle(interaction, game, posed)
        look = await self._display.appearances.of_asker(interaction)
        return adapted_to_reader(puzzle_content(game, posed, puzzle, look, standing), look)

    async def _find_puzzle(
        self, interaction: discord.Interaction, game: AnyGame, posed: PuzzleMenu
    ) -> Puzzle[Any]:
        """Return the puzzle that a message's menu of answers belongs to.

        A puzzle of the day is open to all users until the end of the following day. Later, only players
        who have already answered it can open it again, for practice.

        Raises:
            TableError: The puzzle is no longer available, or does not exist.
        """
        number, puzzles = posed.number, puzzles_of(game)
        if posed.version != puzzles.version:
            raise TableError(_("That puzzle is from before an update. Try another one."))
        if posed.day and posed.grade == OF_A_DAY:
            if not (
                _is_open(interaction, posed.day)
                or await self._has_answered(interaction.user.id, posed.game, posed.day)
            ):
                raise TableError(_("That's no longer today's puzzle."))
            secret = await self._display.database.days.secret()
            number = NUMBERS + lot(NUMBERS, secret, f"{posed.game} puzzle {posed.day}")
        elif posed.day or number >= NUMBERS or posed.grade not in GRADES:
            raise TableError(_("That isn't one of my puzzles."))
        search = FindPuzzle(posed.game, puzzles.find, posed.grade, number)
        return await self._thinkers.ask(search, who=interaction.user.id)

    async def _store(self, posed: PuzzleMenu, player_id: int, *, is_right: bool) -> None:
        """Store a player's answer to a puzzle of the day, unless the player has answered it before."""
        answer = {
            "player_id": player_id,
            "game": posed.game,
            "day": posed.day,
            "is_right": int(is_right),
        }
        await self._display.database.writer.write(lambda sql: sql.answer_puzzle(**answer))

    async def _has_answered(self, player_id: int, game: str, day: int) -> bool:
        whose = {"player_id": player_id, "game": game, "day": day}
        return bool(await self._display.database.reading.run(lambda sql: sql.has_answered(**whose)))

    async def _standing(self, interaction: discord.Interaction, game: str, day: int) -> PuzzleStanding:
        """Return the user's streak and the server's results for a puzzle of the day."""
        whose, since = {"player_id": interaction.user.id, "game": game}, interaction.created_at
        where = {"game": game, "day": day, "guild_id": interaction.guild_id or 0}
        off_days = await self._display.database.outages.off_days()
        first = day_of(since - timedelta(days=PUZZLE_BOARD_DAYS))

        async def work(sql: Sql) -> PuzzleStanding:
            right = {as_date(row["day"]) async for row in sql.days_right(**whose)}
            missed = [
                row["day"] async for row in sql.days_missed(**whose, since=first, limit=MOST_MISSED)
            ]
            counts = await sql.puzzle_counts(**where)
            streak = streak_up_to(right, as_date(day), off_days)
            return PuzzleStanding(
                streak,
                counts["answered"],
                int(counts["solved"] or 0),
                missed,
                _is_open(interaction, day),
            )

        return await self._display.database.surveying.run(work)


def _is_open(interaction: discord.Interaction, day: int) -> bool:
    return day in (day_of(interaction.created_at), day_of(interaction.created_at - timedelta(days=1)))


async def setup(bot: Ribit) -> None:
    shared = RecentActivity(bot.tables.clock, COOLDOWN_SECONDS)
    cog = PuzzleCog(bot.display, bot.thinkers, bot.post_schedule.record_play, shared)
    await bot.add_feature(
        Feature(
            cog,
            of_game=cog.commands_of,
            boards=[*cog.boards()],
            daily_items=[*cog.daily_items()],
            streaks=[*cog.streaks()],
        )
    )
