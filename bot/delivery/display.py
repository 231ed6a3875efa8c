"""Updates of all matches' Discord messages, and checks whether a match can be shown and played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container
from contextlib import suppress

from bot.delivery.channels import Channels
from bot.delivery.match_messages import AllMessages
from bot.delivery.message_plans import Plans
from bot.delivery.turn_pings import RecentActivity, TurnPings
from bot.matches.match import Match
from bot.messages.channel_access import NoAccess
from bot.requests.budget import Priority
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import MATCH
from bot.storage.database import Database

CLOSE_SECONDS = 1.5


class Display(AllMessages):
    """The Discord messages of all matches, with the services that keep them up to date.

    If the table message cannot be shown, players continue in DMs and ephemeral messages. The table is
    shown again as soon as Discord allows it. If the channel was deleted, the match ends. If the bot was
    removed from the server, the match is paused for a week.

    Attributes:
        silent_since: Returns the Unix time since which the bot has been disconnected or has missed
            heartbeats. Returns None if it is running normally.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        plans: Plans,
        channels: Channels,
        recent_activity: RecentActivity,
    ) -> None:
        calls = TurnPings(plans, channels, recent_activity)
        super().__init__(tables, plans, channels, calls)
        self.database, self.players = database, database.players
        self.appearances = plans.appearances
        self.permissions = channels.permissions
        self.recent_activity = recent_activity
        self.silent_since: Callable[[], int | None] = lambda: None

    def refresh(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Schedule a refresh of all messages of a match, even if the match has not changed."""
        self.messages_of_match(match_id).refresh(priority)

    async def refresh_now(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Refresh a match's messages, and wait until all of them are updated."""
        messages = self.messages_of_match(match_id)
        messages.refresh(priority)
        while messages.tasks:
            await asyncio.wait(messages.tasks)

    def schedule_update(self, match_id: str, priority: Priority = Priority.CLICK) -> None:
        """Schedule an update of a match's messages after the match may have changed."""
        self.messages_of_match(match_id).update(priority)

    def possibly_outdated(self, live: Container[str]) -> list[str]:
        """Return the IDs of loaded matches whose messages may be outdated.

        Args:
            live: The IDs of the live matches. Of these, the result only contains matches with panels
                (ephemeral messages with a player's hand).
        """
        return [
            messages.match_id
            for messages in self.loaded_messages
            if messages.match_id not in live or messages.panel_keys
        ]

    async def drop_panel_elsewhere(
        self, match: Match, player_id: int, *, is_stale: bool = False
    ) -> None:
        """Delete the ephemeral message with a player's hand after the player has clicked in the DMs.

        If another process owns the match, notify that process.

        Args:
            match: The match.
            player_id: The player.
            is_stale: True if the message in the DMs now shows an outdated state.
        """
        self.messages_of_match(match.id).drop_panel(player_id, deletes=True)
        if not self.plans.owns(match):
            self.database.posts.forget(match.id)  # its owner may have sent new messages
            about = {"match": match.id, "guild": match.guild_id, "player": player_id, "stale": is_stale}
            await self.database.pubsub.notify(MATCH, about)

    # ---- where matches can be shown --------------------------------------------------------------

    def unplayable_since(self, match: Match) -> int | None:
        """Return the Unix time since which a match cannot be played, or None if it can be played.

        A match cannot be played while the bot is disconnected, has no access to the server or channel,
        or cannot reach Discord. If it is unknown when this began, the current time is returned.
        """
        silent_since, failing = self.silent_since(), self.channels.requests.budget.failing_seconds
        if silent_since is not None:
            return silent_since
        is_told = match.guild_id is None or self.permissions.serves(match.guild_id)
        if self.permissions.match_access(match).no_access not in {None, NoAccess.GUEST} or not is_told:
            return self.plans.clock()
        return None if failing is None else self.plans.clock() - int(failing)

    def access_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Refresh the matches that the bot could not show.

        Called after its access to channels has changed.

        Args:
            guild_id: The server, or None for all servers.
            channel_id: The channel that changed, or None if several may have changed.
        """
        self.permissions.record_change(channel_id)
        held = [match_id for match_id, server in self.held.items() if guild_id in {None, server}]
        for match_id in held:
            self.refresh(match_id, Priority.UPKEEP)
            self.tables.check_soon(match_id)

    def announce_storage_failure(self, is_halted: bool) -> None:
        """Show at the tables in use that a storage failure has paused play, or that play continues.

        Args:
            is_halted: True if the storage has failed, False if it works again.
        """
        self.plans.halted_at = self.plans.clock() if is_halted else None
        match_ids = {*self.tables.matches.in_use(), *self.shown_while_halted}
        self.shown_while_halted.clear()
        for match_id in match_ids:
            self.refresh(match_id, Priority.UPKEEP)

    async def close(self) -> None:
        """Wait up to ``CLOSE_SECONDS`` for running updates, then cancel the rest.

        The bot makes up for the cancelled updates after its next start.
        """
        self.is_closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while tasks := [task for messages in self.loaded_messages for task in messages.tasks]:
                    await asyncio.wait(tasks)
        await asyncio.gather(*(messages.close() for messages in self.loaded_messages))
