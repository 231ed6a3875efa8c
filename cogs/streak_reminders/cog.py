"""The *Remind me* button, and the reminders that players get before a streak ends.

A streak is the number of days in a row on which a player solved a daily task. Players can ask the bot to
send them a DM in the last hour of a day on which their streak would end. If the DM fails, the bot
mentions them in the channel of the server's daily post.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

import discord
import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.background import BackgroundTasks
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.message_routes import nonce_of
from bot.delivery.quiet_hours import night_seconds_left
from bot.delivery.regular_posts import PostSchedule, PostType
from bot.engine.errors import UnavailableError
from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _, speaking
from bot.features import DayStreak, Feature
from bot.messages.components import Button, Content, Text, layout, row
from bot.messages.custom_ids import PlainControl
from bot.messages.deal_calendar import day_of, ends_at
from bot.messages.mentions import clickable
from bot.requests.budget import PrioritizedWork, Priority, request_priority
from bot.requests.discord_errors import NOT_SENT
from bot.storage.regular_posts import PostSettings, RegularPost
from bot.storage.writer import StorageFailedError, Store

log = structlog.get_logger(__name__)

LAST_SECONDS = 60 * 60
"""The bot sends reminders this number of seconds before the day ends (UTC)."""

SHORTEST = 3
"""Minimum length in days of a streak for which players are reminded."""

MENTION = "streaks"
"""The type of the messages that mention players. The bot deletes them at the end of the day."""

AT_ONCE, MOST_MENTIONS = 100, 20
"""Maximum number of players that one query returns, and that one message mentions."""


@frozen
class OpenReminder(PlainControl):
    """A button that shows whether the user's streak reminders are on."""

    kind = "reminder"
    form = "sr"


@frozen
class SetReminder(PlainControl):
    """A button that starts or stops the user's streak reminders.

    ``is_on`` is 1 to start them and 0 to stop them.
    """

    kind = "set reminder"
    form = "sr:{0.is_on}"

    is_on: int


def reminder_content(*, is_on: bool, is_closed: bool, channel_id: int) -> Content:
    """Return a message in which the user starts or stops their streak reminders.

    Args:
        is_on: Whether the reminders are on.
        is_closed: Whether Discord has rejected a DM to the user.
        channel_id: The ID of the channel with the server's daily post, in which the bot can mention the
            user. 0 if there is no daily post.
    """
    about = _(
        "If a streak of {n} days or more is about to end, I'll send you a DM in the last hour of "
        "the day (UTC). That's for the deal of the day, puzzles and duels, at most once a day, and "
        "never in your quiet hours."
    )
    button = Button(SetReminder(1).custom_id, _("Remind me"), Tone.GOOD, emoji="⏰")
    if is_on:
        button = Button(SetReminder(0).custom_id, _("Stop reminders"))
    state = _("**On.**") if is_on else _("**Off.**")
    lines = [_("### ⏰ Streak reminder"), f"{state} {about.format(n=SHORTEST)}"]
    if is_closed and channel_id:
        words = _("Your DMs are closed to me, so I'll mention you in {channel}, below the daily post.")
        lines.append(words.format(channel=f"<#{channel_id}>"))
    elif is_closed:
        lines.append(
            _(
                "Your DMs are closed to me, and this server has no daily post where I could "
                "mention you. To try your DMs again, press **Send it to my DMs** at a table."
            )
        )
    return layout(Text("\n".join(lines)), row(button))


def reminder_words(at_stake: Sequence[tuple[DayStreak, int]], day: int) -> str:
    ends = f"<t:{ends_at(day)}:R>"
    lines = [
        f"{source.name()}: " + _("{n} in a row").format(n=length) + f" · `/{source.command}`"
        for source, length in at_stake
    ]
    words = _("⏰ Your streak ends with the day, {when}.")
    return clickable("\n".join((words.format(when=ends), *lines)))


