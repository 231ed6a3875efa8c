"""Solver for American Toad, which finds winning lines and winnable deals.

A line is a sequence of moves. The solver runs a beam search in several stages. Each step evaluates all
successors of the positions in the beam, and the best successors form the next beam. The first stages use
narrow beams and solve most deals in a few milliseconds. Later stages use wider beams. The last stage
also searches the positions that had no room in a beam, deepest first. If no such position is left, the
deal is proved lost.

The search uses only integers and a fixed order, so it finds the same result on every machine. The
caller limits the number of positions evaluated.
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
    """The result of a search: the position can be won, is proved lost, or is undecided."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@frozen
class Solution:
    """The result of a search, with the winning moves if the solver found them.

    Attributes:
        line: The winning moves, or an empty tuple if none were found.
        nodes: The number of positions evaluated.
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()
    nodes: int = 0


@frozen
class Weights:
    """The weights with which a stage of the search scores positions. A higher score is better.

    The talon consists of the stock and the waste.

    Attributes:
        up: Points per card on a foundation.
        reserve: Points per card in the reserve.
        talon: Points per card in the talon.
        skipped: Points per card in the waste. After the redeal, the stock counts too.
        redealt: Points if the redeal has been used.
        corner: Points per column whose run is long or continues past the base rank.
        gap: Points per empty column.
        lag: Points per card by which a suit's two foundations differ in height.
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
class SearchStage:
    """A stage of the solver: a beam search with fixed settings.

    Attributes:
        width: The number of positions in the beam.
        slack: Decides which cards the search moves to the foundations automatically. If it is None, the
            search moves no cards automatically and makes only the moves that players have buttons for.
        turns: The number of talon cards to try from each position, or None for all.
        weights: The weights by which positions are compared.
    """

    width: int
    slack: int | None
    turns: int | None
    weights: Weights = Weights()

    @property
    def is_complete(self) -> bool:
        """True if the stage cannot miss a winning line.

        A complete stage also searches the positions that had no room in a beam.
        """
        return self.slack == STRICT and self.turns is None


_NARROW = (
    SearchStage(1, EAGER, 4),
    SearchStage(1, EAGER, 4, Weights(up=10, reserve=-20, talon=-5, skipped=-30)),
    SearchStage(1, EAGER, 8, Weights(up=6, reserve=-5, talon=-10, skipped=-80, corner=-30)),
    SearchStage(1, EAGER, 8, Weights(up=15, reserve=-10, talon=-5, skipped=-50, lag=-3, gap=30)),
    SearchStage(16, EAGER, 8),
)
_COMPLETE = SearchStage(4, STRICT, None)
"""The complete stage. It is nearly depth-first. A width of 4 finds shorter lines than a width of 1."""

STAGES = (*_NARROW, SearchStage(64, CAREFUL, 8), SearchStage(256, EASY, 8), _COMPLETE)
"""The stages used before the redeal.

The deals that Ribit offers and the verification of stored matches depend on their results.
"""

LATE_STAGES = (*_NARROW, _COMPLETE)
"""The stages used after the redeal.

Few moves are left then, and wide beams would use up the limit of positions.
"""

OFFERED = (
    SearchStage(32, None, 1),
    SearchStage(32, None, 1, Weights(skipped=-10, redealt=-100)),
    SearchStage(128, None, 1),
)
"""Stages that make only moves that players have buttons for. They find shorter lines than ``STAGES``."""

_Node: TypeAlias = "tuple[_Node | None, tuple[Step, ...]]"


def solve(position: Position, *, nodes: int = NODES, stages: tuple[SearchStage, ...] = ()) -> Solution:
    (start, reserve), weighed = compact(position), 0
    for stage in stages or (STAGES if position.redeal_left else LATE_STAGES):
        solution = _search(stage, start, reserve, nodes - weighed)
        weighed += solution.nodes
        if solution.verdict is not Verdict.UNKNOWN or weighed >= nodes:
            return replace(solution, nodes=weighed)
    return Solution(Verdict.UNKNOWN, nodes=weighed)


def _search(stage: SearchStage, start: Lie, reserve: tuple[int, ...], nodes: int) -> Solution:
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
    stage: SearchStage, reserve: tuple[int, ...], node: _Node | None, before: tuple[Step, ...], lie: Lie
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
    path: list[tuple[Step, ...]] = []
    while node is not None:
        node, steps = node
        path.append(steps)
    return tuple(move_of(step) for steps in reversed(path) for step in steps)


KEPT = 6
"""The number of alternatives that ``shorten_line`` keeps for each position of the original line."""
MOST_SWEEPS = 5
"""The maximum number of consecutive ``TurnOn(up=True)`` moves that ``shorten_line`` tries."""


