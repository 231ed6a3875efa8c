"""Matches that are over: their replays, and what players missed; read by workers when somebody asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import structlog

from bot.engine.game import AnyGame
from bot.engine.match import LEAVES, Entry, Match, Stage, advance, opening
from bot.engine.names import inert
from bot.engine.replay import Course, Past, Replay, course
from bot.engine.review import Moment, worst
from bot.engine.task import OfMatch
from bot.engine.thinking import IN_PLACE
from bot.engine.values import frozen
from bot.engine.words import _
from bot.games import rules_of
from bot.sessions.decision.opening import played_from
from bot.sessions.errors import TableError, not_seated
from bot.sessions.hosting import Hosting
from bot.sessions.lobby import new_match_id, place_of
from bot.sessions.ports import Opponents, Servers
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)


class Replays:
    """Reads matches that are over; of one that lives nothing is shown."""

    def __init__(self, tables: Tables, servers: Servers, opponents: Opponents) -> None:
        self._tables = tables
        self._servers = servers
        self._opponents = opponents

    async def of(
        self, match_id: str, player_id: int, check: Callable[[Match], Awaitable[None]]
    ) -> Replay:
        """Return the replay of a match for a player; ``check`` raises where they may not look into it.

        Raises TableError for a match that is not there, lives, was never begun, or cannot be read.
        """
        match = await self._tables.journal.find(match_id)
        if match is None or match.game not in self._tables.games:
            raise TableError(
                _("I don't know the match {id}. `/replay` alone shows your last one here.").format(
                    id=inert(match_id)
                )
            )
        await check(match)
        game, read = _rules_of(self._tables.games, match), partial(self._tables.whole, match_id)
        went = await self._opponents.ask(ReadCourse(match.game, match_id), who=player_id, read=read)
        return _replay(match, game, went)

    async def played(self, player_id: int, guild_id: int | None, most: int = 1) -> list[Past]:
        """Return a player's finished matches, latest first: in a server, or with None anywhere."""
        return await self._tables.journal.played(player_id, guild_id, most)


def read_replay(games: Mapping[str, AnyGame], match: Match, entries: Sequence[Entry]) -> Replay:
    """Return the replay of a match, as far as it can be read.

    Raises TableError for one that lives, that was never dealt, or of which nothing can be read.
    """
    game = _rules_of(games, match)
    return _replay(match, game, course(game, match, entries))


class ReadCourse(OfMatch[Course]):
    """How a match went, whose rules are known."""

    def made(self, match: Match, entries: Sequence[Entry]) -> Course:
        """Go through the match."""
        return course(rules_of(match), match, entries)


def _rules_of(games: Mapping[str, AnyGame], match: Match) -> AnyGame:
    """Return the game of a match that can be watched; raises TableError for any other."""
    if match.stage.is_live:
        raise TableError(_("This match is still being played. You can watch it when it's over."))
    if match.seed is None:
        raise TableError(_("This match was never dealt, so there is nothing to watch."))
    game = games[match.game].by_rules(match.rules_version) if match.game in games else None
    if game is None:
        raise _unknown_rules()
    return game


def _replay(match: Match, game: AnyGame, went: Course) -> Replay:
    if not went.stages:
        raise _unknown_rules()
    return Replay(match, game, went)


def _unknown_rules() -> TableError:
    return TableError(_("I no longer know the rules that this match was played by."))


Reviewed: TypeAlias = tuple[tuple[Moment, Table], ...]
"""What a seat missed in a match, and the table as it stood then."""


class Reviews:
    """Tells players what they missed."""

    def __init__(self, tables: Tables, hosting: Hosting, opponents: Opponents) -> None:
        self._tables = tables
        self._hosting = hosting
        self._opponents = opponents

    async def of(self, match_id: str, player_id: int) -> Reviewed:
        """Return what a player missed in a match; raises TableError for all but those who sat there.

        And while the match lives, or where it cannot be reviewed.
        """
        table, seat = await self._over(match_id, player_id)
        read = partial(self._tables.whole, match_id)
        task = Review(table.match.game, match_id, seat)
        moments = await self._opponents.ask(task, who=player_id, read=read)
        return tuple((moment, replace(table, state=state, n=moment.n)) for moment, state in moments)

    async def play_from(self, match_id: str, player_id: int, n: int) -> Table:
        """Deal a match again as it was after ``n`` moves, when it was the player's turn.

        It is a new match against frogs: those that sat there, and toads in place of people. It counts
        nowhere. Raises TableError where that cannot be, TableTakenError where the channel has a table,
        and TooManyError where its host has too many.
        """
        table, _seat = await self._over(match_id, player_id)
        _match, entries = await self._tables.whole(match_id)
        match = played_from(table, entries, player_id, n, self._tables.clock(), new_match_id())
        table = await self._hosting.open(match, place_of(match.channel_id), None, entries[:n])
        log.info("played from there", match=match.id, before=match_id, moves=n, player=player_id)
        return table

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
