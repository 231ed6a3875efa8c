"""Benchmark of the solver for American Toad, and of the number of clicks that a deal takes.

``python -m benchmarks.solitaire`` solves a thousand deals. It prints the shares of the solver's
verdicts, the quantiles of its CPU time, and the deals that it did not win. Every solution is checked by
playing it. The baseline is the time of shuffling and dealing the same deals. ``--clicks`` plays a
hundred deals like a careful player who does not know the hidden cards, and prints the number of clicks
in the deals won. ``--days`` finds the daily deals of future days.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from statistics import median, quantiles
from time import process_time

from bot.engine.panel import ChoiceMenu
from bot.games.american_toad import GAME
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import NODES, Verdict, deal_numbers, solve, winnable_deal
from bot.games.american_toad.state import AllUp, Move, Place, Redeal, Shift, State, TurnOn

DEALS, PLAYED, DAYS = 1000, 100, 30
FIRST_DAY = 20270101
NAME = "benchmark"
MOST_CLICKS = 400
MILLISECONDS = 1000


def cpu_milliseconds(work: Callable[[], object]) -> float:
    """Call a function, and return the CPU time that it used in milliseconds."""
    start = process_time()
    work()
    return (process_time() - start) * MILLISECONDS


def print_line(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


def print_quantiles(times: list[float], floor: list[float]) -> None:
    """Print the quantiles of CPU times in milliseconds, and their ratio to a baseline."""
    cuts = quantiles(times, n=100, method="inclusive")
    print_line(
        f"CPU: median {median(times):.1f} ms, 90 % {cuts[89]:.1f} ms, 99 % {cuts[98]:.0f} ms,"
        f" longest {max(times):.0f} ms"
    )
    ratio = median(times) / median(floor)
    print_line(
        f"floor: {median(floor):.2f} ms to shuffle and deal; the median is {ratio:.1f} times that"
    )


def measure_solver(deals: int, nodes: int) -> None:
    """Solve random deals, and print the verdicts and CPU times."""
    times, floor, left = list[float](), list[float](), list[str]()
    verdicts = dict.fromkeys(Verdict, 0)
    for number in islice(deal_numbers(NAME), deals):
        floor.append(cpu_milliseconds(partial(open_deal, number)))
        state = open_deal(number)
        start = process_time()
        solution = solve(state.position, nodes=nodes)
        times.append((process_time() - start) * MILLISECONDS)
        verdicts[solution.verdict] += 1
        if solution.verdict is not Verdict.WON:
            left.append(f"{number} {solution.verdict.value}")
            continue
        for move in solution.line:
            state = GAME.play(state, move)
        if not state.position.is_won:
            raise AssertionError(f"the line of deal {number} does not win")
    shares = ", ".join(f"{verdict.value} {count / deals:.1%}" for verdict, count in verdicts.items())
    print_line(f"{deals} deals, at most {nodes:,} positions each: {shares}")
    print_quantiles(times, floor)
    print_line(f"not won: {', '.join(left) or 'none'}")


def careful_moves(state: State) -> Iterator[tuple[Move, int]]:
    """Yield the moves that a careful player considers, best first, each with its number of clicks.

    A button takes one click, a menu option takes two. The moves that turn the stock also put all
    possible cards on the foundations.
    """
    view = GAME.view(state, 0)
    offered = [
        (choice.move, 2 if isinstance(row, ChoiceMenu) else 1)
        for row in GAME.panel(view).rows
        for choice in row.choices
        if choice.move is not None
    ]
    cards = [each for each in offered if isinstance(each[0], Place | Shift)]
    yield from (each for each in cards if _is_safe_move(state, each[0]))
    yield from (each for each in offered if each[0] == TurnOn(up=True))
    yield from (each for each in offered if isinstance(each[0], AllUp))
    if not state.position.redeal_left:
        yield from (each for each in cards if isinstance(each[0], Place))
    yield from (each for each in offered if isinstance(each[0], Redeal))
    yield from cards


def _is_safe_move(state: State, move: Move) -> bool:
    """Return whether a move is safe.

    Safe moves put a whole column, or a card from another pile, onto a column that is not empty.
    """
    columns = state.position.columns
    match move:
        case Shift(source, column, count):
            return bool(columns[column]) and count == len(columns[source])
        case Place(_, column):
            return bool(columns[column])
        case _:
            return False


def clicks_to_win(number: int) -> int | None:
    """Return the number of clicks in which a careful player wins a deal, or None if the player fails."""
    state, clicks = open_deal(number), 0
    seen = {state.position}
    while not state.position.is_won and clicks < MOST_CLICKS:
        ways = ((GAME.play(state, move), cost) for move, cost in careful_moves(state))
        new = next(((after, cost) for after, cost in ways if after.position not in seen), None)
        if new is None:
            return None
        state, clicks = new[0], clicks + new[1]
        seen.add(state.position)
    return clicks if state.position.is_won else None


def measure_clicks(deals: int) -> None:
    """Play this number of deals carefully, and print the number of clicks in the deals won."""
    found = [clicks_to_win(number) for number in islice(deal_numbers(NAME), deals)]
    won = [clicks for clicks in found if clicks is not None]
    print_line(f"{deals} deals played with care, no hidden card known: {len(won)} won")
    print_line(f"clicks of a won deal: median {median(won):.0f}, fewest {min(won)}, most {max(won)}")


def measure_daily_deals(count: int) -> None:
    """Find the daily deals of ``count`` future days, and print the CPU times and the pars."""
    times, floor, pars = list[float](), list[float](), list[int]()
    for day in range(FIRST_DAY, FIRST_DAY + count):
        start = process_time()
        deal = winnable_deal(f"deal of the day {day}")
        times.append((process_time() - start) * MILLISECONDS)
        floor.append(cpu_milliseconds(partial(open_deal, deal.number)))
        pars.append(deal.par)
    print_line(f"{count} deals of the day: par {min(pars)} to {max(pars)}, median {median(pars):.0f}")
    print_quantiles(times, floor)


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--clicks", action="store_true")
    parser.add_argument("--days", action="store_true")
    asked = parser.parse_args()
    if asked.clicks:
        measure_clicks(min(asked.deals, PLAYED))
    elif asked.days:
        measure_daily_deals(min(asked.deals, DAYS))
    else:
        measure_solver(asked.deals, asked.nodes)


if __name__ == "__main__":
    main()
