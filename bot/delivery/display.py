"""The messages of all matches in this process: which are to be shown, and where that is possible."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container
from contextlib import suppress

from bot.delivery.match_messages import AllMessages
from bot.delivery.places import Channels
from bot.delivery.plans import Plans
from bot.delivery.turn_pings import RecentActivity, TurnPings
from bot.matches.match import Match
from bot.messages.channel_access import NoAccess
from bot.requests.budget import Priority
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import MATCH
from bot.storage.database import Database

CLOSE_SECONDS = 1.5


class Display(AllMessages):
    """Shows matches as they are stored, as far as Discord allows that now.

    A match whose table cannot be shown goes on by DM and My hand, and its table is shown again once
    that is possible. If the channel was deleted, the match ends. If the bot was taken out of the server,
    the match waits for the bot for a week.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        plans: Plans,
        channels: Channels,
        recent_activity: RecentActivity,
    ) -> None:
        calls = TurnPings(tables, plans, channels, recent_activity, database)
        super().__init__(tables, plans, channels, calls)
        self.database, self.players = database, database.players
        self.appearances = plans.appearances
        self.permissions = channels.permissions
        self.recent_activity = recent_activity
        self.silent_since: Callable[[], int | None] = lambda: None
        """Returns since when the bot has not been connected, or could not store anything, or None."""

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Plan all messages of a match again soon, also if its table is the same."""
        self.of(match_id).refresh(priority)

    async def refreshed(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Refresh the messages of a match, and wait until that is done."""
        messages = self.of(match_id)
        messages.refresh(priority)
        while messages.tasks:
            await asyncio.wait(set(messages.tasks))

    def changed(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Show the table of a match soon, which may have changed."""
        self.of(match_id).update(priority)

    def unsure(self, live: Container[str]) -> list[str]:
        """Return the IDs of matches whose messages may differ from what is stored.

        Of the ``live`` matches those are meant that have panels, of all others any.
        """
        return [
            messages.match_id
            for messages in self.known
            if messages.match_id not in live or messages.has_open_panels
        ]

    async def clicked_apart(self, match: Match, player_id: int, *, is_stale: bool = False) -> None:
        """Delete the panel of a player who uses the DMs, also in the process that owns the match.

        ``is_stale``: the answer in the DMs has shown a state that others have changed meanwhile.
        """
        self.of(match.id).drop_panel(player_id, deletes=True)
        if not self.plans.owns(match):
            self.database.posts.forget(match.id)  # its owner may have sent others
            about = {"match": match.id, "guild": match.guild_id, "player": player_id, "stale": is_stale}
            await self.database.pubsub.tell(MATCH, about)

    # ---- where matches can be shown --------------------------------------------------------------

    def unplayable_since(self, match: Match) -> int | None:
        """Return since when a match cannot be played, or None if it can: the one rule for that.

        The bot is not connected, its server or channel is shut to the bot, or Discord refuses
        everything. If it is unknown since when, it is since now.
        """
        silent_since, failing = self.silent_since(), self.channels.requests.budget.failing_seconds
        if silent_since is not None:
            return silent_since
        is_told = match.guild_id is None or self.permissions.serves(match.guild_id)
        if self.permissions.of(match).no_access not in {None, NoAccess.GUEST} or not is_told:
            return self.plans.clock()
        return None if failing is None else self.plans.clock() - int(failing)

    def access_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Show what could not be shown in a server, or in any, if a channel or more has changed."""
        self.permissions.changed(channel_id)
        for match_id in self.held.matches(guild_id):
            self.refresh(match_id, Priority.UPKEEP)
            self.tables.look_soon(match_id)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped as nothing can be stored, or no longer so."""
        self.plans.halted_at = self.plans.clock() if is_halted else None
        for match_id in self.tables.in_use():
            self.refresh(match_id, Priority.UPKEEP)

    async def close(self) -> None:
        """Finish what is in progress, unless that takes too long: the next start shows it then."""
        self.is_closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while tasks := [task for messages in self.known for task in messages.tasks]:
                    await asyncio.wait(tasks)
        for messages in self.known:
            messages.close()
        await self.background.close()
