"""Streaks: runs of days on which a player has won every day."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise

from bot.engine.frozen import frozen
from bot.engine.translation import _

DAYS_FOR_FROZEN, MOST_FROZEN = 7, 2
"""A streak survives one missed day per ``DAYS_FOR_FROZEN`` days, but at most ``MOST_FROZEN``."""


@frozen
class Streak:
    """A run of days in which a player succeeded every day, for example by winning the daily deal.

    Attributes:
        length: The number of days with a success.
        frozen: The number of missed days that the streak has survived.
    """

    length: int = 0
    frozen: int = 0

    def survives(self, missed: int) -> bool:
        return self.frozen + missed <= min(MOST_FROZEN, self.length // DAYS_FOR_FROZEN)

    @property
    def words(self) -> str:
        return _("{n} in a row").format(n=self.length) + " ❄️" * self.frozen


def _streaks(days: Iterable[date], off_days: Collection[date]) -> Iterator[tuple[date, Streak]]:
    """Yield each day with a success and the streak that ends on that day.

    The earliest day comes first.
    """
    streak, before = Streak(), date.min
    for day in sorted(days):
        missed = _count_missed_days(before, day, off_days)
        is_longer = streak.survives(missed)
        streak = Streak(streak.length + 1, streak.frozen + missed) if is_longer else Streak(1)
        before = day
        yield day, streak


def _count_missed_days(before: date, day: date, off_days: Collection[date]) -> int:
    """Count the days between two dates, excluding days on which the bot was offline."""
    return (day - before).days - 1 - sum(before < off_day < day for off_day in off_days)


def streak_up_to(days: Collection[date], last: date, off_days: Collection[date] = ()) -> Streak:
    """Return the streak that ends on a day. It is empty if the player did not succeed on that day.

    Args:
        days: The days on which the player succeeded.
        last: The streak's last day.
        off_days: The days on which the bot was offline. They do not break a streak.
    """
    return dict(_streaks(days, off_days)).get(last, Streak())


def streak_lately(days: Collection[date], today: date, off_days: Collection[date] = ()) -> Streak:
    """Return a player's current streak. It is empty if the streak is broken.

    A success today is not required.

    Args:
        days: The days on which the player succeeded.
        today: The current day.
        off_days: The days on which the bot was offline. They do not break a streak.
    """
    ends = dict(_streaks((day for day in days if day <= today), off_days))
    last, streak = ends.popitem() if ends else (date.min, Streak())
    missed = max(0, _count_missed_days(last, today, off_days))
    return Streak(streak.length, streak.frozen + missed) if streak.survives(missed) else Streak()


def row_lately(days: Collection[date], today: date, off_days: Collection[date] = ()) -> int:
    return streak_lately(days, today, off_days).length


def saved_days(days: Collection[date], today: date, off_days: Collection[date] = ()) -> frozenset[date]:
    """Return the missed days before today that did not break a streak, because it was long enough.

    Args:
        days: The days on which the player succeeded.
        today: The current day.
        off_days: The days on which the bot was offline. They do not break a streak.
    """
    ends = list(_streaks((day for day in days if day <= today), off_days))
    gaps = [
        (day, next_day)
        for (day, streak), (next_day, longer) in pairwise(ends)
        if longer.frozen > streak.frozen
    ]
    if row_lately(days, today, off_days):
        gaps.append((ends[-1][0], today))
    missed = (first + timedelta(days=n) for first, end in gaps for n in range(1, (end - first).days))
    return frozenset(missed).difference(off_days)


def longest_row(days: Collection[date], off_days: Collection[date] = ()) -> int:
    """Return the length of a player's longest streak."""
    return max((streak.length for _day, streak in _streaks(days, off_days)), default=0)
