"""Days of daily deals, and message lines about a match's deal.

A daily deal is a solitaire deal that is the same for all players on one day. A day is a UTC date. It is
written as a number such as 20261121.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta

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
