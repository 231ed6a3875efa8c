"""A recording: a match's seed and moves, and the visible changes after each move.

The indented lines are generated from the others by ``python -m tests.playthroughs``. The digest covers
the whole state, including hidden cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bot.engine.game import AnyGame
from bot.games import games
from bot.matches.match import Entry, advance

RECORDINGS = Path(__file__).parent / "recordings"
MADE = "    "
_OPTION = re.compile(r"(\w+)=(\d+)")
DIGEST_BYTES = 4
LOG_LENGTH = 8
"""Minimum length of tuples that are compared as logs. Shorter ones have a fixed length."""


@dataclass(frozen=True)
class Recording:
    """A recording's source."""

    game: str
    rules_version: int
    seats: int
    options: dict[str, int]
    seed: bytes
    entries: tuple[Entry, ...]

    def by_rules(self) -> AnyGame:
        """Return the game as the rules had it that the match was played by."""
        game = games()[self.game].by_rules(self.rules_version)
        assert game is not None, "rules that a recording was played by are kept"
        return game


def recording_paths() -> Iterator[Path]:
    """Yield the files, named after their game or after it and a stroke: ``toad.txt``, ``toad-2.txt``."""
    yield from sorted(RECORDINGS.glob("*.txt"))


def parse_recording(text: str) -> Recording:
    """Return the content of the lines without indentation."""
    lines = [line for line in text.splitlines() if line and not line.startswith((MADE, "#"))]
    head = dict(line.split(": ", 1) for line in lines if ": " in line)
    moves = [line.split(" ", 2) for line in lines if ": " not in line]
    return Recording(
        game=head["game"],
        rules_version=int(head["rules version"]),
        seats=int(head["seats"]),
        options={key: int(value) for key, value in _OPTION.findall(head["options"])},
        seed=bytes.fromhex(head["seed"]),
        entries=tuple(Entry(int(n), int(seat), move) for n, seat, move in moves),
    )


def _options_text(options: dict[str, int]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items()) or "none"


def render_recording(recording: Recording) -> str:
    """Return the whole text of a recording: its source, and the result."""
    game = recording.by_rules()
    state = game.deal(recording.seats, recording.options, recording.seed)
    view = game.view(state, None)
    lines = [
        "# Made by `python -m tests.playthroughs`. Moves are: number, seat, notation.",
        f"game: {recording.game}",
        f"rules version: {recording.rules_version}",
        f"seats: {recording.seats}",
        f"options: {_options_text(recording.options)}",
        f"seed: {recording.seed.hex()}",
        f"{MADE}#{_state_digest(state)}",
        *_changed_fields(None, view),
    ]
    for entry in recording.entries:
        state = advance(game, state, entry)
        before, view = view, game.view(state, None)
        lines += [
            f"{entry.n} {entry.seat} {entry.text}",
            f"{MADE}#{_state_digest(state)} {len(game.legal_moves(state))} legal moves",
            *_changed_fields(before, view),
        ]
    lines += [f"{MADE}{game.outcome(state)}", *(f"{MADE}{dict(seat)}" for seat in game.tally(state))]
    return "\n".join(lines) + "\n"


def _state_digest(state: Any) -> str:
    return blake2b(_canonical_text(state).encode(), digest_size=DIGEST_BYTES).hexdigest()


def _changed_fields(before: Any, after: Any) -> Iterator[str]:
    """Yield a line for each field of the view that is another one than before."""
    for field in fields(after):
        old, new = getattr(before, field.name, None), getattr(after, field.name)
        if before is not None and new == old:
            continue
        if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new) < LOG_LENGTH:
            yield from (
                f"{MADE}{field.name}[{place}]: {_canonical_text(there)}"
                for place, (was, there) in enumerate(zip(old, new, strict=True))
                if was != there
            )
        else:
            added = _appended_items(old, new)
            value = (
                _canonical_text(new) if added is None else f"+ {' '.join(map(_canonical_text, added))}"
            )
            yield f"{MADE}{field.name}: {value}"


def _appended_items(old: Any, new: Any) -> tuple[Any, ...] | None:
    """Return the items appended to a log, or None if the value is not a log."""
    if not (isinstance(old, tuple) and isinstance(new, tuple) and len(new) >= len(old) > 0):
        return None
    if new[: len(old)] == old:
        return new[len(old) :]
    kept = next((n for n in range(len(old) - 1, len(old) // 2, -1) if new[:n] == old[-n:]), None)
    return None if kept is None else new[kept:]


def _canonical_text(value: Any) -> str:
    """Return frozen data as text that does not hang on the order of a set or on a repr."""
    code = getattr(value, "code", None)
    if isinstance(code, str):
        return code
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return f"({' '.join(map(_canonical_text, value))})"
    if isinstance(value, frozenset):
        return f"{{{' '.join(sorted(map(_canonical_text, value)))}}}"
    if is_dataclass(value):
        parts = (
            f"{field.name}={_canonical_text(getattr(value, field.name))}" for field in fields(value)
        )
        return f"{type(value).__name__}({' '.join(parts)})"
    if isinstance(value, bytes):
        return value.hex()
    return "--" if value is None else str(value)
