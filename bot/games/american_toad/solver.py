"""Whether a position of American Toad can be won, and how.

A beam search: from the positions reached after so many plays, all that one more play leads to is
weighed, and the best go on. It is tried with narrow beams first, which win most deals in a few
milliseconds, then with wider ones. The last try leaves nothing out: what does not go on in its beam
it comes back to, the deepest first, and where nothing is left of that the deal is proved lost.

Everything is whole numbers and fixed orders, so that it finds the same on every machine. The caller
bounds the work in positions weighed.
"""

from __future__ import annotations

from enum import Enum
from operator import itemgetter
from typing import TypeAlias

from bot.engine.values import frozen
from bot.games.american_toad.compact import (
    CARDS_UP,
    CAREFUL,
    EAGER,
    EASY,
    HEAD,
    SPAN,
    STRICT,
    TAIL,
    WON,
    Compact,
    Lie,
    Step,
    compact,
    move_of,
    offered_successors,
    successors,
    tidied,
)
from bot.games.american_toad.state import Move, Position

NODES = 100_000
"""Positions weighed before the solver gives up, where the caller does not say."""


class Verdict(Enum):
    """What is known of a position."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@frozen
class Solution:
    """What the solver found: a line of moves that wins where it can be won; positions weighed."""

    verdict: Verdict
    line: tuple[Move, ...] = ()
    nodes: int = 0


@frozen
class Weights:
    """What a card up, in the reserve, in the talon, skipped, and so on, is worth in a position."""

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
    """A try: how many positions go on, what goes up by itself, cards of the talon that are tried.

    Without a slack nothing goes up by itself, and every move is one that the table offers.
    """

    width: int
    slack: int | None
    turns: int | None
    weights: Weights = Weights()

    @property
    def is_complete(self) -> bool:
        """Whether nothing that could win is left out: the beam comes back to what it has no room for."""
        return self.slack == STRICT and self.turns is None


_NARROW = (
    Stage(1, EAGER, 4),
    Stage(1, EAGER, 4, Weights(up=10, reserve=-20, talon=-5, skipped=-30)),
    Stage(1, EAGER, 8, Weights(up=6, reserve=-5, talon=-10, skipped=-80, corner=-30)),
    Stage(1, EAGER, 8, Weights(up=15, reserve=-10, talon=-5, skipped=-50, lag=-3, gap=30)),
    Stage(16, EAGER, 8),
)
_COMPLETE = Stage(4, STRICT, None)
"""Depth-first but for its width, which finds shorter lines than one position at a time."""

STAGES = (*_NARROW, Stage(64, CAREFUL, 8), Stage(256, EASY, 8), _COMPLETE)
"""Tries while the redeal is left. Deals are found by them, and again when a match is verified."""

LATE_STAGES = (*_NARROW, _COMPLETE)
"""Tries once the redeal is used: fewer ways are left then, and wide beams would spend the budget."""

OFFERED = (
    Stage(32, None, 1),
    Stage(32, None, 1, Weights(skipped=-10, redealt=-100)),
    Stage(128, None, 1),
)
"""Tries that make the moves that the table offers, and so find short lines."""

_Node: TypeAlias = "tuple[_Node | None, tuple[Step, ...]]"


class _Spent(Exception):  # noqa: N818 — nobody reads it: it ends a search
    """The budget is spent."""


class _Search:
    """One search under one budget."""

    def __init__(self, start: Compact, nodes: int) -> None:
        self.nodes = 0
        self._start = start
        self._most = nodes

    def won(self, stage: Stage) -> tuple[Verdict, _Node | None]:
        """Return what a stage finds; lost, where it ended and leaves nothing out."""
        reserve = self._start.reserve
        root, lie = self._settled(stage, None, (), self._start.lie)
        if lie[5] == WON:
            return Verdict.WON, root
        layers, seen = [[(0, lie, root)]], set[object]()
        while layers:
            beam, layer = layers.pop(), []
            if stage.is_complete and len(beam) > stage.width:
                layers.append(beam[stage.width :])
            beam = beam[: stage.width]
            for _worth, at, node in beam:
                ways = (
                    successors(reserve, at, stage.turns)
                    if stage.slack is not None
                    else offered_successors(reserve, at)
                )
                for before, after in ways:
                    child, lie = self._settled(stage, node, before, after)
                    key = (*lie[:4], tuple(sorted(lie[4])))
                    if key in seen:
                        continue
                    seen.add(key)
                    self.nodes += 1
                    if self.nodes >= self._most:
                        raise _Spent
                    if lie[5] == WON:
                        return Verdict.WON, child
                    layer.append((worth(lie, stage.weights), lie, child))
            layer.sort(key=itemgetter(0), reverse=True)
            if layer:
                layers.append(layer)
        return (Verdict.LOST if stage.is_complete else Verdict.UNKNOWN), None

    def _settled(
        self, stage: Stage, node: _Node | None, before: tuple[Step, ...], lie: Lie
    ) -> tuple[_Node, Lie]:
        if stage.slack is None:
            return (node, before), lie
        steps = list(before)
        lie = tidied(self._start.reserve, lie, stage.slack, steps)
        return (node, tuple(steps)), lie


def solve(position: Position, *, nodes: int = NODES, stages: tuple[Stage, ...] = ()) -> Solution:
    """Return whether a position can be won, by weighing at most so many positions."""
    search = _Search(compact(position), nodes)
    try:
        for stage in stages or (STAGES if position.redeal_left else LATE_STAGES):
            verdict, node = search.won(stage)
            if verdict is not Verdict.UNKNOWN:
                return Solution(verdict, _line(node), search.nodes)
    except _Spent:
        pass
    return Solution(Verdict.UNKNOWN, nodes=search.nodes)


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
