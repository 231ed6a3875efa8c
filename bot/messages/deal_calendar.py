"""Daily deals: date arithmetic, streaks, and message lines about a match's deal.

A daily deal is a solitaire deal that is the same for all players on one day. A day is a UTC date. It is
written as a number such as 20261121. A streak is a run of days in which a player has won every day.
"""

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
"""Key of the match option that holds a daily deal's day, and name of the daily deal's leaderboard."""


def daily_game(games: Mapping[str, AnyGame]) -> AnyGame | None:
    return next((game for game in games.values() if has_daily(game)), None)


def has_daily(game: AnyGame) -> bool:
    return any(option.key == DAILY for option in game.info.options)


def day_of(moment: datetime) -> int:
    """Return the UTC day of a moment as a number such as 20261121."""
    return int(moment.astimezone(UTC).strftime("%Y%m%d"))


def as_date(day: int) -> date:
    return date(day // 10_000, day // 100 % 100, day % 100)


def is_day(number: int) -> bool:
    """Return whether a number is a valid day such as 20261121. The first and last year are excluded."""
    try:
        return MINYEAR < as_date(number).year < MAXYEAR
    except (ValueError, OverflowError):
        return False


def day_after(day: int) -> int:
    return int((as_date(day) + timedelta(days=1)).strftime("%Y%m%d"))


def day_before(day: int) -> int:
    return int((as_date(day) - timedelta(days=1)).strftime("%Y%m%d"))


def ends_at(day: int) -> int:
    """Return the Unix time at which a UTC day ends."""
    return int(datetime.combine(as_date(day) + timedelta(days=1), time(), UTC).timestamp())


def counts_until(day: int) -> int:
    """Return the Unix time until which a win of a day's deal counts for streaks.

    This is the end of the following day.
    """
    return ends_at(day_after(day))


def still_counts(day: int, today: int) -> bool:
    """Return whether a win of a deal can still count. If so, details of the deal must stay secret.

    Args:
        day: The day, or 0 for a deal that is not a daily deal.
        today: The current day.
    """
    return day >= today or (day > 0 and day_after(day) == today)


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
    return (day - before).days - 1 - sum(before < each < day for each in off_days)


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


def duration(seconds: int) -> str:
    """Return a duration as hours, minutes and seconds, such as ``1:02:03`` or ``4:05``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def number_line(match: Match, today: int) -> str:
    """Return a line with the deal number of a daily deal.

    The line is empty if the match is not a daily deal or a win of the deal can still count.
    """
    day = match.type.any_day
    return "" if not day or still_counts(day, today) else _("It was deal {n}.").format(n=match.type.deal)


def commitment_line(match: Match) -> str:
    """Return a line that lets players verify that the shuffle was fair.

    Before the match starts, the line contains the commitment, a hash of the bot's secret. Afterwards, it
    contains the digest of the opened record. The line is empty if the match has no secret.
    """
    if match.secret is None:
        return ""
    record = opened_record(match)
    return f"🔏 `{record.commitment if match.seed is None else record.digest}`"
