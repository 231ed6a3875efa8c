"""Benchmark of the review of a seat's 200 moves, and its ratio to folding those moves.

``python -m tests.cogs.reviews.benchmark`` prints the CPU time for each game with reviews.
"""

from __future__ import annotations

import sys

from benchmarks.long_matches import FEW, cpu_milliseconds, longest_random_replay
from bot.games import games
from bot.matches.match import fold
from bot.matches.replay import Replay
from cogs.reviews.tasks import ReviewSeat

REVIEWED = 200


def review_report(replay: Replay) -> str:
    """Return the cost of finding a seat's missed moves in the first moves of a match."""
    entries, match = replay.entries(0, min(REVIEWED, replay.last)), replay.match
    missed_ms = cpu_milliseconds(
        lambda: ReviewSeat(match.game, match.id, 0).compute(match, entries), FEW
    )
    floor = cpu_milliseconds(lambda: fold(replay.game, match, entries), FEW)
    ratio = missed_ms / floor
    return f"{match.game}: missed in {len(entries)} moves {missed_ms:.0f} ms, ratio {ratio:.0f}\n"


def main() -> None:
    """Measure and print."""
    for key, game in games().items():
        if game.review is not None:
            sys.stdout.write(review_report(longest_random_replay(key)))


if __name__ == "__main__":
    main()
