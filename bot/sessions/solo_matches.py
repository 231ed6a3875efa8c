"""Matches that begin without a lobby: a deal for one, one gone back to, and a lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import structlog

from bot.engine.computer_players import another_computer_player
from bot.engine.game import AnyGame
from bot.engine.lesson import SEATS
from bot.engine.match import (
    AGAIN,
    DAY,
    DEAL,
    HINTS,
    LEAVES,
    LESSON,
    NOWHERE,
    REPLAY,
    Entry,
    Match,
    Player,
    Stage,
)
from bot.engine.shuffle import new_seed
from bot.engine.thinking import Strength
from bot.engine.words import _
from bot.sessions import events
from bot.sessions.errors import TableError, TableTakenError, TriedError
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import begun, check_may_go_back
from bot.sessions.opening import lesson_of, new_match, new_match_id, place_of
from bot.sessions.ports import Journal, Servers
from bot.sessions.refusals import not_seated
from bot.sessions.table import MOST_SOLO_MOVES, Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)


class SoloMatches:
    """Who plays alone, or with a frog that teaches."""

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
        self._clock = clock
        self._hosting = Hosting(games=games, journal=journal, servers=servers)

    async def deal(self, match: Match, options: Mapping[str, int]) -> Table:
        """Deal a new match for one, not stored yet, with the options that were found for it.

        Raises TableTakenError where the player has a live deal there, TooManyError for who has too many
        elsewhere, and TriedError for who has had that day's. A deal that the player has had before is
        one that counts nowhere, and says so from its beginning.
        """
        [player], game, now = match.players, match.game, self._clock()
        if await self._journal.has_tried(game, player.id, options.get(DEAL, 0)):
            options = {**options, AGAIN: 1}
        match = replace(match, options=options, opened_at=now)
        table = begun(Table(match, self._games[game]), new_seed(), now, player.interaction)
        taken = await self._hosting.open(table.match, place_of(match.channel_id, player.id))
        if taken is not None and match.day and taken.day == match.day:
            raise TriedError(_("You have had today's deal already."))
        if taken is not None and taken.stage is Stage.PLAYING:
            raise has_deal(taken.id)
        log.info("dealt", match=match.id, game=game, channel=match.channel_id, player=player.id)
        return table if taken is None else await self._begun(taken, new_seed())

    async def check_may_deal(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError for who could not be dealt to just now."""
        await self._hosting.check(game, guild_id, player_id)

    async def go_back(self, match_id: str, player_id: int, moves: int) -> Table:
        """Deal a match for one again that its player gave up, as it was after so many moves.

        It is a new match whose journal is the former one's, and that all after that move was taken back:
        so what was asked and undone stays counted. Its own end counts on no board. Raises TableError
        where it cannot be gone back to, TableTakenError where the player has a live deal there, and
        TooManyError where there are too many elsewhere.
        """
        before = await self._tables.look(match_id)
        retry = check_may_go_back(before, player_id)
        record = await self._journal.load(match_id)
        assert record is not None, "it was looked at"
        entries, now = [entry for entry in record[1] if entry.text != LEAVES], self._clock()
        for move in retry.back(before.state, moves):
            entries.append(Entry(len(entries), 0, before.game.write(move), now))
        if len(entries) >= MOST_SOLO_MOVES:
            raise TableError(_("This deal has had all its moves. **Same deal again** deals it anew."))
        day = before.match.day or before.match.replay
        match = replace(
            before.match,
            id=new_match_id(),
            options={**before.match.options, DAY: 0, AGAIN: 1, REPLAY: day},
            secret=None,
            started_by=0,
            stage=Stage.PLAYING,
            opened_at=now,
            ended_at=None,
            version=0,
            shown=-1,
        )
        taken = await self._hosting.open(match, place_of(match.channel_id, player_id), entries)
        if taken is not None:
            raise has_deal(taken.id)
        log.info("gone back", match=match.id, before=match_id, moves=moves, player=player_id)
        return await self._tables.look(match.id)

    async def deal_abroad(self, game: str, player_id: int) -> Table | None:
        """Return the newest live deal of a player in a place where the bot is a guest."""
        hosted = await self._journal.hosted(player_id)
        abroad = [match.id for match in hosted if match.guest and match.game == game]
        return await self._tables.look(abroad[-1]) if abroad else None

    async def take_up(
        self, match_id: str, player_id: int, *, guild_id: int | None, channel_id: int, guest: bool
    ) -> Table:
        """Have the player of a day's deal, or of one where the bot is a guest, go on elsewhere with it.

        Raises TableTakenError where the player has a live deal there.
        """
        place = place_of(channel_id, player_id)

        def check(hosted: Sequence[Match]) -> None:
            for match in hosted:
                is_solo = self._games[match.game].info.is_solo if match.game in self._games else False
                if match.id != match_id and is_solo and place_of(match.channel_id, player_id) == place:
                    raise has_deal(match.id)

        there = events.TakenUp(player_id, guild_id, channel_id, guest)
        try:
            table = await self._tables.happens(match_id, there, check)
        except TableTakenError as taken:
            raise has_deal(taken.match_id) from None  # in the player's language
        log.info("taken up elsewhere", match=match_id, channel=channel_id, player=player_id)
        return table

    async def teach(self, game: str, player: Player) -> Table:
        """Begin a lesson in a game that has one, or go on with the player's own; only they see it."""
        taught, now = self._games[game], self._clock()
        seats = min(SEATS, taught.info.most)
        assert taught.lesson is not None, "it is offered"
        options = {option.key: option.default for option in taught.info.options}
        options |= {**taught.lesson.options, HINTS: 0, LESSON: 1}
        match = new_match(taught.info, None, NOWHERE, player, seats, options, now)
        if not taught.info.is_solo:
            tadpole = another_computer_player(match.id, match.players, Strength.TADPOLE)
            match = replace(match, players=(player, tadpole))
        table = begun(Table(match, taught), taught.lesson.seed, now)
        taken = await self._journal.create(table.match, lesson_of(game, player.id))
        if taken is not None:
            table = await self._begun(taken, taught.lesson.seed)
        else:
            log.info("lesson begun", match=match.id, game=game, player=player.id)
        self._tables.take_up(table)
        return table

    async def end_lesson(self, match_id: str, player_id: int) -> Table:
        """End a lesson before its last move, for its pupil; raises TableError for others."""
        table = await self._tables.look(match_id)
        if not table.match.is_lesson or table.match.host_id != player_id:
            raise TableError(not_seated(table))
        log.info("lesson ended", match=match_id, player=player_id)
        return await self._tables.stop(match_id)

    async def _begun(self, match: Match, seed: bytes) -> Table:
        """Return a table that had been dealt, or opened only, by a process that ended then."""
        if match.stage is Stage.LOBBY:
            return await self._tables.happens(match.id, events.Started(match.host_id, seed))
        return await self._tables.look(match.id)


def has_deal(match_id: str) -> TableTakenError:
    """Return the refusal to deal to somebody who has a live deal in the channel."""
    return TableTakenError(_("You already have a deal in this channel."), match_id)
