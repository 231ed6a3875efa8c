"""Daily duels in a server's daily post."""

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
from cogs.duels.tries import DuelTries

MOST_STREAKS = 50
"""Maximum number of players whose streaks are computed. The most recent finishers come first."""


@dataclass(eq=False)
class DuelNews:
    """The part of the daily post about one game's duels."""

    _tries: DuelTries
    game: AnyGame

    def name(self) -> str:
        return _("{game}: duels").format(game=self.game.info.command.capitalize())

    def buttons(self, day: int) -> tuple[Button]:
        return (Button(PlayDuels(self.game.info.key, day).custom_id, self.name(), Tone.GOOD),)

    async def of_day(self, guild_id: int, day: int) -> DayNews:
        """Return the server's news of a day's duels.

        The results in it are two days old, because later results can still change.
        """
        key, before = self.game.info.key, day_before(day)
        played = [await self._tries.players(key, each, guild_id) for each in (day, before)]
        lately = await self._tries.lately(key, guild_id, before, day, MOST_STREAKS)
        streaks = [
            (each.player, await self._tries.streak(key, each.player_id, as_date(day))) for each in lately
        ]
        return DayNews(await self._best(guild_id, day_before(before)), longest_streaks(streaks), *played)

    async def _best(self, guild_id: int, day: int) -> str:
        """Return a line that lists the server's best players of a day.

        Return an empty string without players, or if the day began by rules that are no longer known.
        """
        try:
            duels = await self._tries.day(self.game, day)
        except TableError:
            return ""
        if duels is None:
            return ""
        among = await self._tries.counts(duels, guild_id)
        whole = await self._tries.field(duels)
        best = await self._tries.best(duels, guild_id, whole, among, MOST_LISTED)
        names = written_names([place.player for place, _scores, _points in best])
        told = [
            f"{place.rank}. {name} ({percent(points)})"
            for name, (place, _scores, points) in zip(names, best, strict=True)
        ]
        return f"🏆 {as_date(day)}: {', '.join(told)}" if told else ""
