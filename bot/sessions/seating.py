"""Sitting down and getting up, deals for one, and how many live matches one person may host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace

import structlog

from bot.engine.game import AnyGame
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.matches.match import Entry, Match, Player, Stage
from bot.matches.match_type import kept_private, repeated
from bot.sessions import events
from bot.sessions.decision.closing import check_may_stop, closes_at_once
from bot.sessions.decision.lobby import gone_back
from bot.sessions.errors import TableError, TableTakenError, TooManyError, TriedError
from bot.sessions.events import Event
from bot.sessions.lobby import (
    Opening,
    check_may_rematch,
    new_match,
    new_match_id,
    place_of,
    place_of_try,
)
from bot.sessions.ports import HostCheck, Servers
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

NOBODY = 0  # who sends somebody away where nobody at the table does: the server
MOST_TABLES = 10  # in all servers together; how many it is in one of them, its admins set
MOST_DEALS = 5  # of games for one, wherever they are; a place has one of a person's at a time


def deals_in_the_way(hosted: Sequence[Match], games: Mapping[str, AnyGame]) -> tuple[Match, ...]:
    deals = tuple(match for match in hosted if is_solo(match, games) and not match.is_lesson)
    return deals if len(deals) >= MOST_DEALS else ()


def tables_in_the_way(
    hosted: Sequence[Match], games: Mapping[str, AnyGame], guild_id: int | None, most_here: int
) -> tuple[Match, ...]:
    """Return a person's live tables of which one has to end before another is opened in a server.

    ``most_here`` is that server's limit. Lessons do not count: they are one a game, and private.
    """
    tables = tuple(match for match in hosted if not (is_solo(match, games) or match.is_lesson))
    here = tuple(match for match in tables if match.guild_id == guild_id)
    if len(here) >= most_here:
        return here
    return tables if len(tables) >= MOST_TABLES else ()


def is_solo(match: Match, games: Mapping[str, AnyGame]) -> bool:
    game = games.get(match.game)
    return game is not None and game.info.is_solo


class Seating:
    """Who sits at which table, until the cards are dealt and when somebody leaves, and who hosts it.

    A deal for one begins without a lobby.
    """

    def __init__(self, tables: Tables, servers: Servers) -> None:
        self._tables = tables
        self._servers = servers

    async def check_may_host(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError where a person may not open a match: for what takes work before it."""
        (await self._host_check(game, guild_id))(await self._tables.hosted(player_id))

    async def open_match(
        self, match: Match, place: str, what: Event | None = None, entries: Sequence[Entry] = ()
    ) -> Table:
        """Store a new match; raises TooManyError for who has too many, TableTakenError for its place.

        Of two at once neither is overlooked: it is decided where they are stored one after the other.
        Raises TableError for a table in a server that lets its host sit down nowhere.
        """
        settings = await self._servers.get(match.guild_id)
        if match.host_id in settings.barred and not is_solo(match, self._tables.games):
            raise TableError(
                _("You can't sit down at tables in this server. Its admins can change that.")
            )
        check = await self._host_check(match.game, match.guild_id)
        return await self._tables.open(match, place, what, entries, check)

    async def _host_check(self, game: str, guild_id: int | None) -> HostCheck:
        """Return what raises TooManyError for who hosts too much to host a match of a game as well.

        It does in the language spoken here, wherever it is called.
        """
        most = (await self._servers.get(guild_id)).tables_each
        is_deal = self._tables.games[game].info.is_solo

        def check(hosted: Sequence[Match]) -> None:
            found = (
                deals_in_the_way(hosted, self._tables.games)
                if is_deal
                else tables_in_the_way(hosted, self._tables.games, guild_id, most)
            )
            if found:
                raise TooManyError(found, is_solo=is_deal)

        context = copy_context()
        return lambda hosted: context.run(check, hosted)

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
        return await self.open_match(match, place_of(channel_id), opened)

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
        """Send a player whom a server has barred away from its tables; return those, by their ids.

        Out of a match as a moderator does.
        """
        if player_id not in (await self._servers.get(guild_id)).barred:
            return []
        seats = await self._tables.journal.seats_of(player_id, guild_id)
        for seat in seats:
            table = await self._tables.look(seat.match_id)
            if not (table.is_solo or table.match.is_lesson):
                with suppress(TableError):  # who is out of the match, or left it just now
                    await self.remove(seat.match_id, player_id, NOBODY, may_manage=True)
        return [seat.match_id for seat in seats]

    async def _handing_over(
        self, match: Match, what: events.Left | events.GaveUp | events.Removed
    ) -> Table:
        check = await self._host_check(match.game, match.guild_id)
        while True:
            try:
                return await self._tables.happens(match.id, what, check)
            except TooManyError as error:
                what = replace(what, full=what.full | {error.matches[0].host_id})

    async def start(self, match_id: str, player_id: int, interaction: int = 0) -> Table:
        return await self._tables.happens(match_id, events.Started(player_id, new_seed(), interaction))

    async def stop(self, match_id: str, player_id: int, *, may_manage: bool) -> Table:
        """End a live match without a result, where the server's settings let this player.

        In a match that is being played this asks all others first, or answers who asked.
        """
        settings = await self._servers.get((await self._tables.look(match_id)).match.guild_id)
        stopped = events.Stopped(player_id, settings.stoppers, may_manage)
        log.info("asked to close", match=match_id, player=player_id)
        return await self._tables.happens(match_id, stopped)

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

    # ---- deals of who plays alone -----------------------------------------------------------------

    async def deal(self, match: Match, options: Mapping[str, int]) -> Table:
        """Deal a new match for one, not stored yet, with the options that were found for it.

        Raises TableTakenError where the player has a live deal there, TooManyError for who has too many
        elsewhere, and TriedError for who has had that day's. A deal that the player has played
        or viewed before counts nowhere, and says so from its beginning.
        """
        [player] = match.players
        match, place = replace(match, options=options), place_of(match.channel_id, player.id)
        if await self._tables.journal.knows_deal(match.game, player.id, match.type.deal):
            match = replace(match, options=repeated(options))
        if match.day and match.is_private:  # beside what is played in the channel
            who = "first" if match.bears_notice else f"player {player.id}"
            place = place_of_try(match.game, match.day, match.guild_id, who)
        dealt = events.Dealt(new_seed(), player.interaction)
        try:
            return await self.open_match(match, place, dealt)
        except TableTakenError as taken:
            other = (await self._tables.look(taken.match_id)).match
            if not match.day or other.day != match.day:
                raise
            if other.host_id != player.id:  # the first of the day, in the same moment
                return await self.deal(match, kept_private(match.options))
            raise TriedError(_("You have had today's deal already.")) from None

    async def go_back(self, match_id: str, player_id: int, moves: int) -> Table:
        """Deal a match for one again that its player gave up, as it was after so many moves.

        Raises TableError where it cannot be gone back to, TableTakenError where the player has a live
        deal there, and TooManyError where there are too many elsewhere.
        """
        before = await self._tables.look(match_id)
        _match, entries = await self._tables.whole(match_id)
        match, kept = gone_back(before, entries, player_id, moves, self._tables.clock(), new_match_id())
        log.info("goes back", match=match.id, before=match_id, moves=moves)
        return await self.open_match(match, place_of(match.channel_id, player_id), None, kept)

    async def take_up(
        self, match_id: str, player_id: int, *, guild_id: int | None, channel_id: int, guest: bool
    ) -> Table:
        """Have the player of a day's deal, or of one where the bot is a guest, go on elsewhere with it.

        Raises TableTakenError where the player has a live deal there.
        """

        def check(hosted: Sequence[Match]) -> None:
            for other in hosted:
                is_here = other.channel_id == channel_id and other.id != match_id
                if is_here and not other.is_private and is_solo(other, self._tables.games):
                    raise TableTakenError(other.id, is_deal=True)

        there = events.TakenUp(player_id, guild_id, channel_id, guest)
        context = copy_context()  # with the language that is spoken here
        table = await self._tables.happens(match_id, there, lambda hosted: context.run(check, hosted))
        log.info("taken up elsewhere", match=match_id, channel=channel_id, player=player_id)
        return table
