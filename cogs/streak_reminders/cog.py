"""*Remind me*, a direct message in the last hour of a day on which a streak would end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import discord
import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.background import BackgroundTasks
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.routes import nonce_of
from bot.delivery.turn_pings import night_seconds_left
from bot.engine.errors import AwayError
from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _, speaking
from bot.features import DayStreak, Feature
from bot.messages.components import Button, Content, Text, layout, row
from bot.messages.custom_ids import Plain
from bot.messages.deal_calendar import day_of, ends_at
from bot.messages.mentions import clickable
from bot.requests.budget import PrioritizedWork, Priority, on
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.dm_quarantine import QuarantinedError
from bot.storage.sql import Sql
from bot.storage.writer import HaltedError

log = structlog.get_logger(__name__)

LAST_SECONDS = 60 * 60
"""Seconds before the end of a day (UTC) at which players are reminded."""

SHORTEST = 3
"""Number of days in a row from which a streak is worth a reminder."""

AT_ONCE = 100
"""Number of players read at a time."""


@frozen
class OpenReminder(Plain):
    """A button that shows whether its user is reminded."""

    kind = "reminder"
    form = "sr"


@frozen
class SetReminder(Plain):
    """A button that starts or stops the reminders of its user."""

    kind = "set reminder"
    form = "sr:{0.is_on}"

    is_on: int


def reminder_content(*, is_on: bool, is_closed: bool) -> Content:
    about = _(
        "In the last hour of the day (UTC) I send you a DM if a streak of {n} days or more would end: "
        "the deal of the day or a puzzle. At most once a day, and never in your quiet hours."
    )
    button = Button(SetReminder(1).custom_id, _("Remind me"), Tone.GOOD, emoji="⏰")
    if is_on:
        button = Button(SetReminder(0).custom_id, _("Stop reminders"))
    state = _("**On.**") if is_on else _("**Off.**")
    lines = [_("### ⏰ Streak reminder"), f"{state} {about.format(n=SHORTEST)}"]
    if is_closed:
        lines.append(_("Your DMs are closed to me. **Send it to my DMs** at a table opens them again."))
    return layout(Text("\n".join(lines)), row(button))


def reminder_words(at_stake: Sequence[tuple[DayStreak, int]], day: int) -> str:
    ends = f"<t:{ends_at(day)}:R>"
    lines = [
        f"{source.name()}: " + _("{n} in a row").format(n=length) + f" · `/{source.command}`"
        for source, length in at_stake
    ]
    words = _("⏰ Your streak ends {when}, with the day.")
    return clickable("\n".join((words.format(when=ends), *lines)))


@dataclass(eq=False)
class StreakReminders(commands.Cog):
    """Players who want to be reminded, and the reminders. One process sends those of all players."""

    _display: Display
    _streaks: Sequence[DayStreak]
    _is_sender: bool
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks)

    async def cog_load(self) -> None:
        if self._is_sender:
            self._tasks.start(self._run())

    async def cog_unload(self) -> None:
        await self._tasks.close()

    @handles(OpenReminder, in_private=True)
    async def open(self, clicked: ClickContext, _asked: OpenReminder) -> None:
        await self._show(clicked)

    @handles(SetReminder, in_private=True)
    async def set(self, clicked: ClickContext, asked: SetReminder) -> None:
        is_on, player_id = bool(asked.is_on), clicked.player_id

        async def work(sql: Sql) -> None:
            await (sql.start_reminders if is_on else sql.stop_reminders)(player_id=player_id)

        await self._display.database.writer.write(work)
        await self._display.players.speaks(player_id, str(clicked.interaction.locale))
        await self._show(clicked)

    async def _show(self, clicked: ClickContext) -> None:
        reading, player_id = self._display.database.reading, clicked.player_id
        is_on = bool(await reading.run(lambda sql: sql.has_reminder(player_id=player_id)))
        is_closed = (await self._display.players.get(player_id)).dms_closed
        await clicked.answer.update(reminder_content(is_on=is_on, is_closed=is_closed))

    async def _run(self) -> None:
        """Remind all players in the last hour of each day."""
        while True:
            now = self._display.plans.clock()
            day = day_of(datetime.fromtimestamp(now, UTC))
            wait = ends_at(day) - LAST_SECONDS - now
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            try:
                with on(PrioritizedWork(Priority.UPKEEP)):
                    await self.remind_all(day)
            except (HaltedError, AwayError) as error:
                log.warning("streak reminders failed", error=str(error))
            except Exception:
                log.exception("streak reminders failed")
            await asyncio.sleep(max(1, ends_at(day) - self._display.plans.clock()))

    async def remind_all(self, day: int) -> None:
        database, after = self._display.database, -1
        while True:
            which = {"day": day, "after": after, "limit": AT_ONCE}

            async def read(sql: Sql, which: dict[str, int] = which) -> list[int]:
                return [row["player_id"] async for row in sql.players_to_remind(**which)]

            players = await database.surveying.run(read)
            for player_id in players:
                await self._remind(player_id, day)
            if not players:
                return
            after = players[-1]

    async def _remind(self, player_id: int, day: int) -> None:
        """Send a player's reminder, if it is due. It is recorded first, so that none is sent twice."""
        display, claim = self._display, {"player_id": player_id, "day": day}
        player, now = await display.players.get(player_id), display.plans.clock()
        if player.dms_closed or night_seconds_left(player.own, now) or now >= ends_at(day):
            return
        lengths = [await source.at_stake(player_id, day) for source in self._streaks]
        pairs = zip(self._streaks, lengths, strict=True)
        at_stake = [pair for pair in pairs if pair[1] >= SHORTEST]
        if not at_stake:
            return
        if not await display.database.writer.write(lambda sql: sql.claim_reminder(**claim)):
            return
        with speaking(player.locale):
            words = reminder_words(at_stake, day)
        try:
            async with display.channels.dms_of(player) as channel_id:
                nonce = nonce_of("streak", str(player_id), day)
                await display.channels.requests.send(channel_id, nonce, content=words)
        except (QuarantinedError, *NOT_SENT) as error:
            kind = error_kind(error) if isinstance(error, discord.HTTPException) else None
            if kind is ErrorKind.NO_DMS:
                await display.players.dms_closed(player_id)
            elif kind is ErrorKind.FLAGGED:
                await display.channels.quarantine.refused(error)
            log.info("streak reminder not sent", error=str(error))


def settings_buttons() -> Sequence[Button]:
    return (Button(OpenReminder().custom_id, _("Streak reminder"), emoji="⏰"),)


async def setup(bot: Ribit) -> None:
    cog = StreakReminders(bot.display, bot.streaks, bot.owned.has(None))
    await bot.add_feature(Feature(cog, in_own_settings=settings_buttons))
