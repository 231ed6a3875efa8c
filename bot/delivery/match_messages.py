"""Updates of a match's Discord messages.

A match has a table message, a hand in each player's DMs, private panels (ephemeral messages with a
player's hand) and pointers (former table messages that now link to the table). Each message has its own
writer. An update is a background task that updates all messages of one match.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import discord
import structlog

from bot.background import BackgroundTasks
from bot.delivery.channels import Channels
from bot.delivery.message_keys import (
    POINTER_KEY,
    TABLE_KEY,
    ChoiceStep,
    hand_key,
    owner_of,
    panel_key,
    pointer_key,
    seat_of,
)
from bot.delivery.message_places import (
    FormerMessages,
    HandPlace,
    MessagePlace,
    StoredPlace,
    TablePlace,
    Token,
)
from bot.delivery.message_plans import Plans
from bot.delivery.message_routes import AnswerEdit, MessageRoutes, NewAnswer
from bot.delivery.message_writer import ContentRequest, Delivery, MessageWriter, Revision, Route
from bot.delivery.reposting import Reposting
from bot.delivery.turn_pings import TurnPings
from bot.engine.errors import RibitError, UnavailableError
from bot.engine.name_sanitizing import is_forgotten
from bot.matches.match import Match
from bot.messages.channel_access import NoAccess
from bot.messages.components import Content
from bot.messages.mentions import dms_closed_words, no_dms_words
from bot.requests.answers import CROWD, Answer
from bot.requests.budget import PrioritizedWork, Priority, ThrottledError, request_priority
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.storage.match_posts import Post

log = structlog.get_logger(__name__)

RETRY_SECONDS = (20, 120, 600, 3600)
"""Seconds before each retry of a failed update of a match's messages.