@dataclass(eq=False)
class StreakReminders(Store, commands.Cog):
    """A cog that reminds players by DM before one of their streaks ends.

    ``_is_sender`` is True in the one process that sends the reminders for all players.
    """

    _display: Display
    _streaks: Sequence[DayStreak]
    _schedule: PostSchedule
    _is_sender: bool
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks)

    def __post_init__(self) -> None:
        super().__init__(self._display.database.writer, self._display.database.reading)

    async def cog_load(self) -> None:
        if self._is_sender:
            self._tasks.start(self._run())

    async def cog_unload(self) -> None:
        await self._tasks.close()

    @handles(OpenReminder)
    async def open(self, clicked: ClickContext, _asked: OpenReminder) -> None:
        await clicked.answer.send_ephemeral(await self._panel(clicked))

    @handles(SetReminder, in_private=True)
    async def set(self, clicked: ClickContext, asked: SetReminder) -> None:
        player_id, guild_id = clicked.player_id, clicked.interaction.guild_id or 0
        guild_id = guild_id if await self._channel(guild_id) else 0

        if asked.is_on:
            await self._do("start_reminders", player_id=player_id, guild_id=guild_id)
        else:
            await self._do("stop_reminders", player_id=player_id)
        await self._display.players.record_locale(player_id, str(clicked.interaction.locale))
        await clicked.answer.update(await self._panel(clicked))

    async def _panel(self, clicked: ClickContext) -> Content:
        player_id = clicked.player_id
        guild_id = await self._ask("reminder_server", player_id=player_id)
        is_on, here = guild_id is not None, clicked.interaction.guild_id or 0
        channel_id = await self._channel(guild_id if is_on else here)
        is_closed = (await self._display.players.get(player_id)).dms_closed
        return reminder_content(is_on=is_on, is_closed=is_closed, channel_id=channel_id)

    async def _channel(self, guild_id: int) -> int:
        """Return the ID of the channel with the server's daily post, or 0 if there is no daily post."""
        settings = await self._schedule.store.settings(guild_id)
        return settings.channel_id if settings is not None and settings.is_on else 0

    async def _run(self) -> None:
        """Send all reminders at the beginning of each day's last hour. This loop never ends."""
        while True:
            now = self._display.plans.clock()
            day = day_of(datetime.fromtimestamp(now, UTC))
            wait = ends_at(day) - LAST_SECONDS - now
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            try:
                with request_priority(PrioritizedWork(Priority.UPKEEP)):
                    await self.remind_all(day)
            except (StorageFailedError, UnavailableError) as error:
                log.warning("streak reminders failed", error=str(error))
            except Exception:
                log.exception("streak reminders failed")
            await asyncio.sleep(max(1, ends_at(day) - self._display.plans.clock()))

    async def remind_all(self, day: int) -> None:
        after, to_mention = -1, defaultdict[int, list[int]](list)
        while players := await self._list("players_to_remind", day=day, after=after, limit=AT_ONCE):
            for player in players:
                after, guild_id = player["player_id"], player["guild_id"]
                if not await self._remind(after, guild_id, day):
                    to_mention[guild_id].append(after)
        for guild_id, player_ids in to_mention.items():
            for at in range(0, len(player_ids), MOST_MENTIONS):
                await self._mention(guild_id, player_ids[at : at + MOST_MENTIONS], day)

    async def _remind(self, player_id: int, guild_id: int, day: int) -> bool:
        """Send a DM to a player if one of their streaks ends today.

        The reminder is recorded before the DM is sent, so that the player gets no second one after a
        restart.

        Returns:
            False if the DM failed and the player should be mentioned in the server instead.
        """
        display = self._display
        player, now = await display.players.get(player_id), display.plans.clock()
        if night_seconds_left(player.own, now) or now >= ends_at(day):
            return True
        if player.dms_closed and not guild_id:
            return True
        lengths = [await source.at_stake(player_id, day) for source in self._streaks]
        pairs = zip(self._streaks, lengths, strict=True)
        at_stake = [pair for pair in pairs if pair[1] >= SHORTEST]
        if not at_stake:
            return True
        if not await self._do("claim_reminder", player_id=player_id, day=day):
            return True
        nonce = nonce_of("streak", str(player_id), day)
        words = partial(reminder_words, at_stake, day)
        return await display.channels.send_dm(player_id, nonce, words) or not guild_id

    async def _mention(self, guild_id: int, players: Sequence[int], day: int) -> None:
        """Mention players in the channel of a server's daily post.

        The message is stored as a regular post without content, so it is deleted at the end of the day.
        """
        display, channel_id = self._display, await self._channel(guild_id)
        if not channel_id:
            return
        with speaking(await display.plans.language_in(guild_id)):
            words = _("⏰ {mentions} Your streak ends with the day, {when}.").format(
                mentions=" ".join(f"<@{player_id}>" for player_id in players),
                when=f"<t:{ends_at(day)}:R>",
            )
        users = discord.AllowedMentions(
            users=[discord.Object(user_id) for user_id in players], everyone=False
        )
        nonce = nonce_of("streaks", str(players[0]), day)
        try:
            sent = await display.channels.requests.send(channel_id, nonce, users, content=words)
        except NOT_SENT as error:
            log.info("streak reminder not sent", server=guild_id, error=str(error))
            return
        post = RegularPost(guild_id, f"{MENTION} {sent}", day, channel_id, sent, display.plans.clock())
        await self._schedule.store.store_posts(replace(post, wakes_at=ends_at(day)))
        await self._schedule.changed()


def settings_buttons() -> Sequence[Button]:
    return (Button(OpenReminder().custom_id, _("Streak reminder"), emoji="⏰"),)


def post_buttons() -> Sequence[Button]:
    return (Button(OpenReminder().custom_id, _("Remind me"), emoji="⏰"),)


async def setup(bot: Ribit) -> None:
    cog = StreakReminders(bot.display, bot.streaks, bot.post_schedule, bot.owned.has(None))

    async def no_content(_post: RegularPost, _settings: PostSettings) -> None: ...

    async def no_edit(_post: RegularPost) -> None: ...

    await bot.add_feature(
        Feature(
            cog,
            posts=[PostType(MENTION, no_content, next_edit=no_edit)],
            in_own_settings=settings_buttons,
            in_daily_post=post_buttons,
        )
    )