def best_line(position: Position, *, nodes: int = NODES) -> tuple[Move, ...]:
    """Return the shortest winning sequence of moves that the solver finds, or an empty tuple.

    The sequence contains only moves that players have buttons for.

    Args:
        position: The position to win from.
        nodes: The maximum number of positions that each search evaluates.
    """
    candidates = (solve(position, nodes=nodes, stages=(stage,)).line for stage in OFFERED)
    lines = [line for line in candidates if line]
    if lines or position.is_won:
        return min(lines, key=len, default=())
    return shorten_line(position, solve(position, nodes=nodes).line)


def known_lines(
    lines: Sequence[tuple[Position, tuple[Move, ...]]], positions: Iterable[Position]
) -> list[tuple[Move, ...]]:
    """Look up the shortest known winning sequence of moves from each position.

    Args:
        lines: The known winning lines (sequences of moves), each with the position that it starts from.
        positions: The positions to look up.

    Returns:
        One line per position. The line is empty if no known line passes through the position.
    """
    rests: dict[Position, tuple[Move, ...]] = {}
    for start, line in lines:
        for index, passed in enumerate(after_line(start, line)):
            _keep(rests, _order_foundations(passed), line[index:])
    return [rests.get(_order_foundations(position), ()) for position in positions]


def shorten_line(position: Position, line: Iterable[Move]) -> tuple[Move, ...]:
    """Shorten a winning sequence of moves. The result contains only moves that players have buttons for.

    A single button can send several cards to the foundations or turn several stock cards. The shorter
    version may therefore move a card to its foundation later than the given line does. Positions
    are compared after all possible cards have moved to the foundations.
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
        for here, way in _shortest(here_ways, passed[index]):
            up = _order_foundations(all_up(here))
            if up != goal:
                del here_ways[here]
            elif up == passed[index] != here:
                _keep(here_ways, up, (*way, AllUp()))
        if index < len(moves):
            for here, way in _shortest(here_ways, passed[index]):
                for reached, presses, after in _onward(moves, passed, index, here):
                    _keep(ways[reached], after, (*way, *presses))
    return ways[-1][passed[-1]]


def _shortest(
    ways: dict[Position, tuple[Move, ...]], there: Position
) -> list[tuple[Position, tuple[Move, ...]]]:
    """Return the shortest alternatives, at most ``KEPT``.

    An alternative that reaches the position ``there`` comes first.
    """
    return sorted(ways.items(), key=lambda way: (way[0] != there, len(way[1])))[:KEPT]


def _keep(ways: dict[Position, tuple[Move, ...]], here: Position, made: tuple[Move, ...]) -> None:
    if here not in ways or len(made) < len(ways[here]):
        ways[here] = made


def _onward(
    moves: tuple[CardMove, ...], passed: list[Position], index: int, here: Position
) -> Iterator[tuple[int, tuple[Move, ...], Position]]:
    """Yield the possible next moves along a given sequence of moves.

    Each item holds the index that the moves reach in the sequence, the moves, and the new position.
    """
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
    """Return the fewest moves that turn ``count`` stock cards and do not move any other cards."""
    presses: list[Move] = []
    while count:
        turn = until_fits(position, up=False)
        press: Move = TurnOn()
        if turn.count > count:
            turn, press = Turn(), Turn()
        presses.append(press)
        position, count = apply_move(position, turn), count - turn.count
    return tuple(presses)


def _order_foundations(position: Position) -> Position:
    """Return an equivalent position in which the higher foundation of each suit comes second."""
    heights = position.heights
    pairs = zip(heights[::2], heights[1::2], strict=True)
    return replace(
        position, heights=tuple(height for pair in pairs for height in sorted(pair)), last=None
    )


DEAL_NODES = 20_000


@frozen
class Winnable:
    """A deal for which the solver has found a win.

    Attributes:
        number: The deal number, from which the cards are shuffled.
        par: The number of moves in the best known winning line.
    """

    number: int
    par: int


def find_deal(options: Mapping[str, int]) -> Mapping[str, int]:
    """Choose a winnable deal. Return the match options with the deal's number and par.

    If the option ``any`` is set, any deal is allowed, so the options are returned unchanged.
    """
    if options["any"]:
        return options
    deal = winnable_deal(f"deal by lot {options['deal']}")
    return {**options, "deal": deal.number, "par": deal.par}


def winnable_deal(name: str) -> Winnable:
    """Derive deal numbers from a name, and return the first deal that the solver wins.

    The same name always gives the same deal, in every process.
    """
    for number in deal_numbers(name):
        position = open_deal(number).position
        if solve(position, nodes=DEAL_NODES).verdict is Verdict.WON:
            return Winnable(number, len(best_line(position, nodes=DEAL_NODES)))
    raise AssertionError("the draw has no end")


def deal_numbers(name: str) -> Iterator[int]:
    for place in count():
        text = f"{name}/{place}" if place else name
        yield 1 + int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % MOST_DEALS
