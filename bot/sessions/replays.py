"""Replays of matches that are over: read by a worker when somebody asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from bot.engine.game import AnyGame
from bot.engine.match import Entry, Match
from bot.engine.names import inert
from bot.engine.replay import Course, Past, Replay, course
from bot.engine.task import OfMatch
from bot.engine.words import _
from bot.games import rules_of
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents, Servers
from bot.sessions.tables import Tables


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

    async def may_be_shown_in(self, match: Match, guild_id: int | None, player_id: int) -> bool:
        """Return whether a match may be shown to all who are where somebody is: its names are told."""
        if [player.id for player in match.people] == [player_id]:
            return True
        return match.guild_id is not None and (
            match.guild_id == guild_id or (await self._servers.get(match.guild_id)).watched_elsewhere
        )


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
