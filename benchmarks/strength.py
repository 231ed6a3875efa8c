"""Whether each strength beats the next weaker one by 60 to 40, in each game, for two and for four.

``python -m benchmarks.strength`` plays mirrored deals: every deal once with each side in each other's
seats, one seat a side in a match of two, and two seats a side, in turn, in a match of four. A pair ends
as soon as its interval is above or below 60 per cent, and after ``--deals`` at the latest; it is one of
99 per cent, as it is looked at after every few deals. It ends with 1 where a strength is not shown to
be that much better.

``--game frogger --pairs froglet:tadpole --seats 4`` measures less. Run it niced.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev

from benchmarks.opponents import MILLISECONDS, SEED_BYTES, Result, pairs, play
from tests.frogs import THINKING

PAIRS = ("toad:froglet", "froglet:tadpole")
ENOUGH = 0.6
NORMAL_99 = 2.58
FEWEST, BATCH = 12, 4
"""How many deals are played before the interval is looked at, and between two looks."""


def mirrored(task: tuple[str, str, str, int, int]) -> Result:
    """Play one deal twice, with the sides in each other's seats."""
    key, one, other, count, number = task
    seed = number.to_bytes(SEED_BYTES, "big")
    result, shares = Result(0.0), []
    for turned in (0, 1):
        sides = [(place + turned) % 2 for place in range(count)]
        winners, seats = play(key, [(one, other)[side] for side in sides], seed)
        shares.append(fmean(1 - sides[place] for place in winners) if winners else 1 / 2)
        for seat in seats:
            result.cpu[seat.player] = result.cpu.get(seat.player, 0.0) + seat.cpu
            result.turns[seat.player] = result.turns.get(seat.player, 0) + seat.turns
    result.share = fmean(shares)
    return result


def interval(results: list[Result]) -> tuple[float, float]:
    """Return the first side's share of wins, and how far it may be off."""
    shares = [result.share for result in results]
    least = 1 / (2 * len(shares))  # alike deals say something of the spread, too
    return fmean(shares), NORMAL_99 * max(stdev(shares), sqrt(least) / 2) / sqrt(len(shares))


def measured(pool: Executor, key: str, one: str, other: str, seats: int, deals: range) -> bool:
    """Play a pair until it is decided, print it, and return whether the first is that much better."""
    results: list[Result] = []
    share = off = 0.0
    for number in deals[::BATCH]:
        tasks = [(key, one, other, seats, each) for each in range(number, number + BATCH)]
        results += pool.map(mirrored, tasks)
        share, off = interval(results)
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


def parsed() -> argparse.Namespace:
    """Return what was asked for on the command line."""
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
    """Measure, print, and end with 1 where a strength is none of its own."""
    asked = parsed()
    deals = range(asked.first, asked.first + asked.deals)
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        better = [
            measured(pool, key, one, other, seats, deals)
            for key in asked.game
            for seats in asked.seats
            for one, other in pairs(asked.pairs)
        ]
    sys.exit(not all(better))


if __name__ == "__main__":
    main()
