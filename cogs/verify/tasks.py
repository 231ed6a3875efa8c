"""Worker tasks that create a match's record and verify the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.engine.frozen import frozen
from bot.engine.worker_task import MatchTask, Unfinished
from bot.games import games, rules_of
from bot.matches.match import Entry, Match
from cogs.verify.check import CheckProgress, CheckReport, record_of, resume_check, start_check
from cogs.verify.record_file import Record, serialize_record


@frozen
class MakeRecord(MatchTask[tuple[Record, bytes]]):
    """A worker task that returns a finished match's record, as an object and as a JSON file.

    Attributes:
        interactions: The IDs of the interactions that the deal depends on. They are part of the task, so
            that a cached result is not used after some of the IDs were deleted.
    """

    interactions: tuple[int, ...]

    def compute(self, match: Match, entries: Sequence[Entry]) -> tuple[Record, bytes]:
        record = record_of(rules_of(match), match, entries)
        return record, serialize_record(record)


@frozen
class VerifyMatch(MatchTask[CheckReport]):
    """A worker task that verifies a match by the version of the rules with which it was played.

    The task takes up to 20 ms of CPU time for each move of a computer player, so it runs in slices.

    Attributes:
        interactions: The IDs of the interactions that the deal depends on.
    """

    interactions: tuple[int, ...]

    def compute(self, match: Match, entries: Sequence[Entry]) -> CheckReport | Unfinished:
        game = rules_of(match)
        return start_check(game, record_of(game, match, entries))

    def resume(self, progress: CheckProgress, is_over: Callable[[], bool]) -> CheckReport | Unfinished:
        game = games()[self.game].by_rules(progress.record.rules_version)
        assert game is not None, "its rules were known"
        return resume_check(game, progress, is_over)
