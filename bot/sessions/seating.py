"""Opening, joining and leaving tables, dealing solitaires, and the limits of live matches per host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace

import structlog

from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.engine.shuffle import new_seed
from bot.engine.translation import _
from bot.matches.match import Entry, Match, Player, Stage
from bot.matches.match_type import kept_private, repeat_options
from bot.sessions import events
from bot.sessions.decision.closing import check_may_stop, closes_at_once
from bot.sessions.decision.dealing import go_back
from bot.sessions.errors import AlreadyTriedError, TableError, TableTakenError, TooManyError
from bot.sessions.events import TableEvent
from bot.sessions.lobby import check_may_rematch
from bot.sessions.match_creation import Opening, new_match, new_match_id, place_of, place_of_try
from bot.sessions.ports import HostCheck, Servers
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

NOBODY = 0  # the remover's ID if the server's ban removes a player
MOST_TABLES = 10  # in all servers together, while each server sets its own limit
MOST_DEALS = 5  # of solitaire games in total, with one per location


def deals_in_the_way(hosted: Sequence[Match], games: Mapping[str, AnyGame]) -> tuple[Match, ...]:
    deals = tuple(match for match in hosted if is_solo(match, games) and not match.is_lesson)
    return deals if len(deals) >= MOST_DEALS else ()


def tables_in_the_way(
    hosted: Sequence[Match], games: Mapping[str, AnyGame], guild_id: int | None, most_here: int
) -> tuple[Match, ...]:
    """Return a host's live tables if they reach a limit, or an empty tuple if the host may open another.

    If the limit for a server is reached, these are the host's tables in the server. If the limit for all
    servers is reached, these are all of the host's tables. Lessons and daily duels are private and do
    not count.

    Args:
        hosted: The host's live matches.
        games: The games by key.
        guild_id: The server in which the host wants to open a table, or None for a DM.
        most_here: The server's limit of live tables per host.
    """
    tables = tuple(match for match in hosted if not (is_solo(match, games) or match.type.is_unlimited))
    here = tuple(match for match in tables if match.guild_id == guild_id)
    if len(here) >= most_here:
        return here
    return tables if len(tables) >= MOST_TABLES else ()


def is_solo(match: Match, games: Mapping[str, AnyGame]) -> bool:
    game = games.get(match.game)
    return game is not None and game.info.is_solo


class Seating:
    """Operations for opening and closing tables, joining and leaving them, and dealing solitaires."""

    def __init__(self, tables: Tables, servers: Servers) -> None:
        self._tables = tables
        self._servers = servers

    async def check_may_host(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise an error if a host has reached the limit of live matches.

        Callers use it before expensive work. When the match is stored, the limit is checked again.

        Raises:
            TooManyError: The host has too many live matches.
        """
        (await self._host_check(game, guild_id))(await self._tables.journal.hosted_matches(player_id))

    async def open_match(
        self, match: Match, place: str, what: TableEvent | None = None, entries: Sequence[Entry] = ()
    ) -> Table:
        """Store a new match and return its table.

        The host's limit of live matches is checked in the same transaction, so simultaneous requests
        cannot exceed it.

        Args:
            match: The match.
            place: The key of the match's location. Each location holds one live match.
            what: The first event of the match, or None.
            entries: The moves that were already played.

        Raises:
            TableError: The server has banned the host from its tables.
            TableTakenError: The location already holds a live match.
            TooManyError: The host has too many live matches.
        """
        settings = await self._servers.get(match.guild_id)
        if match.host_id in settings.barred and not is_solo(match, self._tables.games):
            raise TableError(_("You can't join tables in this server. Its admins can change that."))
        check = await self._host_check(match.game, match.guild_id)
        return await self._tables.open(match, place, what, entries, check)

    async def _host_check(self, game: str, guild_id: int | None) -> HostCheck:
        """Return a function that raises TooManyError if a host has reached the limit of live matches.

        The error message is in the language of the current context, wherever the function is called.
        """
        most = (await self._servers.get(guild_id)).tables_each
        is_deal = self._tables.games[game].info.is_solo

        def check(hosted: Sequence[Match]) -> None:
            conflicts = (
                deals_in_the_way(hosted, self._tables.games)
                if is_deal
                else tables_in_the_way(hosted, self._tables.games, guild_id, most)
            )
            if conflicts:
                raise TooManyError(conflicts, is_solo=is_deal)

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
        """Open a lobby in a channel, with a seat for the host.

        Args:
            opening: The host's choices for the table.
            guild_id: The server, or None for a DM.
            channel_id: The channel.
            host: The host.
            match_id: An ID from ``new_match_id``, or None to create one.
            company: The players of the previous match, for whom seats are reserved.

        Raises:
            TableError: The server has banned the host from its tables.
            TableTakenError: The channel already has a live table.
            TooManyError: The host has too many live matches.
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
        opened = events.Opened(opening.computer_players, company)
        return await self.open_match(match, place_of(channel_id), opened)

    async def join(self, match_id: str, player: Player) -> Table:
        match = (await self._tables.read(match_id)).match
        is_barred = player.id in (await self._servers.get(match.guild_id)).barred
        return await self._tables.happens(match_id, events.Joined(player, is_barred))

    async def leave(self, match_id: str, player_id: int) -> Table:
        """Let a player leave a lobby, or give up a match in progress.

        If the host leaves, the next player who may host another table becomes the host. This keeps two
        users from opening any number of tables for each other.
        """
        match = (await self._tables.read(match_id)).match
        if match.stage is Stage.LOBBY:
            return await self._handing_over(match, events.Left(player_id))
        return await self._handing_over(match, events.GaveUp(player_id))

    async def remove(self, match_id: str, player_id: int, by_id: int, *, may_manage: bool) -> Table:
        """Remove a player from a table at the request of the host or a moderator.

        The host may do this only in the lobby.
        """
        match = (await self._tables.read(match_id)).match
        table = await self._handing_over(match, events.Removed(player_id, by_id, may_manage))
        log.info("player removed", match=match_id, players=[player_id, by_id])
        return table

    async def ban(self, guild_id: int, player_id: int) -> list[str]:
        """Remove a banned player from all tables of a server. The server's settings contain the ban.

        Returns:
            The IDs of all matches in which the player had a seat. Empty if the settings do not ban the
            player.
        """
        if player_id not in (await self._servers.get(guild_id)).barred:
            return []
        seats = await self._tables.journal.seats_of(player_id, guild_id)
        for seat in seats:
            table = await self._tables.read(seat.match_id)
            if not (table.is_solo or table.match.is_lesson):
                with suppress(TableError):  # the player is out of the match or has just left it
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
        """Close a live match without a result.

        In a match in progress, the other players may have to agree first. If another player has already
        asked to close it, this counts as agreement.

        Raises:
            TableError: The player may neither close the match nor ask the others.
        """
        settings = await self._servers.get((await self._tables.read(match_id)).match.guild_id)
        stopped = events.CloseRequested(player_id, settings.stoppers, may_manage)
        log.info("closing of a table requested", match=match_id, player=player_id)
        return await self._tables.happens(match_id, stopped)

    async def check_may_stop(self, table: Table, player_id: int, *, may_manage: bool) -> bool:
        """Return whether ``stop`` would close the match at once. If not, it would ask the other players.

        Raises:
            TableError: The player may neither close the match nor ask the others.
        """
        settings, now = await self._servers.get(table.match.guild_id), self._tables.clock()
        check_may_stop(table, settings.stoppers, player_id, now, may_manage=may_manage)
        return closes_at_once(table, player_id, now, may_manage=may_manage)

    async def rematch(
        self, match_id: str, player: Player, strength: Strength | None = None
    ) -> tuple[Table, bool]:
        """Open a lobby with the options of a finished match. If another player has opened it, join it.

        The user must have had a seat in the match. If it has no people left, any user may request a
        rematch.

        Args:
            match_id: The finished match.
            player: The player who requests the rematch.
            strength: The strength of the new lobby's computer players, or None for the same strengths as
                before.

        Returns:
            The lobby, and True if this call has opened it.

        Raises:
            TableError: The player may not open a rematch, or the channel has had another table since.
            TableTakenError: The channel has a live table that is not a lobby of the same game.
            TooManyError: The player has too many live matches.
        """
        before = await self._tables.read(match_id)
        match = before.match
        check_may_rematch(match, player.id)
        newest = await self._tables.journal.newest_at(place_of(match.channel_id))
        if newest is None or newest == match_id:
            like = Opening(match.game, match.limit, match.options, match.turn_seconds)
            place = match.guild_id, match.channel_id
            company = tuple(
                replace(participant, strength=strength)
                if strength and participant.is_computer_player
                else participant
                for participant in match.players
            )
            try:
                return await self.open(like, *place, player, company=company), True
            except TableTakenError as taken:  # another player requested a rematch at the same time
                newest = taken.match_id
        return await self._sit_down_again(before, newest, player), False

    async def _sit_down_again(self, before: Table, match_id: str, player: Player) -> Table:
        table = await self._tables.read(match_id)
        if not table.match.stage.is_live:
            raise TableError(
                _(
                    "There's been another table here since then. Use `/{game} start` to open a new one."
                ).format(game=before.game.info.command)
            )
        if not table.is_lobby or table.match.game != before.match.game:
            raise TableTakenError(match_id)
        if table.match.seat_of(player.id) is None:
            table = await self.join(match_id, player)
        return table

    # ---- solitaire deals ----------------------------------------------------------------------------

    async def deal(self, match: Match, options: Mapping[str, int]) -> Table:
        """Deal a new solitaire match and store it.

        If the player has already played or seen the same deal, the match does not count on leaderboards.

        Args:
            match: The match, which is not stored yet.
            options: The match's options, including the number of the deal.

        Raises:
            TableTakenError: The player has a live deal in the channel.
            TooManyError: The player has too many live deals.
            AlreadyTriedError: The player has already played this daily deal.
        """
        [player] = match.players
        match, place = replace(match, options=options), place_of(match.channel_id, player.id)
        if await self._tables.journal.knows_deal(match.game, player.id, match.type.deal):
            match = replace(match, options=repeat_options(options))
        if match.day and match.is_private:  # separate from deals in the channel
            who = "first" if match.bears_notice else f"player {player.id}"
            place = place_of_try(match.game, match.day, match.guild_id, who)
        dealt = events.Dealt(new_seed(), player.interaction)
        try:
            return await self.open_match(match, place, dealt)
        except TableTakenError as taken:
            other = (await self._tables.read(taken.match_id)).match
            if not match.day or other.day != match.day:
                raise
            if other.host_id != player.id:  # another player was first, at the same time
                return await self.deal(match, kept_private(match.options))
            raise AlreadyTriedError(_("You've already had today's deal.")) from None

    async def go_back(self, match_id: str, player_id: int, moves: int) -> Table:
        """Continue a solitaire match that its player gave up, from an earlier position.

        This opens a new match that begins with the moves of the old one.

        Args:
            match_id: The ID of the match that the player gave up.
            player_id: The player.
            moves: The number of moves to keep.

        Raises:
            TableError: The match cannot be continued from there.
            TableTakenError: The player has a live deal in the channel.
            TooManyError: The player has too many live deals.
        """
        before = await self._tables.read(match_id)
        _match, entries = await self._tables.whole(match_id)
        match, history = go_back(before, entries, player_id, moves, self._tables.clock(), new_match_id())
        log.info("retried from an earlier move", match=match.id, before=match_id, moves=moves)
        return await self.open_match(match, place_of(match.channel_id, player_id), None, history)

    async def take_up(
        self, match_id: str, player_id: int, *, guild_id: int | None, channel_id: int, guest: bool
    ) -> Table:
        """Move a player's solitaire deal to another channel, where the player continues it.

        This is possible for a daily deal, and for a deal in a server or group that Ribit is not a member
        of.

        Raises:
            TableTakenError: The player has a live deal in the channel.
        """

        def check(hosted: Sequence[Match]) -> None:
            for other in hosted:
                is_here = other.channel_id == channel_id and other.id != match_id
                if is_here and not other.is_private and is_solo(other, self._tables.games):
                    raise TableTakenError(other.id, is_deal=True)

        there = events.DealContinued(player_id, guild_id, channel_id, guest)
        context = copy_context()  # keeps the current language
        table = await self._tables.happens(match_id, there, lambda hosted: context.run(check, hosted))
        log.info("deal continued elsewhere", match=match_id, channel=channel_id, player=player_id)
        return table
