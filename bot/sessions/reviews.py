"""What players missed in matches that are over, thought out by workers, and played on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import structlog

from bot.engine.computer_players import another_computer_player
from bot.engine.match import AGAIN, LEAVES, Entry, Match, Player, Roster, Stage, advance, fold, opening
from bot.engine.review import Moment, worst
from bot.engine.task import OfMatch
from bot.engine.thinking import IN_PLACE, Strength
from bot.engine.values import frozen
from bot.engine.words import _
from bot.games import rules_of
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import taken_words
from bot.sessions.opening import new_match_id, place_of
from bot.sessions.ports import Journal, Opponents
from bot.sessions.refusals import not_seated
from bot.sessions.replays import load_whole
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

Reviewed: TypeAlias = tuple[tuple[Moment, Table], ...]
"""What a seat missed in a match, and the table as it stood then."""


class Reviews:
    """Tells players what they missed."""

    def __init__(
        self,
        *,
        tables: Tables,
        journal: Journal,
        opponents: Opponents,
        hosting: Hosting,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        self._tables = tables
        self._journal = journal
        self._opponents = opponents
        self._hosting = hosting
        self._clock = clock

    async def of(self, match_id: str, player_id: int) -> Reviewed:
        """Return what a player missed in a match; raises TableError for all but those who sat there.

        And while the match lives, or where it cannot be reviewed.
        """
        table, seat = await self._over(match_id, player_id)
        read = partial(load_whole, self._journal, match_id)
        task = Review(table.match.game, match_id, seat)
        moments = await self._opponents.ask(task, who=player_id, read=read)
        return tuple((moment, replace(table, state=state, n=moment.n)) for moment, state in moments)

    async def play_from(self, match_id: str, player_id: int, n: int) -> Table:
        """Deal a match again as it was after ``n`` moves, when it was the player's turn.

        It is a new match against frogs: those that sat there, and toads in place of people. It counts
        nowhere. Raises TableError where that cannot be, TableTakenError where the channel has a table,
        and TooManyError where its host has too many.
        """
        table, seat = await self._over(match_id, player_id)
        before, entries = await load_whole(self._journal, match_id)
        there = fold(table.game, before, entries[:n])
        if n >= len(entries) or table.game.to_move(there) != seat:
            raise TableError(_("It was not your turn then."))
        now, new_id = self._clock(), new_match_id()
        match = replace(
            before,
            id=new_id,
            host_id=player_id,
            players=_among_frogs(before, seat, new_id),
            options={**before.options, AGAIN: 1},
            secret=None,
            started_by=0,
            thinking_version=0,
            stage=Stage.PLAYING,
            opened_at=now,
            ended_at=None,
            turn_seconds=0,
            turn_ends_at=None,
            rests_since=None,
            roster=Roster(),
            active_at=now,
            wakes_at=None,
            version=0,
            shown=-1,
        )
        taken = await self._hosting.open(match, place_of(match.channel_id), entries[:n])
        if taken is not None:
            raise TableTakenError(taken_words(), taken.id)
        log.info("played from there", match=new_id, before=match_id, moves=n, player=player_id)
        return await self._tables.look(new_id)

    async def _over(self, match_id: str, player_id: int) -> tuple[Table, int]:
        """Return a table that is over, and the player's seat."""
        table = await self._tables.look(match_id)
        seat = table.match.seat_of(player_id)
        if seat is None:
            raise TableError(not_seated(table))
        if table.match.stage is not Stage.FINISHED:
            raise TableError(_("That can be said when the match is over."))
        if table.game.review is None or table.state is None or table.match.is_lesson:
            raise TableError(_("This match can't be looked back on."))
        return table, seat


@frozen
class Review(OfMatch[tuple[tuple[Moment, Any], ...]]):
    """What the player of a seat missed most in a match that is over, and how it stood then."""

    seat: int

    def made(self, match: Match, entries: Sequence[Entry]) -> tuple[tuple[Moment, Any], ...]:
        """Look at each of their moves."""
        game = rules_of(match)
        assert game.review is not None, f"{match.game} is not reviewed"
        states, moves = [opening(game, match)], list[Any]()
        for entry in entries:
            is_own = entry.text != LEAVES and entry.mover not in IN_PLACE
            moves.append(game.read(entry.text, states[-1]) if is_own else None)
            states.append(advance(game, states[-1], entry))
        missed = worst(game.review.moments(states, moves, self.seat))
        return tuple((each, states[each.n]) for each in missed)


def _among_frogs(before: Match, seat: int, match_id: str) -> tuple[Player, ...]:
    """Return who plays on from a moment of a match: one of its players, its frogs, and toads."""
    found = [replace(player, missed=0, hints=0, bank=0, interaction=0) for player in before.players]
    found[seat] = replace(found[seat], strength=None)
    for place, player in enumerate(found):
        if place != seat and not player.is_computer_player:
            found[place] = another_computer_player(match_id, found, Strength.TOAD)
    return tuple(found)
