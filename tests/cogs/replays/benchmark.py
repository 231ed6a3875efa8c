"""Benchmark of replays: a page late in a long match, and an animation.

``python -m tests.cogs.replays.benchmark`` prints the CPU time of a page at move 2,000 and its ratio to
the page of the deal, for each game with matches of that length. It then prints the CPU time of an
animation of 40 pictures as in a worker process, and its ratio to drawing 40 pictures of a table.
"""

from __future__ import annotations

import sys

from benchmarks.long_matches import FEW, cpu_milliseconds, longest_random_replay
from bot.games import games
from bot.matches.replay import KEPT_EVERY, Replay
from bot.rendering.picture import draw
from bot.requests.layout_views import message
from cogs.replays.replay_page import replay_content
from cogs.replays.tasks import Film

PICTURES = 40


def page_milliseconds(replay: Replay, n: int) -> float:
    """Return the CPU time of a page, made and drawn, in milliseconds."""
    return cpu_milliseconds(lambda: message(replay_content(replay, n)))


def replay_report(key: str) -> str:
    """Return the cost of looking back on a long match of a game."""
    replay = longest_random_replay(key)
    last = replay.last - (replay.last % KEPT_EVERY == 0)  # furthest from a state that is kept
    deal, far = page_milliseconds(replay, 0), page_milliseconds(replay, last)
    moves = tuple(range(replay.last - PICTURES + 1, replay.last + 1))
    film = Film(replay.match, replay.course, moves, four_colours=False, spoken="en")
    size, film_ms = len(film.compute()), cpu_milliseconds(film.compute, FEW)
    scenes = [replay_content(replay, n).picture for n in moves]
    floor = cpu_milliseconds(lambda: [draw(one.scene) for one in scenes if one is not None], FEW)
    return (
        f"{key}: page {last} {far:.1f} ms, of the deal {deal:.1f} ms, ratio {far / deal:.1f}; "
        f"{PICTURES} pictures {film_ms:.0f} ms and {size:,} bytes, "
        f"drawn singly {floor:.0f} ms, ratio {film_ms / floor:.1f}\n"
    )


def main() -> None:
    """Measure and print."""
    for key in games():
        sys.stdout.write(replay_report(key))


if __name__ == "__main__":
    main()
