"""Puzzles posed and solved, in private: drawn by lot, or by the day and what nobody else knows."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

import discord

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles
from bot.engine.game import AnyGame
from bot.engine.puzzle import GRADES, Puzzle
from bot.engine.shuffle import lot
from bot.engine.words import _
from bot.messages.components import Content
from bot.messages.daily_deal import as_date, day_of, row_up_to
from bot.messages.puzzles import OF_A_DAY, Pose, Posed, Solve, puzzle_content, puzzles_of, solved_content
from bot.messages.text_table import as_liked
from bot.services import Services
from bot.sessions.errors import TableError
from bot.sessions.tasks import FindPuzzle

NUMBERS = 2**31
"""From this number on they are of days, and nobody can name them."""


@handles(Solve, in_private=True)
async def solve(clicked: Clicked, asked: Solve) -> None:
    """Say what became of the way that was picked."""
    game = _game(clicked, asked.posed.game)
    await clicked.answer.update(
        await answered_content(clicked.services, clicked.interaction, game, asked.posed, asked.way)
    )


@handles(Pose, in_private=True)
async def pose(clicked: Clicked, asked: Pose) -> None:
    """Show another puzzle in place of the one before."""
    game = _game(clicked, asked.game)
    await clicked.answer.update(
        await posed_content(clicked.services, clicked.interaction, game, asked.grade)
    )


def _game(clicked: Clicked, key: str) -> AnyGame:
    game: AnyGame | None = clicked.services.games.get(key)
    if game is None or game.puzzles is None:
        raise unknown_button()
    return game


async def posed_content(
    services: Services, asked: discord.Interaction, game: AnyGame, grade: int | None
) -> Content:
    """Return a puzzle of a grade, or that of the day (None)."""
    key, version = game.info.key, puzzles_of(game).version
    posed = (
        Posed(key, OF_A_DAY, day=day_of(asked.created_at), version=version)
        if grade is None
        else Posed(key, grade, secrets.randbelow(NUMBERS), version=version)
    )
    puzzle = await _found(services, asked, posed)
    look = await services.display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
    return as_liked(puzzle_content(game, posed, puzzle, look), look)


async def answered_content(
    services: Services, asked: discord.Interaction, game: AnyGame, posed: Posed, way: int
) -> Content:
    """Return what became of the way that was picked; that of a day is stored, the first one for good.

    Raises TableError for a day that is neither today nor yesterday, and for what was never posed.
    """
    puzzle = await _found(services, asked, posed)
    if way >= len(puzzle.ways):
        raise TableError(_("That is no turn of this puzzle."))
    in_a_row = 0
    if posed.day:
        is_right = way == puzzle.ranking[0]
        answers = await services.days.answer(game.info.key, asked.user.id, posed.day, is_right=is_right)
        in_a_row = row_up_to(
            {as_date(day) for day, right in answers.items() if right}, as_date(posed.day)
        )
    look = await services.display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
    return as_liked(solved_content(game, posed, puzzle, way, in_a_row, look), look)


async def _found(services: Services, asked: discord.Interaction, posed: Posed) -> Puzzle[Any]:
    number = posed.number
    if posed.version != puzzles_of(services.games[posed.game]).version:
        raise TableError(_("That puzzle is from before an update. Ask for another one."))
    if posed.day and posed.grade == OF_A_DAY:
        if posed.day not in (day_of(asked.created_at), day_of(asked.created_at - timedelta(days=1))):
            raise TableError(_("That is not today's puzzle any more."))
        number = NUMBERS + lot(NUMBERS, await services.days.secret(), f"{posed.game} puzzle {posed.day}")
    elif posed.day or number >= NUMBERS or posed.grade not in GRADES:
        raise TableError(_("That is no puzzle of mine."))
    search = FindPuzzle(posed.game, posed.grade, number)
    return await services.thinkers.ask(search, who=asked.user.id)
