"""Sitting down and getting up: lobbies opened, joined, left, started and ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from bot.engine.game import AnyGame
from bot.engine.match import (
    Match,
    Player,
    Stage,
    another_frog,
)
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import (
    Joining,
    Leaving,
    begun,
    check_frogs,
    check_may_rematch,
    check_may_stop,
    check_takes_away,
    closes_at,
    joining,
    leaving,
    new_frog,
    no_room,
    starts,
    taken_words,
)
from bot.sessions.opening import Opening, new_match
from bot.sessions.ports import Journal, Servers
from bot.sessions.refusals import over_or_begun
from bot.sessions.table import Table
from bot.sessions.tables import Tables, place_of

log = structlog.get_logger(__name__)


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
    ) -> Table:
        """Open a lobby with its host seated; raises TableTakenError where the channel has a table.

        Raises TooManyError for a host who has too many already.
        The frogs of the opening sit down too; where they take all seats that were left, the match starts
        at once. ``match_id`` is a ``new_match_id`` that was given out before.
        """
        game, limit, frogs, opened_at = opening.game, opening.limit, opening.frogs, self._clock()
        info = self._games[game].info
        check_frogs(self._games[game], limit, len(frogs))
        match = new_match(info, guild_id, channel_id, host, limit, opening.options, opened_at)
        match = replace(match, id=match_id or match.id)
        for strength in frogs:
            frog = another_frog(match.id, match.players, strength)
            match = replace(match, players=(*match.players, frog))
        match = replace(
            match,
            turn_seconds=opening.turn_seconds,
            rests_since=opened_at,
            wakes_at=closes_at(opened_at),
        )
        taken = await self._hosting.open(match, place_of(channel_id))
        if taken is not None:
            raise TableTakenError(taken_words(), taken.id)
        log.info("lobby opened", match=match.id, game=game, channel=channel_id, player=host.id)
        if frogs and len(match.players) == limit:
            return await self.start(match.id, host.id)
        return await self._lobby(match)

    async def check_may_host(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError for who could not open another table in a server just now."""
        await self._hosting.check(game, guild_id, player_id)

    async def _lobby(self, match: Match) -> Table:
        """Return the table of a lobby in which something was done, which winds its clock."""
        if match.stage is Stage.PLAYING:  # it was started in the meantime
            return await self._tables.look(match.id)
        table = Table(match, self._games[match.game])
        self._tables.take_up(table)
        return table

    async def join(self, match_id: str, player: Player) -> Table:
        """Seat a player in a lobby, or have one back who is away; raises TableError otherwise."""
        table = await self._tables.look(match_id)
        if joining(table, player.id) is Joining.COME_BACK:
            return await self._tables.come_back(match_id, player.id)
        now = self._clock()
        with self._tables.unsure(match_id):
            match = await self._journal.sit(match_id, player, now, closes_at(now))
        if match is None or match.seat_of(player.id) is None:
            if match is not None and match.stage is Stage.LOBBY:
                raise TableError(_("All seats are taken. You can watch, or start a table elsewhere."))
            raise TableError(over_or_begun(await self._tables.look(match_id)))
        log.info("player joined", match=match_id, player=player.id)
        return await self._lobby(match)

    async def add_frog(self, match_id: str, player_id: int, strength: str) -> Table:
        """Have the host of a lobby seat a frog of a strength, such as ``tadpole``."""
        frog, now = new_frog(await self._tables.look(match_id), player_id, strength), self._clock()
        with self._tables.unsure(match_id):
            match = await self._journal.sit(match_id, frog, now, closes_at(now))
        if match is None or match.seat_of(frog.id) is None:
            if match is not None and match.stage is Stage.LOBBY:
                raise TableError(no_room())
            raise TableError(over_or_begun(await self._tables.look(match_id)))
        log.info("frog joined", match=match_id, strength=strength)
        return await self._lobby(match)

    async def take_frog_away(self, match_id: str, player_id: int, frog_id: int) -> Table:
        """Have the host of a lobby take a frog away."""
        check_takes_away(await self._tables.look(match_id), player_id, frog_id)
        now = self._clock()
        with self._tables.unsure(match_id):
            match = await self._journal.stand(match_id, frog_id, now, closes_at(now))
        log.info("frog left the lobby", match=match_id)
        return await (self._tables.look(match_id) if match is None else self._lobby(match))

    async def leave(self, match_id: str, player_id: int) -> Table:
        """Give a seat up: in a lobby, or out of a match that is being played."""
        table = await self._tables.look(match_id)
        how, seat = leaving(table, player_id)
        if how is Leaving.GIVE_UP:
            return await self._tables.withdraw(match_id, seat)
        now = self._clock()
        with self._tables.unsure(match_id):
            match = await self._journal.stand(match_id, player_id, now, closes_at(now))
        log.info("player left the lobby", match=match_id, player=player_id)
        return await (self._tables.look(match_id) if match is None else self._lobby(match))

    async def start(self, match_id: str, player_id: int) -> Table:
        """Start a lobby: the host may, from the game's fewest players on."""
        table = await self._tables.look(match_id)
        if not starts(table, player_id):
            return table
        now, seed = self._clock(), new_seed()
        wakes_at = begun(table, seed, now).match.wakes_at
        with self._tables.unsure(match_id):
            match = await self._journal.begin(match_id, seed, now, wakes_at)
        if match is None or match.stage is not Stage.PLAYING:
            raise TableError(over_or_begun(await self._tables.look(match_id)))
        table = await self._tables.look(match_id)
        log.info("match started", match=match_id, players=[player.id for player in match.players])
        self._tables.take_up(table)
        return table

    async def stop(self, match_id: str, player_id: int, *, may_manage: bool) -> Table:
        """End a live match without a result, where the server's settings let this player."""
        table = await self._tables.look(match_id)
        await self.check_may_stop(table, player_id, may_manage=may_manage)
        log.info("match stopped", match=match_id, player=player_id)
        return await self._tables.stop(match_id)

    async def check_may_stop(self, table: Table, player_id: int, *, may_manage: bool) -> None:
        """Raise TableError unless the table is live and this player may end it.

        ``may_manage``: the player may manage messages, which is enough whatever the settings.
        """
        settings = await self._servers.get(table.match.guild_id)
        check_may_stop(table, settings, player_id, may_manage=may_manage)

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
            table = await self.open(_like(match), match.guild_id, match.channel_id, player)
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
    frogs = tuple(each.strength for each in match.players if each.is_frog and each.strength)
    return Opening(match.game, match.limit, match.options, match.turn_seconds, frogs)
