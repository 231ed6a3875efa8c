"""The solver of American Toad, which finds winning lines and winnable deals.

It is a beam search. All successors of the positions in the beam are evaluated, and the best form the
next beam. Narrow beams come first and solve most deals in a few milliseconds. Wider ones follow. The
last stage is complete: it returns to the positions that had no room in a beam, deepest first, so a deal
is proved lost when none is left.

All values are integers in a fixed order, so each machine finds the same result. The caller limits the
number of positions evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from hashlib import blake2b
from itertools import accumulate, count
from operator import itemgetter
from typing import TypeAlias

from bot.engine.frozen import frozen
from bot.games.american_toad.card_moves import all_up, apply_move, card_moves, until_fits
from bot.games.american_toad.rules import after_line, open_deal
from bot.games.american_toad.search_state import (
    CARDS_UP,
    CAREFUL,
    EAGER,
    EASY,
    HEAD,
    SPAN,
    STRICT,
    TAIL,
    WON,
    Lie,
    Step,
    compact,
    move_of,
    offered_successors,
    successors,
    tidy,
)
from bot.games.american_toad.state import MOST_DEALS, AllUp, CardMove, Move, Position, Turn, TurnOn, Up

NODES = 100_000
"""The default limit of positions to evaluate."""


class Verdict(Enum):
    """The solver's knowledge of a position."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@frozen
