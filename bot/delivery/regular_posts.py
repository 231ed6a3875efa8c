"""Schedule of regular posts, such as a server's daily post.

The database stores when each post must next be sent or edited. A single timer waits for the earliest of
these times. Each post has a slot, the key under which a server's successive posts of the same sort are
stored. A post is stored before it is sent. If the process ends in between, the next process searches the
channel for the message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import partial
from typing import Any
from zlib import crc32

import discord
import structlog

from bot.background import BackgroundTasks
from bot.delivery.channels import Channels
from bot.delivery.message_plans import Plans
from bot.delivery.message_routes import nonce_of
from bot.delivery.quiet_hours import local_time
from bot.engine.errors import UnavailableError
from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import server_name
from bot.engine.translation import N_, _, speaking
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.match import Match
from bot.matches.shards import Shards
from bot.messages.channel_access import ChannelAccess, NoAccess
from bot.messages.components import Button, Content
from bot.messages.daily_items import DailyItem
from bot.messages.deal_calendar import as_date, day_before, ends_at
from bot.messages.text_mode import adapted_to_reader, fitting
from bot.messages.time_limits import when
from bot.requests.answers import EDIT_SECONDS, SILENT
from bot.requests.budget import PrioritizedWork, Priority, request_priority
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.layout_views import message, title_of, title_of_sent
from bot.storage.cluster.pubsub import MISSED, SERVER_GONE, PubSub
from bot.storage.players import FORGOTTEN
from bot.storage.regular_posts import PostChange, PostSettings, RegularPost, RegularPosts
from bot.storage.writer import StorageFailedError

log = structlog.get_logger(__name__)

LATE_SECONDS = 6 * 60 * 60
"""Delay in seconds after which a due post is skipped, for example because the bot was offline."""

FIRST_SECONDS, SOON_SECONDS, LATER_SECONDS = 60 * 60, 60, 30 * 60
"""Limits for edits, in seconds.

A message counts as new for the first number of seconds. Edits of a new message are at least the second
number apart, and edits of an older one the third, because Discord accepts fewer of them.
"""

RETRY_SECONDS, NONCE_SECONDS = 60, 3 * 60
"""Seconds before a failed request is retried, and seconds for which Discord remembers a nonce."""

REST_DAYS = 7
"""Number of days without play after which a server gets no daily posts until a user plays again."""

AT_ONCE, IN_PAGE, SLOW_SECONDS = 12, 200, 1
"""Number of posts that are sent concurrently, and number that are read per page.

With so few requests in the queue, clicks and tables are not delayed. If none of these posts ends within
``SLOW_SECONDS``, one more is sent, so that slow channels do not delay the posts of others.
"""

_CHANGED = "posts"
_STOPS = {
    ErrorKind.PLACE_GONE: N_("the channel is gone"),
    ErrorKind.SHUT: N_("I'm not allowed to post in the channel"),
    ErrorKind.LOCKED: N_("the thread is locked"),
    ErrorKind.ASLEEP: N_("the thread is archived"),
    ErrorKind.BLOCKED: N_("AutoMod blocks my posts"),
    ErrorKind.FAULT: N_("Discord rejects my posts"),
}
"""Errors that stop a server's posts until an admin switches them on again, with a text for each."""

_WAITS = {ErrorKind.TOO_OLD, ErrorKind.LIMITED, ErrorKind.BLOCKED, ErrorKind.FAULT}
"""Errors after which a failed edit is retried only after ``LATER_SECONDS``."""


@frozen
class PostType:
    """A type of regular post, provided by a feature.

    Attributes:
        key: The key of the type. Each slot of this type begins with it.
        content: Returns the content of a post. If it returns None, nothing is posted, and a message that
            was sent earlier is deleted.
        first_day: Takes a day and returns the first day from then on that has such a post.
        name: Returns the name for the settings. None if the settings do not control this type.
        is_kept: True if earlier posts stay unchanged. Otherwise each new post closes the previous one,
            which is then edited for the last time.
        is_main: True for the daily post itself. The settings cannot leave it out, and it pauses after
            ``REST_DAYS`` days without play, until a user plays again.
        follow: A callback that runs after each attempt to send or edit a post.
        next_edit: For a post that is sent only once, returns the Unix time of the next edit, or None
            after the last edit. The attribute itself is None for posts that repeat.
    """

    key: str
    content: Callable[[RegularPost, PostSettings], Awaitable[Content | None]]
    first_day: Callable[[date], date] = lambda day: day
    name: Callable[[], str] | None = None
    is_kept: bool = False
    is_main: bool = False
    follow: Callable[[RegularPost], Awaitable[None]] | None = None
    next_edit: Callable[[RegularPost], Awaitable[int | None]] | None = None

    def is_left_out(self, settings: PostSettings) -> bool:
        return not self.is_main and self.key in settings.left_out


