"""The deal of the day: how a try is told to others, and how long a row of days is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from bot.engine.game import AnyGame
from bot.engine.match import DEAL, PAR
from bot.engine.words import _
from bot.sessions.table import Table

DAILY = "daily"
"""The option that holds the day a deal counts for, and the name of its leaderboard."""


def daily_game(games: Mapping[str, AnyGame]) -> AnyGame | None:
    """Return the game whose deals can count for a day, or None where there is none."""
    return next((game for game in games.values() if has_daily(game)), None)


def has_daily(game: AnyGame) -> bool:
    """Return whether a game's deals can count for a day."""
    return any(option.key == DAILY for option in game.info.options)


def has_par(game: AnyGame) -> bool:
    """Return whether a game's deals can have a par."""
    return any(option.key == PAR for option in game.info.options)


def day_of(moment: datetime) -> int:
    """Return the UTC day of a moment as a number, such as 20261121."""
    return int(moment.astimezone(UTC).strftime("%Y%m%d"))


def as_date(day: int) -> date:
    """Return the date of a day's number."""
    return date(day // 10_000, day // 100 % 100, day % 100)


def streak(days: Sequence[int], day: int) -> int:
    """Return how many days in a row were won, up to this day, or up to the day before it."""
    won = {as_date(each) for each in days}
    last = as_date(day)
    if last not in won:
        last -= timedelta(days=1)
    length = 0
    while last in won:
        length, last = length + 1, last - timedelta(days=1)
    return length


def longest_streak(days: Sequence[int]) -> int:
    """Return how many days in a row were won at the most."""
    longest = length = 0
    last = None
    for day in sorted(map(as_date, set(days))):
        length = length + 1 if last is not None and day - last == timedelta(days=1) else 1
        longest, last = max(longest, length), day
    return longest


def duration(seconds: int) -> str:
    """Return a time as hours, minutes and seconds, such as ``1:02:03`` or ``4:05``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def share_text(table: Table, in_a_row: int) -> str:
    """Return what a player can paste elsewhere: how the try went, and no card of it.

    That is a day's deal, or one that was won; of any other match there is nothing to share.
    ``in_a_row``: how many days with this one were won, 0 for a day that was not.
    """
    match, number = table.match, table.match.options.get(DEAL, 0)
    if match.day:
        title = _("🐸 Ribit deal of {day}").format(day=as_date(match.day).isoformat())
    elif table.is_solo and match.counts and number and table.outcome and table.outcome.winners:
        title = _("🐸 Ribit deal {n}").format(n=number)
    else:
        return ""
    time = _("time {time}").format(time=duration(table.match.seconds or 0))
    days = [_("{n} in a row").format(n=in_a_row)] if in_a_row else []
    return "\n".join((title, *table.shared, " · ".join((time, *days))))
