"""Forgetting somebody or a server, as asked for, and what is due by itself, some of it at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.delivery.display import Display
from bot.delivery.player_names import PlayerNames
from bot.engine.errors import IllegalMoveError
from bot.engine.name_sanitizing import new_placeholder
from bot.engine.words import _
from bot.matches.leaderboard import DAY_SECONDS
from bot.matches.shards import Shards
from bot.requests.budget import Priority
from bot.sessions.errors import TableError
from bot.sessions.seating import Seating
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import PLAYER
from bot.storage.database import Database
from bot.storage.forgetting import ForgottenListError
from bot.storage.sql import Record, Sql
from bot.storage.writer import Store

log = structlog.get_logger(__name__)

KEPT_SECONDS = 90 * DAY_SECONDS
"""How long a server is remembered that took the bot out, and a name that no leaderboard shows."""

AT_ONCE = 200
"""How many matches, servers, names or players are gone through at a time."""

_WIN_DAYS = 2
"""How many days it is kept who beat whom on a day: only the day of a match that ends is asked for."""


@dataclass(eq=False)
class Forgetting(Store):
    """Forgets who asks for it, and keeps nothing longer than docs/privacy.md says.

    Each process does by itself what belongs to its own ``shards``, so none is done by two.
    """

    database: Database
    _tables: Tables
    _seating: Seating
    _display: Display
    _names: PlayerNames
    _shards: Shards
    _get_guild: Callable[[int], object]
    _seats_at: int = 0
    """When seats are looked for that are to be given up."""
    _servers_at: int = 0
    """When servers are looked for that are without the bot."""
    _server: int = -1
    """After which server it goes on."""

    def __post_init__(self) -> None:
        super().__init__(self.database.writer, self.database.surveying)
        self._unshown = UnshownNames(self.database)

    async def try_to_forget_person(self, player_id: int) -> None:
        """Forget a person; raises TableError if the list of forgotten people cannot be used."""
        try:
            await self.forget_person(player_id)
        except ForgottenListError as error:
            log.warning("nobody can be forgotten", error=error.sentence)
            raise TableError(
                _(
                    "I can't forget you now, because my list of forgotten people can't be written. "
                    "Whoever runs me has to look at it. Please try again later."
                )
            ) from error

    async def forget_person(self, player_id: int) -> None:
        """Forget a person; their live seats are given up, as if they had left by themselves.

        They are another from the first step on: whatever they click meanwhile, or after a stop in
        between, is a new player's, and who still sits there is taken away a day later at most.
        """
        await self._names.settle()
        other = new_placeholder()
        await self.database.players.forget(player_id, other)
        self._tables.let_go(player_id)
        await self.give_up_seats()
        await self.database.players.forget(player_id, other)  # what was on its way meanwhile
        self._tables.let_go(player_id)
        await self.database.writer.empty_log()
        log.info("somebody was forgotten")

    async def give_up_seats(self) -> None:
        for match_id, player_id in await self.database.players.seats_left():
            is_live = True
            try:
                await self._give_up(await self._tables.look(match_id), player_id)
                is_live = (await self._tables.look(match_id)).match.stage.is_live
            except (TableError, IllegalMoveError):
                log.info("a seat was given up in that moment", match=match_id)
            await self._display.refreshed(match_id)
            if not is_live:  # what stood in their DMs has the ids of those still
                await self.database.players.forget(player_id, player_id)

    async def _give_up(self, table: Table, player_id: int) -> None:
        seat = table.match.seat_of(player_id)
        if table.match.is_lesson:
            await self._tables.stop(table.match.id)
        elif table.is_lobby or seat in table.people:  # else that one has left the match before
            await self._seating.leave(table.match.id, player_id)

    async def forget_server(self, guild_id: int, *, is_gone: bool) -> None:
        """Forget what was played in a server: its tables are closed, and its boards are empty.

        Where the bot ``is_gone`` its settings go, too. What stops in between goes on when asked again.
        """
        for match_id in await self._tables.live_of(guild_id):
            try:
                await self._tables.stop(match_id)
            except TableError:
                log.warning("a table that is not understood stays as it is", match=match_id)
            await self._display.refreshed(match_id, Priority.UPKEEP)
        while matches := await self._writer.write(lambda sql: _detach_some(sql, guild_id)):
            for match_id in matches:
                self._tables.live_match(match_id).table = None  # it stands somewhere else by now

        async def work(sql: Sql) -> None:
            for forget in sql.beginning("forget_server_").values():
                await forget(guild_id=guild_id, is_gone=int(is_gone))

        await self._writer.write(work)
        self._writer.owes_log = True
        await self.database.writer.empty_log()
        self.database.players.forget_read()
        if is_gone:
            self.database.servers.forget_read(guild_id)
        log.info("a server was forgotten", server=guild_id)

    async def departed(self, guild_id: int, at: int) -> None:
        """Take note that a server has taken the bot out, in seconds since 1970."""
        await self._do("depart", guild_id=guild_id, at=at)

    async def came_back(self, guild_id: int) -> None:
        await self._do("come_back", guild_id=guild_id)

    async def what_is_due(self) -> None:
        """Forget the next server that is due, and look at some more names.

        At the start and once a day those give up their seats who were forgotten while no bot ran, or by
        one that was stopped meanwhile; and servers are looked for that took the bot out unheard.
        """
        now, is_first = self._tables.clock(), self._shards.has(None)
        if is_first and now >= self._seats_at:
            await self.give_up_seats()
            self._seats_at = now + DAY_SECONDS
        if now >= self._servers_at:
            await self._note_departures(now)
        for row in await self._list("departed", before=now - KEPT_SECONDS):
            if self._shards.has(row["guild_id"]):
                if self._get_guild(row["guild_id"]) is None:  # else it came back unheard
                    await self.forget_server(row["guild_id"], is_gone=True)
                await self.came_back(row["guild_id"])
                break
        if is_first:
            for player_id in await self._unshown.pass_on(now):
                self.database.players.forget_read(player_id)
        await self.database.writer.empty_log()

    async def _note_departures(self, now: int) -> None:
        """Look at some more servers, whether they took the bot out while it heard nothing of that."""
        for _server in range(AT_ONCE):
            guild_id = await self._ask("next_server", guild_id=self._server)
            if guild_id is None:
                self._server, self._servers_at = -1, now + DAY_SECONDS
                break
            if self._shards.has(guild_id) and self._get_guild(guild_id) is None:
                await self._do("depart_unheard", guild_id=guild_id, at=now)
            self._server = guild_id


async def _detach_some(sql: Sql, guild_id: int) -> list[str]:
    """Detach some of a server's ended matches from it; returns which, none for no more."""
    found = sql.server_matches(guild_id=guild_id, limit=AT_ONCE)
    matches = [row["id"] async for row in found]
    for match_id in matches:
        for detach in sql.beginning("detach_").values():
            await detach(match_id=match_id)
    return matches


