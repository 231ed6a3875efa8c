"""Brings the messages of one match to what they should show, each by its one writer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.delivery.content import Contents
from bot.delivery.match_messages import MatchMessages
from bot.delivery.messenger import Delivery, Messenger
from bot.delivery.private_panels import PrivatePanels
from bot.delivery.reposting import Moves
from bot.delivery.slot import TABLE_SLOT, Slot, Step, hand_slot, seat_of
from bot.delivery.turn_pings import TurnPings
from bot.engine.forgotten import is_forgotten
from bot.engine.match import Match
from bot.messages.channel_access import NoAccess
from bot.messages.components import Content
from bot.messages.mentions import dms_closed_words, no_dms_words
from bot.requests.answers import yield_to_clicks
from bot.requests.budget import HeldBackError
from bot.requests.channel_permissions import ChannelPermissions, Held
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.message_requests import MakeContent, Requests
from bot.requests.priority import LowPriority
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import Posts

log = structlog.get_logger(__name__)


class Reconciler:
    """Sends what differs from the plan, and nothing else.

    Where a table cannot be shown the match goes on by DM and My hand, and nothing that would be refused
    is asked of Discord.
    """

    def __init__(
        self,
        *,
        tables: Tables,
        posts: Posts,
        contents: Contents,
        messenger: Messenger,
        requests: Requests,
        permissions: ChannelPermissions,
        moves: Moves,
        private: PrivatePanels,
        calls: TurnPings,
        low_priority: LowPriority,
        channel_gone: Callable[[Match], Awaitable[None]],
    ) -> None:
        """``channel_gone`` ends a match whose channel was deleted."""
        self._tables = tables
        self._posts = posts
        self._contents = contents
        self._messenger = messenger
        self._requests = requests
        self._permissions = permissions
        self._moves = moves
        self._private = private
        self._calls = calls
        self._low_priority = low_priority
        self._channel_gone = channel_gone
        self.held = Held()

    async def plan(self, table: Table, key: str, slot: Slot) -> Content:
        """Return what the message of a slot should show of a table as it stands."""
        step, seat = slot.step_of(table), seat_of(key)
        if seat is None:
            return await self._contents.planned_table(table, step)
        if self._panel_seconds(table, seat):
            return await self._contents.planned_pointer(table, seat)
        return await self._contents.planned_hand(table, seat, step)

    def _panel_seconds(self, table: Table, seat: int) -> float:
        return self._private.seconds_left(table, table.match.players[seat].id)

    async def show(self, match_id: str, messages: MatchMessages) -> bool:
        """Show all messages of a match; returns whether nothing has to be known of them any more."""
        await yield_to_clicks()
        table = await self._tables.look(match_id)
        messages.guild_id = table.match.guild_id
        await self._recall(messages)
        if not self._contents.owns(table.match):  # but panels that were asked for here are edited here
            await self._show_panels(match_id, messages)
            return not messages.panels
        if not table.match.is_lesson:
            await self._try(table, messages, self._show_table(table, messages))
            await self._try(table, messages, self._calls.remind(table, messages))
        await self._try(table, messages, self._show_panels(match_id, messages))
        await asyncio.gather(
            *(
                self._try(table, messages, self._show_hand(table, seat, messages))
                for seat in _seats_with_hands(table)
            )
        )
        self._note_shown(table, messages)
        return not table.match.stage.is_live

    def _note_shown(self, table: Table, messages: MatchMessages) -> None:
        """Note whether everything was shown, so that no start has to look, or waits for its place."""
        match = table.match
        is_full = match.guest or self._permissions.of(match).is_full  # a guest can do no more
        is_left = (
            messages.is_refused
            or messages.failed
            or messages.held_back
            or messages.call_waits
            or messages.is_answered
        )
        is_right = is_full and not is_left and self._contents.halted_at is None
        if is_right and self._contents.owns(match):
            self._tables.shown(table)
        self.held.note(match, is_held=not is_full and match.stage.is_live)

    async def _recall(self, messages: MatchMessages) -> None:
        """Take note of what the messages show that nothing was sent to since the table was read.

        A hand's may say that the hand is open at the table, by another process. It still is there.
        """
        table, messages.as_read = messages.as_read, None
        if table is None:
            return
        if TABLE_SLOT not in messages.slots:
            shows = hash(await self._contents.planned_table(table, Step()))
            messages.slots.setdefault(TABLE_SLOT, Slot(shows))
        for seat in _seats_with_hands(table):
            if (key := hand_slot(seat)) not in messages.slots:
                shows = hash(await self._contents.planned_hand(table, seat, Step()))
                messages.slots.setdefault(key, Slot(shows))

    async def _show_panels(self, match_id: str, messages: MatchMessages) -> None:
        await self._private.reconcile(match_id, messages, lambda: self._tables.look(match_id))

    async def _try(self, table: Table, messages: MatchMessages, showing: Awaitable[None]) -> None:
        """Show one thing; what Discord refuses is logged, and does not keep the others from showing."""
        try:
            await showing
        except HeldBackError:
            messages.held_back = True
        except NOT_SENT as error:
            said = error_kind(error)
            report = log.error if said is ErrorKind.FAULT else log.warning
            if said is not ErrorKind.BLOCKED or self._permissions.blocks(table.match.channel_id):
                report("Discord refused", match=table.match.id, n=table.n, error=str(error))
            await self._contents.appearances.emojis.doubt(error)
            await self._refused(table, messages, said)

    async def _refused(self, table: Table, messages: MatchMessages, said: ErrorKind) -> None:
        """Do what follows from Discord's refusal of a message in the table's channel."""
        access = self._permissions.of(table.match)
        match said:
            case ErrorKind.PLACE_GONE if await self._requests.has_lost(access):
                await self._channel_gone(table.match)
            case ErrorKind.ASLEEP | ErrorKind.LOCKED:
                self._permissions.refused(access, NoAccess.LOCKED)
            case ErrorKind.PLACE_GONE | ErrorKind.SHUT | ErrorKind.NO_FILES:
                self._permissions.refused(access)
            case ErrorKind.BLOCKED:  # the same words will not do later
                messages.is_refused = True
            case _:
                messages.failed = True

    async def _show_table(self, table: Table, messages: MatchMessages) -> None:
        slot = messages.slots[TABLE_SLOT]
        if slot.answers:
            slot.is_due = True
            return
        moves = await self._moves.are_due(table, messages)
        if moves:
            slot.shows = None

        async def show(make: MakeContent) -> bool:
            return await self._messenger.show(
                table, make, lambda: self._contents.pointer(table), anew=moves
            )

        await self._bring(table.match.id, TABLE_SLOT, messages, show)

    async def _show_hand(self, table: Table, seat: int, messages: MatchMessages) -> None:
        """Show a hand in its player's DMs; while a panel shows it, the DM only says where it is."""
        player, slot = table.match.players[seat], hand_slot(seat)
        panel_seconds = self._panel_seconds(table, seat)
        if panel_seconds:
            messages.look_in(panel_seconds)
            if await self._posts.get(table.match.id, slot) is None:
                return

        async def show(make: MakeContent) -> bool:
            delivery = await self._messenger.show_in_dm(table, slot, player.id, make)
            if delivery is Delivery.REFUSED:
                await self._calls.say_no_dm(table, seat, dms_closed_words)
            if delivery is Delivery.FLAGGED and seat not in messages.told:
                messages.told.add(seat)
                await self._calls.say_no_dm(table, seat, no_dms_words)
            return delivery is Delivery.SENT

        await self._bring(table.match.id, slot, messages, show)

    async def _bring(
        self,
        match_id: str,
        key: str,
        messages: MatchMessages,
        show: Callable[[MakeContent], Awaitable[bool]],
    ) -> None:
        """Bring one message to what it should show, as that is when the request has its turn.

        Where an answer to a click is about to show it, the answer has it looked at again.
        """
        slot = messages.slots[key]
        sent: Content | None = None

        async def differing() -> Content | None:
            now = await self._tables.look(match_id)
            slot.is_due |= slot.answers > 0
            if slot.answers or not self._contents.owns(now.match):
                return None
            content = await self.plan(now, key, slot)
            return None if slot.has(content) else content

        async def make() -> Content | None:
            nonlocal sent
            content = await self._low_priority.run(differing)
            if content is not None and sent is None:
                slot.begin()
            sent = content or sent
            return content

        if await differing() is None:
            return
        is_shown = False
        try:
            is_shown = await show(make)
        finally:
            if sent is not None:
                slot.end(hash(sent) if is_shown else None)
            if slot.is_due and not slot.answers:  # another request overlapped with this one
                slot.is_due, messages.again = False, True


def _seats_with_hands(table: Table) -> Sequence[int]:
    """Return the seats whose players are sent their hands."""
    if table.state is None or table.match.is_lesson or not table.game.info.hidden_hands:
        return ()
    return [
        seat
        for seat, player in enumerate(table.match.players)
        if not (player.is_computer_player or is_forgotten(player.id))
    ]
