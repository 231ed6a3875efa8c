"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial

import discord
import structlog

from bot.delivery.answers import yield_to_clicks
from bot.delivery.appearance import Appearances
from bot.delivery.budget import Budget, HeldBackError, Priority
from bot.delivery.channel_permissions import ChannelPermissions, Held
from bot.delivery.content import Contents
from bot.delivery.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.delivery.handover import Handover
from bot.delivery.messenger import TABLE_SLOT, Delivery, Messenger
from bot.delivery.priority import LowPriority, Seen
from bot.delivery.private_panels import PrivatePanels
from bot.delivery.recent_activity import RecentActivity
from bot.delivery.reconcile import MatchMessages, Reconciler
from bot.delivery.reposting import Moves
from bot.delivery.requests import MakeSheet, Requests
from bot.delivery.turn_pings import TurnPings
from bot.engine.match import Match, Waiting
from bot.engine.words import speaking
from bot.messages.channel_access import ChannelAccess, NoAccess
from bot.messages.components import Content
from bot.messages.content import hand_mark, open_hand_content
from bot.messages.mentions import dms_closed_words, halted_words, no_dms_words
from bot.messages.text_fallback import fitting, with_line
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import Players, Posts, Servers, Standings

log = structlog.get_logger(__name__)

_OPEN = "the hand is open at the table"


