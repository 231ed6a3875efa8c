"""Matches that begin without a lobby: a deal for one, and one gone back to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import copy_context
from dataclasses import replace

import structlog

from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.matches.match import AGAIN, DEAL, PRIVATE, Match
from bot.sessions import events
from bot.sessions.decision.lobby import gone_back
from bot.sessions.errors import TableTakenError, TriedError
from bot.sessions.lobby import new_match_id, place_of, place_of_try
from bot.sessions.seating import Seating, is_solo
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)


class SoloMatches:
    """Deals of who plays alone."""

    def __init__(self, tables: Tables, seating: Seating) -> None:
        self._tables = tables
        self._seating = seating

    async def deal(self, match: Match, options: Mapping[str, int]) -> Table:
        """Deal a new match for one, not stored yet, with the options that were found for it.

        Raises TableTakenError where the player has a live deal there, TooManyError for who has too many
        elsewhere, and TriedError for who has had that day's. A deal that the player has had before is
        one that counts nowhere, and says so from its beginning.
        """
        [player] = match.players
        if await self._tables.journal.has_tried(match.game, player.id, options.get(DEAL, 0)):
            options = {**options, AGAIN: 1}
        match, place = replace(match, options=options), place_of(match.channel_id, player.id)
        if match.day and match.is_private:  # beside what is played in the channel
            who = "first" if match.bears_notice else f"player {player.id}"
            place = place_of_try(match.game, match.day, match.guild_id, who)
        dealt = events.Dealt(new_seed(), player.interaction)
        try:
            return await self._seating.open_match(match, place, dealt)
        except TableTakenError as taken:
            other = (await self._tables.look(taken.match_id)).match
            if not match.day or other.day != match.day:
                raise
            if other.host_id != player.id:  # the first of the day, in the same moment
                return await self.deal(match, {**options, PRIVATE: 1})
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
        return await self._seating.open_match(match, place_of(match.channel_id, player_id), None, kept)

    async def deal_abroad(self, game: str, player_id: int) -> Table | None:
        """Return the newest live deal of a player in a place where the bot is a guest."""
        hosted = await self._tables.hosted(player_id)
        abroad = [match.id for match in hosted if match.guest and match.game == game]
        return await self._tables.look(abroad[-1]) if abroad else None

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
