"""Replays of finished matches, and their export as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

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


def as_lines(replay: Replay) -> Iterator[str]:
    """Yield the lines of a text file with a finished match.

    Lines that begin with ``#`` contain details about the match. The other lines contain its moves,
    numbered from 1.
    """
    match, names = replay.match, replay.match.names
    options = " ".join(f"{key}={value}" for key, value in match.options.items())
    yield f"# {replay.game.info.name}, match {match.id}, rules version {match.rules_version}"
    yield f"# players: {', '.join(names)}"
    yield f"# options: {options or 'none'}"
    yield f"# opened: {_when(match.opened_at)}, ended: {_when(match.ended_at)}"
    for number, entry in enumerate(replay.entries(0, replay.last), 1):
        yield f"{number} {names[entry.seat]}: {entry.text}"
    if not replay.course.is_whole:
        yield f"# The moves after move {replay.last} cannot be read any more."
    winners = _winners(replay)
    if winners is not None:
        yield f"# won: {', '.join(names[seat] for seat in winners) or 'nobody'}"


def as_json(replay: Replay) -> str:
    """Return a finished match as ASCII JSON, with its details, its moves and its seed for shuffling."""
    match = replay.match
    return json.dumps(
        {
            "match": match.id,
            "game": match.game,
            "rules_version": match.rules_version,
            "players": match.names,
            "options": dict(match.options),
            "seed": (match.seed or b"").hex(),
            "opened_at": match.opened_at,
            "ended_at": match.ended_at,
            "moves": [
                {"n": number, "seat": entry.seat, "move": entry.text, "at": entry.at}
                for number, entry in enumerate(replay.entries(0, replay.last), 1)
            ],
            "is_whole": replay.course.is_whole,
            "winners": _winners(replay),
        },
        indent=1,
    )


def _winners(replay: Replay) -> tuple[int, ...] | None:
    """Return the seats that have won, or None if the match has no result."""
    outcome = replay.game.outcome(replay.state(replay.last))
    return None if outcome is None else outcome.winners


def _when(at: int | None) -> str:
    return "unknown" if at is None else datetime.fromtimestamp(at, UTC).isoformat(" ", "minutes")