After the last retry, the match's next event starts a new update.
"""

UNAVAILABLE_SECONDS = 120
"""Seconds until an update is repeated because the database or the rate limit did not allow it."""

_REFUSAL_WORDS = {Delivery.REFUSED: dms_closed_words, Delivery.FLAGGED: no_dms_words}
"""Functions that return the text for a player to whom Discord refused to send the hand by DM."""


@dataclass(slots=True, eq=False)
class UpdateReport:
    """The result of one update of all messages of a match.

    Attributes:
        has_begun: True once the update reads the table. Until then, it also shows later changes.
        is_incomplete: True if a message could not be updated.
        has_failed: True if the update should be retried soon. The number of retries is limited.
        has_fault: True if an unexpected error was logged.
        again_in: Seconds until another update should run, or 0 if none is needed.
    """

    has_begun: bool = False
    is_incomplete: bool = False
    has_failed: bool = False
    has_fault: bool = False
    again_in: float = 0.0

    def retry_in(self, seconds: float) -> None:
        """Request another update of the match's messages.

        If an earlier time was requested, keep that time.

        Args:
            seconds: Seconds until the update. 0 has no effect.
        """
        if seconds:
            self.again_in = min(self.again_in or seconds, seconds)


@dataclass(slots=True, eq=False)
class Schedule:
    """The running and scheduled updates of one match's messages.

    Attributes:
        work: The priority of the updates' requests.
        retry_timer: The timer of the next retry, or None.
        tries: The number of retries since the last event.
        report: The newest update's report, or None before the first update.
        tasks: The running updates and the match's other background tasks.
    """

    work: PrioritizedWork = field(default_factory=lambda: PrioritizedWork(Priority.UPKEEP))
    retry_timer: asyncio.TimerHandle | None = None
    tries: int = 0
    report: UpdateReport | None = None
    tasks: BackgroundTasks = field(default_factory=BackgroundTasks)

    def cancel_retry(self) -> None:
        if self.retry_timer is not None:
            self.retry_timer.cancel()


@dataclass(slots=True, eq=False)
class MatchMessages:
    """The Discord messages of one match, and the background tasks that update them.

    Attributes:
        writers: The message writers by message key.
        table: The newest table that this process knows, or None if it has not read one yet.
        refreshes: The number of refreshes so far. A refresh follows a change outside the table, for
            example of a permission or a name.
    """

    # Invariants: ``table`` is never replaced by an older one. Every update submits the newest revision
    # to each writer, and only the newest update marks the table as shown.

    match_id: str
    _services: AllMessages
    writers: dict[str, MessageWriter] = field(default_factory=dict)
    table: Table | None = None
    refreshes: int = 0
    _reposting: Reposting = field(default_factory=Reposting)
    _schedule: Schedule = field(default_factory=Schedule)
    _ping_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        return self._schedule.tasks.running

    @property
    def is_idle(self) -> bool:
        """True if no update is pending. The match may then be evicted from memory."""
        return not self.tasks and all(writer.is_idle for writer in self.writers.values())

    # ---- requests to show the table ------------------------------------------------------------

    def publish(self, table: Table) -> None:
        """Store a table as the match's newest known state. Ignore it if a newer one is known.

        This does not send anything to Discord by itself. If a private match changes its stage, for
        example because it begins or ends, this refreshes the channel's notice of private matches.
        """
        match, before = table.match, self.table or self._table_before_start()
        if self.table is None or match.version >= self.table.match.version:
            self.table = table
        if match.is_private and (before is None or before.match.stage is not match.stage):
            self.start(self._refresh_notice(match))

    async def answer(
        self, key: str, via: Sequence[Route], step: ChoiceStep | None = None, frames: Sequence[Any] = ()
    ) -> Delivery:
        """Answer a click or command by showing the newest table in one message.

        Args:
            key: The message key.
            via: The ways to answer the interaction, in order of preference.
            step: The step of choosing a move, or None to keep the current step.
            frames: Intermediate states of the game to show first, for one second each.

        Raises:
            Exception: The answer failed. If Discord or the bot refused it, or the connection broke, all
                messages are updated later in the background.
        """
        try:
            delivery = await self.writer(key).submit(self._revision, step, via, frames)
        except (*NOT_SENT, RibitError):
            self.update()
            raise
        if delivery is Delivery.DROPPED:
            self.update()
        return delivery

    async def link(self, answer: Answer, clicked: discord.Message) -> None:
        """Replace an outdated message that a user has clicked with a link to the table.

        If the message cannot be edited, send the link in an ephemeral message.
        """
        key = pointer_key(clicked.id)
        place = self.place(key)
        via = AnswerEdit(place, answer, clicked), NewAnswer(place, answer)
        try:
            await self.answer(key, via)
        finally:
            self.writers.pop(key, None)

    def update(self, priority: Priority = Priority.CLICK, tries: int = 0) -> None:
        """Schedule a background update that shows the newest table in all messages of the match.

        If the process is stopping, do nothing. The next start updates the messages.

        Args:
            priority: The priority of the update's requests.
            tries: The number of retries since the match's last event.
        """
        if self._services.is_closing:
            return
        schedule = self._schedule
        schedule.tries = tries
        schedule.work.hurry(priority)
        schedule.cancel_retry()
        if schedule.report is None or schedule.report.has_begun:
            schedule.report = UpdateReport()
            self.start(self._update_messages(schedule.report))

    def refresh(self, priority: Priority = Priority.CLICK, tries: int = 0) -> None:
        """Rebuild the content of all messages in a background update, even if the match is unchanged."""
        self.refreshes += 1
        self.update(priority, tries)

    async def end_without_channel(self, match: Match) -> None:
        """End a match whose channel was deleted, and update its players' hand messages.

        A daily deal does not end, because its player can continue it in another channel.
        """
        log.info("the table's channel was deleted", match=match.id, channel=match.channel_id)
        permissions, tables = self._services.channels.permissions, self._services.tables
        permissions.record_refusal(permissions.match_access(match), NoAccess.GONE)
        if match.stage.is_live and not match.day:
            await tables.stop(match.id)
        self.refresh(Priority.UPKEEP)

    def invalidate(self, key: str | None = None) -> None:
        """Forget which content the messages show, so that the next refresh sends it again.

        Args:
            key: The message key, or None for all messages.
        """
        for writer_key in self.writers if key is None else self.writers.keys() & {key}:
            self.writers[writer_key].invalidate()

    async def close(self) -> None:
        self._schedule.cancel_retry()
        for writer in self.writers.values():
            writer.close()
        await self._schedule.tasks.close()

    def writer(self, key: str) -> MessageWriter:
        """Return the writer of the message with this key. The first call creates the writer."""
        if key not in self.writers:
            own_type = MessagePlace if seat_of(key) is None else HandPlace
            place_type = {TABLE_KEY: TablePlace, POINTER_KEY: StoredPlace}.get(key, own_type)
            place = place_type(self._services.channels, self._newest_table, key, self._handle_replaced)
            self.writers[key] = MessageWriter(partial(self._plan, key), MessageRoutes(place))
        return self.writers[key]

    def place(self, key: str) -> MessagePlace:
        routes = self.writer(key).routes
        assert isinstance(routes, MessageRoutes)
        return routes.place

    def _token(self, key: str) -> Token | None:
        return self.place(key).token if key in self.writers else None

    @property
    def _revision(self) -> Revision:
        return self.refreshes, self._newest_table().match.version

    def _newest_table(self) -> Table:
        assert self.table is not None, "a table was published"
        return self.table

    async def _plan(
        self, key: str, ask: ContentRequest, recalled: Table | None = None
    ) -> Content | None:
        """Build the content of one message.

        The content shows the newest table. If ``ask.frame`` is set, it shows that state instead.

        Args:
            key: The message key.
            ask: The request.
            recalled: The table that a previous process has shown, or None for the newest table.
        """
        if not ask.is_urgent:
            await self._services.channels.under_way.give_way()
        table, seat = recalled or self._newest_table(), seat_of(key)
        is_answer = ask.interaction is not None
        if not is_answer and owner_of(key) is not None and (token := self._token(key)) is not None:
            ask = replace(ask, interaction=token.interaction)
        is_shown_as_is = recalled or (ask.is_urgent and not is_answer)  # requested for the DMs
        is_open = seat is not None and not is_shown_as_is and self._panel_seconds(table, seat) > 0
        return await self._services.plans.plan(table, key, ask, is_open=is_open)

    # ---- updates -------------------------------------------------------------------------------

    def start(self, work: Any) -> asyncio.Task[None]:
        """Run a coroutine as one of the match's background tasks, and return the task."""
        return self._schedule.tasks.start(work)

    async def _update_messages(self, report: UpdateReport) -> None:
        table = None
        with request_priority(self._schedule.work):
            await self._services.channels.under_way.give_way(CROWD)
            report.has_begun = True
            try:
                table = await self._read_table()
                await self._show_all(table, report)
            except Exception as error:  # noqa: BLE001 — logged by the callee
                await self._note_error(error, report)
        if report is self._schedule.report:
            self._finish_update(table, report)

    async def _read_table(self) -> Table:
        """Read the newest table, and store it with ``publish``.

        The first update after the bot's start assumes that the messages already show the table as it was
        first read from the database.
        """
        live = self._services.tables.live_match(self.match_id)
        self.publish(await self._services.tables.read(self.match_id))
        table = self._newest_table()
        recalled = self._table_before_start()
        live.as_read = None
        if recalled is not None:
            await self._recall(table, recalled)
        return table

    async def _recall(self, table: Table, recalled: Table) -> None:
        async for key in self._keys(table):
            is_notice = key == TABLE_KEY and table.match.is_private  # it shows other matches, too
            has_content = key == TABLE_KEY or recalled.state is not None
            if key not in self.writers and has_content and not is_notice:
                self.writer(key).recall(await self._plan(key, ContentRequest(), recalled))

    async def _show_all(self, table: Table, report: UpdateReport) -> None:
        match, permissions = table.match, self._services.channels.permissions
        access = permissions.match_access(match)
        if self._services.plans.owns(match) and not match.is_private:
            await self._attempt(self._repost(table), report)
        self._drop_closed_panels(table)
        deliveries = list[Awaitable[None]]()
        for key in [key async for key in self._keys(table)]:
            is_notice = key == TABLE_KEY and match.is_private
            revision = (self.refreshes, 0) if is_notice else self._revision
            delivery = self._handle_delivery(table, key, self.writer(key).submit(revision))
            if key == TABLE_KEY and not match.is_private and not table.is_solo:
                delivery = self._ping_after(delivery, table, report)
            deliveries.append(delivery)
        await asyncio.gather(*(self._attempt(delivery, report) for delivery in deliveries))
        # the hand messages explain why the table is hidden
        if access != permissions.match_access(match):
            self.refresh(Priority.UPKEEP, self._schedule.tries)

    async def _handle_delivery(self, table: Table, key: str, submitted: Awaitable[Delivery]) -> None:
        """Wait until a message is delivered, and handle the outcome.

        If Discord refused to send a hand by DM, tell the player at the table. If that fails, the next
        update tries it again.
        """
        outcome, seat = await submitted, seat_of(key)
        if owner_of(key) is not None and outcome is not Delivery.SHOWN and table.is_playing:
            self.refresh(Priority.UPKEEP)  # without the panel, so the message in the DMs shows the hand
        if seat is None:
            return
        place = self.place(key)
        assert isinstance(place, HandPlace), "it is the place of a hand"
        if outcome is not Delivery.HELD:
            place.unreported = _REFUSAL_WORDS.get(outcome)
        if place.unreported is not None:
            await self._services.calls.say_no_dm(table, seat, place.unreported)
            place.unreported = None

    async def _ping_after(self, delivery: Awaitable[None], table: Table, report: UpdateReport) -> None:
        """Wait until the table message is shown, then ping the player to move.

        If a newer update of the messages has started meanwhile, leave the ping to that update.
        """
        await self._attempt(delivery, report)
        async with self._ping_lock:
            if report is self._schedule.report:
                seconds, is_clear = await self._services.calls.remind(table)
                report.is_incomplete |= bool(seconds)
                report.has_failed |= not is_clear
                report.retry_in(seconds)

    async def _repost(self, table: Table) -> None:
        if await self._reposting.is_due(table, self._services.channels):
            await self.place(TABLE_KEY).replace_message()
            self.refreshes += 1

    def _finish_update(self, table: Table | None, report: UpdateReport) -> None:
        """Record whether the messages show the newest table.

        If another update is needed, start a timer for it.
        """
        services, schedule = self._services, self._schedule
        schedule.work = PrioritizedWork(Priority.UPKEEP)
        if table is not None and services.plans.owns(table.match):
            match, access = table.match, services.channels.permissions.match_access(table.match)
            is_full = match.guest or access.is_full  # a guest has no more access than that
            is_complete = is_full and not (report.is_incomplete or report.has_failed)
            if is_complete and services.plans.halted_at is None:
                services.tables.record_shown(table)
            services.held.pop(match.id, None)
            if not is_full and match.stage.is_live:
                services.held[match.id] = match.guild_id
            if services.plans.halted_at is not None:
                services.shown_while_halted.add(match.id)
        for key in self.panel_keys:  # afterwards, the message in the DMs shows the hand
            report.retry_in(self.place(key).token_seconds)
        if report.has_failed and schedule.tries < len(RETRY_SECONDS):
            report.retry_in(RETRY_SECONDS[schedule.tries])
            schedule.tries += 1
        if report.again_in and not services.is_closing:
            retry = partial(services.retry, self.match_id, schedule.tries)
            schedule.retry_timer = asyncio.get_running_loop().call_later(report.again_in, retry)

    async def _keys(self, table: Table) -> AsyncIterator[str]:
        """Yield the keys of the messages to update: the table, private panels, and hands in DMs.

        If a player has an open panel and no hand message in the DMs yet, none is sent.
        """
        match, plans, posts = table.match, self._services.plans, self._services.channels.posts
        owns = plans.owns(match)
        if owns and (not match.is_private or (match.bears_notice and plans.notice is not None)):
            yield TABLE_KEY
        for key in self.panel_keys:
            yield key
        if not owns or table.state is None or match.is_private or not table.game.info.hidden_hands:
            return
        for seat, player in enumerate(match.players):
            if player.is_computer_player or is_forgotten(player.id):
                continue
            key, is_open = hand_key(seat), self._panel_seconds(table, seat) > 0
            if not is_open or not self._is_idle(key) or await posts.get(match.id, key) is not None:
                yield key

    def _is_idle(self, key: str) -> bool:
        return key not in self.writers or self.writers[key].is_idle

    def _table_before_start(self) -> Table | None:
        """Return the table that the messages showed before the process started, or None if unknown."""
        services = self._services
        table = services.tables.live_match(self.match_id).as_read
        return None if table is None or services.channels.permissions.may_differ(table.match) else table

    async def _refresh_notice(self, match: Match) -> None:
        """Refresh the public message that lists a channel's private matches."""
        plans = self._services.plans
        notice = plans.notice if plans.owns(match) else None
        if notice is not None and (bearer := await notice.bearer(match)) is not None:
            self._services.messages_of_match(bearer).refresh(Priority.UPKEEP)

    # ---- errors --------------------------------------------------------------------------------

    async def _attempt(self, work: Awaitable[None], report: UpdateReport) -> None:
        """Await one part of an update. If it raises an error, record the error in the report."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 — logged by the callee
            await self._note_error(error, report)

    async def _note_error(self, error: Exception, report: UpdateReport) -> None:
        """Log an error, and record in the update's report whether to retry.

        Only the first unexpected error of an update is logged.
        """
        if isinstance(error, UnavailableError | ThrottledError):
            report.is_incomplete = True
            report.retry_in(UNAVAILABLE_SECONDS)
        elif isinstance(error, NOT_SENT):
            await self._attempt(self._note_refusal(error, report), report)
        else:
            if not report.has_fault:
                log.error("messages could not be shown", match=self.match_id, exc_info=error)
            report.has_failed = report.has_fault = True

    async def _note_refusal(self, error: Exception, report: UpdateReport) -> None:
        """Handle an error response from Discord to a message in the table's channel."""
        table, kind = self._newest_table(), error_kind(error)
        match, permissions = table.match, self._services.channels.permissions
        access = permissions.match_access(match)
        facts = {"match": match.id, "n": table.n, "error": str(error)}
        if kind is ErrorKind.FAULT:
            log.error("Discord refused a request", **facts)
        elif kind is ErrorKind.BLOCKED:  # the click's answer says so
            log.info("Discord refused a request", **facts)
        else:
            log.warning("Discord refused a request", **facts)
        await self._services.plans.appearances.emojis.invalidate(error)
        match kind:
            case ErrorKind.PLACE_GONE if await self._services.channels.requests.has_lost(access):
                await self.end_without_channel(match)
            case ErrorKind.ASLEEP | ErrorKind.LOCKED:
                permissions.record_refusal(access, NoAccess.LOCKED)
            case ErrorKind.PLACE_GONE | ErrorKind.SHUT | ErrorKind.NO_FILES:
                permissions.record_refusal(access)
            case ErrorKind.BLOCKED:  # a retry with the same words would be refused again
                report.is_incomplete = True
            case _:
                report.has_failed = True

    # ---- former messages -----------------------------------------------------------------------

    def _handle_replaced(self, former: Any) -> None:
        """Replace a former table message with a link to the new one. Delete a former hand or panel."""
        if isinstance(former, FormerMessages):
            self._reposting.seen = self._newest_table().signature
            self.start(self._point_to_table(former))
        elif isinstance(former, Post):
            self.start(self._services.channels.requests.delete(former))
        elif isinstance(former, Token) and former.seconds_left(self._services.plans.clock()):
            self._services.channels.deleting.add(former.message_id)
            self.start(self._delete_panel(former))

    async def _point_to_table(self, former: FormerMessages, tries: int = 0) -> None:
        """Replace the former table message's content with a link, and delete an older such message.

        If the edit fails but may succeed later, try it again as often as an update. Until then, the
        message keeps its buttons. A click on one of them answers with a link to the table.

        Args:
            former: The former messages.
            tries: The number of failed tries so far.
        """
        channels, table = self._services.channels, self._newest_table()
        access = channels.permissions.match_access(table.match)
        try:
            if former.pointer is not None and access.shows:
                await channels.requests.delete(former.pointer)
            self.writers.pop(POINTER_KEY, None)  # it may still edit an older message
            writer = self.writer(POINTER_KEY)
            self.place(POINTER_KEY).token = former.token
            if await writer.submit(self._revision) is not Delivery.SHOWN and access.shows:
                await channels.clear(table, POINTER_KEY)
        except (*NOT_SENT, RibitError) as error:
            facts = {"match": self.match_id, "message": former.table.message_id}
            log.info("old table message not removed", **facts, error=str(error))
            is_temporary = isinstance(error, RibitError) or error_kind(error) is ErrorKind.TROUBLE
            if is_temporary and tries < len(RETRY_SECONDS):
                retry = partial(self._retry_pointer, former, tries + 1)
                asyncio.get_running_loop().call_later(RETRY_SECONDS[tries], retry)
        finally:
            self.writers.pop(POINTER_KEY, None)

    def _retry_pointer(self, former: FormerMessages, tries: int) -> None:
        if not self._services.is_closing:
            self.start(self._point_to_table(former, tries))

    # ---- private panels ------------------------------------------------------------------------

    @property
    def panel_keys(self) -> list[str]:
        return [key for key in self.writers if owner_of(key) is not None]

    def drop_panel(self, player_id: int, *, deletes: bool = False) -> None:
        """Stop updating the ephemeral message with a player's hand. Do nothing if there is none.

        Args:
            player_id: The player.
            deletes: True to delete the panel as well.
        """
        key = panel_key(player_id)
        if (token := self._token(key)) is not None:  # otherwise no panel is open, or it is being opened
            del self.writers[key]
            if deletes:
                self._handle_replaced(token)

    def _drop_closed_panels(self, table: Table) -> None:
        for key in self.panel_keys:
            owner = owner_of(key) or 0
            has_hand = table.match.seat_of(owner) is not None and table.state is not None
            is_open = self.place(key).token_seconds or not self._is_idle(key)
            if not has_hand or not is_open:
                del self.writers[key]

    def _panel_seconds(self, table: Table, seat: int) -> float:
        """Return the seconds for which a player's ephemeral hand message can still be edited, or 0."""
        key = panel_key(table.match.players[seat].id)
        if key not in self.writers or not table.is_playing:
            return 0.0
        return self.place(key).token_seconds

    async def _delete_panel(self, token: Token) -> None:
        try:
            with suppress(*NOT_SENT):
                await token.delete()
        finally:
            self._services.channels.deleting.discard(token.message_id)


