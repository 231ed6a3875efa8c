"""Sitting down and getting up: lobbies opened, joined, left, started and ended."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import structlog

from bot.engine.match import Match, Player, Stage
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.sessions import events
from bot.sessions.decision.closing import check_may_stop, closes_at_once
from bot.sessions.errors import TableError, TableTakenError, TooManyError
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import Opening, check_may_rematch, new_match, place_of
from bot.sessions.ports import Servers
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

NOBODY = 0
"""Who sends somebody away where nobody at the table does: the server."""


class Seating:
    """Who sits at which table, until the cards are dealt and when somebody leaves."""

    def __init__(self, tables: Tables, servers: Servers) -> None:
        self._tables = tables
        self._servers = servers
        self._hosting = Hosting(tables, servers)

    async def open(
        self,
        opening: Opening,
        guild_id: int | None,
        channel_id: int,
        host: Player,
        match_id: str | None = None,
        *,
        company: tuple[Player, ...] = (),
    ) -> Table:
        """Open a lobby with its host seated; raises TableTakenError or TooManyError.

        ``match_id`` is a ``new_match_id`` given out before; ``company`` are who played a match before.
        """
        game = self._tables.games[opening.game]
        match = new_match(game.info, guild_id, channel_id, host, opening.limit, opening.options)
        match = replace(
            match,
            id=match_id or match.id,
            turn_seconds=opening.turn_seconds,
            secret=new_seed(),
            opened_by=host.interaction,
        )
        opened = events.Opened(opening.frogs, company)
        table = await self._hosting.open(match, place_of(channel_id), opened)
        log.info("lobby opened", match=match.id, game=match.game, channel=channel_id, player=host.id)
        return table

    async def check_may_host(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError for who could not open another table, or be dealt to, just now."""
        await self._hosting.check(game, guild_id, player_id)

    async def join(self, match_id: str, player: Player) -> Table:
        match = (await self._tables.look(match_id)).match
        is_barred = player.id in (await self._servers.get(match.guild_id)).barred
        return await self._tables.happens(match_id, events.Joined(player, is_barred))

    async def leave(self, match_id: str, player_id: int) -> Table:
        """Give a seat up: in a lobby, or out of a match that is being played.

        Only who may host another table gets the lobby: else two could open any number for each other.
        """
        match = (await self._tables.look(match_id)).match
        if match.stage is Stage.LOBBY:
            return await self._handing_over(match, events.Left(player_id))
        return await self._handing_over(match, events.GaveUp(player_id))

    async def remove(self, match_id: str, player_id: int, by_id: int, *, may_manage: bool) -> Table:
        """Take a player away from a table: its host may in the lobby, a moderator any time."""
        match = (await self._tables.look(match_id)).match
        table = await self._handing_over(match, events.Removed(player_id, by_id, may_manage))
        log.info("player removed", match=match_id, players=[player_id, by_id])
        return table

    async def bar(self, guild_id: int, player_id: int) -> list[str]:
        """Send a player whom a server has barred away from its tables; return those, by their ids."""
        if player_id not in (await self._servers.get(guild_id)).barred:
            return []
        seats = await self._tables.journal.seats_of(player_id, guild_id)
        for seat in seats:
            await self._without_barred(seat.match_id)
        return [seat.match_id for seat in seats]

    async def _without_barred(self, match_id: str) -> None:
        """Send away from a table whom its server has barred: from a match as a moderator does."""
        table = await self._tables.look(match_id)
        if table.is_solo or table.match.is_lesson:
            return
        for player_id in (await self._servers.get(table.match.guild_id)).barred:
            if table.match.seat_of(player_id) is not None:
                with suppress(TableError):  # who is out of the match, or left it just now
                    await self.remove(match_id, player_id, NOBODY, may_manage=True)

    async def _handing_over(
        self, match: Match, what: events.Left | events.GaveUp | events.Removed
    ) -> Table:
        check = await self._hosting.judge(match.game, match.guild_id)
        while True:
            try:
                return await self._tables.happens(match.id, what, check)
            except TooManyError as error:
                what = replace(what, full=what.full | {error.matches[0].host_id})

    async def start(self, match_id: str, player_id: int, interaction: int = 0) -> Table:
        await self._without_barred(match_id)
        return await self._tables.happens(match_id, events.Started(player_id, new_seed(), interaction))

    async def stop(self, match_id: str, player_id: int, *, may_manage: bool) -> Table:
        """End a live match without a result, where the server's settings let this player.

        In a match that is being played this asks all others first, or answers who asked.
        """
        settings = await self._servers.get((await self._tables.look(match_id)).match.guild_id)
        stopped = events.Stopped(player_id, settings.stoppers, may_manage)
        table = await self._tables.happens(match_id, stopped)
        log.info(
            "match stopped", match=match_id, player=player_id, is_over=not table.match.stage.is_live
        )
        return table

    async def check_may_stop(self, table: Table, player_id: int, *, may_manage: bool) -> bool:
        """Return whether nobody else is asked; raises TableError for who may neither end it nor ask."""
        settings, now = await self._servers.get(table.match.guild_id), self._tables.clock()
        check_may_stop(table, settings.stoppers, player_id, now, may_manage=may_manage)
        return closes_at_once(table, player_id, now, may_manage=may_manage)

    async def rematch(self, match_id: str, player: Player) -> tuple[Table, bool]:
        """Open a lobby like the one of an ended match, or join the one that was opened so.

        Who played may, until another table stands in the channel. Returns whether it is new as well.
        """
        before = await self._tables.look(match_id)
        match = before.match
        check_may_rematch(match, player.id)
        newest = await self._tables.journal.newest_at(place_of(match.channel_id))
        if newest is None or newest == match_id:
            like = Opening(match.game, match.limit, match.options, match.turn_seconds)
            place = match.guild_id, match.channel_id
            try:
                return await self.open(like, *place, player, company=match.players), True
            except TableTakenError as taken:  # somebody else has called for it in this moment
                newest = taken.match_id
        return await self._sit_down_again(before, newest, player), False

    async def _sit_down_again(self, before: Table, match_id: str, player: Player) -> Table:
        table = await self._tables.look(match_id)
        if not table.match.stage.is_live:
            raise TableError(
                _("There has been another table here since. `/{game} start` opens a new one.").format(
                    game=before.game.info.command
                )
            )
        if not table.is_lobby or table.match.game != before.match.game:
            raise TableTakenError(match_id)
        if table.match.seat_of(player.id) is None:
            table = await self.join(match_id, player)
        return table
