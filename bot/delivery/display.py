"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import discord
import structlog

from bot.delivery.answers import fitted, yield_to_clicks
from bot.delivery.appearance import Appearances
from bot.delivery.budget import Budget, HeldBackError, Priority
from bot.delivery.channel_permissions import ChannelPermissions, Held
from bot.delivery.content import Contents
from bot.delivery.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.delivery.handover import Handover
from bot.delivery.messenger import Delivery, Messenger
from bot.delivery.panel import Panel
from bot.delivery.priority import LowPriority
from bot.delivery.private_panels import PrivatePanels
from bot.delivery.recent_activity import RecentActivity
from bot.delivery.reconcile import MatchMessages, Reconciler
from bot.delivery.reposting import Moves
from bot.delivery.requests import MakeSheet, Requests
from bot.delivery.slot import TABLE_SLOT, Slot, Step, hand_slot, seat_of
from bot.delivery.turn_pings import TurnPings
from bot.engine.match import Match, Waiting
from bot.engine.words import speaking
from bot.messages.channel_access import ChannelAccess, NoAccess
from bot.messages.components import Content
from bot.messages.content import open_hand_content
from bot.messages.mentions import dms_closed_words, halted_words, no_dms_words
from bot.messages.text_fallback import fitting, with_line
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import Players, Posts, Servers, Standings

log = structlog.get_logger(__name__)


