"""A server's daily post, and the settings screen for all regular posts of the server.

The daily post lists the deals, puzzles and duels of the day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import discord
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.permission_checks import check_is_admin
from bot.delivery.quiet_hours import local_time
from bot.delivery.regular_posts import PostSchedule, PostType, is_resting, last_day, next_post
from bot.engine.frozen import frozen
from bot.engine.panel import ROW_SIZE, Tone
from bot.engine.translation import _, ngettext
from bot.features import Feature
from bot.messages.components import (
    Button,
    ChannelMenu,
    Content,
    Menu,
    MenuOption,
    Part,
    Row,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.custom_ids import Control, number_in
from bot.messages.daily_items import DailyItem, DayNews
from bot.messages.deal_calendar import as_date, ends_at
from bot.messages.player_names import written_names
from bot.messages.time_limits import when
from bot.sessions.errors import TableError
from bot.storage.daily_deals import day_at
from bot.storage.players import Players
from bot.storage.regular_posts import PostSettings, RegularPost

DAILY = "daily"
FEW_SECONDS = 6 * 60 * 60
"""The settings screen warns if fewer seconds of the UTC day are left when the daily post is sent."""

_DAY_SECONDS, _LAST_HOUR = 24 * 60 * 60, 23
_HALF_A_YEAR = 182 * _DAY_SECONDS


@frozen
class PostSetting(Control):
    """A button or menu on the settings screen for regular posts.

    Attributes:
        what: The action or setting, such as ``channel``, ``hour`` or ``off``.
        key: The key of the part of the post that is switched on or off. Otherwise empty.
        picked: The value picked in a menu. Otherwise empty.
    """

    pattern = re.compile(r"dp:(?P<what>[a-z]{2,12}):?(?P<key>[a-z_]{0,32})")
    kind = "daily post setting"

    what: str
    key: str = ""
    picked: str = ""


def post_content(
    post: RegularPost,
    news: Mapping[DailyItem, DayNews],
    more: Sequence[Button],
    *,
    is_at_rest: bool,
    now: int,
) -> Content:
    """Return the content of a server's daily post.

    A post is closed when a newer one replaces it. A closed post shows no names and no buttons.

    Args:
        post: The post.
        news: The news for each part of the post, such as a game's puzzle.
        more: Further buttons, shown after those of the parts.
        is_at_rest: True to announce a pause, because no member has played for a week.
        now: The current Unix time.
    """
    day = post.utc_day
    lines = ["### 📅 " + _("New on {day}").format(day=as_date(day))]
    words = _("Ends {when}.") if now < ends_at(day) else _("Ended {when}.")
    lines.append("-# " + words.format(when=when(ends_at(day), _DAY_SECONDS)))
    buttons = list[Button]()
    for item, item_news in news.items():
        lines.append(f"**{item.name()}**")
        words = (
            _("👥 {n} played, {before} the day before")
            if item_news.played + item_news.before
            else _("👥 nobody yet")
        )
        lines.append(words.format(n=item_news.played, before=item_news.before))
        if post.is_open:
            lines += filter(None, [item_news.results, _streak_line(item_news)])
            buttons += item.buttons(day)
    if post.is_open:
        buttons += more
    if is_at_rest:
        lines.append(_("💤 Nobody has played for a week, so I'll post again after the next try."))
    rows = [row(*buttons[start : start + ROW_SIZE]) for start in range(0, len(buttons), ROW_SIZE)]
    return layout(Text("\n".join(lines)), *rows)


def _streak_line(news: DayNews) -> str:
    names = written_names([player for player, _length in news.streaks])
    streaks = [f"{name} {length}" for name, (_player, length) in zip(names, news.streaks, strict=True)]
    return _("🔥 Days in a row: {streaks}").format(streaks=", ".join(streaks)) if streaks else ""


def suggested_hour(zone: str, now: int) -> int:
    """Return the best hour in a time zone for sending the daily post.

    It is the first hour after midnight UTC, when a new deal begins. Even if the clocks change, it is
    never before midnight UTC.
    """
    midnights = (local_time(zone, ends_at(day_at(now + seconds))) for seconds in (0, _HALF_A_YEAR))
    latest = max(midnights, key=lambda midnight: midnight.utcoffset() or timedelta())
    return (latest.hour + (latest.minute > 0)) % 24


def screen_content(
    settings: PostSettings, names: Mapping[str, str], zone: str, next_at: int, now: int
) -> Content:
    """Return the settings screen for a server's regular posts.

    Args:
        settings: The server's settings.
        names: The names of the parts that can be left out, by key.
        zone: The time zone of the user who sees the screen.
        next_at: The Unix time of the next post. If the posts are switched off, the time at which it
            would come.
        now: The current Unix time.
    """
    state = _("✅ The next post comes {when}.").format(when=when(next_at, _DAY_SECONDS))
    if not settings.is_on:
        state = _("⏸️ I'm not posting anything.")
    lines = [
        "### 📅 " + _("Daily post"),
        _(
            "I post one message a day in a channel, with what's new, streaks and buttons to play. "
            "On Sundays, the week's winners follow."
        ),
        state,
    ]
    if settings.error:
        lines.append(f"❌ {_(settings.error)}")
    seconds_left = ends_at(day_at(next_at)) - next_at
    if seconds_left < FEW_SECONDS:
        hours_left = seconds_left // 3600
        duration = ngettext("{n} hour", "{n} hours", hours_left).format(n=hours_left)
        words = _("⚠️ The day ends {left} after that, at midnight UTC.")
        lines.append(words.format(left=duration))
    best = suggested_hour(settings.zone, now)
    hours = tuple(
        MenuOption(
            f"{hour:02}:00",
            str(hour),
            _("right after the new deal") if hour == best else None,
            picked=hour == settings.hour,
        )
        for hour in range(24)
    )
    clock_line = _("-# It's {there} now ({zone}).").format(
        there=f"{local_time(settings.zone, now):%H:%M}", zone=settings.zone
    )
    items = [
        Button(f"dp:item:{key}", name, emoji="⬜" if key in settings.left_out else "✅")
        for key, name in names.items()
    ]
    own_clock = Button("dp:zone", _("Use my clock ({zone})").format(zone=zone))
    switch = (
        Button("dp:off", _("Pause everything"), Tone.DANGER)
        if settings.is_on
        else Button("dp:on", _("Switch on"), Tone.MAIN)
    )
    channel_ids = (settings.channel_id,) if settings.channel_id else ()
    parts: list[Part] = [
        Text("\n".join(lines)),
        Row((ChannelMenu("dp:channel", _("The channel"), channel_ids, 1),)),
        Row((Menu("dp:hour", _("The hour"), hours),)),
        Text("\n".join((clock_line, "**" + _("What I post:") + "**"))),
        *(row(*items[start : start + ROW_SIZE]) for start in range(0, len(items), ROW_SIZE)),
        row(switch, Button("dp:preview", _("Preview")), *([own_clock] if zone != settings.zone else [])),
    ]
    return layout(*parts)


class DailyPost(commands.Cog):
    """The cog that builds the daily post and its settings screen."""

    def __init__(self, schedule: PostSchedule, players: Players) -> None:
        self._schedule = schedule
        self._players = players

    async def content(self, post: RegularPost, settings: PostSettings) -> Content | None:
        items = [item for item in self._schedule.items if item.key not in settings.left_out]
        if not items:
            return None
        now = self._schedule.clock()
        news = {item: await item.news(post.guild_id, post.utc_day) for item in items}
        is_at_rest = post.is_open and settings.is_on and is_resting(settings, now)
        more = [button for provider in self._schedule.buttons for button in provider()]
        return post_content(post, news, more, is_at_rest=is_at_rest, now=now)

    @handles(PostSetting, in_private=True)
    async def set(self, clicked: ClickContext, asked: PostSetting) -> None:
        guild = check_is_admin(clicked.interaction)
        answer = clicked.answer
        settings = await self._settings(clicked)
        if asked.what == "open":
            await answer.send_ephemeral(await self._screen(clicked, settings))
        elif asked.what == "preview":
            await self._preview(clicked, settings)
        else:
            zone = await self._zone(clicked)

            def change(stored: PostSettings | None) -> PostSettings:
                current = replace(stored or settings, admin_id=clicked.player_id)
                return self._apply_setting(guild, current, asked, zone)

            settings = await self._schedule.configure(guild.id, change)
            if asked.what == "off":
                await self._schedule.drop(guild.id)
            await answer.update(await self._screen(clicked, settings))

    async def _settings(self, clicked: ClickContext) -> PostSettings:
        guild_id = clicked.interaction.guild_id or 0
        if (stored := await self._schedule.store.settings(guild_id)) is not None:
            return stored
        zone = await self._zone(clicked)
        return PostSettings(guild_id, hour=suggested_hour(zone, self._schedule.clock()), zone=zone)

    async def _zone(self, clicked: ClickContext) -> str:
        return (await self._players.get(clicked.player_id)).own.zone or "UTC"

    def _apply_setting(
        self, guild: discord.Guild, settings: PostSettings, asked: PostSetting, zone: str
    ) -> PostSettings:
        match asked.what, number_in(asked.picked):
            case "channel", None:
                return replace(settings, channel_id=0, is_on=False)
            case "channel", int(channel_id):
                return replace(settings, channel_id=self._check_channel(guild, channel_id))
            case "hour", int(hour) if hour <= _LAST_HOUR:
                return replace(settings, hour=hour)
            case "zone", _number:
                return replace(settings, zone=zone)
            case "item", _number if asked.key in self._part_names():
                return replace(settings, left_out=settings.left_out ^ {asked.key})
            case "off", _number:
                return replace(settings, is_on=False, error="")
            case "on", _number:
                self._check_channel(guild, settings.channel_id)
                if settings.left_out >= self._part_names().keys():
                    raise TableError(_("Choose something to post first."))
                return replace(settings, is_on=True, error="", played_at=self._schedule.clock())
        raise unknown_button()

    def _check_channel(self, guild: discord.Guild, channel_id: int) -> int:
        """Check that the bot can send posts to a channel, and return the channel's ID.

        Raises:
            TableError: The channel is not a text channel, or the bot lacks a permission there.
        """
        channel = guild.get_channel_or_thread(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise TableError(_("Pick a channel first. It has to allow messages."))
        access = self._schedule.channels.permissions.channel_access(guild.id, channel_id)
        if not access.sends:
            words = _("I can't post in {channel}, because I'm missing **{permission}** there.")
            missing = _(access.missing or "Send Messages")
            raise TableError(words.format(channel=f"<#{channel_id}>", permission=missing))
        return channel_id

    def _part_names(self) -> dict[str, str]:
        types = self._schedule.types.values()
        posts = {post.key: post.name() for post in types if post.name and not post.is_main}
        return {item.key: item.name() for item in self._schedule.items} | posts

    async def _screen(self, clicked: ClickContext, settings: PostSettings) -> Content:
        now = self._schedule.clock()
        posts = await self._schedule.store.of_server(settings.guild_id)
        post = next_post(self._schedule.types[DAILY], DAILY, settings, last_day(posts, DAILY), now)
        zone = await self._zone(clicked)
        return screen_content(settings, self._part_names(), zone, post.wakes_at or now, now)

    async def _preview(self, clicked: ClickContext, settings: PostSettings) -> None:
        """Show the user all regular posts as they would look now, in ephemeral messages."""
        now, schedule = self._schedule.clock(), self._schedule
        day = int(f"{local_time(settings.zone, now):%Y%m%d}")
        channel_id = settings.channel_id or clicked.interaction.channel_id or 0
        for post_type in list(schedule.types.values()):
            if post_type.name is None or post_type.is_left_out(settings):
                continue
            post = RegularPost(settings.guild_id, post_type.key, day, channel_id, asked_at=now)
            content = await schedule.content(post, replace(settings, played_at=now))
            words = _("{post}: there's nothing to post yet.").format(post=post_type.name())
            await clicked.answer.send_ephemeral(content or notice_content(words))


async def setup(bot: Ribit) -> None:
    cog = DailyPost(bot.post_schedule, bot.database.players)
    post = PostType(DAILY, cog.content, name=lambda: _("Daily post"), is_main=True)
    buttons = lambda: [Button("dp:open", _("Daily post"), emoji="📅")]  # noqa: E731
    await bot.add_feature(Feature(cog, posts=[post], in_settings=buttons))