class Solution:
    """The result of a search.

    Attributes:
        line: Winning moves, or none.
        nodes: The number of positions evaluated.
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()
    nodes: int = 0


@frozen
class Weights:
    """The weight of each feature of a position.

    Attributes:
        up: Per card on a foundation.
        reserve: Per card in the reserve.
        talon: Per card in the talon.
        skipped: Per turned card of the talon, and per card of the talon once the redeal is used.
        redealt: For a used redeal.
        corner: Per column whose run wraps around the base or is long.
        gap: Per empty column.
        lag: Per card by which the two foundations of a suit differ.
    """

    up: int = 10
    reserve: int = -10
    talon: int = -10
    skipped: int = -50
    redealt: int = -600
    corner: int = -5
    gap: int = 10
    lag: int = 0


@frozen
class Stage:
    """A stage of the search.

    Attributes:
        width: The number of positions in the beam.
        slack: The slack for cards that go up automatically. None means none do, and only moves that the
            table offers are made.
        turns: The number of cards of the talon to try, or None for all.
        weights: The weights of the evaluation.
    """

    width: int
    slack: int | None
    turns: int | None
    weights: Weights = Weights()

    @property
    def is_complete(self) -> bool:
        """True if no winning line can be missed, because the beam returns to positions without room."""
        return self.slack == STRICT and self.turns is None


_NARROW = (
    Stage(1, EAGER, 4),
    Stage(1, EAGER, 4, Weights(up=10, reserve=-20, talon=-5, skipped=-30)),
    Stage(1, EAGER, 8, Weights(up=6, reserve=-5, talon=-10, skipped=-80, corner=-30)),
    Stage(1, EAGER, 8, Weights(up=15, reserve=-10, talon=-5, skipped=-50, lag=-3, gap=30)),
    Stage(16, EAGER, 8),
)
_COMPLETE = Stage(4, STRICT, None)
"""A nearly depth-first stage. Its width gives shorter lines than a single position at a time."""

STAGES = (*_NARROW, Stage(64, CAREFUL, 8), Stage(256, EASY, 8), _COMPLETE)
"""The stages while the redeal is left. They determine deals and the verification of matches."""

LATE_STAGES = (*_NARROW, _COMPLETE)
"""The stages after the redeal. Fewer moves are left, and wide beams would use up the limit."""

OFFERED = (
    Stage(32, None, 1),
    Stage(32, None, 1, Weights(skipped=-10, redealt=-100)),
    Stage(128, None, 1),
)
"""The stages that use only moves offered by the table, and so find short lines."""

_Node: TypeAlias = "tuple[_Node | None, tuple[Step, ...]]"


def solve(position: Position, *, nodes: int = NODES, stages: tuple[Stage, ...] = ()) -> Solution:
    (start, reserve), weighed = compact(position), 0
    for stage in stages or (STAGES if position.redeal_left else LATE_STAGES):
        found = _search(stage, start, reserve, nodes - weighed)
        weighed += found.nodes
        if found.verdict is not Verdict.UNKNOWN or weighed >= nodes:
            return replace(found, nodes=weighed)
    return Solution(Verdict.UNKNOWN, nodes=weighed)


def _search(stage: Stage, start: Lie, reserve: tuple[int, ...], nodes: int) -> Solution:
    weighed = 0
    root, lie = _tidy_node(stage, reserve, None, (), start)
    if lie[5] == WON:
        return Solution(Verdict.WON, _line(root))
    layers, seen = [[(0, lie, root)]], set[object]()
    while layers:
        beam, layer = layers.pop(), []
        if stage.is_complete and len(beam) > stage.width:
            layers.append(beam[stage.width :])
        for _worth, at, node in beam[: stage.width]:
            for before, after in (
                offered_successors(reserve, at)
                if stage.slack is None
                else successors(reserve, at, stage.turns)
            ):
                child, lie = _tidy_node(stage, reserve, node, before, after)
                key = (*lie[:4], tuple(sorted(lie[4])))
                if key in seen:
                    continue
                seen.add(key)
                weighed += 1
                if weighed >= nodes:
                    return Solution(Verdict.UNKNOWN, nodes=weighed)
                if lie[5] == WON:
                    return Solution(Verdict.WON, _line(child), weighed)
                layer.append((worth(lie, stage.weights), lie, child))
        layer.sort(key=itemgetter(0), reverse=True)
        if layer:
            layers.append(layer)
    return Solution(Verdict.LOST if stage.is_complete else Verdict.UNKNOWN, nodes=weighed)


def _tidy_node(
    stage: Stage, reserve: tuple[int, ...], node: _Node | None, before: tuple[Step, ...], lie: Lie
) -> tuple[_Node, Lie]:
    if stage.slack is None:
        return (node, before), lie
    steps = list(before)
    lie = tidy(reserve, lie, stage.slack, steps)
    return (node, tuple(steps)), lie


def worth(lie: Lie, weights: Weights) -> int:
    talon, turned, redeal, left, runs, pairs = lie
    skipped = turned if redeal else turned + len(talon)
    total = weights.reserve * left + weights.talon * len(talon) + weights.skipped * skipped
    if not redeal:
        total += weights.redealt
    for pair in pairs:
        total += weights.up * CARDS_UP[pair]
    for run in runs:
        if not run:
            total += weights.gap
        elif TAIL[run] > HEAD[run] or run % SPAN > SPAN // 2:
            total += weights.corner
    if weights.lag:
        total += weights.lag * sum(pair % 14 - pair // 14 for pair in pairs)
    return total


def _line(node: _Node | None) -> tuple[Move, ...]:
    taken: list[tuple[Step, ...]] = []
    while node is not None:
        node, steps = node
        taken.append(steps)
    return tuple(move_of(step) for steps in reversed(taken) for step in steps)


KEPT = 6
"""The number of ways to follow up to each point of a line."""
MOST_SWEEPS = 5
"""The most consecutive turns with cards going up to try."""


def best_line(position: Position, *, nodes: int = NODES) -> tuple[Move, ...]:
    """Return the shortest winning line of offered moves found, or none.

    Args:
        position: The position.
        nodes: The limit of positions for each search.
    """
    found = (solve(position, nodes=nodes, stages=(stage,)).line for stage in OFFERED)
    lines = [line for line in found if line]
    if lines or position.is_won:
        return min(lines, key=len, default=())
    return shorten_line(position, solve(position, nodes=nodes).line)


def known_lines(
    lines: Sequence[tuple[Position, tuple[Move, ...]]], positions: Iterable[Position]
) -> list[tuple[Move, ...]]:
    """Return the shortest known way to win from each position, or no moves.

    Args:
        lines: Winning lines, each with its first position.
        positions: The positions.
    """
    rests: dict[Position, tuple[Move, ...]] = {}
    for start, line in lines:
        for made, passed in enumerate(after_line(start, line)):
            _keep(rests, _order_foundations(passed), line[made:])
    return [rests.get(_order_foundations(position), ()) for position in positions]


def shorten_line(position: Position, line: Iterable[Move]) -> tuple[Move, ...]:
    """Return a winning line made of the moves that the table offers, in as few as possible.

    Cards may go up later than in the given line, together, or while the stock turns. The player may
    therefore lag behind the line. The two meet when all possible cards have gone up.
    """
    moves = tuple(move for move in line if isinstance(move, CardMove))
    start = _order_foundations(position)
    passed = list(
        accumulate(moves, lambda here, move: _order_foundations(apply_move(here, move)), initial=start)
    )
    ways: list[dict[Position, tuple[Move, ...]]] = [{} for _index in passed]
    ways[0][passed[0]] = ()
    for index, here_ways in enumerate(ways):
        goal = _order_foundations(all_up(passed[index]))
        for here, made in _shortest(here_ways, passed[index]):
            up = _order_foundations(all_up(here))
            if up != goal:
                del here_ways[here]
            elif up == passed[index] != here:
                _keep(here_ways, up, (*made, AllUp()))
        if index < len(moves):
            for here, made in _shortest(here_ways, passed[index]):
                for reached, presses, after in _onward(moves, passed, index, here):
                    _keep(ways[reached], after, (*made, *presses))
    return ways[-1][passed[-1]]


def _shortest(
    ways: dict[Position, tuple[Move, ...]], there: Position
) -> list[tuple[Position, tuple[Move, ...]]]:
    """Return the shortest ways, always including the one that does not lag behind the line."""
    return sorted(ways.items(), key=lambda way: (way[0] != there, len(way[1])))[:KEPT]


def _keep(ways: dict[Position, tuple[Move, ...]], here: Position, made: tuple[Move, ...]) -> None:
    if here not in ways or len(made) < len(ways[here]):
        ways[here] = made


def _onward(
    moves: tuple[CardMove, ...], passed: list[Position], index: int, here: Position
) -> Iterator[tuple[int, tuple[Move, ...], Position]]:
    """Yield ways to go on along the line, as the index reached, the moves and the position."""
    move = moves[index]
    if isinstance(move, Turn):
        if move.count <= len(here.stock):
            yield index + 1, _turns(here, move.count), apply_move(here, move)
    elif move in card_moves(here):
        yield index + 1, (move,), _order_foundations(apply_move(here, move))
    if isinstance(move, Up):
        yield index + 1, (), here
        return
    if not isinstance(move, Turn):
        return
    swept = here
    for presses in range(1, MOST_SWEEPS + 1):
        if not swept.stock:
            return
        swept = _order_foundations(apply_move(swept, until_fits(swept, up=True)))
        end = index
        while end < len(moves) and isinstance(moves[end], Turn | Up):
            end += 1
            if passed[end] == swept:
                yield end, (TurnOn(up=True),) * presses, swept


def _turns(position: Position, count: int) -> tuple[Move, ...]:
    """Return the fewest moves that turn a number of cards while none go up."""
    made: list[Move] = []
    while count:
        turn = until_fits(position, up=False)
        press: Move = TurnOn()
        if turn.count > count:
            turn, press = Turn(), Turn()
        made.append(press)
        position, count = apply_move(position, turn), count - turn.count
    return tuple(made)


def _order_foundations(position: Position) -> Position:
    """Return the position with the higher foundation of each suit second, which is equivalent."""
    heights = position.heights
    pairs = zip(heights[::2], heights[1::2], strict=True)
    return replace(
        position, heights=tuple(height for pair in pairs for height in sorted(pair)), last=None
    )


DEAL_NODES = 20_000


@frozen
class Winnable:
    """A winnable deal.

    Attributes:
        number: The number of the deal.
        par: The number of moves of the best known line.
    """

    number: int
    par: int


def find_deal(options: Mapping[str, int]) -> Mapping[str, int]:
    """Return the options with a winnable deal and its par, unless any deal was requested."""
    if options["any"]:
        return options
    found = winnable_deal(f"deal by lot {options['deal']}")
    return {**options, "deal": found.number, "par": found.par}


def winnable_deal(name: str) -> Winnable:
    """Return the first deal drawn under a name that the solver wins, the same in every process."""
    for number in deal_numbers(name):
        position = open_deal(number).position
        if solve(position, nodes=DEAL_NODES).verdict is Verdict.WON:
            return Winnable(number, len(best_line(position, nodes=DEAL_NODES)))
    raise AssertionError("the draw has no end")


def deal_numbers(name: str) -> Iterator[int]:
    for place in count():
        text = f"{name}/{place}" if place else name
        yield 1 + int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % MOST_DEALS
