"""Message queues: one for each Discord message, which bring it to what is stored, a plan a version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from typing import Any, TypeAlias

import structlog

from bot.background import BackgroundTasks
from bot.delivery.plans import Plans
from bot.delivery.routes import Delivery, Routes, moves_down
from bot.delivery.slots import (
    TABLE_SLOT,
    Messages,
    Slot,
    Token,
    is_running,
    owner_of,
    panel_slot,
    seat_of,
)
from bot.delivery.turn_pings import RecentActivity, TurnPings
from bot.engine.errors import AwayError
from bot.matches.match import Match
from bot.messages.channel_access import NoAccess
from bot.messages.mentions import dms_closed_words, no_dms_words
from bot.requests.answers import CROWD
from bot.requests.budget import HeldBackError, PrioritizedWork, Priority, on
from bot.requests.channel_permissions import Held
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import MATCH
from bot.storage.database import Database

log = structlog.get_logger(__name__)

CLOSE_SECONDS = 1.5

RETRY_SECONDS = (20, 120)
"""When a failure is tried again, and then once more; after that the next event brings the truth."""


Work: TypeAlias = Callable[..., Awaitable[None]]
"""Some of the work on the messages of a match; these come first of what it is given."""


class Display:
    """Brings the messages of a match to the stored truth, as far as its place allows just now.

    Where the table cannot be shown the match goes on by DM and My hand; when the place has changed it
    is shown again. A table whose channel was deleted is over. One whose server the bot was taken out of
    rests until the bot is back, or for a week.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        plans: Plans,
        routes: Routes,
        recent_activity: RecentActivity,
    ) -> None:
        self.tables = tables
        self.database, self.players = database, database.players
        self.plans = plans
        self.routes = routes
        self.appearances = plans.appearances
        self._permissions = routes.permissions
        self._budget = routes.requests.budget
        self.recent_activity = recent_activity
        self.silent_since: Callable[[], int | None] = lambda: None
        """Returns since when the bot has not been connected, or could not store anything, or None."""
        self.calls = TurnPings(tables, plans, routes, recent_activity, database)
        self._held = Held()
        self._tasks = BackgroundTasks()
        self._is_closing = False

    # ---- when messages are looked at ------------------------------------------------------------

    def of(self, match_id: str) -> Messages:
        live = self.tables.live_match(match_id)
        if live.messages is None:
            live.messages = Messages(match_id)
        messages: Messages = live.messages
        return messages

    @property
    def known(self) -> list[Messages]:
        return [live.messages for live in self.tables.matches if live.messages is not None]

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Bring the messages of a match up to date, soon, whatever has changed."""
        self.of(match_id).replan()
        self.changed(match_id, priority)

    async def refreshed(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Bring the messages of a match up to date, and wait for it."""
        self.refresh(match_id, priority)
        messages = self.of(match_id)
        while tasks := messages.tasks:
            await asyncio.wait(tasks)

    def changed(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Bring the messages of a match up to date where nothing has changed but its table."""
        messages = self.of(match_id)
        messages.tries = 0
        messages.work.hurry(priority)
        self._start(messages)

    def _start(self, messages: Messages) -> None:
        messages.again = True
        if messages.retry is not None:
            messages.retry.cancel()
            messages.retry = None
        if not is_running(messages.task):
            messages.task = self._run(messages, self._keep_up)

    def _start_anew(self, match_id: str) -> None:
        messages = self.of(match_id)  # memory may hold others by now
        messages.replan()
        self._start(messages)

    def _run(self, messages: Messages, work: Work, *of: Any) -> asyncio.Task[None]:
        """Start some of the work on the messages of a match, and settle it when it has ended."""
        task = self._tasks.start(self._try(messages, work, *of))
        task.add_done_callback(lambda _task: self._settle(messages))
        return task

    async def _keep_up(self, messages: Messages) -> None:
        with on(messages.work):
            while messages.again:
                messages.again = messages.is_left = messages.failed = messages.held_back = False
                messages.again_in = 0.0
                await self.routes.under_way.give_way(CROWD)
                await self._try(messages, self._plan)

    def _settle(self, messages: Messages) -> None:
        """Note what was shown, once nothing is under way, and when what was not is tried again."""
        if messages.tasks:
            return
        messages.work = PrioritizedWork(Priority.UPKEEP)
        table, seconds = messages.table, messages.again_in
        if table is not None and self.plans.owns(table.match):
            match, access = table.match, self._permissions.of(table.match)
            is_full = match.guest or access.is_full  # a guest can do no more
            is_left = messages.is_left or messages.failed or messages.held_back or messages.is_passing
            if is_full and not is_left and self.plans.halted_at is None:
                self.tables.shown(table)
            self._held.note(match, is_held=not is_full and match.stage.is_live)
        if messages.held_back:
            seconds = RETRY_SECONDS[-1]
        elif messages.failed and messages.tries < len(RETRY_SECONDS):
            seconds = RETRY_SECONDS[messages.tries]
            messages.tries += 1
        if seconds and not self._is_closing:
            loop = asyncio.get_running_loop()
            messages.retry = loop.call_later(seconds, self._start_anew, messages.match_id)

    # ---- what they are to show ------------------------------------------------------------------

    async def _plan(self, messages: Messages) -> None:
        """Put what has changed into the queue of each slot."""
        live = self.tables.live_match(messages.match_id)
        before, table = messages.table, await self.tables.look(messages.match_id)
        messages.table, match = table, table.match
        recalled, live.as_read = live.as_read, None
        if recalled is not None and self._permissions.may_differ(recalled.match):
            recalled = None
        before = before or recalled
        if match.is_private and (before is None or before.match.stage is not match.stage):
            await self._give_notice(match)
        is_kept_here = self.plans.owns(match) and not match.is_private
        if is_kept_here:
            await self._try(messages, self._move, table)
        self._drop_panels(table, messages)
        async for key in self.plans.slots_of(table, messages):
            is_new, slot = key not in messages.slots, messages.slots[key]
            is_notice = key == TABLE_SLOT and match.is_private
            known = None if is_notice else recalled  # a notice tells of others, too
            if is_new and known is not None and (key == TABLE_SLOT or known.state is not None):
                slot.recall(await self.plans.plan(known, key, slot, Messages(messages.match_id)))
            if slot.is_stale or (slot.of is not table and not (is_notice and slot.of)):
                await self.routes.under_way.give_way()
                plan = slot.begin()
                slot.want(await self.plans.plan(table, key, slot, messages), table, plan)
            if slot.wanted is not None and slot.passing is None and not is_running(slot.task):
                slot.brought_by(self._run(messages, self._bring, key, slot))
        if is_kept_here and not table.is_solo:  # nobody is called who plays alone
            messages.called = table
            if not is_running(messages.calling):
                messages.calling = self._run(messages, self._call)

    async def _give_notice(self, match: Match) -> None:
        """Have the channel hear that a match which is private there has begun or ended."""
        notice = self.plans.notice if self.plans.owns(match) else None
        if notice is not None and (bearer := await notice.bearer(match)) is not None:
            self.refresh(bearer, Priority.UPKEEP)

    async def _move(self, messages: Messages, table: Table) -> None:
        if await moves_down(table, messages, self.routes, self.plans.clock()):
            messages.slots[TABLE_SLOT].lose()

    # ---- the queues -----------------------------------------------------------------------------

    async def _bring(self, messages: Messages, key: str, slot: Slot) -> None:
        while (table := slot.of) and slot.wanted is not None and slot.passing is None:
            try:
                if not await self._show(table, messages, key, slot):
                    return
            except NOT_SENT:
                if slot.of is table:  # else what has come meanwhile is tried at once
                    raise

    async def _call(self, messages: Messages) -> None:
        while (table := messages.called) is not None:
            messages.called = None
            if (task := messages.slots[TABLE_SLOT].task) is not None:
                await asyncio.wait([task])
            await self.calls.remind(table, messages)

    async def _show(self, table: Table, messages: Messages, key: str, slot: Slot) -> bool:
        """Show a table in one of its messages; returns False where no more can be done just now."""
        if key == TABLE_SLOT:
            access = self._permissions.of(table.match)
            is_shown = await self.routes.show(table, slot, lambda: self.plans.pointer(table))
            if access != self._permissions.of(table.match):  # as in ``_refused``
                self._start_anew(messages.match_id)
            return is_shown
        if (seat := seat_of(key)) is None:
            return await self._show_panel(table, key, slot)
        delivery = await self.routes.show_in_dm(table, key, slot, table.match.players[seat].id)
        if delivery is Delivery.REFUSED:
            await self.calls.say_no_dm(table, seat, dms_closed_words)
        if delivery is Delivery.FLAGGED and seat not in messages.told:
            messages.told.add(seat)
            await self.calls.say_no_dm(table, seat, no_dms_words)
        return delivery is Delivery.SENT

    async def _try(self, messages: Messages, work: Work, *of: Any) -> None:
        """Show one thing; what Discord refuses is logged, and keeps nothing else from being shown."""
        try:
            await work(messages, *of)
        except (AwayError, HeldBackError):
            messages.held_back = True
        except NOT_SENT as error:
            await self._try(messages, self._refused, error)
        except Exception:
            log.exception("messages could not be shown", match=messages.match_id)
            messages.failed = True

    async def _refused(self, messages: Messages, error: Exception) -> None:
        """Do what follows from Discord's refusal of a message in the table's channel."""
        table, said = messages.table, error_kind(error)
        assert table is not None, "it was planned"
        match, access = table.match, self._permissions.of(table.match)
        report = log.error if said is ErrorKind.FAULT else log.warning
        if said is not ErrorKind.BLOCKED or self._permissions.blocks(match.channel_id):
            report("Discord refused", match=match.id, n=table.n, error=str(error))
        await self.appearances.emojis.doubt(error)
        match said:
            case ErrorKind.PLACE_GONE if await self.routes.requests.has_lost(access):
                await self.channel_gone(match)
            case ErrorKind.ASLEEP | ErrorKind.LOCKED:
                self._permissions.refused(access, NoAccess.LOCKED)
            case ErrorKind.PLACE_GONE | ErrorKind.SHUT | ErrorKind.NO_FILES:
                self._permissions.refused(access)
            case ErrorKind.BLOCKED:  # the same words will not do later
                messages.is_left = True
            case _:
                messages.failed = True
        if access != self._permissions.of(match):  # the hands tell why the table is not shown
            self._start_anew(messages.match_id)

    # ---- private messages -----------------------------------------------------------------------

    async def _show_panel(self, table: Table, key: str, slot: Slot) -> bool:
        """Show a hand in a private message, for the last time where the match is over."""
        token, owner = slot.token, owner_of(key) or 0
        access = self._permissions.of(table.match)
        is_there = token is not None and await self.routes.edit_by_token(slot, token.message_id, access)
        if self.of(table.match.id).slots.get(key) is slot and not (is_there and table.is_playing):
            self.drop_panel(table.match.id, owner)
            if table.is_playing:  # the hand in the DMs says otherwise
                self.refresh(table.match.id, Priority.UPKEEP)
        return is_there

    def keep_panel(self, table: Table, slot: Slot, token: Token) -> None:
        """Keep a private message up to date from now on; the player's one before it is deleted."""
        slots, player_id = self.of(table.match.id).slots, token.interaction.user.id
        if slots.get(panel_slot(player_id)) is not slot:
            self.drop_panel(table.match.id, player_id, deletes=True)
        slots[panel_slot(player_id)] = slot
        slot.edit_by(token)

    def drop_panel(self, match_id: str, player_id: int, *, deletes: bool = False) -> None:
        """Keep a player's private message up to date no more; with ``deletes`` it goes."""
        messages = self.of(match_id)
        slot = messages.slots.pop(panel_slot(player_id), None)
        token = None if slot is None else slot.token
        if deletes and token is not None and self._is_open(token):
            messages.deleting.add(token.message_id)
            self._tasks.start(self._delete(token, messages))

    def _drop_panels(self, table: Table, messages: Messages) -> None:
        for key in messages.panels:
            owner = owner_of(key) or 0
            has_hand = table.match.seat_of(owner) is not None and table.state is not None
            if not has_hand or not self._is_open(messages.slots[key].token):
                self.drop_panel(table.match.id, owner)

    def _is_open(self, token: Token | None) -> bool:
        return token is not None and token.seconds_left(self.plans.clock()) > 0

    async def _delete(self, token: Token, messages: Messages) -> None:
        try:
            with suppress(*NOT_SENT):
                await token.delete()
        finally:
            messages.deleting.discard(token.message_id)

    # ---- what is known of a match's messages ----------------------------------------------------

    def unsure(self, live: Container[str]) -> list[str]:
        """Return which may not be right, of ``live`` matches those with panels, and any other."""
        return [
            messages.match_id
            for messages in self.known
            if messages.match_id not in live
            or any(self._is_open(messages.slots[key].token) for key in messages.panels)
        ]

    async def clicked_apart(self, match: Match, player_id: int, *, is_stale: bool = False) -> None:
        """Take note that a player plays in DMs: a panel of the hand goes, here and at the match's owner.

        ``is_stale``: the answer there has shown a state that others have changed meanwhile.
        """
        self.drop_panel(match.id, player_id, deletes=True)
        if not self.plans.owns(match):
            self.database.posts.forget(match.id)  # its owner may have sent others
            about = {"match": match.id, "guild": match.guild_id, "player": player_id, "stale": is_stale}
            await self.database.pubsub.tell(MATCH, about)

    # ---- where it can be shown ------------------------------------------------------------------

    def unplayable_since(self, match: Match) -> int | None:
        """Return since when a match cannot be played, None where it can: the one rule of that.

        The bot does not live, its server or channel is shut to the bot, or Discord refuses everything.
        Where nobody knows since when, it is now.
        """
        silent_since, failing = self.silent_since(), self._budget.failing_seconds
        if silent_since is not None:
            return silent_since
        is_told = match.guild_id is None or self._permissions.serves(match.guild_id)
        if self._permissions.of(match).no_access not in {None, NoAccess.GUEST} or not is_told:
            return self.plans.clock()
        return None if failing is None else self.plans.clock() - int(failing)

    def access_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Show what could not be shown in a server, or in any, where a channel or more has changed."""
        self._permissions.changed(channel_id)
        for match_id in self._held.matches(guild_id):
            self.refresh(match_id, Priority.UPKEEP)
            self.tables.look_soon(match_id)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped, for nothing can be stored, or no longer so."""
        self.plans.halted_at = self.plans.clock() if is_halted else None
        for match_id in self.tables.in_use():
            self.refresh(match_id, Priority.UPKEEP)

    async def channel_gone(self, match: Match) -> None:
        """End a match whose channel was deleted, and say so to those who have a hand of it.

        The one try of a day waits to be taken up elsewhere.
        """
        log.info("table's channel is gone", match=match.id, channel=match.channel_id)
        self._permissions.refused(self._permissions.of(match), NoAccess.GONE)
        if match.stage.is_live and not match.day:
            await self.tables.stop(match.id)
        self.refresh(match.id, Priority.UPKEEP)

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        self._is_closing = True
        for messages in self.known:
            if messages.retry is not None:
                messages.retry.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while tasks := [task for messages in self.known for task in messages.tasks]:
                    await asyncio.wait(tasks)
        await self._tasks.close()