class AllMessages:
    """A registry of all matches' messages, with the services that they share.

    Attributes:
        held: The servers of the matches whose messages cannot be updated until the bot's permissions
            change, by match ID.
        shown_while_halted: The IDs of the matches that were shown while nothing could be stored.
    """

    def __init__(self, tables: Tables, plans: Plans, channels: Channels, calls: TurnPings) -> None:
        self.tables = tables
        self.plans = plans
        self.channels = channels
        self.calls = calls
        self.held: dict[str, int | None] = {}
        self.shown_while_halted = set[str]()
        self.is_closing = False

    def messages_of_match(self, match_id: str) -> MatchMessages:
        """Return the object that manages a match's messages. The first call creates it."""
        live = self.tables.live_match(match_id)
        if live.messages is None:
            live.messages = MatchMessages(match_id, self)
        messages: MatchMessages = live.messages
        return messages

    @property
    def loaded_messages(self) -> list[MatchMessages]:
        return [live.messages for live in self.tables.matches if live.messages is not None]

    def has_panels(self, match_id: str) -> bool:
        """Return whether this process updates ephemeral hand messages of a match.

        If the match is not in memory, it is not loaded.
        """
        live = self.tables.matches.find(match_id)
        return live is not None and live.messages is not None and bool(live.messages.panel_keys)

    def retry(self, match_id: str, tries: int) -> None:
        """Schedule a retry of a failed update of a match's messages.

        If the process is stopping, do nothing.
        """
        if not self.is_closing:
            # the messages may have been evicted and created again
            self.messages_of_match(match_id).refresh(Priority.UPKEEP, tries)
