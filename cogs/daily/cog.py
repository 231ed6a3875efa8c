"""Commands, buttons and leaderboards of the deal of the day.

Each day, all players get the same solitaire deal. A player's first match with it, the try, is the only
one that counts. Past deals can be played for fun.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.message_plans import Notice
from bot.delivery.table_opening import TableOpening, options_of
from bot.delivery.table_posting import post_table
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import server_name
from bot.engine.translation import _
from bot.features import BoardChoice, BoardReaders, Command, DayStreak, Feature
from bot.matches.commitment import commitment_to, deal_seed
from bot.matches.leaderboard_rules import AROUND, Ending, page_of
from bot.matches.match import Match
from bot.matches.match_type import BEARER, DEAL, PAR
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Content, MenuOption
from bot.messages.daily_items import DailyItem
from bot.messages.deal_calendar import (
    DAILY,
    as_date,
    daily_game,
    day_after,
    day_of,
    has_daily,
    still_counts,
)
from bot.messages.leaderboard_pages import MENU, PAGE_SIZE, LeaderboardPage, board_content
from bot.messages.match_end import EndLines
from bot.messages.streaks import row_lately
from bot.messages.table_view import TableView
from bot.requests.answers import Answer, answering
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError
from bot.sessions.match_creation import place_of_try
from bot.sessions.table_state import Table
from bot.storage.bot_downtime import Outages
from bot.storage.daily_deals import DayDeal, Days
from cogs.daily.content import (
    Day,
    DayPage,
    DayResults,
    PlayDay,
    day_board,
    day_of_text,
    end_lines,
    hidden_day_content,
    next_line,
    notice_of_day,
    play_button,
    profile_line,
    tried_words,
)
from cogs.daily.post_section import News, PlayToday, today_buttons
from cogs.daily.store import DayWins, won_in_time

DAYS_IN_MENU = 5
"""Number of recent days that the menu of all leaderboards lists."""

MOST_OFFERED = 25
"""Discord's limit for autocomplete choices."""

MOST_DAYS = 400
"""Number of recent days that the autocomplete searches."""


