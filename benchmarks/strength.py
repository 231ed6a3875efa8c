"""Test that each strength of computer player wins at least 60 % against the next weaker strength.

``python -m benchmarks.strength`` plays mirrored deals of each game. Every deal is played twice, and the
two sides swap seats in between. In a match of two, each side has one seat. In a match of four, each side
has two alternating seats. The test of a pair ends when its confidence interval is entirely above or
below 60 %, or after ``--deals`` deals. The interval is one of 99 %, because it is checked after every
few deals. The exit code is 1 if the test does not show that a strength is better by this margin.
``--game frogger --pairs froglet:tadpole --seats 4`` selects games, pairs and sizes. Run it with
``nice``.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev

from benchmarks.opponents import MILLISECONDS, SEED_BYTES, Result, play_match, player_pairs
from tests.computer_matches import THINKING

PAIRS = ("toad:froglet", "froglet:tadpole")
ENOUGH = 0.6
NORMAL_99 = 2.58
FEWEST, BATCH = 12, 4
"""Number of deals before the interval is checked for the first time, and between two checks."""


def play_mirrored_deal(task: tuple[str, str, str, int, int]) -> Result:
    """Play one deal twice. The two sides swap seats in between.

    ``task`` has the game's key, both players, the number of seats and the deal's number.
    """
    key, one, other, count, number = task
    seed = number.to_bytes(SEED_BYTES, "big")
    result, shares = Result(0.0), []
    for turned in (0, 1):
        sides = [(place + turned) % 2 for place in range(count)]
        winners, seats = play_match(key, [(one, other)[side] for side in sides], seed)
        shares.append(fmean(1 - sides[place] for place in winners) if winners else 1 / 2)
        for seat in seats:
            result.cpu[seat.player] = result.cpu.get(seat.player, 0.0) + seat.cpu
            result.turns[seat.player] = result.turns.get(seat.player, 0) + seat.turns
    result.share = fmean(shares)
    return result


def confidence_interval(results: list[Result]) -> tuple[float, float]:
    """Return the first side's share of wins and half its confidence interval."""
    shares = [result.share for result in results]
    least = 1 / (2 * len(shares))  # even equal shares imply some spread
    return fmean(shares), NORMAL_99 * max(stdev(shares), sqrt(least) / 2) / sqrt(len(shares))


def compare_players(pool: Executor, key: str, one: str, other: str, seats: int, deals: range) -> bool:
    """Compare two computer players, and print the result.

    Returns:
        True if the first player is shown to win more than ``ENOUGH`` of the matches.
    """
    results: list[Result] = []
    share = off = 0.0
    for number in deals[::BATCH]:
        tasks = [(key, one, other, seats, each) for each in range(number, number + BATCH)]
        results += pool.map(play_mirrored_deal, tasks)
        share, off = confidence_interval(results)
        if len(results) >= FEWEST and abs(share - ENOUGH) > off:
            break
    costs = []
    for player in (one, other):
        turns = sum(result.turns[player] for result in results)
        cpu = MILLISECONDS * sum(result.cpu[player] for result in results) / max(1, turns)
        costs.append(f"{player} {cpu:.2f}")
    is_better = share - off > ENOUGH
    said = "better" if is_better else "not better" if share + off < ENOUGH else "open"
    sys.stdout.write(
        f"{key:<8}{seats} seats  {one:>8} against {other:<8} {100 * share:5.1f} % ± {100 * off:4.1f}"
        f"  {said:<10} {len(results):3} deals  CPU ms a turn: {', '.join(costs)}\n"
    )
    sys.stdout.flush()
    return is_better


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command-line arguments."""
    thinkers = THINKING
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("--game", nargs="*", choices=thinkers, default=thinkers)
    parser.add_argument("--pairs", nargs="*", default=PAIRS)
    parser.add_argument("--seats", nargs="*", type=int, choices=(2, 4), default=[2, 4])
    parser.add_argument("--deals", type=int, default=200, help="at most, of a pair")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    """Compare all pairs. The exit code is 1 if a strength is not better than the next weaker one."""
    asked = parse_arguments()
    deals = range(asked.first, asked.first + asked.deals)
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        better = [
            compare_players(pool, key, one, other, seats, deals)
            for key in asked.game
            for seats in asked.seats
            for one, other in player_pairs(asked.pairs)
        ]
    sys.exit(not all(better))


if __name__ == "__main__":
    main()
