"""What it costs to look back: a page far on in a long match, a moving picture, and what was missed.

``python -m benchmarks.replays`` prints the CPU time of a page at move 2,000 and its ratio to the page of
the deal, for each game that can be played for so long; then that of 40 pictures, drawn and put together
as in a worker process, with its ratio to drawing 40 pictures of a table; and what a seat missed in 200
moves, with its ratio to folding those.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from bot.engine.match import Entry, Match, Player, Stage, fold, opening
from bot.engine.replay import KEPT_EVERY, Replay, course
from bot.games import games
from bot.rendering.drawing import draw
from bot.requests.components import message
from cogs.replays.film import Film, drawing_of, film_of
from cogs.replays.pages import replay_content
from cogs.reviews import Review

MOVES, PICTURES = 2_000, 40
REVIEWED = 200
RUNS, FEW = 15, 3
MILLISECONDS = 1000


def at_random(key: str) -> Replay:
    """Return the longest of some matches of a game in which every seat plays at random."""
    game = games()[key]
    seats = game.info.fewest
    options = {
        option.key: option.most if option.key == "lives" else option.default
        for option in game.info.options
    }
    players = tuple(Player(seat + 1, f"Player {seat + 1}") for seat in range(seats))
    longest = None
    for number in range(20):
        chance = Random(number)  # noqa: S311 — nothing hangs on how this match goes
        match = Match(
            id="m1",
            game=key,
            rules_version=game.info.rules_version,
            guild_id=None,
            channel_id=1,
            host_id=1,
            players=players,
            limit=seats,
            options=options,
            stage=Stage.FINISHED,
            seed=number.to_bytes(32),
        )
        state, entries = opening(game, match), list[Entry]()
        while (seat := game.to_move(state)) is not None and len(entries) < MOVES:
            move = game.recorded(state, chance.choice(game.legal_moves(state)))
            entries.append(Entry(len(entries), seat, game.write(move)))
            state = game.play(state, move)
        replay = Replay(match, game, course(game, match, entries))
        if longest is None or replay.last > longest.last:
            longest = replay
        if longest.last == MOVES:
            break
    assert longest is not None, "one was played"
    return longest


def cpu(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median CPU time of a piece of work, in milliseconds."""
    work()
    times = []
    for _run in range(runs):
        start = process_time()
        work()
        times.append((process_time() - start) * MILLISECONDS)
    return median(times)


def moving(replay: Replay, film: Film) -> bytes:
    """Make a film as sharing does."""
    return drawing_of(film, replay, "en").made()


def page(replay: Replay, n: int) -> float:
    """Return the CPU time of a page, made and drawn, in milliseconds."""
    return cpu(lambda: message(replay_content(replay, n)))


def review(replay: Replay) -> str:
    """Return what it costs to find what a seat missed, in the first moves of a match."""
    if replay.game.review is None:
        return ""
    entries, match = replay.entries(0, min(REVIEWED, replay.last)), replay.match
    missed_ms = cpu(lambda: Review(match.game, match.id, 0).made(match, entries), FEW)
    floor = cpu(lambda: fold(replay.game, match, entries), FEW)
    return f", what was missed in {len(entries)} moves {missed_ms:.0f} ms, ratio {missed_ms / floor:.0f}"


def report(key: str) -> str:
    """Return what looking back on a long match of a game costs."""
    replay = at_random(key)
    last = replay.last - (replay.last % KEPT_EVERY == 0)  # furthest from a state that is kept
    deal, far = page(replay, 0), page(replay, last)
    film = film_of(replay, replay.last - PICTURES + 1, replay.last)
    size, film_ms = len(moving(replay, film)), cpu(lambda: moving(replay, film), FEW)
    scenes = [replay_content(replay, n).picture for n in film.moves]
    floor = cpu(lambda: [draw(one.scene) for one in scenes if one is not None], FEW)
    return (
        f"{key}: page {last} {far:.1f} ms, of the deal {deal:.1f} ms, ratio {far / deal:.1f}; "
        f"{PICTURES} pictures {film_ms:.0f} ms and {size:,} bytes, "
        f"drawn singly {floor:.0f} ms, ratio {film_ms / floor:.1f}{review(replay)}\n"
    )


def main() -> None:
    """Measure and print."""
    for key in games():
        sys.stdout.write(report(key))


if __name__ == "__main__":
    main()
