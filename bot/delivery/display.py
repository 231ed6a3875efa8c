"""The messages of all matches in this process, and where they can be shown."""

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
    """The display of all stored matches, as far as Discord allows it.

    A match whose table cannot be shown continues in DMs and ephemeral hands. Its table is shown again
    when that becomes possible. If the channel was deleted, the match ends. If the bot was removed from
    the server, the match is paused for a week.

    Attributes:
        silent_since: Returns the Unix time since which the bot has been disconnected or unable to store
            anything, or None.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        plans: Plans,
        channels: Channels,
        recent_activity: RecentActivity,
    ) -> None:
        calls = TurnPings(tables, plans, channels, recent_activity)
        super().__init__(tables, plans, channels, calls)
        self.database, self.players = database, database.players
        self.appearances = plans.appearances
        self.permissions = channels.permissions
        self.recent_activity = recent_activity
        self.silent_since: Callable[[], int | None] = lambda: None

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Schedule a refresh of all messages of a match, even if its table is unchanged."""
        self.of(match_id).refresh(priority)

    async def refresh_now(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Refresh the messages of a match, and wait until they are updated."""
        messages = self.of(match_id)
        messages.refresh(priority)
        while messages.tasks:
            await asyncio.wait(messages.tasks)

    def changed(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Schedule an update of the messages of a match that may have changed."""
        self.of(match_id).update(priority)

    def unsure(self, live: Container[str]) -> list[str]:
        """Return the IDs of matches whose messages may be outdated.

        Args:
            live: The IDs of live matches. These are returned only if they have open panels.
        """
        return [
            messages.match_id
            for messages in self.known
            if messages.match_id not in live or messages.has_open_panels
        ]

    async def drop_panel_elsewhere(
        self, match: Match, player_id: int, *, is_stale: bool = False
    ) -> None:
        """Delete the panel of a player who uses the DMs, and notify the owner of the match.

        Args:
            match: The match.
            player_id: The player.
            is_stale: True if the answer in the DMs has shown a state that is no longer the newest.
        """
        self.of(match.id).drop_panel(player_id, deletes=True)
        if not self.plans.owns(match):
            self.database.posts.forget(match.id)  # its owner may have sent new messages
            about = {"match": match.id, "guild": match.guild_id, "player": player_id, "stale": is_stale}
            await self.database.pubsub.tell(MATCH, about)

    # ---- where matches can be shown --------------------------------------------------------------

    def unplayable_since(self, match: Match) -> int | None:
        """Return the Unix time since which a match cannot be played, or None if it can.

        A match cannot be played while the bot is disconnected, lacks access to the server or channel, or
        fails to reach Discord. If the time is unknown, the current time is returned.
        """
        silent_since, failing = self.silent_since(), self.channels.requests.budget.failing_seconds
        if silent_since is not None:
            return silent_since
        is_told = match.guild_id is None or self.permissions.serves(match.guild_id)
        if self.permissions.of(match).no_access not in {None, NoAccess.GUEST} or not is_told:
            return self.plans.clock()
        return None if failing is None else self.plans.clock() - int(failing)

    def access_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Refresh the matches that could not be shown in a server, because the bot's access changed.

        Args:
            guild_id: The server, or None for all servers.
            channel_id: The channel that changed, or None if more than one may have changed.
        """
        self.permissions.changed(channel_id)
        for match_id in self.held.matches(guild_id):
            self.refresh(match_id, Priority.UPKEEP)
            self.tables.look_soon(match_id)

    def announce_halt(self, is_halted: bool) -> None:
        """Show at the tables in use that play is paused by a storage failure, or that it continues."""
        self.plans.halted_at = self.plans.clock() if is_halted else None
        for match_id in self.tables.in_use():
            self.refresh(match_id, Priority.UPKEEP)

    async def close(self) -> None:
        """Wait a short time for updates in progress, then stop. The next start shows the rest."""
        self.is_closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while tasks := [task for messages in self.known for task in messages.tasks]:
                    await asyncio.wait(tasks)
        await asyncio.gather(*(messages.close() for messages in self.known))
