"""Days of daily deals: the game that has them, date arithmetic, and lines about a table's deal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta
from itertools import pairwise

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.matches.commitment import opened_record
from bot.matches.match import Match

DAILY = "daily"
"""The option that holds the day for which a deal counts, and the name of its leaderboard."""


def daily_game(games: Mapping[str, AnyGame]) -> AnyGame | None:
    return next((game for game in games.values() if has_daily(game)), None)


def has_daily(game: AnyGame) -> bool:
    return any(option.key == DAILY for option in game.info.options)


def day_of(moment: datetime) -> int:
    """Return the UTC day of a moment as a number, such as 20261121."""
    return int(moment.astimezone(UTC).strftime("%Y%m%d"))


def as_date(day: int) -> date:
    return date(day // 10_000, day // 100 % 100, day % 100)


def is_day(number: int) -> bool:
    """Return whether a number is a day, such as 20261121, that has a day before and after it."""
    try:
        return MINYEAR < as_date(number).year < MAXYEAR
    except (ValueError, OverflowError):
        return False


def day_after(day: int) -> int:
    return int((as_date(day) + timedelta(days=1)).strftime("%Y%m%d"))


def day_before(day: int) -> int:
    return int((as_date(day) - timedelta(days=1)).strftime("%Y%m%d"))


def ends_at(day: int) -> int:
    """Return the end of a day as Unix time."""
    return int(datetime.combine(as_date(day) + timedelta(days=1), time(), UTC).timestamp())


def counts_until(day: int) -> int:
    """Return the Unix time until which wins of a day's deal count for streaks, one day after its end."""
    return ends_at(day_after(day))


def still_counts(day: int, today: int) -> bool:
    """Return whether a win of a day's deal can still count, so that nothing of the deal may be shown.

    Args:
        day: The day, or 0 for a deal that is not a daily deal.
        today: The current day.
    """
    return day >= today or (day > 0 and day_after(day) == today)


DAYS_FOR_FROZEN, MOST_FROZEN = 7, 2
"""Number of days in a row for each missed day that a streak survives, and the most such days."""


@frozen
class Streak:
    """Days in a row with a success.

    Attributes:
        length: The number of these days.
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
    """Yield each day with a success, earliest first, with the streak that ends there."""
    streak, before = Streak(), date.min
    for day in sorted(days):
        missed = _missed(before, day, off_days)
        is_longer = streak.survives(missed)
        streak = Streak(streak.length + 1, streak.frozen + missed) if is_longer else Streak(1)
        before = day
        yield day, streak


def _missed(before: date, day: date, off_days: Collection[date]) -> int:
    """Return the number of days between two days on which the bot was not off."""
    return (day - before).days - 1 - sum(before < each < day for each in off_days)


def streak_up_to(days: Collection[date], last: date, off_days: Collection[date] = ()) -> Streak:
    """Return the streak that ends with a success at ``last``.

    Args:
        days: Days with a success.
        last: The last day of the streak.
        off_days: Days on which the bot was off, which do not break the streak.
    """
    return dict(_streaks(days, off_days)).get(last, Streak())


def streak_lately(days: Collection[date], today: date, off_days: Collection[date] = ()) -> Streak:
    """Return the streak that can still be continued today, or has been.

    Args:
        days: Days with a success.
        today: The current day.
        off_days: Days on which the bot was off, which do not break the streak.
    """
    ends = dict(_streaks((day for day in days if day <= today), off_days))
    last, streak = ends.popitem() if ends else (date.min, Streak())
    missed = max(0, _missed(last, today, off_days))
    return Streak(streak.length, streak.frozen + missed) if streak.survives(missed) else Streak()


def row_lately(days: Collection[date], today: date, off_days: Collection[date] = ()) -> int:
    return streak_lately(days, today, off_days).length


def saved_days(days: Collection[date], today: date, off_days: Collection[date] = ()) -> frozenset[date]:
    """Return the missed days before today that a streak has survived. Arguments are as above."""
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
    """Return the length of the longest streak."""
    return max((streak.length for _day, streak in _streaks(days, off_days)), default=0)


def duration(seconds: int) -> str:
    """Return a duration as hours, minutes and seconds, such as ``1:02:03`` or ``4:05``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def number_line(match: Match, today: int) -> str:
    """Return a line with the number of a day's deal, or an empty text while a win of it still counts."""
    day = match.type.any_day
    return "" if not day or still_counts(day, today) else _("It was deal {n}.").format(n=match.type.deal)


def commitment_line(match: Match) -> str:
    """Return the commitment before the match starts, and afterwards the digest of the opened record.

    A match that was not committed to has an empty line.
    """
    if match.secret is None:
        return ""
    record = opened_record(match)
    return f"🔏 `{record.commitment if match.seed is None else record.digest}`"
