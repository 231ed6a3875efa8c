"""The section about the deal of the day in servers' daily posts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _, ngettext
from bot.matches.leaderboard_rules import BEYOND, LeaderboardRow
from bot.matches.match import Player
from bot.messages.components import Button
from bot.messages.custom_ids import PlainControl
from bot.messages.daily_items import MOST_LISTED, DayNews, longest_streaks
from bot.messages.deal_calendar import as_date, day_before
from bot.messages.player_names import written_names
from bot.messages.streaks import row_lately
from bot.sessions.match_creation import place_of_try
from bot.storage.bot_downtime import off_days
from bot.storage.leaderboard_totals import shown_players
from bot.storage.named_queries import Sql
from bot.storage.writer import Reader
from cogs.daily.content import results_button
from cogs.daily.store import DayWins, days_won, won_in_time

MOST_STREAKS, RECENT = 50, timedelta(days=60)
"""Maximum number of players whose streaks are computed, and the period in which wins are counted.

The players with the most wins are chosen.
"""


@frozen
class PlayToday(PlainControl):
    """A button that starts a match with the current deal of the day.

    The current day is the day of the click, not of the message.
    """

    kind = "play today"
    form = "pt"


def today_buttons(day: int) -> tuple[Button, ...]:
    return Button(PlayToday().custom_id, _("Play the deal"), Tone.GOOD), results_button(day)


@dataclass(eq=False)
class News:
    """Queries for the section about the deal of the day in daily posts."""

    _reader: Reader
    _wins: DayWins
    _game: str

    async def of_day(self, guild_id: int, day: int) -> DayNews:
        """Return the news about the deal of the day for a server's daily post.

        The best players in it are those of two days before, because later deals can still be won.
        """
        before = day_before(day)
        settled = day_before(before)
        best = await self._wins.board(guild_id, self._game, settled, 0, MOST_LISTED)

        async def work(sql: Sql) -> DayNews:
            played = [await self._players(sql, guild_id, utc_day) for utc_day in (day, before)]
            return DayNews(best_line(settled, best), await self._streaks(sql, guild_id, day), *played)

        return await self._reader.run(work)

    async def _players(self, sql: Sql, guild_id: int, day: int) -> int:
        first, beyond = (place_of_try(self._game, day, guild_id, who) for who in ("", "~"))
        where = {"guild_id": guild_id, "game": self._game, "day": day}
        return int(await sql.day_players(**where, first=first, beyond=beyond))

    async def _streaks(self, sql: Sql, guild_id: int, day: int) -> list[tuple[Player, int]]:
        """Return the server's players with the longest streaks that are unbroken on the given day."""
        since = int(f"{as_date(day) - RECENT:%Y%m%d}")
        where = {"guild_id": guild_id, "game": self._game, "since": since, "latest": day_before(day)}
        rows = [row async for row in sql.late_winners(**where, beyond=BEYOND, limit=MOST_STREAKS)]
        off, streaks = await off_days(sql), list[tuple[Player, int]]()
        for player in (await shown_players(sql, guild_id, rows)).values():
            won = won_in_time(await days_won(sql, player.id, self._game))
            streaks.append((player, row_lately(won, as_date(day), off)))
        return longest_streaks(streaks)


def best_line(day: int, rows: Sequence[LeaderboardRow]) -> str:
    """Return a line with the best players of a day, or an empty string if no player is ranked."""
    placed = [row for row in rows if row.rank]
    names = written_names([row.player for row in placed])
    moves = [row.figures["moves"] for row in placed]
    words = [ngettext("{n} move", "{n} moves", n).format(n=n) for n in moves]
    entries = [f"{row.rank}. {n} ({m})" for row, n, m in zip(placed, names, words, strict=True)]
    line = _("🏆 Best on {day}: {winners}")
    return line.format(day=as_date(day), winners=", ".join(entries)) if entries else ""
