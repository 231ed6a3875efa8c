"""The ``daily`` command and the buttons of daily duels.

A day's duels are a few short matches, the boards, against a computer player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.background import BackgroundTasks
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.duel_match_opening import Boards, next_board, practise
from bot.delivery.name_updates import player_of
from bot.delivery.permission_checks import check_may_share
from bot.delivery.table_posting import open_panel
from bot.delivery.turn_pings import COOLDOWN_SECONDS, RecentActivity
from bot.engine.errors import RibitError
from bot.engine.game import AnyGame
from bot.engine.translation import _, speaking
from bot.features import Command, DayStreak, Feature
from bot.matches.commitment import commitment_to
from bot.matches.duels import (
    FIELD,
    board_percentages,
    computers,
    count_of,
    percentage,
    place_of_board,
    secret_key,
)
from bot.matches.match import Match
from bot.messages.button_rows import ButtonPlace, feature_buttons
from bot.messages.components import Button, Content
from bot.messages.daily_items import DailyItem
from bot.messages.deal_calendar import as_date, day_after, day_before, day_of, ends_at, still_counts
from bot.messages.leaderboard_pages import PAGE_SIZE
from bot.messages.player_names import written_names
from bot.messages.table_view import table_view
from bot.messages.text_mode import adapted_to_reader
from bot.messages.time_limits import when
from bot.requests.answers import Answer, answering
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.table_state import Table
from bot.storage.daily_deals import Days
from cogs.duels.content import (
    DuelResults,
    PlayDuels,
    PractiseDuel,
    ShareDuels,
    board_content,
    profile_line,
    results_content,
    shared_content,
)
from cogs.duels.post_section import DuelNews
from cogs.duels.store import DuelDay, DuelTries, Try
from cogs.duels.tasks import PlayBoard

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Duels(commands.Cog):
    """The cog with the commands and buttons of daily duels.

    All players of an installation get the same boards, and each player has one try a day. Computer
    players also play the boards, so that the first players have results to compare with. ``_is_first``
    is True in the one process that starts these computer players each day.
    """

    _display: Display
    _days: Days
    _tries: DuelTries
    _thinkers: Opponents
    _record_play: Callable[[int | None], Awaitable[None]]
    _is_first: bool
    _shared: RecentActivity
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks)
    _filling: set[tuple[str, int]] = field(default_factory=set)

    async def cog_load(self) -> None:
        if self._is_first:
            self._tasks.start(self._begin_days())

    async def cog_unload(self) -> None:
        await self._tasks.close()

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        if game.duel is None:
            return

        @app_commands.command()
        async def daily(interaction: discord.Interaction) -> None:
            """Play the duels of the day in private. Everybody gets the same, and one try counts."""
            async with answering(interaction) as answer:
                await self._show(answer, game)

        yield daily

    @handles(PlayDuels)
    async def go_on(self, clicked: ClickContext, asked: PlayDuels) -> None:
        """Show the user's next match of a day's duels, or the results after the last match.

        If the clicked message is ephemeral, replace its content. Otherwise, send a new message.
        """
        game = self._game(asked.game)
        if not clicked.message.flags.ephemeral:
            await self._show(clicked.answer, game, asked.day)
            return
        step = await self._next_step(clicked.interaction, game, asked.day)
        if isinstance(step, Table):
            await clicked.show(step, in_public=False)
            self._display.refresh(step.match.id)
        else:
            await clicked.answer.update(step)

    def _game(self, key: str) -> AnyGame:
        game = self._display.tables.games.get(key)
        if game is None or game.duel is None:
            raise unknown_button()
        return game

    async def _show(self, answer: Answer, game: AnyGame, day: int | None = None) -> None:
        interaction = answer.interaction
        await self._display.players.record_locale(interaction.user.id, str(interaction.locale))
        step = await self._next_step(interaction, game, day)
        if isinstance(step, Table):
            await open_panel(self._display, answer, step)
            self._display.refresh(step.match.id)  # the toad may have moved meanwhile
        else:
            await answer.send_ephemeral(step)

    # ---- the try ------------------------------------------------------------------------------------

    async def _next_step(
        self, interaction: discord.Interaction, game: AnyGame, day: int | None = None
    ) -> Table | Content:
        """Return the user's next match of a day's duels. If all are finished, return the results.

        Args:
            interaction: The click or command.
            game: The game.
            day: The day that the user chose, or None for the current one. A day that the user never
                began is treated as None.

        Raises:
            TableError: The user has boards left, but the day no longer counts.
        """
        player = player_of(interaction.user)
        at = int(interaction.created_at.timestamp())
        if day is None or await self._tries.find_try(game.info.key, day, player.id) is None:
            day = await self._day_to_play(interaction, game)
        is_new = await self._tries.find_try(game.info.key, day, player.id) is None
        duels = await self._tries.begin(game, day, player, interaction.guild_id or 0, at)
        if is_new:
            await self._record_play(interaction.guild_id)
        self._start_field(duels)
        own_try = await self._require_try(duels, player.id)
        if not own_try.is_over:
            if not still_counts(day, day_of(interaction.created_at)):
                raise TableError(_("That day no longer counts. Today's boards are waiting for you."))
            boards = await self._boards(duels, player.id, at)
            if (table := await next_board(self._display, boards, player)) is not None:
                return table
            own_try = await self._require_try(duels, player.id)
        results = await self._find_results(interaction, duels, own_try)
        if not results.is_final:
            await self._record_play(own_try.guild_id or None)  # the daily post counts finished tries
        look = await self._display.appearances.of_asker(interaction)
        return adapted_to_reader(results_content(results, player.id), look)

    async def _day_to_play(self, interaction: discord.Interaction, game: AnyGame) -> int:
        """Return the day whose duels the user should play now.

        It is yesterday if the user began yesterday's duels and has not finished them. Otherwise, it is
        today.
        """
        yesterday = day_of(interaction.created_at - timedelta(days=1))
        own_try = await self._tries.find_try(game.info.key, yesterday, interaction.user.id)
        return day_of(interaction.created_at) if own_try is None or own_try.is_over else yesterday

    async def _require_try(self, duels: DuelDay, player_id: int) -> Try:
        own_try = await self._tries.find_try(duels.game.info.key, duels.day, player_id)
        if own_try is None:
            raise unknown_button()
        return own_try

    async def _boards(self, duels: DuelDay, player_id: int, at: int) -> Boards:
        async def scores() -> str:
            return (await self._require_try(duels, player_id)).scores

        async def count_as_lost(match: Match) -> None:
            await self._tries.count_as_lost(match, at)

        secret = await self._days.secret_of(secret_key(duels.game.info.key), duels.day)
        return Boards(duels.game, secret, duels.day, scores, count_as_lost)

    async def in_profile(self, player_id: int, today: int) -> Sequence[str]:
        lines = list[str]()
        for key, game in self._display.tables.games.items():
            if game.duel is not None:
                days, streak = await self._tries.days_and_streak(key, player_id, as_date(today))
                lines += [profile_line(game, days, streak)] if days else []
        return lines

    # ---- results ------------------------------------------------------------------------------------

    async def _find_results(
        self, interaction: discord.Interaction, duels: DuelDay, own_try: Try
    ) -> DuelResults:
        game, day, player_id = duels.game, duels.day, interaction.user.id
        scores, guild_id = own_try.scores, own_try.guild_id
        is_here = guild_id == interaction.guild_id
        server_counts = await self._tries.counts(duels, guild_id) if is_here else {}
        field = await self._tries.field(duels)  # read last, to include all tries of the server
        has_place = is_here and not await self._tries.is_removed(player_id, guild_id)
        places = (
            place_of_board(game.info.key, day, board, player_id)
            for board in range(count_of(game) if game.review is not None else 0)
        )
        matches = [await self._display.tables.journal.newest_at(place) for place in places]
        today = day_of(interaction.created_at)
        is_final = not still_counts(day, today)
        earlier_day = day_before(day_before(today))
        earlier = None if is_final else await self._tries.find_try(game.info.key, earlier_day, player_id)
        tomorrow_secret = await self._days.secret_of(secret_key(game.info.key), day_after(today))
        return DuelResults(
            game,
            day,
            own=scores,
            points=percentage(scores, field.points()),
            boards=board_percentages(scores, field.points()),
            here=await self._tries.best(duels, guild_id, field, server_counts, PAGE_SIZE),
            rank_here=field.rank(scores, server_counts) if has_place else None,
            rank=field.rank(scores),
            toad=next(iter(duels.field), ""),
            computers=max(0, min(len(duels.field), FIELD - sum(field.people.values()))),
            streak=await self._tries.streak(game.info.key, player_id, as_date(today)),
            is_final=is_final,
            matches=[match_id for match_id in matches if match_id is not None],
            best=await self._best_matches(duels, guild_id) if is_final and is_here else (),
            earlier=earlier_day if earlier is not None and earlier.is_over else 0,
            tomorrow=commitment_to(tomorrow_secret),
        )

    async def _best_matches(self, duels: DuelDay, guild_id: int) -> Sequence[Button]:
        """Return one button for each of a day's duels.

        It shows how the server's best player played it.
        """
        game, day, buttons = duels.game, duels.day, list[Button]()
        for board in range(count_of(game)):
            best_player_id = await self._tries.best_at(game.info.key, day, guild_id, board)
            place = place_of_board(game.info.key, day, board, best_player_id or 0)
            match_id = await self._display.tables.journal.newest_at(place)
            match = None if match_id is None else await self._display.tables.journal.find(match_id)
            if match is None:
                continue
            shared = feature_buttons(ButtonPlace.SHARED, table_view(Table(match, game)))
            buttons += [replace(button, label=str(board + 1), emoji=None) for button in shared[:1]]
        return buttons

    @handles(PractiseDuel, in_private=True)
    async def practise(self, clicked: ClickContext, asked: PractiseDuel) -> None:
        game = self._game(asked.game)
        duels = await self._tries.day(game, asked.day)
        if duels is None or asked.number >= count_of(duels.game):
            raise unknown_button()
        if still_counts(asked.day, day_of(clicked.interaction.created_at)):
            raise TableError(_("These boards still count. You can practise on them later."))
        secret = await self._days.secret_of(secret_key(asked.game), asked.day)
        player = player_of(clicked.interaction.user)
        table = await practise(self._display, duels.game, secret, asked.day, asked.number, player)
        await open_panel(self._display, clicked.answer, table)
        self._display.refresh(table.match.id)

    @handles(ShareDuels)
    async def share(self, clicked: ClickContext, asked: ShareDuels) -> None:
        interaction = clicked.interaction
        game = self._game(asked.game)
        own_try = await self._tries.find_try(asked.game, asked.day, clicked.player_id)
        duels = await self._tries.day(game, asked.day)
        if own_try is None or duels is None or not own_try.is_over:
            raise TableError(_("You can share a day's duels once you've played them."))
        await check_may_share(self._display, interaction)
        if (until := self._shared.until(clicked.player_id)) is not None:
            words = _("You have just shared your results. You can share again {when}.")
            raise TableError(words.format(when=when(until)))
        self._shared.note(clicked.player_id)
        [name] = written_names([player_of(interaction.user)])
        points = percentage(own_try.scores, (await self._tries.field(duels)).points())
        look = await self._display.appearances.of_own(
            clicked.player_id, interaction.guild_id, interaction.channel_id
        )
        with speaking(await self._display.plans.spoken(interaction, in_public=True)):
            content = shared_content(game, asked.day, str(name), own_try.scores, points, look)
        await clicked.answer.post(content)

    # ---- computer players ---------------------------------------------------------------------------

    async def _begin_days(self) -> None:
        """When a day starts, begin its duels in the games whose duels were played the day before."""
        while True:
            now = self._display.plans.clock()
            today = day_of(datetime.fromtimestamp(now, UTC))
            await asyncio.sleep(max(1, ends_at(today) - now))
            for game in self._display.tables.games.values():
                try:
                    if game.duel is not None and await self._tries.day(game, today) is not None:
                        self._start_field(await self._tries.begin_day(game, day_after(today)))
                except RibitError as error:
                    log.warning(
                        "a day's duels will be prepared at the first try", error=type(error).__name__
                    )

    def _start_field(self, duels: DuelDay) -> None:
        """Let the computer players play a day's duels, unless they have already started or finished."""
        key = duels.game.info.key, duels.day
        if not duels.field and key not in self._filling:
            self._filling.add(key)
            self._tasks.start(self._play_field(duels))

    async def _play_field(self, duels: DuelDay) -> None:
        info, thinking = duels.game.info, duels.game.thinking
        assert thinking is not None, "it has duels"
        versions = info.rules_version, thinking.version
        field = list[str]()
        try:
            secret = await self._days.secret_of(secret_key(info.key), duels.day)
            for number, strength in enumerate(computers()):
                boards = (
                    PlayBoard(info.key, secret, strength, number, board, *versions)
                    for board in range(count_of(duels.game))
                )
                field.append("".join([await self._thinkers.ask(task, who=0) for task in boards]))
            await self._tries.fill_field(info.key, duels.day, field)
        except RibitError as error:
            log.warning("computer players of a day's duels are incomplete", error=type(error).__name__)
        finally:
            self._filling.discard((info.key, duels.day))


async def setup(bot: Ribit) -> None:
    database = bot.database
    tries = DuelTries(database.writer, database.surveying, bot.games)
    record_play, is_first = bot.post_schedule.record_play, bot.owned.has(None)
    shared = RecentActivity(bot.tables.clock, COOLDOWN_SECONDS)
    cog = Duels(bot.display, database.days, tries, bot.thinkers, record_play, is_first, shared)
    news = [DuelNews(tries, game) for game in bot.games.values() if game.duel is not None]
    await bot.add_feature(
        Feature(
            cog,
            of_game=cog.commands_of,
            at_end=tries.record_end,
            in_profile=cog.in_profile,
            streaks=[
                DayStreak(
                    source.name,
                    f"{source.game.info.command} daily",
                    partial(tries.at_stake, source.game.info.key),
                )
                for source in news
            ],
            hand=board_content,
            daily_items=[
                DailyItem(f"{source.game.info.key}_duels", source.name, source.of_day, source.buttons)
                for source in news
            ],
        )
    )
