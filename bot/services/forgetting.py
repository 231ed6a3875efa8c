"""Forgetting somebody or a server, as asked for, and what is due by itself, some of it at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import discord
import structlog

from bot.engine.errors import IllegalMoveError
from bot.engine.forgotten import new_placeholder
from bot.engine.leaderboard import DAY_SECONDS
from bot.engine.shards import Shards
from bot.requests.budget import Priority
from bot.services import Services
from bot.sessions.errors import TableError
from bot.sessions.table import Table

log = structlog.get_logger(__name__)


async def forget_person(services: Services, player_id: int) -> None:
    """Forget a person; their live seats are given up, as if they had left by themselves.

    They are another from the first step on: whatever they click meanwhile, or after a stop in between,
    is a new player's, and who still sits there is taken away from the table a day later at most.
    """
    await services.names.settle()
    other = new_placeholder()
    await services.players.forget(player_id, other)
    services.tables.forget_player(player_id)
    await give_up_seats(services)
    await services.players.forget(player_id, other)  # what was on its way meanwhile
    services.tables.forget_player(player_id)
    await services.retention.empty_log()
    log.info("somebody was forgotten")


async def give_up_seats(services: Services) -> None:
    """Take all who were forgotten away from the tables at which they still sit."""
    for match_id, player_id in await services.players.seats_left():
        is_live = True
        try:
            await _give_up(services, await services.tables.look(match_id), player_id)
            is_live = (await services.tables.look(match_id)).match.stage.is_live
        except (TableError, IllegalMoveError):
            log.info("a seat was given up in that moment", match=match_id)
        await services.display.refreshed(match_id)
        if not is_live:  # what stood in their DMs has the ids of those still
            await services.players.forget(player_id, player_id)


async def _give_up(services: Services, table: Table, player_id: int) -> None:
    seat = table.match.seat_of(player_id)
    if table.match.is_lesson:
        await services.tables.stop(table.match.id)
    elif table.is_lobby or seat in table.people:  # else that one has left the match before
        await services.seating.leave(table.match.id, player_id)


async def forget_server(services: Services, guild_id: int, *, is_gone: bool) -> None:
    """Forget what was played in a server: its tables are closed, and its boards are empty.

    Where the bot ``is_gone`` its settings go, too. What stops in between goes on when it is asked again.
    """
    for match_id in await services.tables.live_of(guild_id):
        try:
            await services.tables.stop(match_id)
        except TableError:
            log.warning("a table that is not understood stays as it is", match=match_id)
        await services.display.refreshed(match_id, Priority.UPKEEP)
    while matches := await services.retention.forget_matches(guild_id):
        for match_id in matches:
            services.tables.live_match(match_id).table = None  # it stands somewhere else by now
    await services.retention.forget_server(guild_id, is_gone=is_gone)
    await services.retention.empty_log()
    services.players.forget_read()
    if is_gone:
        services.servers.forget_read(guild_id)
    log.info("a server was forgotten", server=guild_id)


@dataclass
class Retainer:
    """Keeps nothing longer than docs/privacy.md says; ``clock`` returns the seconds since 1970.

    Each process does what belongs to its own ``shards``, None for all, so none is done by two.
    """

    _client: discord.Client
    _services: Services
    _clock: Callable[[], int]
    _shards: Shards | None
    _seats_at: int = 0
    """When seats are looked for that are to be given up."""
    _servers_at: int = 0
    """When servers are looked for without the bot."""
    _server: int = -1
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
