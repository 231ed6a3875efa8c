"""Export of a match's replay as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from bot.matches.replay import Replay


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
