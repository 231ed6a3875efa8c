"""Long matches for the benchmarks of replays and reviews, which are among these features' tests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from bot.games import games
from bot.matches.match import Entry, Match, Player, Stage, opening
from bot.matches.replay import Replay, course

MOVES = 2_000
RUNS, FEW = 15, 3
MILLISECONDS = 1000


def longest_random_replay(key: str) -> Replay:
    """Play 20 matches of a game with random moves, and return the replay of the longest match."""
    game = games()[key]
    seats = game.info.fewest
    options = {
        option.key: option.most if option.key == "lives" else option.default
        for option in game.info.options
    }
    players = tuple(Player(seat + 1, f"Player {seat + 1}") for seat in range(seats))
    longest = None
    for number in range(20):
        chance = Random(number)  # noqa: S311 — reproducible data
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


def cpu_milliseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median CPU time of ``runs`` calls of a function, in milliseconds."""
    work()
    times = []
    for _run in range(runs):
        start = process_time()
        work()
        times.append((process_time() - start) * MILLISECONDS)
    return median(times)
