"""Hints: the best move as the player could know it, and what only the whole deal tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b

from bot.engine.cards import PACK, Card
from bot.engine.shuffle import SEED_BYTES, shuffled
from bot.engine.values import frozen
from bot.games.american_toad.lines import best_line
from bot.games.american_toad.offers import offered
from bot.games.american_toad.rules import play
from bot.games.american_toad.solver import Stage, Verdict, solve
from bot.games.american_toad.state import (
    FULL,
    PACKS,
    SUITS,
    AllUp,
    Move,
    Position,
    Redeal,
    State,
    TurnOn,
    Up,
)
from bot.games.american_toad.view import View
from bot.games.american_toad.way import position_after, positions

NODES = 15_000
"""Positions weighed in one search, of which a question needs several."""
WORLDS = 6
"""Deals that the player could have before them, in which a hint tries each move."""
TRIED = 8
"""Moves that a hint looks at, besides turning the stock and the like."""
WORLD_STAGES = (Stage(3, None, 1),)
LOST_AS = 200
"""Moves that a world not won counts for, so that winning more worlds comes before winning sooner."""


@frozen
class Chance:
    """Until when a deal could be won: after so many moves, and a line that wins from there."""

    moves: int
    line: tuple[Move, ...]


def hint(view: View) -> Move | None:
    """Return the best move as far as the player can know, or None where no card can move.

    It is tried out in deals that agree with all that the view shows; what the hidden cards really are
    makes no difference.
    """
    moves = _candidates(view)
    if len(moves) <= 1:
        return next(iter(moves), None)
    worlds = [_world(view, number) for number in range(WORLDS)]
    costs = [sum(_cost(world, move) for world in worlds) for move in moves]
    return moves[costs.index(min(costs))]


def peek(state: State, *, nodes: int = NODES) -> Move | None:
    """Return a move that keeps the deal winnable, or None where none is found. It sees all cards."""
    if state.given_up:
        return None
    return next(iter(best_line(state.position, nodes=nodes)), None)


def last_chance(state: State, *, nodes: int = NODES) -> Chance | None:
    """Return until when a deal could be won, and how, or None where it never could."""
    moves = last_moment(state, nodes=nodes)
    if moves is None:
        return None
    return Chance(moves, best_line(position_after(state, moves), nodes=nodes))


def last_moment(state: State, *, nodes: int = NODES) -> int | None:
    """Return after how many of the moves that led here the deal could be won last, or None for none.

    A position before one that can be won can be won too, so a few calls of the solver find the last.
    """
    ways = positions(state)
    first, past_it = 0, len(ways)
    while first < past_it:
        middle = (first + past_it) // 2
        if solve(ways[middle], nodes=nodes).verdict is Verdict.WON:
            first = middle + 1
        else:
            past_it = middle
    return first - 1 if first else None


def _candidates(view: View) -> list[Move]:
    """Return the moves that a hint chooses from, those that are seldom wrong first."""
    cards = [move for move in offered(view) if not isinstance(move, Up)][:TRIED]
    others = (TurnOn(up=True), AllUp(), TurnOn(), Redeal())
    return [*cards, *(move for move in others if move in view.legal)]


def _cost(world: State, move: Move) -> int:
    solution = solve(play(world, move).position, stages=WORLD_STAGES)
    return len(solution.line) if solution.verdict is Verdict.WON else LOST_AS


def _world(view: View, number: int) -> State:
    """Return a deal that looks like the view, with the cards that it hides in an order of their own."""
    seen = list(_seen(view))
    unseen = Counter(PACK * PACKS)
    unseen.subtract(seen)
    left = sorted(unseen.elements(), key=lambda card: card.code)
    told = " ".join((*(card.code for card in seen), str(view.stock_left), str(number)))
    seed = blake2b(told.encode(), digest_size=SEED_BYTES).digest()
    cards = shuffled(left, seed, "world")
    covered = max(view.reserve_left - 1, 0)
    reserve = cards[:covered] + ((view.reserve,) if view.reserve else ())
    position = Position(
        base=view.base,
        heights=view.heights,
        reserve=reserve,
        columns=view.columns,
        stock=view.known or cards[covered:],
        waste=view.waste,
        redeal_left=view.redeal_left,
    )
    return State(view.number, position)


def _seen(view: View) -> Iterable[Card]:
    """Yield every card that the player has seen."""
    for suit, height in zip(SUITS, view.heights, strict=True):
        yield from (Card((view.base - 1 + step) % FULL + 1, suit) for step in range(height))
    for column in view.columns:
        yield from column
    yield from view.waste
    yield from view.known
    if view.reserve:
        yield view.reserve
