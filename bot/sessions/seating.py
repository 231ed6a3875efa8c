"""Sitting down and getting up: lobbies opened, joined, left, started and ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from bot.engine.game import AnyGame
from bot.engine.lesson import SEATS
from bot.engine.match import (
    AGAIN,
    DAY,
    HINTS,
    LEAVES,
    LESSON,
    NOWHERE,
    Entry,
    Match,
    Player,
    Stage,
    another_frog,
)
from bot.engine.shuffle import new_seed
from bot.engine.thinking import Strength
from bot.engine.words import _
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.lobby import (
    Joining,
    Leaving,
    begun,
    check_frogs,
    check_may_go_back,
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
from bot.sessions.opening import Opening
from bot.sessions.ports import Journal, Servers
from bot.sessions.refusals import not_seated, over_or_begun
from bot.sessions.table import Table
from bot.sessions.tables import Tables, lesson_of, place_of

log = structlog.get_logger(__name__)

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


def new_match_id() -> str:
    """Return an id that no match has."""
    return "".join(secrets.choice(_ID_ALPHABET) for _letter in range(_ID_LENGTH))


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

        The frogs of the opening sit down too; where they take all seats that were left, the match starts
        at once. ``match_id`` is a ``new_match_id`` that was given out before.
        """
        game, limit, frogs, opened_at = opening.game, opening.limit, opening.frogs, self._clock()
        check_frogs(self._games[game], limit, len(frogs))
        match = self._new_match(game, guild_id, channel_id, host, limit, opening.options, opened_at)
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
        taken = await self._journal.open(match, place_of(channel_id))
        if taken is not None:
            raise TableTakenError(taken_words(), taken.id)
        log.info("lobby opened", match=match.id, game=game, channel=channel_id, player=host.id)
        if frogs and len(match.players) == limit:
            return await self.start(match.id, host.id)
        return await self._lobby(match)

    async def deal(
        self,
        *,
        game: str,
        guild_id: int | None,
        channel_id: int,
        player: Player,
        options: Mapping[str, int],
        guest: bool = False,
    ) -> Table:
        """Deal a game for one; raises TableTakenError where the player has a live deal here.

        ``guest``: Ribit can only answer there.
        """
        now = self._clock()
        match = self._new_match(game, guild_id, channel_id, player, 1, options, now)
        match = replace(match, guest=guest)
        taken = await self._journal.open(match, place_of(channel_id, player.id))
        if taken is not None and taken.stage is Stage.PLAYING:
            raise has_deal(taken.id)
        match = taken or match  # one that was opened, and not begun before the process ended
        await self._begin(Table(match, self._games[game]))
        log.info("dealt", match=match.id, game=game, channel=channel_id, player=player.id)
        return await self._tables.look(match.id)

    async def go_back(self, match_id: str, player_id: int, moves: int) -> Table:
        """Deal a match for one again that its player gave up, as it was after so many moves.

        It is a new match whose journal is the former one's, and that all after that move was taken back:
        so what was asked and undone stays counted. Its own end counts on no board. Raises TableError
        where it cannot be gone back to, TableTakenError where the player has a live deal there.
        """
        before = await self._tables.look(match_id)
        retry = check_may_go_back(before, player_id)
        record = await self._journal.record(match_id)
        assert record is not None, "it was looked at"
        entries, now = [entry for entry in record[1] if entry.text != LEAVES], self._clock()
        for move in retry.back(before.state, moves):
            entries.append(Entry(len(entries), 0, before.game.write(move), now))
        match = replace(
            before.match,
            id=new_match_id(),
            options={**before.match.options, DAY: 0, AGAIN: 1},
            stage=Stage.PLAYING,
            opened_at=now,
            ended_at=None,
            version=0,
            shown=-1,
        )
        taken = await self._journal.open(match, place_of(match.channel_id, player_id), entries)
        if taken is not None:
            raise has_deal(taken.id)
        log.info("gone back", match=match.id, before=match_id, moves=moves, player=player_id)
        return await self._tables.look(match.id)

    async def teach(self, game: str, player: Player) -> Table:
        """Begin a lesson in a game that has one, or go on with the player's own; only they see it."""
        taught, now = self._games[game], self._clock()
        assert taught.lesson is not None, "it is offered"
        options = {option.key: option.default for option in taught.info.options}
        options |= {**taught.lesson.options, HINTS: 0, LESSON: 1}
        match = self._new_match(game, None, NOWHERE, player, SEATS, options, now)
        tadpole = another_frog(match.id, match.players, Strength.TADPOLE)
        match = replace(match, players=(player, tadpole))
        match = await self._journal.open(match, lesson_of(game, player.id)) or match
        if match.stage is Stage.LOBBY:  # or it was opened, and not begun before the process ended
            await self._begin(Table(match, taught), taught.lesson.seed)
            log.info("lesson begun", match=match.id, game=game, player=player.id)
        table = await self._tables.look(match.id)
        self._tables.take_up(table)
        return table

    async def end_lesson(self, match_id: str, player_id: int) -> Table:
        """End a lesson before its last move, for its pupil; raises TableError for others."""
        table = await self._tables.look(match_id)
        if not table.match.is_lesson or table.match.host_id != player_id:
            raise TableError(not_seated(table))
        log.info("lesson ended", match=match_id, player=player_id)
        return await self._tables.stop(match_id)

    def _new_match(
        self,
        game: str,
        guild_id: int | None,
        channel_id: int,
        host: Player,
        limit: int,
        options: Mapping[str, int],
        opened_at: int,
    ) -> Match:
        return Match(
            id=new_match_id(),
            game=game,
            rules_version=self._games[game].info.rules_version,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host.id,
            players=(host,),
            limit=limit,
            options=options,
            opened_at=opened_at,
        )

    async def _begin(self, lobby: Table, seed: bytes | None = None) -> Match | None:
        """Start a lobby, if nobody else did, by this seed or a new one; return the match."""
        now, seed = self._clock(), seed or new_seed()
        return await self._journal.begin(
            lobby.match.id, seed, now, begun(lobby, seed, now).match.wakes_at
        )

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
        match = await self._journal.sit(match_id, frog, now, closes_at(now))
        if match is None or match.seat_of(frog.id) is None:
            raise TableError(no_room())
        log.info("frog joined", match=match_id, strength=strength)
        return await self._lobby(match)

    async def take_frog_away(self, match_id: str, player_id: int, frog_id: int) -> Table:
        """Have the host of a lobby take a frog away."""
        check_takes_away(await self._tables.look(match_id), player_id, frog_id)
        now = self._clock()
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
        match = await self._journal.stand(match_id, player_id, now, closes_at(now))
        log.info("player left the lobby", match=match_id, player=player_id)
        return await (self._tables.look(match_id) if match is None else self._lobby(match))

    async def start(self, match_id: str, player_id: int) -> Table:
        """Start a lobby: the host may, from the game's fewest players on."""
        table = await self._tables.look(match_id)
        if not starts(table, player_id):
            return table
        match = await self._begin(table)
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


def has_deal(match_id: str) -> TableTakenError:
    """Return the refusal to deal to somebody who has a live deal in the channel."""
    return TableTakenError(_("You already have a deal in this channel."), match_id)


def _like(match: Match) -> Opening:
    """Return what was chosen for a match."""
    frogs = tuple(each.strength for each in match.players if each.is_frog and each.strength)
    return Opening(match.game, match.limit, match.options, match.turn_seconds, frogs)
