"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import discord
import structlog

from bot.delivery.content import Contents
from bot.delivery.match_messages import MatchMessages
from bot.delivery.messenger import Messenger
from bot.delivery.private_panels import PrivatePanels
from bot.delivery.recent_activity import RecentActivity
from bot.delivery.reconcile import Reconciler
from bot.delivery.reposting import Moves
from bot.delivery.scheduler import Scheduler
from bot.delivery.slot import TABLE_SLOT, Slot, Step
from bot.delivery.turn_pings import TurnPings
from bot.engine.match import Match, Waiting
from bot.engine.shards import Shards
from bot.messages.channel_access import NoAccess
from bot.messages.components import Content
from bot.requests.appearance import Appearances
from bot.requests.budget import Budget, Priority
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.message_requests import Requests
from bot.requests.priority import LowPriority
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import MATCH, Players, Posts, PubSub, Servers, Standings

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
        pubsub: PubSub,
        shards: Shards,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970; ``shards`` are those that this process runs."""
        super().__init__(
            client,
            posts=posts,
            players=players,
            servers=servers,
            standings=standings,
            permissions=permissions,
            appearances=appearances,
            shards=shards,
            clock=clock,
        )
        self._tables = tables
        self._pubsub = pubsub
        self._messenger = messenger
        self._requests = requests
        self._budget = budget
        self.silent_since: Callable[[], int | None] = lambda: None
        """Returns since when the bot has not been connected, or could not store anything, or None."""
        self._moves = Moves(posts=posts, requests=requests, permissions=permissions, clock=clock)
        self._scheduler = Scheduler(self._show, budget)
        low_priority = LowPriority()
        self.private = PrivatePanels(self._scheduler, low_priority, self.planned_panel, clock)
        self.recent_activity = recent_activity
        self.calls = TurnPings(
            tables=tables,
            posts=posts,
            messenger=messenger,
            recent_activity=recent_activity,
            contents=self,
            players=players,
            clock=clock,
        )
        self._reconciler = Reconciler(
            tables=tables,
            posts=posts,
            contents=self,
            messenger=messenger,
            requests=requests,
            permissions=permissions,
            moves=self._moves,
            private=self.private,
            calls=self.calls,
            low_priority=low_priority,
            channel_gone=self.channel_gone,
        )

    def _show(self, match_id: str, messages: MatchMessages) -> Awaitable[bool]:
        return self._reconciler.show(match_id, messages)

    async def plan(self, table: Table, key: str, slot: Slot) -> Content:
        """Return what the message of a slot should show of a table as it stands."""
        return await self._reconciler.plan(table, key, slot)

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
            return self._clock()
        return None if failing is None else self._clock() - int(failing)

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        return self._scheduler.start(match_id, priority)

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
        messages = self._scheduler.of(table.match.id)
        slot = messages.slots[TABLE_SLOT]
        is_shown = slot.shows is not None and slot.step.n == table.n
        stays = self._permissions.of(table.match).is_full and self._moves.looked_lately(messages)
        return is_shown and stays and messages.is_idle and self.halted_at is None

    def found(self, table: Table) -> None:
        """Take note of a table that was read: where all its messages are right, they stay."""
        match = table.match
        is_new = match.stage.is_live and not self._scheduler.has(match.id)
        if is_new and self.owns(match) and not self.may_differ(match):
            messages = self._scheduler.of(match.id)
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
        for match_id in self._reconciler.held.matches(guild_id):
            self.refresh(match_id, Priority.UPKEEP)
            self._tables.look_soon(match_id)

    def is_news(self, channel_id: int | None) -> bool:
        """Take note that a filter refuses words in a channel; returns whether that is news."""
        return self._permissions.blocks(channel_id or 0)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped, for nothing can be stored, or no longer so."""
        self.halted_at = self._clock() if is_halted else None
        for match_id in self._tables.in_use():
            self.refresh(match_id, Priority.UPKEEP)

    async def channel_gone(self, match: Match) -> None:
        """End a match whose channel was deleted, and say so to those who have a hand of it.

        The one try of a day waits to be taken up elsewhere.
        """
        log.info("table's channel is gone", match=match.id, channel=match.channel_id)
        self._permissions.refused(self._permissions.of(match), NoAccess.GONE)
        if match.stage.is_live and not match.day:
            await self._tables.stop(match.id)
        self.refresh(match.id, Priority.UPKEEP)

    def is_lost(self, match: Match) -> bool:
        """Return whether a match stands in a server, or a channel, that is gone for Ribit."""
        access = self._permissions.of(match)
        return access.no_access is NoAccess.REMOVED or (
            not access.is_known
            and match.guild_id is not None
            and self._permissions.serves(match.guild_id)
        )

    async def clicked_apart(self, match: Match, player_id: int, *, is_stale: bool = False) -> None:
        """Take note that a player plays in DMs: a panel of the hand goes, and so it does at its owner's.

        ``is_stale``: the answer there has shown a state that others have changed meanwhile.
        """
        self.private.leave(match.id, player_id)
        if not self.owns(match):
            self._posts.forget(match.id)  # its owner may have sent others
            about = {"match": match.id, "guild": match.guild_id, "player": player_id, "stale": is_stale}
            await self._pubsub.tell(MATCH, about)

    def shown(self, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that an answer to an interaction has made a message of a table show it."""
        self._requests.tokens[message_id] = interaction

    def answer_in(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose answer a message shows, where that was just now."""
        return self._requests.tokens.get(message_id)

    def slot(self, match_id: str, key: str) -> Slot:
        """Return what is known of one message of a match."""
        return self._scheduler.of(match_id).slots[key]

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
        messages = self._scheduler.of(table.match.id)
        messages.seen = table.signature
        messages.slots[TABLE_SLOT].shows = hash(content)
        messages.slots[TABLE_SLOT].step = Step(table.n)
        self.shown(message_id, interaction)

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
        return self._scheduler.of(match_id)

    def reconciled(self) -> list[str]:
        """Return the ids of the matches whose messages were brought up to date here, and did not end."""
        return self._scheduler.matches()

    def with_panels(self) -> list[str]:
        """Return the ids of the matches that private panels are open on."""
        return self._scheduler.with_panels()

    def missed(self) -> None:
        """Know of no message any more what it shows: others may have changed it, unheard."""
        self._scheduler.forget_shown()

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        await self._scheduler.close()