def hand_slot(seat: int) -> str:
    """Return the spot of a seat's hand in its player's DMs."""
    return f"hand {seat}"


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
        self.private = PrivatePanels(self._low_priority, clock)
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

    def answered(self, table: Table) -> None:
        """Bring the messages of a match up to date after the answer to a click that changed it.

        A game for one has but one message: where the answer shows that as it is, nothing follows.
        """
        if table.is_solo and table.is_playing and self._shows_all(table):
            self._tables.shown(table)
        else:
            self.refresh(table.match.id)

    def _shows_all(self, table: Table) -> bool:
        """Return whether a table's message is as it should be, and where."""
        messages = self._reconciler.of(table.match.id)
        is_shown = messages.shown.get(TABLE_SLOT) == self.signature(table, TABLE_SLOT)
        stays = self._access(table.match).is_full and self._moves.looked_lately(messages)
        return is_shown and stays and messages.is_idle and self._halted_at is None

    def found(self, table: Table) -> None:
        """Take note of a table that was read: where all its messages are right, they stay as they are.

        A hand's may say that the hand is open at the table. It still is, and is there to press. Of one
        that was opened here before this process cared for the match, nobody has said so yet.
        """
        match = table.match
        is_new = match.stage.is_live and not self._reconciler.has(match.id)
        if not (is_new and self.handover.owns(match)) or self.may_differ(match):
            return
        messages, slots = self._reconciler.of(match.id), [TABLE_SLOT]
        messages.guild_id = match.guild_id
        if table.state is not None and table.game.info.hidden_hands:
            seats = range(len(match.players))
            slots += [hand_slot(seat) for seat in seats if not self._panel_seconds(table, seat)]
        messages.shown.update((slot, self.signature(table, slot)) for slot in slots)

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
        if self.handover.owns(table.match):
            self._reconciler.of(table.match.id).answered(slot, self.answered_signature(table, slot))

    def is_behind(self, table: Table, player_id: int) -> bool:
        """Return whether the table, or a player's hand, may show something else than they should."""
        messages, seat = self._reconciler.of(table.match.id), table.match.seat_of(player_id)
        slots = {TABLE_SLOT}
        if seat is not None and table.game.info.hidden_hands:
            slots.add(hand_slot(seat))
        is_late = bool(slots & messages.passed_over)
        messages.passed_over -= slots
        if is_late or self.private.is_doubtful(table.match.id, player_id):
            return True
        is_kept = self.handover.owns(table.match) and not table.match.is_lesson
        return is_kept and any(messages.shown.get(slot) != self.signature(table, slot) for slot in slots)

    def answer_in(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose answer a message shows, where that was just now."""
        return self._requests.tokens.of(message_id)

    @contextmanager
    def answering(self, table: Table, slot: str) -> Iterator[Callable[[int], None]]:
        """Leave a spot to the answer that shows it inside the block; a refresh has to follow.

        Yields what is to be called with the message's id when the answer is sent: what was shown there
        until then has come before it.
        """
        messages = self._reconciler.of(table.match.id)
        messages.answering.append(slot)

        def sends(message_id: int) -> None:
            messages.doubtful.discard(slot)
            self.private.answered(message_id)

        try:
            yield sends
        finally:
            messages.answering.remove(slot)
            if slot not in messages.answering:
                messages.doubtful.discard(slot)

    async def posted(self, table: Table, message_id: int, interaction: discord.Interaction) -> None:
        """Take the answer to an interaction as the table's message; the one before it points to it."""
        await self._messenger.adopt(table, message_id, lambda: self.pointer(table))
        if self.handover.owns(table.match):
            self._reconciler.of(table.match.id).seen = table.signature
        self.shown(table, TABLE_SLOT, message_id, interaction)
        await self.handover.posted(table, TABLE_SLOT, interaction)

    async def shows(self, table: Table, slot: str, message: discord.Message) -> bool:
        """Return whether a message of this match is the one that shows a spot.

        Where none is remembered, because the process ended too soon, from now on it is this one.
        """
        post = await self._posts.get(table.match.id, slot)
        if post is None:
            await self._posts.put(table.match.id, slot, message.channel.id, message.id)
        return post is None or post.message_id == message.id

    def messages(self, match_id: str) -> MatchMessages:
        """Return the upkeep of a match's messages."""
        return self._reconciler.of(match_id)

    def reconciled(self) -> list[str]:
        """Return the ids of the matches whose messages were brought up to date here, and did not end."""
        return self._reconciler.matches()

    def missed(self) -> None:
        """Know of no message any more what it shows: others may have changed it, unheard."""
        self._reconciler.forget_shown()

    def let_go(self) -> None:
        """Keep up the messages of matches no more that others care for by now."""
        self._reconciler.drop(lambda messages: not self.handover.has(messages.guild_id))

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        await self._reconciler.close()

    # ---- showing -------------------------------------------------------------------------------

    def _access(self, match: Match) -> ChannelAccess:
        return self._permissions.of(match)

    def signature(self, table: Table, slot: str) -> object:
        """Return what tells one state to be shown in a spot from another."""
        seat = next((seat for seat in range(len(table.match.players)) if hand_slot(seat) == slot), None)
        if seat is not None and self._panel_seconds(table, seat):
            return (_OPEN, self._access(table.match))
        is_hand = seat is not None and table.state is not None
        mark = hand_mark(table, seat or 0) if is_hand else (table.signature, self._halted_at)
        return (mark, self._access(table.match))

    def answered_signature(self, table: Table, slot: str) -> object | None:
        """Return the signature of what an answer has shown in a spot.

        None for a hand where a panel is open by now: the answer did not say that the hand is there.
        """
        signature = self.signature(table, slot)
        return None if signature == (_OPEN, self._access(table.match)) else signature

    async def _show_match(self, match_id: str, messages: MatchMessages) -> bool:
        """Show all messages of a match; returns whether it is over."""
        table = await self._tables.look(match_id)
        if self._may_show(table, messages):
            await yield_to_clicks()
            table = await self._tables.look(match_id)
        is_lesson, messages.guild_id = table.match.is_lesson, table.match.guild_id
        if not self.handover.owns(table.match):  # but panels that were asked for here are edited here
            await self._show_panels(match_id, messages)
            return True
        if not is_lesson:
            await self._try(table, messages, self._show_table(table, messages))
            await self._try(table, messages, self.calls.remind(table, messages))
        await self._try(table, messages, self._show_panels(match_id, messages))
        if table.state is not None and table.game.info.hidden_hands and not is_lesson:
            players = table.match.players
            seats = [seat for seat in range(len(players)) if self._waits(table, seat, messages)]
            await asyncio.gather(
                *(self._try(table, messages, self._show_hand(table, seat, messages)) for seat in seats)
            )
        is_full = table.match.guest or self._access(table.match).is_full  # a guest can do no more
        is_live = table.match.stage.is_live
        is_left = messages.failed or messages.held_back or messages.answering or messages.call_waits
        is_left = is_left or self._halted_at is not None
        if is_full and not is_left and self.handover.owns(table.match):
            self._tables.shown(table)
        self._held.note(table.match, is_held=not is_full and is_live)
        return not is_live

    def _may_show(self, table: Table, messages: MatchMessages) -> bool:
        """Return whether there may be something to show: the table, a panel or a hand."""
        is_shown = messages.shown.get(TABLE_SLOT) == self.signature(table, TABLE_SLOT)
        return not is_shown or table.game.info.hidden_hands or self.private.is_open(table.match.id)

    async def _show_panels(self, match_id: str, messages: MatchMessages) -> None:
        async def hand(table: Table, seat: int) -> Content:
            return fitting(await self.hand(table, seat), self._access(table.match))

        await self.private.refresh(
            match_id,
            look=partial(self._tables.look, match_id),
            hand=hand,
            is_answered=lambda seat: hand_slot(seat) in messages.answering,
        )

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
        if TABLE_SLOT in messages.answering:
            messages.passed_over.add(TABLE_SLOT)
            return
        moves = await self._moves.are_due(table, messages)
        if moves:
            messages.shown.pop(TABLE_SLOT, None)

        async def make(now: Table) -> Content:
            content, halted_at = await self.table(now), self._halted_at
            if halted_at is None:
                return content
            with speaking(content.language):
                return with_line(content, halted_words(halted_at))

        async def show(make: MakeSheet) -> None:
            await self._messenger.show(table, make, lambda: self.pointer(table), anew=moves)

        await self._unless_shown(table, TABLE_SLOT, messages, make, show)

    def _waits(self, table: Table, seat: int, messages: MatchMessages) -> bool:
        """Return whether a player's DMs may have something to show; most moves change one hand."""
        if table.match.players[seat].is_frog:
            return False
        slot = hand_slot(seat)
        is_shown = messages.shown.get(slot) == self.signature(table, slot)
        return not is_shown or slot in messages.answering or self._panel_seconds(table, seat) > 0

    async def _show_hand(self, table: Table, seat: int, messages: MatchMessages) -> None:
        """Show a hand in its player's DMs; while a panel shows it, the DM only says where it is."""
        player = table.match.players[seat]
        slot = hand_slot(seat)
        panel_seconds = self._panel_seconds(table, seat)
        if panel_seconds:
            messages.look_in(panel_seconds)
            if await self._posts.get(table.match.id, slot) is None:
                return

        async def make(now: Table) -> Content:
            if self._panel_seconds(now, seat):
                return open_hand_content(now)
            return await self.hand(now, seat)

        async def show(make: MakeSheet) -> None:
            delivery = await self._messenger.show_in_dm(table, slot, player.id, make)
            if delivery is Delivery.REFUSED:
                await self.calls.say_no_dm(table, seat, dms_closed_words)
            if delivery is Delivery.FLAGGED and seat not in messages.told:
                messages.told.add(seat)
                await self.calls.say_no_dm(table, seat, no_dms_words)

        await self._unless_shown(table, slot, messages, make, show)

    def _panel_seconds(self, table: Table, seat: int) -> float:
        return self.private.seconds_left(table, table.match.players[seat].id)

    async def _unless_shown(
        self,
        table: Table,
        slot: str,
        messages: MatchMessages,
        make: Callable[[Table], Awaitable[Content]],
        show: Callable[[MakeSheet], Awaitable[None]],
    ) -> None:
        """Show a spot unless it shows the table already, as it stands when it is its turn."""
        if slot in messages.answering:
            messages.passed_over.add(slot)
            return
        is_sent, signature = False, self.signature(table, slot)
        messages.passed_over.discard(slot)
        if messages.shown.get(slot) == signature:
            return

        async def look() -> Seen | None:
            nonlocal is_sent, signature
            now = None if slot in messages.answering else await self._tables.look(table.match.id)
            if now is None or not self.handover.owns(now.match):
                messages.passed_over.add(slot)
                is_sent, signature = False, messages.shown.get(slot)
                return None
            signature = self.signature(now, slot)
            is_sent = messages.shown.get(slot) != signature
            return (signature, partial(make, now)) if is_sent else None

        try:
            await show(partial(self._low_priority.latest, look))
            messages.shown[slot] = signature
        except NOT_SENT:  # it may have arrived all the same
            messages.shown.pop(slot, None)
            raise
        finally:
            if is_sent and slot in messages.answering:
                messages.doubtful.add(slot)
