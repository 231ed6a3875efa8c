"""Replays of stored matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.matches.match import Entry, Match
from bot.matches.replay import Course, Replay, course
from bot.sessions.errors import TableError


def read_replay(games: Mapping[str, AnyGame], match: Match, entries: Sequence[Entry]) -> Replay:
    """Compute the replay of a finished match.

    If a move cannot be read, the replay ends before this move.

    Raises:
        TableError: The match is live, was never dealt or cannot be read at all.
    """
    game = rules_to_watch(games, match)
    return replay_of(match, game, course(game, match, entries))


def rules_to_watch(games: Mapping[str, AnyGame], match: Match) -> AnyGame:
    """Return the game, with the rules version by which a finished match was played.

    Raises:
        TableError: The match is live, was never dealt or has unknown rules.
    """
    if match.stage.is_live:
        raise TableError(_("This match is still being played. You can watch it when it's over."))
    if match.seed is None:
        raise TableError(_("This match was never dealt, so there's nothing to watch."))
    game = games[match.game].by_rules(match.rules_version) if match.game in games else None
    if game is None:
        raise _unknown_rules()
    return game


def replay_of(match: Match, game: AnyGame, went: Course) -> Replay:
    """Return a match's replay, given its states and key moments.

    Args:
        match: The match.
        game: The game with the match's rules version.
        went: The match's states and key moments, as returned by ``course``.

    Raises:
        TableError: Not even the match's deal can be read.
    """
    if not went.stages:
        raise _unknown_rules()
    return Replay(match, game, went)


def _unknown_rules() -> TableError:
    return TableError(_("This match was played by rules I no longer know."))