class Step(Enum):
    """The next step with a due post that has no message yet."""

    REST = "rest"  # no user has played for a week, so posting pauses
    SKIP = "skip"  # it is too late or the bot was removed, so only the next post is planned
    SEND = "send"


def next_step(
    post: RegularPost, post_type: PostType, settings: PostSettings, no_access: NoAccess | None, now: int
) -> Step:
    """Return the next step with a due post. ``no_access`` is None if the bot has access."""
    if post_type.is_main and not post.asked_at and is_resting(settings, now):
        return Step.REST
    due = post.asked_at or due_at(post.day, settings)
    is_late = post_type.next_edit is None and now - due >= LATE_SECONDS
    return Step.SKIP if is_late or no_access is NoAccess.REMOVED else Step.SEND


def due_at(day: int, settings: PostSettings) -> int:
    """Return the Unix time at which a server's posts are due on a day.

    A server chooses the hour and the time zone. If the clocks skip this hour on the day, the result is
    the following hour. If they repeat it, the result is the first occurrence.
    """
    zone = local_time(settings.zone, 0).tzinfo
    return int(datetime.combine(as_date(day), time(settings.hour), zone).timestamp())


def next_post(
    post_type: PostType, slot: str, settings: PostSettings, last_day: int, now: int, channel_id: int = 0
) -> RegularPost:
    """Return the next post of one type in a server, with the time at which it is due.

    A slot is the key of a server's series of posts, for example of its daily posts.

    Args:
        post_type: The type of the post.
        slot: The slot.
        settings: The server's settings.
        last_day: The day of the slot's latest post, such as 20261121, or 0.
        now: The current Unix time.
        channel_id: The channel, or 0 for the channel in the settings.
    """
    day = local_time(settings.zone, now).date()
    while True:
        day = post_type.first_day(day)
        number = int(f"{day:%Y%m%d}")
        if number > last_day and due_at(number, settings) > now:
            break
        day += timedelta(days=1)
    at, where = due_at(number, settings), channel_id or settings.channel_id
    return RegularPost(settings.guild_id, slot, number, where, wakes_at=at)


def next_edit_at(post: RegularPost, now: int) -> int:
    """Return the Unix time at which a sent post must be edited if its content changes now.

    Discord accepts fewer edits of old messages. If an edit is already due, it may be in progress with
    the former content, so the result is then the time of the edit after that.
    """
    seconds = SOON_SECONDS if now - post.asked_at < FIRST_SECONDS else LATER_SECONDS
    if post.wakes_at is not None and post.wakes_at <= now:
        return now + seconds
    at = max(now, post.edited_at + seconds)
    return at if post.wakes_at is None else min(at, post.wakes_at)