@dataclass(eq=False)
class Daily(commands.Cog):
    """The cog of the deal of the day. Its commands are ``/solitaire daily`` and ``/solitaire archive``.

    Attributes:
        _game: The game whose daily deals have leaderboards.
        _played: Called with the server's ID after a player has started a try.
    """

    _game: AnyGame
    _display: Display
    _opening: TableOpening
    _days: Days
    _wins: DayWins
    _access: MatchAccess
    _outages: Outages
    _played: Callable[[int | None], Awaitable[None]]

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        if not has_daily(game):
            return ()

        @app_commands.command()
        async def daily(interaction: discord.Interaction) -> None:
            """Play the deal of the day in private. Everybody gets the same, and one try counts."""
            async with answering(interaction) as answer:
                await self._play_today(answer, game)

        @app_commands.command()
        @app_commands.describe(day="A past day, such as 2026-11-21")
        async def archive(interaction: discord.Interaction, day: str) -> None:
            """Play the deal of a past day for fun. It doesn't count."""
            async with answering(interaction, public=True) as answer:
                await self._play_past(answer, game, day_of_text(day) or 0)

        @archive.autocomplete("day")
        async def suggest_days(interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
            today = day_of(interaction.created_at)
            deals = await self._wins.deals_before(game.info.key, today, MOST_DAYS)
            days = [as_date(deal.day).isoformat() for deal in deals]
            suggestions = [day for day in days if typed in day]
            return [Choice(name=day, value=day) for day in suggestions[:MOST_OFFERED]]

        return daily, archive

    # ---- the single try -----------------------------------------------------------------------------

    async def _play_today(self, answer: Answer, game: AnyGame) -> None:
        interaction = answer.interaction
        day, tables = day_of(interaction.created_at), self._display.tables
        before = await tables.match_of_day(game.info.key, interaction.user.id, day)
        if before is not None:
            await self._lead_to(before, answer)
            return
        options, private = await self._options(interaction, game), 1
        if interaction.guild_id is not None and not is_guest(interaction):
            first = place_of_try(game.info.key, day, interaction.guild_id)
            private = 1 if await self._display.database.journal.newest_at(first) else BEARER
        table = await self._opening.deal_for(interaction, game, options, private)
        await post_table(self._display, answer, table)
        await self._played(interaction.guild_id)

    async def _options(self, interaction: discord.Interaction, game: AnyGame) -> Mapping[str, int]:
        """Return the match options for today's deal.

        If today's deal has not been chosen yet, derive it from the secret of the day and store it. The
        commitment to that secret was published the day before.
        """
        info, day = game.info, day_of(interaction.created_at)
        deal = await self._days.deal_of_day(info.key, day)
        if deal is None:
            seed = deal_seed(await self._days.secret_of(info.key, day), "")
            options = await self._opening.find_deal(interaction, game, options_of(info, {}, seed))
            chosen = DayDeal(day, options[DEAL], options[PAR], is_committed=True)
            deal = await self._days.choose(info.key, chosen)
        return options_of(info, {DAILY: day, DEAL: deal.number, PAR: deal.par})

    async def _lead_to(self, tried: Table, answer: Answer) -> None:
        """Show a player the match with today's deal that the player has already begun.

        If the bot can no longer use the match's channel, continue the match in the interaction's
        channel.

        Raises:
            TableError: The match is shown in another message, or is finished. The sentence contains a
                link to the message if there is one.
        """
        match, link = tried.match, await self._display.plans.link(tried.match)
        is_here = match.channel_id == answer.interaction.channel_id
        if match.is_private or (tried.is_playing and is_here and link is None):
            await post_table(self._display, answer, tried)
        elif tried.is_playing and self._display.channels.permissions.is_lost(match):
            await self._opening.take_up(answer, tried)
        else:
            raise TableError(tried_words(tried, link))

    async def match_end_lines(self, table: TableView, ending: Ending) -> Iterable[str]:
        return end_lines(table.match, ending.facts.get(0, {}))

    async def next_day_lines(self, table: TableView, _ending: Ending) -> Iterable[str]:
        is_running = day_of(datetime.fromtimestamp(self._display.plans.clock(), UTC)) <= table.match.day
        return [next_line(table.match.day)] if is_running else ()

    # ---- the tries shown to a server -----------------------------------------------------------------

    async def bearer(self, match: Match) -> str | None:
        place = place_of_try(match.game, match.day, match.guild_id)
        return await self._display.database.journal.newest_at(place) if match.day else None

    async def notice(self, match: Match) -> Content:
        over, playing = await self._wins.tries(match.guild_id or 0, match.game, match.day)
        return notice_of_day(match.day, over, playing)

    @handles(DayResults)
    async def show_results(self, clicked: ClickContext, asked: DayResults) -> None:
        await self._access.check_may_see_day(clicked.interaction, self._game.info.key, asked.day)
        page = await self._results(clicked.interaction, 0, asked.day)
        if page is None:
            raise unknown_button()
        await clicked.answer.send_ephemeral(page)

    # ---- past days and leaderboards -----------------------------------------------------------------

    async def _play_past(self, answer: Answer, game: AnyGame, day: int) -> None:
        deal = await self._days.deal_of_day(game.info.key, day)
        if deal is None or day >= day_of(answer.interaction.created_at):
            raise TableError(_("I have no deal for that day. Pick a day that's over."))
        table = await self._opening.deal_for(answer.interaction, game, {DEAL: deal.number})
        await post_table(self._display, answer, table)

    @handles(PlayToday)
    async def play_today(self, clicked: ClickContext, _asked: PlayToday) -> None:
        await self._play_today(clicked.answer, self._game)

    @handles(PlayDay)
    async def play_day(self, clicked: ClickContext, asked: PlayDay) -> None:
        if asked.day == day_of(clicked.interaction.created_at):
            await self._play_today(clicked.answer, self._game)
        else:
            await self._play_past(clicked.answer, self._game, asked.day)

    @handles(DayPage)
    async def turn_day(self, clicked: ClickContext, asked: DayPage) -> None:
        make = self._own_page if clicked.message.flags.ephemeral else self.page
        await clicked.turn_board(lambda: make(clicked.interaction, asked.page, asked.day))

    async def page(
        self, interaction: discord.Interaction | BoardReaders, number: int, day: int | None = None
    ) -> Content | None:
        """Return a page of a day's leaderboard that all members of a server may see.

        While the day's deal still counts, the page hides the results.

        Args:
            interaction: The interaction, or a substitute for a permanent leaderboard in a channel.
            number: The page's number, counted from 0.
            day: The day, such as 20261121, or None for today.

        Returns:
            The page, or None in DMs and for days in the future.
        """
        today = day_of(interaction.created_at)
        day = today if day is None else day
        if interaction.guild is not None and day <= today and still_counts(day, today):
            return hidden_day_content(
                await self._day(interaction, day), server_name(interaction.guild.name)
            )
        return await self._results(interaction, number, day)

    async def _own_page(self, interaction: discord.Interaction, number: int, day: int) -> Content | None:
        try:
            await self._access.check_may_see_day(interaction, self._game.info.key, day)
        except TableError:
            return await self.page(interaction, number, day)
        return await self._results(interaction, number, day)

    async def _results(
        self, interaction: discord.Interaction | BoardReaders, number: int, day: int
    ) -> Content | None:
        """Return a page of a day's leaderboard, including results that may still be secret.

        The caller must check that the user may see them.
        """
        guild, player_id, key = interaction.guild, interaction.user.id, self._game.info.key
        if guild is None or day > day_of(interaction.created_at):
            return None
        where = (guild.id, key, day)
        count = await self._wins.count(*where)
        own = next(iter(await self._wins.board(*where, 0, 1, player_id)), None)
        is_placed = number == AROUND and own is not None
        position = await self._wins.position(*where, player_id) if is_placed else None
        number, offset, size = page_of(number, PAGE_SIZE, count, position)
        rows = await self._wins.board(*where, offset, size)
        board = day_board(self._game, await self._day(interaction, day), server_name(guild.name))
        return board_content(board, LeaderboardPage(number, count, rows, own), player_id)

    async def _day(self, interaction: discord.Interaction | BoardReaders, day: int) -> Day:
        """Return a day's entry in the calendar, with the days before and after it.

        The deal's number stays hidden (0) while the deal counts or the user is still playing it.
        """
        game, today = self._game.info.key, day_of(interaction.created_at)
        tried = await self._display.tables.match_of_day(game, interaction.user.id, day)
        is_tried = tried is not None and tried.is_playing
        deal, earlier = (
            await self._days.deal_of_day(game, day),
            await self._wins.deals_before(game, day, 1),
        )
        after = 0 if day == today else day_after(day)
        before = earlier[0].day if earlier else 0
        number = deal.number if deal and not (is_tried or still_counts(day, today)) else 0
        tomorrow = "" if after else commitment_to(await self._days.secret_of(game, day_after(today)))
        return Day(day, before, after, number, tomorrow)

    def options(self) -> Sequence[MenuOption]:
        """Return the options for the daily leaderboards in the menu of all leaderboards.

        They are today's leaderboard and those of the previous days.
        """
        now = datetime.fromtimestamp(self._display.plans.clock(), UTC)
        days = [day_of(now - timedelta(days=back)) for back in range(DAYS_IN_MENU)]
        name = _("Deal of the day {day}")
        return [
            MenuOption(name.format(day=as_date(day)), DayPage(day, AROUND).custom_id_of(MENU))
            for day in days
        ]

    async def at_stake(self, player_id: int, day: int) -> int:
        """Return the length of the streak that a player would lose by not playing today's deal.

        Return 0 if the player has already played it or has no streak.
        """
        won = won_in_time(await self._wins.days_of(player_id, self._game.info.key))
        length = row_lately(won, as_date(day), await self._outages.off_days())
        tried = length and await self._display.tables.match_of_day(self._game.info.key, player_id, day)
        return 0 if tried else length

    async def in_profile(self, player_id: int, today: int) -> Sequence[str]:
        won = await self._wins.days_of(player_id, self._game.info.key)
        return [profile_line(won, today, await self._outages.off_days())] if won else []


async def setup(bot: Ribit) -> None:
    game = daily_game(bot.games)
    if game is None:
        return
    database = bot.database
    wins = DayWins(database.surveying)
    cog = Daily(
        game,
        bot.display,
        bot.opening,
        database.days,
        wins,
        bot.access,
        database.outages,
        bot.post_schedule.record_play,
    )
    news = News(database.surveying, wins, game.info.key)
    name = f"{game.info.command.capitalize()}: the deal of the day"
    streak = DayStreak(lambda: _("Deal of the day"), f"{game.info.command} daily", cog.at_stake)
    await bot.add_feature(
        Feature(
            cog,
            of_game=cog.commands_of,
            boards=[BoardChoice(DAILY, name, cog.page, cog.options)],
            offers=[FeatureButton(ButtonPlace.SHARED, 40, play_button)],
            at_end=wins.record_end,
            match_end_lines=[
                EndLines(30, cog.match_end_lines, is_shared=True),
                EndLines(31, cog.next_day_lines),
            ],
            notice=Notice(cog.bearer, cog.notice),
            daily_items=[DailyItem(DAILY, lambda: _("Deal of the day"), news.of_day, today_buttons)],
            streaks=[streak],
            in_profile=cog.in_profile,
        )
    )