class Display(Contents):
    """Brings the messages of a match to the stored truth, as far as its place allows just now.

    Where the table cannot be shown the match goes on by DM and My hand, and nothing that would be
    refused is asked of Discord; when the place has changed it is shown again. A table whose channel
    was deleted is over. One whose server the bot was taken out of rests, and goes on where it was
    when the bot is back, or is closed after its week of rest.
    """

    def __init__(
        self,
        client: discord.Client,
        *,
        tables: Tables,
        posts: Posts,
        players: Players,
        servers: Servers,
        standings: Standings,
        messenger: Messenger,
        requests: Requests,
        budget: Budget,
        permissions: ChannelPermissions,
        recent_activity: RecentActivity,
        appearances: Appearances,
        handover: Handover,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        super().__init__(
            client,
            posts=posts,
            players=players,
            servers=servers,
            standings=standings,
            permissions=permissions,
            appearances=appearances,
            handover=handover,
        )
        self._tables = tables
        self._clock = clock
        self._messenger = messenger
        self._requests = requests
        self._reconciler = Reconciler(self._show_match, budget)
        self._moves = Moves(posts=posts, requests=requests, permissions=permissions, clock=clock)
        self._held = Held()
        self._halted_at: int | None = None
        self._low_priority = LowPriority()
        self.private = PrivatePanels(self._reconciler, self._low_priority, self.panel, clock)
        self.recent_activity = recent_activity
        self.calls = TurnPings(
            tables=tables,
            posts=posts,
            messenger=messenger,
            recent_activity=recent_activity,
            contents=self,
        )

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        return self._reconciler.start(match_id, priority)

    def refresh_turn(self, match_id: str) -> None:
        """Bring the messages of a match up to date where the table did something by itself."""
        self.refresh(match_id, Priority.TURN)

    def answered(self, table: Table) -> None:
        """Bring the messages of a match up to date after the answer to a click that changed it.

        A game for one has but one message: where the answer shows that as it is, nothing follows.
        """
        if table.is_solo and table.is_playing and self._shows_all(table):
            self._tables.shown(table)
        else:
            self.refresh(table.match.id)

    def _shows_all(self, table: Table) -> bool:
        """Return whether the answer to a click has just shown a table in its only message, and where."""
        messages = self._reconciler.of(table.match.id)
        slot = messages.slots[TABLE_SLOT]
        is_shown = slot.shows is not None and slot.step.n == table.n
        stays = self._access(table.match).is_full and self._moves.looked_lately(messages)
        return is_shown and stays and messages.is_idle and self._halted_at is None

    def found(self, table: Table) -> None:
        """Take note of a table that was read: where all its messages are right, they stay."""
        match = table.match
        is_new = match.stage.is_live and not self._reconciler.has(match.id)
        if is_new and self.handover.owns(match) and not self.may_differ(match):
            messages = self._reconciler.of(match.id)
            messages.guild_id, messages.as_read = match.guild_id, table

    def may_differ(self, match: Waiting | Match) -> bool:
        """Return whether a match may have to be shown that nobody has looked at since the start."""
        if match.guild_id is not None and not self._permissions.serves(match.guild_id):
            return not match.is_shown
        access = self._permissions.at(match.guild_id, match.channel_id)
        return not (match.is_shown and (match.guest or (access.is_full and access.is_known)))

    def access_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Show what could not be shown in a server, or in any, where a channel or more has changed."""
        self._permissions.changed(channel_id)
        for match_id in self._held.matches(guild_id):
            self.refresh(match_id, Priority.UPKEEP)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped, for nothing can be stored, or no longer so."""
        self._halted_at = self._clock() if is_halted else None
        for match_id in self._tables.in_use():
            self.refresh(match_id, Priority.UPKEEP)

    async def channel_gone(self, match: Match) -> None:
        """End a match whose channel was deleted, and say so to those who have a hand of it."""
        log.info("table's channel is gone", match=match.id, channel=match.channel_id)
        self._permissions.refused(self._access(match), NoAccess.GONE)
        if match.stage.is_live:
            await self._tables.stop(match.id)
        self.refresh(match.id, Priority.UPKEEP)

    def is_lost(self, match: Match) -> bool:
        """Return whether a match stands in a server, or a channel, that is gone for Ribit."""
        access = self._access(match)
        return access.no_access is NoAccess.REMOVED or (
            not access.is_known
            and match.guild_id is not None
            and self._permissions.serves(match.guild_id)
        )

    def shown(self, table: Table, slot: str, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that an answer to an interaction has made a message show this state of the table."""
        self._requests.tokens.keep(message_id, interaction)
        self.handover.shows(table, slot, interaction)

    def answer_in(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose answer a message shows, where that was just now."""
        return self._requests.tokens.of(message_id)

    def slot(self, match_id: str, key: str) -> Slot:
        """Return what is known of one message of a match."""
        return self._reconciler.of(match_id).slots[key]

    @contextmanager
    def answering(self, match_id: str, slot: Slot) -> Iterator[None]:
        """Leave a message to the answer that shows it inside the block.

        What should have been shown there meanwhile, or is not known to be shown, follows.
        """
        slot.answers += 1
        try:
            yield
        finally:
            slot.answers -= 1
            if not slot.answers and (slot.is_due or slot.shows is None):
                slot.is_due = False
                self.refresh(match_id)

    async def posted(
        self, table: Table, message_id: int, content: Content, interaction: discord.Interaction
    ) -> None:
        """Take the answer to an interaction as the table's message; the one before it points to it."""
        await self._messenger.adopt(table, message_id, lambda: self.pointer(table))
        messages = self._reconciler.of(table.match.id)
        messages.seen = table.signature
        messages.slots[TABLE_SLOT].shows = hash(content)
        messages.slots[TABLE_SLOT].step = Step(table.n)
        self.shown(table, TABLE_SLOT, message_id, interaction)
        await self.handover.posted(table, TABLE_SLOT, interaction)

    async def take(self, table: Table, slot: str, message: discord.Message) -> bool:
        """Take a message for the one of a slot, unless that is another; returns whether it is that.

        None is remembered where the process ended too soon.
        """
        post = await self._posts.get(table.match.id, slot)
        if post is None:
            await self._posts.put(table.match.id, slot, message.channel.id, message.id)
        return post is None or post.message_id == message.id

    def messages(self, match_id: str) -> MatchMessages:
        """Return what is known of a match's messages."""
        return self._reconciler.of(match_id)

    def reconciled(self) -> list[str]:
        """Return the ids of the matches whose messages were brought up to date here, and did not end."""
        return self._reconciler.matches()

    def with_panels(self) -> list[str]:
        """Return the ids of the matches that private panels are open on."""
        return self._reconciler.with_panels()

    def missed(self) -> None:
        """Know of no message any more what it shows: others may have changed it, unheard."""
        self._reconciler.forget_shown()

    def let_go(self) -> None:
        """Keep up the messages of matches no more that others own by now."""
        self._reconciler.drop(lambda messages: not self.handover.has(messages.guild_id))

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        await self._reconciler.close()

    # ---- what messages should show -------------------------------------------------------------

    async def plan(self, table: Table, key: str, slot: Slot) -> Content:
        """Return what the message of a slot should show of a table as it stands."""
        step, seat = slot.step_of(table), seat_of(key)
        if seat is None:
            return await self._plan_table(table, step)
        if not self._panel_seconds(table, seat):
            return await self._plan_hand(table, seat, step)
        with speaking((await self._players.get(table.match.players[seat].id)).locale):
            return open_hand_content(table)

    async def _plan_table(self, table: Table, step: Step) -> Content:
        content = fitting(await self.table(table, step.path), self._access(table.match))
        if self._halted_at is None:
            return content
        with speaking(content.language):
            return with_line(content, halted_words(self._halted_at))

    async def _plan_hand(self, table: Table, seat: int, step: Step) -> Content:
        with speaking((await self._players.get(table.match.players[seat].id)).locale):
            return await self.hand(table, seat, step.path, hint=step.hint)

    async def panel(self, table: Table, seat: int, panel: Panel) -> Content:
        """Return what a player's private panel should show of a table as it stands."""
        record, step = await self._players.get(table.match.players[seat].id), panel.step_of(table)
        with speaking(str(panel.interaction.locale)):
            content = await self.hand(
                table, seat, step.path, offer_dms=record.dms_closed, hint=step.hint
            )
        return fitting(fitted(content, panel.interaction), self._access(table.match))

    def _panel_seconds(self, table: Table, seat: int) -> float:
        return self.private.seconds_left(table, table.match.players[seat].id)

    def _access(self, match: Match) -> ChannelAccess:
        return self._permissions.of(match)

    # ---- showing it ----------------------------------------------------------------------------

    async def _show_match(self, match_id: str, messages: MatchMessages) -> bool:
        """Show all messages of a match; returns whether nothing has to be known of them any more."""
        await yield_to_clicks()
        table = await self._tables.look(match_id)
        is_lesson, messages.guild_id = table.match.is_lesson, table.match.guild_id
        await self._recall(messages)
        if not self.handover.owns(table.match):  # but panels that were asked for here are edited here
            await self._show_panels(match_id, messages)
            return not messages.panels
        if not is_lesson:
            await self._try(table, messages, self._show_table(table, messages))
            await self._try(table, messages, self.calls.remind(table, messages))
        await self._try(table, messages, self._show_panels(match_id, messages))
        await asyncio.gather(
            *(
                self._try(table, messages, self._show_hand(table, seat, messages))
                for seat in _seats_with_hands(table)
            )
        )
        is_full = table.match.guest or self._access(table.match).is_full  # a guest can do no more
        is_live = table.match.stage.is_live
        is_left = messages.failed or messages.held_back or messages.call_waits
        is_left = is_left or any(slot.answers or slot.is_due for slot in messages.slots.values())
        if is_full and not is_left and self._halted_at is None and self.handover.owns(table.match):
            self._tables.shown(table)
        self._held.note(table.match, is_held=not is_full and is_live)
        return not is_live

    async def _recall(self, messages: MatchMessages) -> None:
        """Take note of what the messages show that nothing was sent to since the table was read.

        A hand's may say that the hand is open at the table, by another process. It still is there.
        """
        table, messages.as_read = messages.as_read, None
        if table is None:
            return
        if TABLE_SLOT not in messages.slots:
            shows = hash(await self._plan_table(table, Step()))
            messages.slots.setdefault(TABLE_SLOT, Slot(shows))
        for seat in _seats_with_hands(table):
            if (key := hand_slot(seat)) not in messages.slots:
                shows = hash(await self._plan_hand(table, seat, Step()))
                messages.slots.setdefault(key, Slot(shows))

    async def _show_panels(self, match_id: str, messages: MatchMessages) -> None:
        await self.private.reconcile(match_id, messages, lambda: self._tables.look(match_id))

    async def _try(self, table: Table, messages: MatchMessages, showing: Awaitable[None]) -> None:
        """Show one thing; what Discord refuses is logged, and does not keep the others from showing."""
        try:
            await showing
        except HeldBackError:
            messages.held_back = True
        except NOT_SENT as error:
            said = error_kind(error)
            report = log.error if said is ErrorKind.FAULT else log.warning
            report("Discord refused", match=table.match.id, n=table.n, error=str(error))
            await self.appearances.emojis.doubt(error)
            await self._refused(table, messages, said)

    async def _refused(self, table: Table, messages: MatchMessages, said: ErrorKind) -> None:
        """Do what follows from Discord's refusal of a message in the table's channel."""
        access = self._access(table.match)
        match said:
            case ErrorKind.PLACE_GONE if await self._requests.has_lost(access):
                await self.channel_gone(table.match)
            case ErrorKind.ASLEEP | ErrorKind.LOCKED:
                self._permissions.refused(access, NoAccess.LOCKED)
            case ErrorKind.PLACE_GONE | ErrorKind.SHUT | ErrorKind.NO_FILES:
                self._permissions.refused(access)
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

        async def show(make: MakeSheet) -> bool:
            return await self._messenger.show(table, make, lambda: self.pointer(table), anew=moves)

        await self._reconcile(table.match.id, TABLE_SLOT, messages, show)

    async def _show_hand(self, table: Table, seat: int, messages: MatchMessages) -> None:
        """Show a hand in its player's DMs; while a panel shows it, the DM only says where it is."""
        player, slot = table.match.players[seat], hand_slot(seat)
        panel_seconds = self._panel_seconds(table, seat)
        if panel_seconds:
            messages.look_in(panel_seconds)
            if await self._posts.get(table.match.id, slot) is None:
                return

        async def show(make: MakeSheet) -> bool:
            delivery = await self._messenger.show_in_dm(table, slot, player.id, make)
            if delivery is Delivery.REFUSED:
                await self.calls.say_no_dm(table, seat, dms_closed_words)
            if delivery is Delivery.FLAGGED and seat not in messages.told:
                messages.told.add(seat)
                await self.calls.say_no_dm(table, seat, no_dms_words)
            return delivery is Delivery.SENT

        await self._reconcile(table.match.id, slot, messages, show)

    async def _reconcile(
        self,
        match_id: str,
        key: str,
        messages: MatchMessages,
        show: Callable[[MakeSheet], Awaitable[bool]],
    ) -> None:
        """Bring one message to what it should show, as that is when the request has its turn.

        Where an answer to a click is about to show it, the answer has it looked at again.
        """
        slot = messages.slots[key]
        sent: Content | None = None

        async def differing() -> Content | None:
            now = await self._tables.look(match_id)
            if slot.answers or not self.handover.owns(now.match):
                slot.is_due = True
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
    return [seat for seat, player in enumerate(table.match.players) if not player.is_frog]
