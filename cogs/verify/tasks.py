"""Tasks of worker processes that record or verify a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.engine.frozen import frozen
from bot.engine.worker_task import OfMatch, Unfinished
from bot.games import games, rules_of
from bot.matches.match import Entry, Match
from cogs.verify.check import Progress, Report, record_of, resumed, started
from cogs.verify.record_file import Record, written


@frozen
class Recorded(OfMatch[tuple[Record, bytes]]):
    """The record of a finished match, and its file.

    It is computed again after a player's ``interactions`` were deleted.
    """

    interactions: tuple[int, ...]

    def made(self, match: Match, entries: Sequence[Entry]) -> tuple[Record, bytes]:
        record = record_of(rules_of(match), match, entries)
        return record, written(record)


@frozen
class Verified(OfMatch[Report]):
    """The verification of a match by the rules that it was played by.

    It takes up to 20 ms of CPU for each move of a computer player, so it runs in slices.
    """

    interactions: tuple[int, ...]

    def made(self, match: Match, entries: Sequence[Entry]) -> Report | Unfinished:
        game = rules_of(match)
        return started(game, record_of(game, match, entries))

    def resumed(self, progress: Progress, is_over: Callable[[], bool]) -> Report | Unfinished:
        game = games()[self.game].by_rules(progress.record.rules_version)
        assert game is not None, "its rules were known"
        return resumed(game, progress, is_over)
