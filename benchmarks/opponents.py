"""Benchmark that compares computer players by their share of wins and their CPU time per turn.

``python -m benchmarks.opponents`` lets all pairs of computer players play each game. Every deal is
played once with each player in each seat, so that both players get the same luck. Shares of wins are
printed with their 95 % confidence interval. ``--game toad --deals 200 --pairs toad:greedy
froglet:tadpole --seats 2 4`` selects games and pairs. With four seats, the pair ``a:b`` means one *a*
against three *b*. Run the benchmark with ``nice``, because it uses ``--processes`` cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev
from time import process_time
from typing import Any

from benchmarks.reference_players import greedy_move, random_move
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import Strength
from bot.games import games
from tests.computer_matches import THINKING, update_memory

PLAYERS = ("random", "greedy", *(strength.value for strength in Strength))
SEED_BYTES = 32
MOVES_MOST = 4000
"""Number of moves after which a match between random players counts as a draw."""

NORMAL_95 = 1.96
MILLISECONDS = 1000


@dataclass
class Seat:
    """A computer player in a match, with its memory, its CPU time in seconds and its number of turns."""

    player: str
    memory: Any = None
    cpu: float = 0.0
    turns: int = 0


@dataclass
class Result:
    """The result of playing one deal in all seatings.

    Attributes:
        share: The first player's share of wins.
        cpu: The CPU time in seconds, by player.
        turns: The number of turns, by player.
    """

    share: float
    cpu: dict[str, float] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)


def choose_move(game: str, seat: Seat, state: Any, view: Any, lots: Lots) -> Any:
    """Return the move that a computer player makes.

    ``view`` is what the player may see. Only the random player uses ``state``, for its legal moves.
    """
    if seat.player == "random":
        return random_move(game, state, lots)
    seat.memory = update_memory(game, seat.memory, view)
    if seat.player == "greedy":
        return greedy_move(game, seat.memory)
    thinking = games()[game].thinking
    assert thinking is not None
    return thinking.choose(seat.memory, Strength(seat.player), lots)


def play_match(key: str, players: Sequence[str], seed: bytes) -> tuple[tuple[int, ...], list[Seat]]:
    """Play a match to its end, and return the winners' seat numbers and all seats.

    A match that is not over after ``MOVES_MOST`` moves has no winners.
    """
    game = games()[key]
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(len(players), options, seed)
    seats = [Seat(player) for player in players]
    last = None
    for number in range(MOVES_MOST):
        turn = game.to_move(state)
        if turn is None:
            break
        for place, seat in enumerate(seats):
            if place != turn and seat.player != "random":
                seat.memory = update_memory(key, seat.memory, game.view(state, place))
        view = game.view(state, turn)
        started = process_time()
        move = choose_move(key, seats[turn], state, view, Lots(lot_of(seed, number)))
        seats[turn].cpu += process_time() - started
        seats[turn].turns += turn != last
        last = turn
        state = game.play(state, move)
    outcome = game.outcome(state)
    return (outcome.winners if outcome else ()), seats


def play_deal(task: tuple[str, str, str, int, int]) -> Result:
    """Play one deal several times, with the first player in a different seat each time.

    The second player has all other seats. ``task`` has the game's key, both players, the number of seats
    and the deal's number.
    """
    key, one, other, count, number = task
    seed = number.to_bytes(SEED_BYTES, "big")
    result, shares = Result(0.0), []
    for place in range(count):
        players = [one if seat == place else other for seat in range(count)]
        winners, seats = play_match(key, players, seed)
        shares.append((place in winners) if winners else 1 / count)
        for seat in seats:
            result.cpu[seat.player] = result.cpu.get(seat.player, 0.0) + seat.cpu
            result.turns[seat.player] = result.turns.get(seat.player, 0) + seat.turns
    result.share = fmean(shares)
    return result


def player_pairs(asked: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of players named on the command line, or all pairs if none are named."""
    if not asked:
        yield from ((one, other) for other, one in combinations(PLAYERS, 2))
    for pair in asked:
        one, _colon, other = pair.partition(":")
        if not {one, other} <= set(PLAYERS):
            sys.exit(f"{pair}: a pair is two of {', '.join(PLAYERS)} with a colon between them")
        yield one, other


def win_share(results: Sequence[Result]) -> tuple[float, float]:
    """Return the first player's share of wins and half its confidence interval, both in percent."""
    shares = [result.share for result in results]
    spread = NORMAL_95 * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 1.0
    return 100 * fmean(shares), 100 * spread


def result_line(results: Sequence[Result], one: str, other: str) -> str:
    """Return a line with the results of a pair of players."""
    costs = []
    for player in dict.fromkeys((one, other)):
        turns = sum(result.turns[player] for result in results)
        cpu = sum(result.cpu[player] for result in results)
        costs.append(f"{player} {MILLISECONDS * cpu / max(1, turns):.2f}")
    won, spread = win_share(results)
    return f"{won:5.1f} % ± {spread:4.1f}   CPU ms a turn: {', '.join(costs)}"


def share_table(found: Mapping[tuple[str, str], tuple[float, float]]) -> str:
    """Return a text table of the shares of wins.

    Each row is a first player of a pair, and each column is a second player.
    """
    down, across = (
        [each for each in PLAYERS if any(pair[at] == each for pair in found)] for at in (0, 1)
    )
    lines = ["  won by, against", " " * 10 + "".join(f"{other:>12}" for other in across)]
    for one in down:
        cells = (found.get((one, other)) for other in across)
        told = ("" if cell is None else f"{cell[0]:.0f} ± {cell[1]:.0f}" for cell in cells)
        lines.append(f"{one:>10}" + "".join(f"{cell:>12}" for cell in told).rstrip())
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command-line arguments."""
    thinkers = THINKING
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents", description=__doc__)
    parser.add_argument("--game", nargs="*", choices=thinkers, default=thinkers)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--pairs", nargs="*", default=[])
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 4])
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    asked = parse_arguments()
    deals = range(asked.first, asked.first + asked.deals)
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        for key in asked.game:
            for seats in asked.seats:
                sys.stdout.write(f"{key}, {seats} seats, {asked.deals} deals in every seating\n")
                found = {}
                for one, other in player_pairs(asked.pairs):
                    tasks = [(key, one, other, seats, number) for number in deals]
                    results = list(pool.map(play_deal, tasks))
                    found[one, other] = win_share(results)
                    sys.stdout.write(
                        f"  {one:>8} against {other:<8} {result_line(results, one, other)}\n"
                    )
                    sys.stdout.flush()
                sys.stdout.write(f"{share_table(found)}\n")


if __name__ == "__main__":
    main()
