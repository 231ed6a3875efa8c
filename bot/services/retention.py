"""What is forgotten by itself, some of it at a time: who is due, and who may do it."""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.engine.leaderboard import DAY_SECONDS
from bot.engine.shards import Shards
from bot.services import Services
from bot.services.forgetting import forget_server, give_up_seats


class Retainer:
    """Keeps nothing longer than docs/privacy.md says.

    Each process does what belongs to its own shards, so none is done by two.
    """

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        clock: Callable[[], int],
        shards: Shards | None,
    ) -> None:
        """``clock`` returns the seconds since 1970; ``shards`` are the process's, None for all."""
        self._client = client
        self._services = services
        self._clock = clock
        self._shards = shards
        self._seats_at = self._servers_at = 0
        """When seats are looked for that are to be given up, and servers without the bot."""
        self._server = -1
        """After which server it goes on."""

    async def __call__(self) -> None:
        """Forget the next server that is due, and look at some more names.

        At the start and once a day those give up their seats who were forgotten while no bot ran, or by
        one that was stopped meanwhile; and servers are looked for that took the bot out unheard.
        """
        retention, now, is_first = self._services.retention, self._clock(), self._has(None)
        if is_first and now >= self._seats_at:
            await give_up_seats(self._services)
            self._seats_at = now + DAY_SECONDS
        if now >= self._servers_at:
            await self._note_departures(now)
        for guild_id in await retention.due(now):
            if self._has(guild_id):
                await self._forget(guild_id)
                break
        if is_first:
            for player_id in await retention.pass_on(now):
                self._services.players.forget_read(player_id)
        await retention.empty_log()

    def _has(self, guild_id: int | None) -> bool:
        return self._shards is None or self._shards.has(guild_id)

    async def _note_departures(self, now: int) -> None:
        """Look at some more servers, whether they took the bot out while it heard nothing of that."""
        retention = self._services.retention
        servers = await retention.servers_after(self._server)
        for guild_id in servers:
            if self._has(guild_id) and self._client.get_guild(guild_id) is None:
                await retention.departed_unheard(guild_id, now)
        self._server = servers[-1] if servers else -1
        if not servers:
            self._servers_at = now + DAY_SECONDS

    async def _forget(self, guild_id: int) -> None:
        """Forget a server, unless the bot is there again: that may have been while it did not run."""
        if self._client.get_guild(guild_id) is None:
            await forget_server(self._services, guild_id, is_gone=True)
        else:
            await self._services.retention.came_back(guild_id)
