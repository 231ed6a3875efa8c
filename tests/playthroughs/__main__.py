"""Rewrite the recordings: ``python -m tests.playthroughs``.

A game that has no recording gets one, of a match played at random.
"""

from __future__ import annotations

from random import Random

from bot.games import games
from bot.matches.match import Entry
from tests.playthroughs.recording import (
    RECORDINGS,
    Recording,
    parse_recording,
    recording_paths,
    render_recording,
)

SEED = b"a recorded match".hex().encode()
MOST_MOVES = 150


def main() -> None:
    """Write every recording again from its own seed and moves."""
    recorded = set()
    for path in recording_paths():
        recording = parse_recording(path.read_text("utf-8"))
        path.write_text(render_recording(recording), "utf-8")
        recorded.add(recording.game)
    for key in games().keys() - recorded:
        (RECORDINGS / f"{key}.txt").write_text(render_recording(_record_random_match(key)), "utf-8")


def _record_random_match(key: str) -> Recording:
    """Return a match of a game in which every seat plays at random."""
    game, chance, entries = games()[key], Random(1), list[Entry]()
    seats = game.info.most
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(seats, options, SEED)
    for n in range(MOST_MOVES):
        seat = game.to_move(state)
        if seat is None:
            break
        move = chance.choice(game.legal_moves(state))
        entries.append(Entry(n, seat, game.write(move)))
        state = game.play(state, move)
    return Recording(key, game.info.rules_version, seats, options, SEED, tuple(entries))


if __name__ == "__main__":
    main()