class UnshownNames(Store):
    """Forgets names that no leaderboard shows: all are gone through once a day, some at a time."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.writer, database.surveying)
        self._pubsub = database.pubsub
        self._name = {"guild_id": -1, "player_id": -1}
        self._player = {"player_id": -1}
        """After which name, and which player, it goes on."""
        self._rests_until = 0

    async def pass_on(self, now: int) -> list[int]:
        """Go through some more of all names, and of all players; returns whose names are gone by it.

        A name is marked when it is first found on no board, and forgotten long after that: nothing has
        to be written while people play.
        """
        if now < self._rests_until:
            return []
        long_ago, day = now - KEPT_SECONDS, now // DAY_SECONDS - _WIN_DAYS

        async def work(sql: Sql) -> tuple[list[Record], list[Record], set[int]]:
            names = [row async for row in sql.names_after(**self._name, limit=AT_ONCE)]
            players = [row async for row in sql.players_after(**self._player, limit=AT_ONCE)]
            drop_player, gone = (sql.drop_names_of, sql.drop_seat_names), set[int]()
            for row, mark, drops in (
                *((row, sql.mark_name, [sql.drop_name]) for row in names),
                *((row, sql.mark_player, drop_player) for row in players),
            ):
                since = row["unshown_since"]
                if bool(row["is_shown"]) is (since is not None):
                    await mark(**row, since=None if row["is_shown"] else now)
                elif since is not None and since <= long_ago:
                    gone.add(row["player_id"])
                    for drop in drops:
                        await drop(**row, before=long_ago)
            await sql.drop_old_wins_over(day=day, limit=AT_ONCE)
            await sql.drop_forgotten_days(day=day + 1)
            for player_id in gone:
                await self._pubsub.note(sql, PLAYER, {"id": player_id})
            return names, players, gone

        names, players, gone = await self._writer.write(work)
        self._writer.owes_log |= bool(gone)
        self._name = {key: names[-1][key] for key in self._name} if names else self._name
        self._player = {key: players[-1][key] for key in self._player} if players else self._player
        if not names and not players:
            self._name, self._player = dict.fromkeys(self._name, -1), dict.fromkeys(self._player, -1)
            self._rests_until = now + DAY_SECONDS
        return sorted(gone)
