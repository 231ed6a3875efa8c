"""Puzzles, as ``/toad puzzle``: one a day for everybody, and any number besides; all in private.

That of a day is drawn by the day and the secret of the days, so that nobody knows it before; the others
by lot. The first answer to one of a day is stored, and counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles
from bot.delivery.queues import Display
from bot.engine.game import AnyGame
from bot.engine.puzzle import GRADES, FindPuzzle, Puzzle
from bot.engine.shuffle import lot
from bot.engine.words import _
from bot.features import Command, Feature
from bot.messages.components import Content
from bot.messages.daily_deal import as_date, day_of, row_up_to
from bot.messages.text_table import as_liked
from bot.requests.answers import answering
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.storage.sql import Sql
from bot.storage.writer import Store
from cogs.puzzles.content import (
    GRADE_WORDS,
    OF_A_DAY,
    Pose,
    Posed,
    Solve,
    puzzle_content,
    puzzles_of,
    solved_content,
)

NUMBERS = 2**31
"""From this number on they are of days, and nobody can name them."""


class PuzzleAnswers(Store):
    """How players have answered the puzzles of days."""

    async def answer(self, game: str, player_id: int, day: int, *, is_right: bool) -> Mapping[int, bool]:
        """Store how a player has answered the puzzle of a day; the first answer counts.

        Returns whether those of all days were right.
        """

        async def work(sql: Sql) -> Mapping[int, bool]:
            whose = {"player_id": player_id, "game": game}
            await sql.answer_puzzle(**whose, day=day, is_right=int(is_right))
            return {row["day"]: bool(row["is_right"]) async for row in sql.puzzle_answers(**whose)}

        return await self._writer.write(work)


class Puzzles(commands.Cog):
    """Poses puzzles, and says what became of the way that was picked."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        display: Display,
        thinkers: Opponents,
        answers: PuzzleAnswers,
    ) -> None:
        self._games = games
        self._display = display
        self._thinkers = thinkers
        self._answers = answers
        self._days = display.database.days

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        """Yield the command of a game that has puzzles."""
        if game.puzzles is None:
            return

        @app_commands.command()
        @app_commands.describe(grade="Any one of this grade (the puzzle of the day if you don't say)")
        @app_commands.choices(
            grade=[app_commands.Choice(name=_(name), value=each) for each, name in GRADE_WORDS.items()]
        )
        async def puzzle(interaction: discord.Interaction, grade: int | None = None) -> None:
            """Find the best turn in a position; only you see it. There is one a day for everybody."""
            async with answering(interaction) as answer:
                await answer.whisper(await self._posed(interaction, game, grade))

        yield puzzle

    @handles(Pose, in_private=True)
    async def pose(self, clicked: Clicked, asked: Pose) -> None:
        """Show another puzzle in place of the one before."""
        content = await self._posed(clicked.interaction, self._game(asked.game), asked.grade)
        await clicked.answer.update(content)

    @handles(Solve, in_private=True)
    async def solve(self, clicked: Clicked, asked: Solve) -> None:
        """Say what became of the way that was picked; that of a day is stored, the first one for good.

        Raises TableError for a day that is neither today nor yesterday, and for what was never posed.
        """
        posed, way, interaction = asked.posed, asked.way, clicked.interaction
        game = self._game(posed.game)
        puzzle = await self._found(interaction, game, posed)
        if way >= len(puzzle.ways):
            raise TableError(_("That is no turn of this puzzle."))
        in_a_row = 0
        if posed.day:
            is_right = way == puzzle.ranking[0]
            answers = await self._answers.answer(
                posed.game, clicked.player_id, posed.day, is_right=is_right
            )
            right = {as_date(day) for day, was_right in answers.items() if was_right}
            in_a_row = row_up_to(right, as_date(posed.day))
        look = await self._display.appearances.of_own(
            clicked.player_id, interaction.guild_id, interaction.channel_id
        )
        content = solved_content(game, posed, puzzle, way, in_a_row, look)
        await clicked.answer.update(as_liked(content, look))

    def _game(self, key: str) -> AnyGame:
        game = self._games.get(key)
        if game is None or game.puzzles is None:
            raise unknown_button()
        return game

    async def _posed(self, asked: discord.Interaction, game: AnyGame, grade: int | None) -> Content:
        """Return a puzzle of a grade, or that of the day (None)."""
        key, version = game.info.key, puzzles_of(game).version
        if grade is None:
            posed = Posed(key, OF_A_DAY, day=day_of(asked.created_at), version=version)
        else:
            posed = Posed(key, grade, secrets.randbelow(NUMBERS), version=version)
        puzzle = await self._found(asked, game, posed)
        look = await self._display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
        return as_liked(puzzle_content(game, posed, puzzle, look), look)

    async def _found(self, asked: discord.Interaction, game: AnyGame, posed: Posed) -> Puzzle[Any]:
        """Return what a worker finds; a custom_id could name any puzzle, so only what was posed."""
        number, puzzles = posed.number, puzzles_of(game)
        if posed.version != puzzles.version:
            raise TableError(_("That puzzle is from before an update. Ask for another one."))
        if posed.day and posed.grade == OF_A_DAY:
            if posed.day not in (day_of(asked.created_at), day_of(asked.created_at - timedelta(days=1))):
                raise TableError(_("That is not today's puzzle any more."))
            drawn_by = await self._days.secret()
            number = NUMBERS + lot(NUMBERS, drawn_by, f"{posed.game} puzzle {posed.day}")
        elif posed.day or number >= NUMBERS or posed.grade not in GRADES:
            raise TableError(_("That is no puzzle of mine."))
        search = FindPuzzle(posed.game, puzzles.find, posed.grade, number)
        return await self._thinkers.ask(search, who=asked.user.id)


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    answers = PuzzleAnswers(bot.database.writer, bot.database.reading)
    cog = Puzzles(bot.games, bot.display, bot.thinkers, answers)
    await bot.add_feature(Feature(cog, of_game=cog.commands_of))
