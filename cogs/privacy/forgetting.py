"""Deletion of the data of users and servers.

Data is deleted on request or after its retention period. Expired data is deleted in small steps.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.delivery.display import Display
from bot.delivery.name_updates import PlayerNames
from bot.engine.errors import IllegalMoveError
from bot.engine.name_sanitizing import new_placeholder
from bot.engine.translation import _
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.shards import Shards
from bot.requests.budget import Priority
from bot.sessions.errors import TableError
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import PLAYER, SERVER_GONE
from bot.storage.database import Database
from bot.storage.forgetting import ForgottenListError
from bot.storage.named_queries import Sql
from bot.storage.writer import Store

log = structlog.get_logger(__name__)

KEPT_SECONDS = 90 * DAY_SECONDS
"""Retention in seconds for servers that removed the bot, and for names that no leaderboard shows."""

AT_ONCE = 200
"""Maximum number of matches, servers, names or players processed in one step."""

_LAST_ID = 2**63 - 1

_WIN_DAYS = 2
"""Number of days for which wins over other players are kept. Only the current day is ever queried."""


@dataclass(eq=False)
class Forgetting(Store):
    """A service that deletes users' and servers' data, on request or after its retention period.

    docs/privacy.md lists the retention periods. Each process handles only the servers of its own shards,
    so that no two processes do the same work.

    Attributes:
        _before: Functions that are called with a user's ID before the user's data is deleted.
        _due_at: The Unix time at which the next daily check of all servers starts.
        _server: The ID of the last server that the current check has processed, or -1 before the first.
    """

    database: Database
    _tables: Tables
    _seating: Seating
    _display: Display
    _names: PlayerNames
    _shards: Shards
    _get_guild: Callable[[int], object]
    _before: Sequence[Callable[[int], Awaitable[None]]] = ()
    _due_at: int = 0
    _server: int = -1

    def __post_init__(self) -> None:
        super().__init__(self.database.writer, self.database.surveying)
        self._unshown = UnshownNames(self.database)

    async def forget_person(self, player_id: int) -> None:
        """Delete a user's data and remove the user from active tables, as if the user had left.

        First, a placeholder replaces the user's ID in the database. If the user returns later, the bot
        treats them as a new player. If the bot stops before it has removed the user from all tables, the
        next daily check does so.

        Raises:
            TableError: The list of forgotten users cannot be written.
        """
        await self._names.settle()
        for prepare in self._before:
            await prepare(player_id)
        other = new_placeholder()
        try:
            await self.database.players.forget(player_id, other)
            await self.give_up_seats()
            await self.database.players.forget(player_id, other)  # data stored in the meantime
        except ForgottenListError as error:
            log.warning("deletion of player data failed", error=error.sentence)
            raise TableError(
                _(
                    "I can't forget you right now, because I can't save my list of forgotten "
                    "players. My host has to fix that. Please try again later."
                )
            ) from error
        await self._writer.empty_log()
        log.info("a player's data was deleted")

    async def give_up_seats(self) -> None:
        """Remove forgotten users from active tables, as if they had left."""
        for match_id, player_id in await self.database.players.seats_left():
            is_live = True
            try:
                await self._give_up(await self._tables.read(match_id), player_id)
                is_live = (await self._tables.read(match_id)).match.stage.is_live
            except (TableError, IllegalMoveError):
                log.info("seat was already given up", match=match_id)
            await self._display.refresh_now(match_id)
            if not is_live:  # the IDs of messages in their DMs are still stored
                await self.database.players.forget(player_id, player_id)

    async def _give_up(self, table: Table, player_id: int) -> None:
        seat = table.match.seat_of(player_id)
        if table.match.is_lesson:
            await self._tables.stop(table.match.id)
        elif table.is_lobby or seat in table.people:  # otherwise the player had left the match before
            await self._seating.leave(table.match.id, player_id)

    async def forget_server(self, guild_id: int, *, is_gone: bool) -> None:
        """Close a server's tables, clear its leaderboards and detach its matches from it.

        If the bot stops before this method returns, call it again to continue.

        Args:
            guild_id: The server's ID.
            is_gone: Whether the server has removed the bot. If so, its settings are also deleted.
        """
        for match_id in await self._tables.journal.live_of(guild_id):
            try:
                await self._tables.stop(match_id)
            except TableError:
                log.warning("table of an unknown version left unchanged", match=match_id)
            await self._display.refresh_now(match_id, Priority.UPKEEP)
        while matches := await self._writer.write(lambda sql: _detach_some(sql, guild_id)):
            for match_id in matches:
                self._tables.live_match(match_id).table = None  # stale, as it still has the server

        async def work(sql: Sql) -> None:
            for forget in sql.beginning("forget_server_").values():
                await forget(guild_id=guild_id, is_gone=int(is_gone))
            await self.database.pubsub.note(sql, SERVER_GONE, {"id": guild_id})

        await self._writer.write(work)
        self.database.pubsub.dispatch(SERVER_GONE, {"id": guild_id})
        self._writer.owes_log = True
        await self._writer.empty_log()
        log.info("a server's data was deleted", server=guild_id)

    async def clean_up(self) -> None:
        """Delete a small part of the expired data. This method is called regularly.

        Each call deletes the data of at most one server that removed the bot, and some expired player
        names. At the start and once a day, a check of all servers begins. It finds the servers that have
        removed the bot, and it removes forgotten users from active tables if an earlier deletion was
        interrupted.
        """
        now, is_first = self._tables.clock(), self._shards.has(None)
        if now >= self._due_at:
            if is_first and self._server < 0:
                await self.give_up_seats()
            await self._note_servers(now)
        for row in await self._list("departed"):
            guild_id, is_due = row["guild_id"], row["at"] <= now - KEPT_SECONDS
            is_back = self._get_guild(guild_id) is not None
            if self._shards.has(guild_id) and (is_due or is_back):
                if not is_back:
                    await self.forget_server(guild_id, is_gone=True)
                await self._do("come_back", guild_id=guild_id)
                break
        if is_first:
            await self._unshown.pass_on(now)
        await self._writer.empty_log()

    async def _note_servers(self, now: int) -> None:
        for _server in range(AT_ONCE):
            guild_id = await self._ask("next_server", guild_id=self._server)
            if guild_id is None:
                self._server, self._due_at = -1, now + DAY_SECONDS
                break
            if self._shards.has(guild_id) and self._get_guild(guild_id) is None:
                await self._do("depart", guild_id=guild_id, at=now)
            self._server = guild_id


async def _detach_some(sql: Sql, guild_id: int) -> list[str]:
    """Detach up to ``AT_ONCE`` finished matches from a server and return their IDs.

    The list is empty if no matches are left.
    """
    rows = sql.server_matches(guild_id=guild_id, limit=AT_ONCE)
    matches = [row["id"] async for row in rows]
    for match_id in matches:
        for detach in sql.beginning("detach_").values():
            await detach(match_id=match_id)
    return matches


class UnshownNames(Store):
    """A job that deletes player names that no leaderboard has shown for ``KEPT_SECONDS``.

    Once a day, the job goes through all players, up to ``AT_ONCE`` of them in each step.

    Attributes:
        _after: The ID of the last player that the current run has processed, or -1 before the first.
        _rests_until: The Unix time at which the next run may start.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database.writer, database.surveying)
        self._pubsub = database.pubsub
        self._after = -1
        self._rests_until = 0

    async def pass_on(self, now: int) -> None:
        """Process the names of the next ``AT_ONCE`` players. ``now`` is the current Unix time.

        If no leaderboard shows a name, the job marks the name with the time. If the name is still not
        shown KEPT_SECONDS later, a later run deletes it. Matches therefore do not need to update the
        marks when they end.
        """
        if now < self._rests_until:
            return
        first, day = self._after + 1, now // DAY_SECONDS - _WIN_DAYS

        async def work(sql: Sql) -> tuple[int | None, set[int]]:
            last = await sql.last_of_page(first=first, limit=AT_ONCE)
            span = {"first": first, "last": _LAST_ID if last is None else last}
            for mark in sql.beginning("mark_unshown_").values():
                await mark(**span, now=now)
            gone = set[int]()
            for drop in sql.beginning("drop_unshown_").values():
                rows = drop(**span, before=now - KEPT_SECONDS)
                gone |= {row["player_id"] async for row in rows}
            await sql.drop_old_wins_over(day=day, limit=AT_ONCE)
            await sql.drop_forgotten_days(day=day + 1)
            for player_id in gone:
                await self._pubsub.note(sql, PLAYER, {"id": player_id})
            return last, gone

        last, gone = await self._writer.write(work)
        for player_id in gone:
            self._pubsub.dispatch(PLAYER, {"id": player_id})
        self._writer.owes_log |= bool(gone)
        self._after = -1 if last is None else last
        if last is None:
            self._rests_until = now + DAY_SECONDS
