"""The section about daily duels in servers' daily posts."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.messages.components import Button
from bot.messages.daily_items import MOST_LISTED, DayNews, longest_streaks
from bot.messages.deal_calendar import as_date, day_before
from bot.messages.player_names import written_names
from bot.sessions.errors import TableError
from cogs.duels.content import PlayDuels, percent
from cogs.duels.store import DuelTries

MOST_STREAKS = 50
"""Maximum number of players whose streaks are computed. The most recent finishers come first."""


@dataclass(eq=False)
class DuelNews:
    """The section of a daily post about one game's duels."""

    _tries: DuelTries
    game: AnyGame

    def name(self) -> str:
        return _("{game}: duels").format(game=self.game.info.command.capitalize())

    def buttons(self, day: int) -> tuple[Button]:
        return (Button(PlayDuels(self.game.info.key, day).custom_id, self.name(), Tone.GOOD),)

    async def of_day(self, guild_id: int, day: int) -> DayNews:
        """Return the news about a day's duels for a server's daily post.

        The results in it are two days old, because later results can still change.
        """
        key, previous_day = self.game.info.key, day_before(day)
        rows = await self._tries.recent_players(key, guild_id, previous_day, day, MOST_STREAKS)
        streaks = [
            (row.player, await self._tries.streak(key, row.player_id, as_date(day))) for row in rows
        ]
        best_line = await self._best_line(guild_id, day_before(previous_day))
        played = await self._tries.players(key, day, guild_id)
        before = await self._tries.players(key, previous_day, guild_id)
        return DayNews(best_line, longest_streaks(streaks), played, before)

    async def _best_line(self, guild_id: int, day: int) -> str:
        """Return a line that lists the server's best players in a day's duels.

        If there are none, or if the rules of that day are no longer known, return an empty string.
        """
        try:
            duels = await self._tries.day(self.game, day)
        except TableError:
            return ""
        if duels is None:
            return ""
        counts, field = await self._tries.counts(duels, guild_id), await self._tries.field(duels)
        best = await self._tries.best(duels, guild_id, field, counts, MOST_LISTED)
        names = written_names([row.player for row, _scores, _points in best])
        places = [
            f"{row.rank}. {name} ({percent(points)})"
            for name, (row, _scores, points) in zip(names, best, strict=True)
        ]
        return f"🏆 {as_date(day)}: {', '.join(places)}" if places else ""
