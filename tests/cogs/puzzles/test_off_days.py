"""A day on which the bot was off for most of its hours breaks no streak, of deals or of puzzles."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.storage.named_queries import Sql
from tests.cogs.puzzles.test_puzzles import DAY, best_choice_of_day, puzzle_day, solve_puzzle
from tests.cogs.stored_moves import win_deal
from tests.discord.bot_harness import bot_harness, response_of

tries = pytest.importorskip("tests.cogs.daily.test_tries")
pytest.importorskip("cogs.leaderboards")


async def test_a_day_off_breaks_no_streak(tmp_path: Path) -> None:
    """A day on which the bot was off does not end a streak."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")

        async def answer(sql: Sql) -> None:
            await sql.answer_puzzle(player_id=ann.id, game="toad", day=20260101, is_right=1)

        await place.bot.database.writer.write(answer)
        await tries.store_won_days(place, ann, [20260101])
        await place.restart(2 * DAY)
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        assert " · 2 in a row" in place.table.text
        puzzle = response_of(await ann.slash("toad puzzle"))
        right = await solve_puzzle(ann, puzzle, await best_choice_of_day(place, puzzle_day(puzzle)))
        assert "2 in a row" in right.text
        profile = response_of(await ann.slash("profile"))
        assert "**2 in a row**, best streak 2" in profile.text
        assert profile.alt.count("2 in a row, best 2") == 2
        board = response_of(await ann.slash("leaderboard", board="toad_puzzles"))
        assert "1 Ann: 2, 2, 2" in board.alt