@dataclass(eq=False)
class PostSchedule:
    """Sends and edits the regular posts of the servers on this process's shards.

    Attributes:
        types: The types of posts by key, from all features.
        items: The entries of the daily post, from all features.
        buttons: Functions that return further buttons of the daily post, from all features.
        more_status: Functions that return further lines about a server for ``/doctor``.
    """

    _client: discord.Client
    store: RegularPosts
    channels: Channels
    _plans: Plans
    _pubsub: PubSub
    _shards: Shards
    types: dict[str, PostType] = field(default_factory=dict)
    items: list[DailyItem] = field(default_factory=list)
    buttons: list[Callable[[], Sequence[Button]]] = field(default_factory=list)
    more_status: list[Callable[[int], Awaitable[Sequence[str]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock, self._tasks = self.channels.clock, BackgroundTasks()
        self._timer: asyncio.Handle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_stale = False
        self._busy = dict[tuple[int, str, int], asyncio.Task[None]]()

    def start(self) -> None:
        """Process due posts, and listen for changes that any process makes to the schedule."""
        for kind in (_CHANGED, FORGOTTEN, SERVER_GONE):
            self._pubsub.subscribe(kind, lambda _about: self.check_due())
        self._pubsub.subscribe(MISSED, lambda _about: self.check_due())
        self.check_due()

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._tasks.close()

    # ---- changes ---------------------------------------------------------------------------------

    def record_match_end(self, match: Match) -> None:
        """Schedule an update of a server's regular posts, because a match has ended there."""
        if match.type.challenge:  # a feature may have planned its post in the same transaction
            self._tasks.start(self.changed())
        self._tasks.start(self.record_play(match.guild_id, is_try=match.day > 0))

    async def record_play(self, guild_id: int | None, *, is_try: bool = True) -> None:
        """Schedule an update of a server's regular posts, because a user has played there.

        Args:
            guild_id: The server, or None for DMs.
            is_try: True if a user played a daily deal. This resumes posts that were paused because no
                user had played for a week.
        """
        with suppress(UnavailableError, StorageFailedError):  # the next try updates the posts
            if guild_id is not None and await self.store.of_server(guild_id):
                await self._change(guild_id, partial(self._after_play, is_try=is_try))

    def _after_play(
        self, settings: PostSettings | None, posts: Sequence[RegularPost], *, is_try: bool
    ) -> PostChange:
        now, put, resting = self.clock(), list[RegularPost](), list[RegularPost]()
        new = replace(settings, played_at=now) if settings is not None and is_try else None
        for post in posts:
            post_type = self.types.get(post.type)
            if post_type is not None and new is not None and not post.asked_at and post.wakes_at is None:
                resting.append(post)
                put.append(next_post(post_type, post.slot, new, post.day, now))
            elif post_type is not None and post_type.next_edit is None and self._closes(post):
                put.append(replace(post, wakes_at=next_edit_at(post, now)))
        return PostChange(new, put, resting)

    async def refresh(self, guild_id: int) -> None:
        """Schedule immediate edits of a server's existing posts.

        Called after its leaderboards were corrected.
        """
        now = self.clock()
        await self._change(
            guild_id,
            lambda _settings, posts: PostChange(
                put=[replace(post, wakes_at=now) for post in posts if post.asked_at]
            ),
        )

    async def configure(
        self, guild_id: int, change: Callable[[PostSettings | None], PostSettings]
    ) -> PostSettings:
        """Change a server's settings for regular posts, and reschedule the server's next posts.

        Args:
            guild_id: The server.
            change: Takes the stored settings, or None if there are none, and returns the new ones.

        Returns:
            The new settings.
        """
        now, settings = self.clock(), PostSettings(guild_id)

        def work(before: PostSettings | None, posts: Sequence[RegularPost]) -> PostChange:
            nonlocal settings
            settings = change(before)
            own = [post for post in posts if self._is_set(post.type)]
            put = [
                next_post(post_type, key, settings, last_day(posts, key), now)
                for key, post_type in self.types.items()
                if self._is_set(key) and settings.is_on and not post_type.is_left_out(settings)
            ]
            if not settings.is_on:
                put += [replace(post, is_open=False, wakes_at=now) for post in own if self._closes(post)]
            return PostChange(settings, put, [post for post in own if not post.asked_at])

        await self._change(guild_id, work)
        return settings

    async def keep(self, guild_id: int, slot: str, channel_id: int, message_id: int) -> None:
        """Register an existing message as a regular post.

        From now on, the message is edited when needed, and each day a new message replaces it.
        """
        now, post_type = self.clock(), self.types[slot.partition(" ")[0]]

        def change(settings: PostSettings | None, _posts: object) -> PostChange:
            own = settings or PostSettings(guild_id)
            planned = next_post(post_type, slot, own, 0, now, channel_id)
            sent_post = replace(
                planned, day=day_before(planned.day), message_id=message_id, wakes_at=now
            )
            return PostChange(put=[replace(sent_post, asked_at=now, edited_at=now), planned])

        await self._change(guild_id, change)

    async def drop(self, guild_id: int, slot: str | None = None) -> bool:
        """Stop regular posts of types that the server's settings do not control.

        Return whether any existed.

        Args:
            guild_id: The server.
            slot: The slot of the post, or None for all repeating posts.
        """
        candidates = [
            post for post in await self.store.of_server(guild_id) if not self._is_set(post.type)
        ]
        posts = [
            post for post in candidates if slot == post.slot or (slot is None and self._repeats(post))
        ]
        await self._change(guild_id, lambda *_before: PostChange(drop=posts))
        return bool(posts)

    def _is_set(self, key: str) -> bool:
        return key in self.types and self.types[key].name is not None

    def _repeats(self, post: RegularPost) -> bool:
        return post.type not in self.types or self.types[post.type].next_edit is None

    def _closes(self, post: RegularPost) -> bool:
        return bool(post.message_id) and post.is_open and not self.types[post.type].is_kept

    async def _change(
        self,
        guild_id: int,
        change: Callable[[PostSettings | None, Sequence[RegularPost]], PostChange],
    ) -> None:
        await self.store.change(guild_id, change)
        await self.changed()

    async def changed(self) -> None:
        """Tell all processes to check for due posts, because the schedule has changed."""
        await self._pubsub.notify(_CHANGED, {})
        self.check_due()

    # ---- the timer -------------------------------------------------------------------------------

    def check_due(self) -> None:
        """Send and edit all due posts in the background, then set the timer for the next due time."""
        self._is_stale = True
        if self._task is None or self._task.done():
            self._task = self._tasks.start(self._work())

    async def _work(self) -> None:
        await self._client.wait_until_ready()
        wakes_at: int | None = None
        try:
            with request_priority(PrioritizedWork(Priority.UPKEEP)):
                while self._is_stale:
                    self._is_stale = False
                    wakes_at = await self._start_due_posts()
        except (UnavailableError, StorageFailedError) as error:
            log.info("regular posts are waiting for the database", error=type(error).__name__)
            wakes_at = self.clock() + RETRY_SECONDS
        except Exception:
            log.exception("schedule of regular posts failed")
            wakes_at = self.clock() + RETRY_SECONDS
        if self._timer is not None:
            self._timer.cancel()
        if wakes_at is not None:
            left = max(0, wakes_at - self.clock())
            self._timer = asyncio.get_running_loop().call_later(left, self.check_due)

    async def _start_due_posts(self) -> int | None:
        """Start to send and edit all due posts.

        Returns:
            The Unix time at which the next post is due, or None if there is none.
        """
        while True:
            now, busy = self.clock(), set(self._busy)
            due = await self.store.due(self._shards, now, IN_PAGE)
            waiting = [post for post in due if post.key not in busy]
            for post in waiting:
                if len(self._busy) >= AT_ONCE:
                    tasks, first = self._busy.values(), asyncio.FIRST_COMPLETED
                    await asyncio.wait(tasks, timeout=SLOW_SECONDS, return_when=first)
                self._busy[post.key] = self._tasks.start(self._attend_to(post))
                self._busy[post.key].add_done_callback(partial(self._finish, post.key))
            if not waiting:
                return await self.store.next_wakes_at(self._shards, now)

    def _finish(self, key: tuple[int, str, int], task: asyncio.Task[None]) -> None:
        del self._busy[key]
        if not task.cancelled():
            self.check_due()

    async def _attend_to(self, post: RegularPost) -> None:
        try:
            await self._send_or_edit(post)
        except (UnavailableError, StorageFailedError) as error:
            log.info("regular post is waiting for the database", error=type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)  # until then, the post is not started again

    async def _send_or_edit(self, post: RegularPost) -> None:
        post_type = self.types.get(post.type)
        try:
            if post_type is None:  # its feature was deleted
                await self._update(post, wakes_at=None)
            elif self.access(post).no_access is NoAccess.OUTAGE:
                await self._update(post, wakes_at=self.clock() + RETRY_SECONDS)
            else:
                await (self._edit(post) if post.message_id else self._post(post, post_type))
                if post_type.follow is not None:
                    await post_type.follow(post)
        except NOT_SENT as error:
            log.info("regular post postponed", server=post.guild_id, slot=post.slot, error=str(error))
            seconds = LATER_SECONDS if isinstance(error, TimeoutError) else RETRY_SECONDS
            await self._update(post, wakes_at=self.clock() + seconds)
        except (UnavailableError, StorageFailedError):
            raise
        except Exception:
            log.exception("regular post failed", server=post.guild_id, slot=post.slot)
            await self._update(post, wakes_at=self.clock() + LATER_SECONDS)

    async def _update(self, post: RegularPost, **changed: Any) -> None:
        """Update a stored post. Do nothing if the post was deleted.

        If another process has stored an earlier ``wakes_at`` in the meantime, keep that time.
        """

        def change(_settings: PostSettings | None, posts: Sequence[RegularPost]) -> PostChange:
            stored = [stored_post for stored_post in posts if stored_post.key == post.key]
            for current in stored:
                if current.wakes_at not in {post.wakes_at, None} and "wakes_at" in changed:
                    changed["wakes_at"] = min(current.wakes_at, changed["wakes_at"] or current.wakes_at)
            return PostChange(put=[replace(stored_post, **changed) for stored_post in stored])

        await self.store.change(post.guild_id, change)

    # ---- one post --------------------------------------------------------------------------------

    async def content(self, post: RegularPost, settings: PostSettings) -> Content | None:
        """Return a post's content in its server's language and its channel's appearance."""
        with speaking(await self._plans.language_in(post.guild_id)):
            content = await self.types[post.type].content(post, settings)
        look = await self._plans.appearances.of_channel(post.guild_id, post.channel_id)
        return None if content is None else adapted_to_reader(content, look)

    def guild(self, guild_id: int) -> discord.Guild | None:
        return self._client.get_guild(guild_id)

    def access(self, post: RegularPost) -> ChannelAccess:
        return self.channels.permissions.channel_access(post.guild_id, post.channel_id)

    async def _settings(self, guild_id: int) -> PostSettings:
        return await self.store.settings(guild_id) or PostSettings(guild_id)

    async def _post(self, post: RegularPost, post_type: PostType) -> None:
        """Send a due post and schedule the next one."""
        settings, now = await self._settings(post.guild_id), self.clock()
        step = next_step(post, post_type, settings, self.access(post).no_access, now)
        if step is Step.REST:
            await self._replace(post, partial(self._to_rest, post))
            return
        is_new = not post.asked_at
        pending_post = replace(post, asked_at=now, wakes_at=now + RETRY_SECONDS) if is_new else post
        content = await self.content(pending_post, settings) if step is Step.SEND else None

        def begin(current: PostSettings, _posts: object) -> PostChange:
            put = [] if content is None else [pending_post]
            if is_new and post_type.next_edit is None:
                put.append(next_post(post_type, post.slot, current, post.day, now, post.channel_id))
            return PostChange(put=put, drop=[post])

        if (is_new or content is None) and not await self._replace(post, begin):
            return
        if content is not None and (
            sent_post := await self._deliver(pending_post, content, is_retry=not is_new)
        ):
            await self._store_sent(sent_post, pending_post)

    async def _deliver(
        self, post: RegularPost, content: Content, *, is_retry: bool
    ) -> RegularPost | None:
        """Send a post's message. If an interrupted attempt has sent it, only find it.

        Returns:
            The post with its message, or None if the post was dropped or its slot stopped.
        """
        now = self.clock()
        try:
            if is_retry and (found := await self._find(post, content)):
                return replace(post, message_id=found, edited_at=now, wakes_at=now)
        except discord.Forbidden:  # without *Read Message History* there is only the nonce
            if now - post.asked_at > NONCE_SECONDS:  # no post is better than two
                log.info("earlier regular post not found", server=post.guild_id, slot=post.slot)
                await self.store.store_posts(drop=[post])
                return None
        try:
            message_id = await self._send(post, content)
        except NOT_SENT as error:
            if error_kind(error) not in _STOPS:
                raise
            await self._stop(post, error_kind(error))
            return None
        log.debug("regular post sent", server=post.guild_id, slot=post.slot, day=post.day)
        sent = replace(post, message_id=message_id, edited_at=now, digest=_digest(content))
        return replace(sent, wakes_at=await self._next_edit(sent))

    async def _store_sent(self, sent: RegularPost, begun: RegularPost) -> None:
        """Store a sent post, and close the earlier posts of its slot.

        ``begun`` is the post as it was stored while its message was sent.
        """
        now = self.clock()

        def finish(current: PostSettings | None, posts: Sequence[RegularPost]) -> PostChange:
            own = [slot_post for slot_post in posts if slot_post.slot == sent.slot]
            stored = next((slot_post for slot_post in own if slot_post.day == sent.day), None)
            if stored is None:  # stopped while the message was sent
                return PostChange()
            is_woken = stored.wakes_at != begun.wakes_at  # the content may be old
            newest = replace(sent, wakes_at=now) if is_woken else sent
            is_off = self._is_set(sent.type) and not (current and current.is_on)
            open_posts = [slot_post for slot_post in (*own, newest) if self._closes(slot_post)]
            closed = [slot_post for slot_post in open_posts if slot_post.day < sent.day or is_off]
            put = {
                slot_post.day: replace(slot_post, is_open=False, wakes_at=now) for slot_post in closed
            }
            return PostChange(put=[*({sent.day: newest} | put).values()])

        await self.store.change(sent.guild_id, finish)

    def _to_rest(
        self, post: RegularPost, settings: PostSettings, posts: Sequence[RegularPost]
    ) -> PostChange:
        """Return the change that pauses a slot, unless a user has just played."""
        now = self.clock()
        if not is_resting(settings, now):
            return PostChange()
        opened = [
            replace(stored_post, wakes_at=now) for stored_post in posts if self._closes(stored_post)
        ]
        return PostChange(put=[replace(post, wakes_at=None), *opened])

    async def _replace(
        self, post: RegularPost, change: Callable[[PostSettings, Sequence[RegularPost]], PostChange]
    ) -> bool:
        """Change a server's posts, unless a post was changed or stopped since it was read.

        Returns:
            False if nothing was changed. If the post still exists, it is processed again.
        """
        is_same = False

        def work(settings: PostSettings | None, posts: Sequence[RegularPost]) -> PostChange:
            nonlocal is_same
            is_same = any(
                stored_post == post and stored_post.wakes_at == post.wakes_at for stored_post in posts
            )
            return change(settings or PostSettings(post.guild_id), posts) if is_same else PostChange()

        await self.store.change(post.guild_id, work)
        return is_same

    async def _send(self, post: RegularPost, content: Content) -> int:
        """Send or edit the post's message, and return the message's ID.

        If Discord rejects its picture, send the text alone.
        """
        try:
            return await self._request(post, content)
        except NOT_SENT as error:
            self.channels.record_refused_picture(self.access(post), error, content)
            return await self._request(post, content)

    async def _request(self, post: RegularPost, content: Content) -> int:
        made = message(fitting(content, self.access(post)))
        channel = self.channels.requests.channel(post.channel_id)
        async with self.channels.turn(post.channel_id, is_urgent=False), asyncio.timeout(EDIT_SECONDS):
            if post.message_id is None:
                nonce = nonce_of(str(post.guild_id), post.slot, post.day)
                sent = await channel.send(
                    view=made.view, files=made.files(), allowed_mentions=SILENT, nonce=nonce
                )
                return sent.id
            shown = channel.get_partial_message(post.message_id)
            await shown.edit(view=made.view, attachments=made.files(), allowed_mentions=SILENT)
            return post.message_id

    async def _edit(self, post: RegularPost) -> None:
        settings, now = await self._settings(post.guild_id), self.clock()
        if self.access(post).no_access is NoAccess.REMOVED:
            await self._update(post, wakes_at=now + DAY_SECONDS)  # the bot may be back by then
            return
        next_at = await self._next_edit(post)
        is_last = not post.is_open or (next_at is None and self.types[post.type].next_edit is not None)
        content = await self.content(post, settings)
        digest = 0 if content is None else _digest(content)
        try:
            if content is None:
                turn = self.channels.turn(post.channel_id, is_urgent=False)
                async with turn, asyncio.timeout(EDIT_SECONDS):
                    channel = self.channels.requests.channel(post.channel_id)
                    await channel.get_partial_message(post.message_id or 0).delete()
            elif digest != post.digest:
                await self._send(post, content)
        except NOT_SENT as error:
            kind = error_kind(error)
            if kind is ErrorKind.TROUBLE:
                raise
            if kind in _WAITS:
                await self._update(post, wakes_at=now + LATER_SECONDS)
                return
            if kind is ErrorKind.ASLEEP and await self._unarchive(post):
                await self._update(post, wakes_at=now + RETRY_SECONDS)
                return
            content = None  # it is gone, or out of reach
        if content is None or is_last:
            await self.store.store_posts(drop=[post])
            return
        changed = {} if digest == post.digest else {"edited_at": now, "digest": digest}
        await self._update(post, wakes_at=next_at, **changed)

    async def _unarchive(self, post: RegularPost) -> bool:
        """Unarchive the thread of a post that is sent only once, because no later post will do so.

        Return whether the post can be edited now.
        """
        is_sent_once = self.types[post.type].next_edit is not None
        return is_sent_once and await self.channels.requests.unarchive(post.channel_id)

    async def _next_edit(self, post: RegularPost) -> int | None:
        """Return the Unix time of a sent post's next edit, or None if there is none."""
        if (next_edit := self.types[post.type].next_edit) is not None:
            return await next_edit(post)
        end = ends_at(post.utc_day)
        return end if self.clock() < end else None

    async def _find(self, post: RegularPost, content: Content) -> int | None:
        """Search the channel for a post's message that an interrupted process sent.

        Return its ID, or None.
        """
        title = title_of(message(content).view)
        channel = self.channels.requests.channel(post.channel_id)
        since = datetime.fromtimestamp(post.asked_at - RETRY_SECONDS, UTC)
        async with self.channels.turn(post.channel_id, is_urgent=False), asyncio.timeout(EDIT_SECONDS):
            async for candidate in channel.history(limit=IN_PAGE, after=since, oldest_first=True):
                if candidate.author == self._client.user and title_of_sent(candidate) == title:
                    return candidate.id
        return None

    async def _stop(self, post: RegularPost, why: ErrorKind) -> None:
        """Switch off a server's regular posts, and notify the admin who configured them.

        If the settings do not control this type of post, only stop this post and notify no one. If an
        admin has chosen another channel in the meantime, the posts continue there.
        """
        log.info("regular posts stopped", server=post.guild_id, slot=post.slot, why=why.value)
        if not self._is_set(post.type):
            await self.drop(post.guild_id, post.slot)
            return
        await self.store.store_posts(drop=[post])

        def stop(before: PostSettings | None) -> PostSettings:
            current = before or PostSettings(post.guild_id)
            is_moved = current.channel_id != post.channel_id
            return current if is_moved else replace(current, is_on=False, error=_STOPS[why])

        settings = await self.configure(post.guild_id, stop)
        if settings.channel_id != post.channel_id:
            return

        def words(server: object) -> str:
            return _(
                "I've stopped the daily post in {channel} of {server}: {why}. Use `/settings` "
                "there to switch it back on."
            ).format(channel=f"<#{post.channel_id}>", server=server, why=_(_STOPS[why]))

        await self.notify(settings.admin_id, post.guild_id, f"stopped {post.day}", words)

    async def notify(
        self, admin_id: int, guild_id: int, about: str, words: Callable[[object], str]
    ) -> None:
        """Send a DM about a server to an admin of the server.

        Args:
            admin_id: The admin's user ID, or 0 to send nothing.
            guild_id: The server.
            about: A key for the subject. Discord drops a second DM with the same key within minutes.
            words: Takes the server's name and returns the text.
        """
        guild, nonce = self.guild(guild_id), nonce_of(str(guild_id), about, None)
        name = server_name(guild.name) if guild else guild_id
        if admin_id:
            await self.channels.send_dm(admin_id, nonce, lambda: words(name))

    async def status(self, guild_id: int) -> list[str]:
        """Return lines for ``/doctor`` about a server's scheduled posts and their last error.

        Each line names the post's channel and the time at which the post is due.
        """
        settings = await self._settings(guild_id)
        lines = [] if not settings.error else [f"❌ <#{settings.channel_id}>: {_(settings.error)}"]
        for post in await self.store.of_server(guild_id):
            if not post.asked_at:
                post_type = self.types.get(post.type)
                name = post_type.name() if post_type is not None and post_type.name else "🏆"
                at = _("after the next try") if post.wakes_at is None else when(post.wakes_at)
                lines.append(f"📅 {name} · <#{post.channel_id}> · {at}")
        for more in self.more_status:
            lines += await more(guild_id)
        return lines


def is_resting(settings: PostSettings, now: int) -> bool:
    return now - settings.played_at >= REST_DAYS * DAY_SECONDS


def last_day(posts: Sequence[RegularPost], slot: str) -> int:
    """Return the day of the latest post that was sent for a slot, such as 20261121.

    Return 0 if none was sent.
    """
    return max((post.day for post in posts if post.slot == slot and post.asked_at), default=0)


def _digest(content: Content) -> int:
    return crc32(repr(content).encode())
