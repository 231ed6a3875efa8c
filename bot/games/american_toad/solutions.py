"""Solutions: a winning line as a player would make it, and deals that have one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import count

from bot.engine.values import frozen
from bot.games.american_toad.layout import all_up, card_moves, moved, until_fits
from bot.games.american_toad.rules import after_line, open_deal
from bot.games.american_toad.solver import NODES, OFFERED, Verdict, solve
from bot.games.american_toad.state import MOST_DEALS, AllUp, CardMove, Move, Position, Turn, TurnOn, Up

KEPT = 6
"""Of the ways to have come along a line so far, how many are followed."""
MOST_SWEEPS = 5
"""Turns with cards going up that are tried in a row."""


def best_line(position: Position, *, nodes: int = NODES) -> tuple[Move, ...]:
    """Return the shortest winning line of offered moves, or none; ``nodes`` bounds each search."""
    found = (solve(position, nodes=nodes, stages=(stage,)).line for stage in OFFERED)
    lines = [line for line in found if line]
    if lines or position.is_won:
        return min(lines, key=len, default=())
    return shortened(position, solve(position, nodes=nodes).line)


def known_lines(
    lines: Sequence[tuple[Position, tuple[Move, ...]]], positions: Iterable[Position]
) -> list[tuple[Move, ...]]:
    """Return for each position the shortest rest of the winning lines that it lies on, or no move."""
    rests: dict[Position, tuple[Move, ...]] = {}
    for start, line in lines:
        for made, passed in enumerate(after_line(start, line)):
            _keep(rests, _levelled(passed), line[made:])
    return [rests.get(_levelled(position), ()) for position in positions]


def shortened(position: Position, line: Iterable[Move]) -> tuple[Move, ...]:
    """Return a winning line as the table offers its moves, and in few of them.

    Cards may go up later than they did in the line, together, or while the stock turns. So the player
    may lag behind the line for a while, and meets it again where all that can go up has gone.
    """
    moves = tuple(move for move in line if isinstance(move, CardMove))
    passed = [_levelled(position)]
    for move in moves:
        passed.append(_levelled(moved(passed[-1], move)))
    ways: list[dict[Position, tuple[Move, ...]]] = [{} for _index in passed]
    ways[0][passed[0]] = ()
    for index, here_ways in enumerate(ways):
        goal = _levelled(all_up(passed[index]))
        for here, made in _shortest(here_ways, passed[index]):
            up = _levelled(all_up(here))
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
    """Return the shortest ways; the one that does not lag behind the line is always among them."""
    ranked = sorted(ways.items(), key=lambda way: (way[0] != there, len(way[1])))
    return ranked[:KEPT]


def _keep(ways: dict[Position, tuple[Move, ...]], here: Position, made: tuple[Move, ...]) -> None:
    if here not in ways or len(made) < len(ways[here]):
        ways[here] = made


def _onward(
    moves: tuple[CardMove, ...], passed: list[Position], index: int, here: Position
) -> Iterator[tuple[int, tuple[Move, ...], Position]]:
    """Yield how to go on along the line: how far that leads, what is pressed, and how it lies then."""
    move = moves[index]
    if isinstance(move, Turn):
        if move.count <= len(here.stock):
            yield index + 1, _turns(here, move.count), moved(here, move)
    elif move in card_moves(here):
        yield index + 1, (move,), _levelled(moved(here, move))
    if isinstance(move, Up):
        yield index + 1, (), here
        return
    if not isinstance(move, Turn):
        return
    swept = here
    for presses in range(1, MOST_SWEEPS + 1):
        if not swept.stock:
            return
        swept = _levelled(moved(swept, until_fits(swept, up=True)))
        end = index
        while end < len(moves) and isinstance(moves[end], Turn | Up):
            end += 1
            if passed[end] == swept:
                yield end, (TurnOn(up=True),) * presses, swept


def _turns(position: Position, count: int) -> tuple[Move, ...]:
    """Return the fewest presses that turn so many cards and let none go up."""
    made: list[Move] = []
    while count:
        turn = until_fits(position, up=False)
        press: Move = TurnOn()
        if turn.count > count:
            turn, press = Turn(), Turn()
        made.append(press)
        position, count = moved(position, turn), count - turn.count
    return tuple(made)


def _levelled(position: Position) -> Position:
    """Return the position with the higher foundation of each suit second, which makes no difference."""
    heights = position.heights
    pairs = zip(heights[::2], heights[1::2], strict=True)
    return replace(
        position, heights=tuple(height for pair in pairs for height in sorted(pair)), last=None
    )


DEAL_NODES = 20_000


@frozen
class Winnable:
    """A deal that can be won: its number, and par, the moves of the best line that is known."""

    number: int
    par: int


def find_deal(options: Mapping[str, int]) -> Mapping[str, int]:
    """Return the options with a deal that can be won and its par, unless any deal was asked for."""
    if options["any"]:
        return options
    found = winnable_deal(f"deal by lot {options['deal']}")
    return {**options, "deal": found.number, "par": found.par}


def winnable_deal(name: str) -> Winnable:
    """Return the first deal drawn under a name that the solver wins: the same in every process."""
    for number in drawn(name):
        position = open_deal(number).position
        if solve(position, nodes=DEAL_NODES).verdict is Verdict.WON:
            return Winnable(number, len(best_line(position, nodes=DEAL_NODES)))
    raise AssertionError("the draw has no end")


def drawn(name: str) -> Iterator[int]:
    for place in count():
        text = f"{name}/{place}" if place else name
        yield 1 + int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % MOST_DEALS
