"""Recorded matches, which must always fold to the same states.

Each file of ``recordings`` is a whole match with what everybody saw after each move. When a change
of the rules or of the view is meant, ``python -m tests.playthroughs`` writes the files again, and
the difference shows what the change did. A change after which old moves lead to another state
wants a new ``rules_version`` too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.game import AnyGame
from bot.games import games
from bot.games.toad.state import EventType
from bot.matches.match import advance
from tests.playthroughs.recording import (
    MADE,
    RECORDINGS,
    parse_recording,
    recording_paths,
    render_recording,
)


@pytest.mark.parametrize("path", list(recording_paths()), ids=lambda path: str(path.stem))
def test_a_replay_reproduces_the_recorded_match(path: Path) -> None:
    """The same seed and moves give the same states, views, outcome and statistics."""
    text = path.read_text("utf-8")
    assert render_recording(parse_recording(text)) == text


@pytest.mark.parametrize("path", list(recording_paths()), ids=lambda path: str(path.stem))
def test_a_recording_has_numbered_moves_and_is_finished_or_long(path: Path) -> None:
    """A recording is named after its game, and an unfinished one has more than 20 moves."""
    text = path.read_text("utf-8")
    recording, is_over = parse_recording(text), f"\n{MADE}None\n" not in text
    assert path.stem.split("-")[0] == recording.game
    assert [entry.n for entry in recording.entries] == list(range(len(recording.entries)))
    assert is_over or len(recording.entries) > 20


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_every_game_has_recordings_for_all_versions_of_its_rules(game: AnyGame) -> None:
    """Each game is recorded with its current rules and with every earlier version that it supports."""
    recorded = [parse_recording(path.read_text("utf-8")) for path in recording_paths()]
    versions = {one.rules_version for one in recorded if one.game == game.info.key}
    assert versions == {each.info.rules_version for each in (game, *game.earlier)}


def test_the_toad_recording_covers_the_special_events() -> None:
    """Three players, toads, a false claim, a reshuffle, a common loss, an elimination, and the pot."""
    recording = parse_recording((RECORDINGS / "toad.txt").read_text("utf-8"))
    game, seen = recording.by_rules(), set[EventType]()
    state = game.deal(recording.seats, recording.options, recording.seed)
    for entry in recording.entries:
        state = advance(game, state, entry)
        seen |= {event.what for event in state.events}
    wanted = {
        "TOAD",
        "FALSE_CLAIM",
        "RESHUFFLED",
        "LAST_ONE",
        "ALL_PASSED",
        "ELIMINATED",
        "WON",
        "PASSED",
    }
    assert recording.seats == 3
    assert wanted <= {what.name for what in seen}
    assert game.outcome(state) is not None
