"""Sitting down and getting up: lobbies opened, joined, left, started and ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

import structlog

from bot.engine.computer_players import another_computer_player
from bot.engine.forgotten import is_forgotten
from bot.engine.game import AnyGame
from bot.engine.match import Match, Player, Roster, Stage
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.sessions import events
from bot.sessions.decision.closing import check_may_stop, closes_at_once
from bot.sessions.errors import TableError, TableTakenError, TooManyError
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import begun, check_frogs, check_may_rematch, taken_words
from bot.sessions.opening import Opening, new_match, place_of
from bot.sessions.ports import Journal, Servers
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import waiting

log = structlog.get_logger(__name__)

NOBODY = 0
"""Who sends somebody away where nobody at the table does: the server."""


class Seating:
    """Who sits at which table, until the cards are dealt and when somebody leaves."""

    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        journal: Journal,
        tables: Tables,
        servers: Servers,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        self._games = games
        self._journal = journal
        self._tables = tables
        self._servers = servers
        self._hosting = Hosting(games=games, journal=journal, servers=servers)
        self._clock = clock

    async def open(
        self,
        opening: Opening,
        guild_id: int | None,
        channel_id: int,
        host: Player,
        match_id: str | None = None,
        *,
        before: Match | None = None,
    ) -> Table:
        """Open a lobby with its host seated; raises TableTakenError where the channel has a table.

        Raises TooManyError for a host who has too many already.
        The frogs of the opening sit down too; where they take all seats that were left, the match starts
        at once. ``match_id`` is a ``new_match_id`` that was given out before. Of a match ``before`` the
        same frogs sit down, and seats are kept for the people.
        """
        game, now = self._games[opening.game], self._clock()
        check_frogs(game, opening.limit, len(opening.frogs))
        match = new_match(game.info, guild_id, channel_id, host, opening.limit, opening.options, now)
        match = replace(
            match,
            id=match_id or match.id,
            turn_seconds=opening.turn_seconds,
            secret=new_seed(),
            opened_by=host.interaction,
        )
        if before is not None:
            match = _company_of(before, match)
        for strength in opening.frogs[len(match.players) - 1 :]:
            frog = another_computer_player(match.id, match.players, strength)
            match = replace(match, players=(*match.players, frog))
        table = waiting(Table(replace(match, rests_since=now), game), now)
        if opening.frogs and len(match.players) == opening.limit:
            table = begun(table, new_seed(), now, host.interaction)
        taken = await self._hosting.open(table.match, place_of(channel_id))
        if taken is not None and await self._tables.at(channel_id) is None:
            taken = await self._hosting.open(table.match, place_of(channel_id))  # it has just ended
        if taken is not None:
            raise TableTakenError(taken_words(), taken.id)
        log.info("lobby opened", match=match.id, game=opening.game, channel=channel_id, player=host.id)
        self._tables.take_up(table)
        return table

    async def check_may_host(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError for who could not open another table in a server just now."""
        await self._hosting.check(game, guild_id, player_id)

    async def join(self, match_id: str, player: Player) -> Table:
        """Seat a player in a lobby, or have one back who is away; raises TableError otherwise."""
        match = (await self._tables.look(match_id)).match
        is_barred = player.id in (await self._servers.get(match.guild_id)).barred
        return await self._tables.happens(match_id, events.Joined(player, is_barred))

    async def add_frog(self, match_id: str, player_id: int, strength: str) -> Table:
        """Have the host of a lobby seat a frog of a strength, such as ``tadpole``."""
        return await self._tables.happens(match_id, events.FrogAdded(player_id, strength))

    async def take_frog_away(self, match_id: str, player_id: int, frog_id: int) -> Table:
        """Have the host of a lobby take a frog away."""
        return await self._tables.happens(match_id, events.FrogRemoved(player_id, frog_id))

    async def leave(self, match_id: str, player_id: int) -> Table:
        """Give a seat up: in a lobby, or out of a match that is being played.

        A lobby is handed over by that only to who may host another table: else two people who open
        tables for each other would have as many as they like.
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
        seats = await self._journal.seats_of(player_id, guild_id)
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
        """Let somebody leave a table, which goes to who may host another where that was its host."""
        check = await self._hosting.judge(match.game, match.guild_id)
        while True:
            try:
                return await self._tables.happens(match.id, what, check)
            except TooManyError as error:
                what = replace(what, full=what.full | {error.matches[0].host_id})

    async def start(self, match_id: str, player_id: int, interaction: int = 0) -> Table:
        """Start a lobby, by an interaction of this id: the host may, from the fewest players on."""
        await self._without_barred(match_id)
        return await self._tables.happens(match_id, events.Started(player_id, new_seed(), interaction))

    async def stop(self, match_id: str, player_id: int, *, may_manage: bool) -> Table:
        """End a live match without a result, where the server's settings let this player.

        One that is being played is ended by players once all of them have said so; until then this is
        the question, or an answer to it.
        """
        settings = await self._servers.get((await self._tables.look(match_id)).match.guild_id)
        stopped = events.Stopped(player_id, settings.stoppers, may_manage)
        table = await self._tables.happens(match_id, stopped)
        log.info(
            "match stopped", match=match_id, player=player_id, is_over=not table.match.stage.is_live
        )
        return table

    async def play_on(self, match_id: str, player_id: int) -> Table:
        """Have a player refuse to close the match that is being played."""
        return await self._tables.happens(match_id, events.PlayedOn(player_id))

    async def check_may_stop(self, table: Table, player_id: int, *, may_manage: bool) -> bool:
        """Raise TableError unless the table is live and this player may end it, or ask the others to.

        ``may_manage``: the player may manage messages, which is enough whatever the settings. Returns
        whether nobody else has to be asked.
        """
        settings, now = await self._servers.get(table.match.guild_id), self._clock()
        check_may_stop(table, settings.stoppers, player_id, now, may_manage=may_manage)
        return closes_at_once(table, player_id, now, may_manage=may_manage)

    async def rematch(self, match_id: str, player: Player) -> tuple[Table, bool]:
        """Open a lobby like the one of an ended match, or join the one that was opened so.

        Who played may, until another table stands in the channel. Returns the lobby, and whether it
        was opened by this call.
        """
        match = (await self._tables.look(match_id)).match
        check_may_rematch(match, player.id)
        newest = await self._journal.newest_at(place_of(match.channel_id))
        if newest not in (match_id, None):
            return await self._sit_down_again(match, newest or "", player), False
        try:
            table = await self.open(_like(match), match.guild_id, match.channel_id, player, before=match)
        except TableTakenError as taken:  # somebody else has called for it in this moment
            return await self._sit_down_again(match, taken.match_id, player), False
        return table, True

    async def _sit_down_again(self, before: Match, match_id: str, player: Player) -> Table:
        """Seat a player of an ended match in the lobby that came after it, or raise TableError."""
        table = await self._tables.look(match_id)
        if not table.match.stage.is_live:
            raise TableError(
                _("There has been another table here since. `/{game} start` opens a new one.").format(
                    game=self._games[before.game].info.command
                )
            )
        if not table.is_lobby or table.match.game != before.game:
            raise TableTakenError(taken_words(), match_id)
        if table.match.seat_of(player.id) is None:
            table = await self.join(match_id, player)
        return table


def _like(match: Match) -> Opening:
    """Return what was chosen for a match."""
    frogs = tuple(each.strength for each in match.players if each.is_computer_player and each.strength)
    return Opening(match.game, match.limit, match.options, match.turn_seconds, frogs)


def _company_of(before: Match, match: Match) -> Match:
    """Return a lobby with the frogs of a match before, and seats kept for the people of it."""
    frogs = tuple(
        replace(each, missed=0, hints=0, bank=0) for each in before.players if each.is_computer_player
    )
    known = (player.id for player in before.people if not is_forgotten(player.id))
    roster = Roster(invited=tuple(known))
    return replace(match, players=(*match.players, *frogs), roster=roster)
