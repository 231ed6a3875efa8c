"""The deal of the day: how a try is told to others, and how long a row of days is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import count

from bot.engine.commitment import SHORT, opened_record
from bot.engine.game import AnyGame
from bot.engine.match import DEAL, PAR, Match
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, notice_content, row
from bot.messages.custom_ids import Plain
from bot.sessions.table import Table


@frozen
class TakeUp(Plain):
    """The try of a day is to go on where its player is now."""

    kind = "take up"
    form = "d:{0.match_id}"

    match_id: str


DAILY = "daily"
"""The option that holds the day a deal counts for, and the name of its leaderboard."""


_DAY_BEFORE_FIRST = date(2025, 12, 31)


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


def day_after(day: int) -> int:
    """Return the day after one, as a number."""
    return int((as_date(day) + timedelta(days=1)).strftime("%Y%m%d"))


def ends_at(day: int) -> int:
    """Return when a day is over, in seconds since 1970."""
    return int(datetime.combine(as_date(day) + timedelta(days=1), time(), UTC).timestamp())


def in_time(won: Mapping[int, int]) -> set[date]:
    """Return the days that count for a row of days: won before the next-but-one deal.

    ``won`` says of each day when that was, in seconds since 1970.
    """
    seconds = int(timedelta(days=1).total_seconds())
    return {as_date(day) for day, at in won.items() if at < ends_at(day) + seconds}


def day_of_text(text: str) -> int | None:
    """Return the day that is written so, as 20261121 or 2026-11-21; None where it is no day."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return day_of(datetime.combine(found, time(), UTC))


def row_up_to(days: Collection[date], last: date) -> int:
    """Return how many days there are in a row, up to this one."""
    return next(n for n in count() if last - timedelta(days=n) not in days)


def streak(won_at: Mapping[int, int], day: int) -> int:
    """Return how many days in a row were won in time, up to this day, or up to the day before it."""
    won, last = in_time(won_at), as_date(day)
    return row_up_to(won, last) or row_up_to(won, last - timedelta(days=1))


def longest_streak(won_at: Mapping[int, int]) -> int:
    """Return how many days in a row were won in time at the most."""
    won = in_time(won_at)
    return max((row_up_to(won, day) for day in won if day + timedelta(days=1) not in won), default=0)


def duration(seconds: int) -> str:
    """Return a time as hours, minutes and seconds, such as ``1:02:03`` or ``4:05``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@frozen
class DayResult:
    """How the try of a day's deal stands in the row of days, as the table tells it.

    ``in_a_row``: how many days with this one were won, 0 for a day that was not. ``is_over``: the day
    is, so that the number of its deal is no secret any more. ``rank`` is the place of a win on the
    server's board of so many ``players``, 0 where there is none.
    """

    in_a_row: int = 0
    is_over: bool = False
    rank: int = 0
    players: int = 0


NO_RESULT = DayResult()


def number_line(match: Match, day: DayResult) -> str:
    """Return the number of a day's deal, or nothing while that gives the cards away."""
    is_days = match.day or match.replay
    return _("It was deal {n}.").format(n=match.options[DEAL]) if is_days and day.is_over else ""


def day_lines(match: Match, day: DayResult) -> Iterator[str]:
    """Yield where a win stands on the server's board and among the days, and when the next one comes."""
    place = _("Place {rank} of {players} in this server")
    if not day.is_over:
        place = _("Place {rank} of {players} in this server so far")
    row_of_days = _("{n} in a row").format(n=day.in_a_row)
    parts = [
        *([place.format(rank=day.rank, players=day.players)] if day.rank else []),
        *([row_of_days] if day.in_a_row else []),
    ]
    if parts:
        yield "📅 " + " · ".join(parts)
    if match.day and not day.is_over:
        yield _("The next deal comes {when}.").format(when=f"<t:{ends_at(match.day)}:R>")


def share_text(table: Table, day: DayResult) -> str:
    """Return what a player can paste elsewhere: how the try went, and no card of it.

    That is a day's deal, or one that was won; of any other match there is nothing to share. A day's own
    number stands there, not that of its deal, by which everybody could have the cards.
    """
    match, deal = table.match, table.match.options.get(DEAL, 0)
    if match.day:
        today = as_date(match.day)  # the first of January 2026 is 1
        title = _("🐸 Ribit #{n} · {day}").format(n=(today - _DAY_BEFORE_FIRST).days, day=today)
    elif table.is_solo and match.counts and deal and table.outcome and table.outcome.winners:
        title = _("🐸 Ribit deal {n}").format(n=deal)
    else:
        return ""
    result, *way = table.shared
    days = [_("{n} in a row").format(n=day.in_a_row)] if day.in_a_row else []
    took = f"⏱️ {duration(table.match.seconds or 0)}"
    return "\n".join((title, " · ".join((result, *days, took)), *way))


def tried_words(table: Table, link: str | None) -> str:
    """Return what a player is told who has had the try of a day, or is having it: where that is."""
    if table.is_playing:
        words = _("You are already playing today's deal.")
    else:
        words = _("You have already played today's deal. The next one comes {when}.").format(
            when=f"<t:{ends_at(table.match.day)}:R>"
        )
    there = _("[Go to it]({link}).").format(link=link) if link else ""
    return f"{words} {there}".strip()


def elsewhere_content(table: Table, link: str | None) -> Content:
    """Return where a player's try of the day is, and the way to go on with it here."""
    here = Button(TakeUp(table.match.id).custom_id, _("Play on here"))
    return notice_content(tried_words(table, link), row(here))


def commitment_line(match: Match) -> str:
    """Return what a table shows of how it is dealt, or nothing where nothing is committed to.

    That is the commitment before the start, and afterwards the digest of all that it is dealt by.
    """
    if match.secret is None:
        return ""
    record = opened_record(match)
    return f"🔏 `{record.commitment[:SHORT] if match.seed is None else record.digest}`"


def short_tomorrow(commitment: str) -> str:
    """Return what the board of a day says of the commitment to the deal of the next."""
    return _("🔏 tomorrow's deal: `{commitment}`").format(commitment=commitment[:SHORT])
