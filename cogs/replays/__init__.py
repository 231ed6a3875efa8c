"""Replays: matches that are over are watched, and a part of one is shared as a moving picture.

Workers import this for their tasks, so what needs Discord is imported once it is set up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.engine.task import OfMatch
from bot.games import rules_of
from bot.matches.match import Entry, Match
from bot.matches.replay import Course, course

if TYPE_CHECKING:
    from bot.app import Ribit


class ReadCourse(OfMatch[Course]):
    """How a match went, whose rules are known."""

    def made(self, match: Match, entries: Sequence[Entry]) -> Course:
        """Go through the match."""
        return course(rules_of(match), match, entries)


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    from cogs.replays.cog import feature  # noqa: PLC0415 — a worker has three times the memory with it

    await bot.add_feature(feature(bot))
