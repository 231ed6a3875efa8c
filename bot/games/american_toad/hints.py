"""Answers to a player's questions about a deal of American Toad.

A hint recommends a move without looking at hidden cards. It tries moves in random deals that match the
visible cards. A peek looks at the hidden cards and gives a move that keeps the deal winnable. A rescue
gives the last point at which the deal could still be won, and lets the player return to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain

from bot.engine.cards import PACK, Card
from bot.engine.errors import IllegalMoveError
from bot.engine.game import Question, Retry
from bot.engine.shuffle import SEED_BYTES, shuffle_items
from bot.engine.translation import N_, _
from bot.games.american_toad.card_moves import foundation_cards
from bot.games.american_toad.deadlock import only_circles
from bot.games.american_toad.panel import offered_moves
from bot.games.american_toad.rules import back, play, positions
from bot.games.american_toad.solver import SearchStage, Verdict, best_line, known_lines, solve
from bot.games.american_toad.state import (
    PACKS,
    Advice,
    AllUp,
    CardMove,
    Move,
    Position,
    Redeal,
    Redo,
    Rescue,
    State,
    TurnOn,
    Undo,
    Up,
    read,
)
from bot.games.american_toad.view import View, view

NODES = 15_000
"""The maximum number of positions evaluated per search. Some answers need several searches."""
RESCUE_NODES = 5_000
"""The maximum number of positions evaluated for each point of the deal that ``last_moment`` checks.

In a long deal, it checks about eight points.
"""

WORLDS = 6
"""The number of worlds in which a hint tries each move.

A world is a copy of the deal in which the hidden cards are shuffled at random.
"""
TRIED = 8
"""The maximum number of moves between piles and columns that a hint considers.

It also considers turning the stock, the redeal, and moving all possible cards to the foundations.
"""
WORLD_STAGES = (SearchStage(3, None, 1),)
LOST_AS = 200
"""The cost, in moves, of a world that cannot be won after the tried move.

The cost is so high that winning more worlds matters more than winning them in fewer moves.
"""


def hint(view: View) -> Move | None:
    """Return the move that does best in several random arrangements of the hidden cards.

    Return None if no card can move.
    """
    moves = _candidates(view)
    if len(moves) <= 1:
        return next(iter(moves), None)
    worlds = [_world(view, number) for number in range(WORLDS)]
    costs = [sum(_cost(world, move) for world in worlds) for move in moves]
    return moves[costs.index(min(costs))]


def last_moment(state: State, *, nodes: int = RESCUE_NODES) -> int | None:
    """Find the last point at which the deal could still be won.

    Returns:
        The number of moves made up to that point, or None if the search found no such point.
    """
    ways = positions(state)
    known_wins = [moves for moves, line in enumerate(known_lines(state.lines, ways)) if line]
    first, past_it = max(known_wins, default=-1) + 1, len(ways)
    while first < past_it:
        middle = (first + past_it) // 2
        if solve(ways[middle], nodes=nodes).verdict is Verdict.WON:
            first = middle + 1
        else:
            past_it = middle
    return first - 1 if first else None


def _candidates(view: View) -> list[Move]:
    cards = [move for move in offered_moves(view) if not isinstance(move, Up)][:TRIED]
    others = (TurnOn(up=True), AllUp(), TurnOn(), Redeal())
    return [*cards, *(move for move in others if move in view.legal)]


def _cost(world: State, move: Move) -> int:
    solution = solve(play(world, move).position, stages=WORLD_STAGES)
    return len(solution.line) if solution.verdict is Verdict.WON else LOST_AS


def _world(view: View, number: int) -> State:
    """Return a state with the view's visible cards and a random arrangement of the hidden cards.

    The same view and number always give the same arrangement.
    """
    visible_cards = _visible_cards(view)
    unseen = Counter(PACK * PACKS)
    unseen.subtract(visible_cards)
    left = sorted(unseen.elements(), key=lambda card: card.code)
    text = " ".join((*(card.code for card in visible_cards), str(view.stock_left), str(number)))
    seed = blake2b(text.encode(), digest_size=SEED_BYTES).digest()
    cards = shuffle_items(left, seed, "world")
    covered = max(view.reserve_left - 1, 0)
    position = Position(
        base=view.base,
        heights=view.heights,
        reserve=cards[:covered] + _on_top(view),
        columns=view.columns,
        stock=view.known or cards[covered:],
        waste=view.waste,
        redeal_left=view.redeal_left,
    )
    return State(view.number, position)


def _visible_cards(view: View) -> tuple[Card, ...]:
    columns = chain.from_iterable(view.columns)
    return (
        *foundation_cards(view.base, view.heights),
        *columns,
        *view.waste,
        *view.known,
        *_on_top(view),
    )


def _on_top(view: View) -> tuple[Card, ...]:
    return (view.reserve,) if view.reserve else ()


def _is_stuck(view: View) -> bool:
    """Return whether the player gave up or can make progress only by undoing moves (A11)."""
    return not view.won and (view.given_up or view.stuck or view.gaps_only or only_circles(view))


def _hint(state: State) -> Move:
    return Advice(_card_move(hint(view(state, 0))))


def peek(state: State, *, nodes: int = NODES) -> Advice:
    """Return advice with a move that keeps the deal winnable.

    If an earlier peek found a winning sequence of moves through this position, the advice uses it. If
    not, the solver searches for a winning sequence. If it finds none, the advice contains no move.

    Args:
        state: The state of the deal.
        nodes: The maximum number of positions that each search evaluates.
    """
    if state.given_up:
        return Advice(None, peeked=True)
    [known_line] = known_lines(state.lines, [state.position])
    line = known_line or best_line(state.position, nodes=nodes)
    first, *after = map(_card_move, line or (None,))
    return Advice(first, peeked=True, line=() if known_line else tuple(filter(None, after)))


def _rescue(state: State) -> Move:
    return Rescue(last_moment(state))


def _card_move(move: Move | None) -> CardMove | TurnOn | AllUp | None:
    """Return the move if it moves cards, or None otherwise. Advice never recommends undo or redo."""
    return move if isinstance(move, CardMove | TurnOn | AllUp) else None


QUESTIONS: tuple[Question[State, Move, View], ...] = (
    Question(key="hint", label=N_("Hint"), fits=lambda view: not view.is_over, answer=_hint),
    Question(key="peek", label=N_("Peek"), fits=lambda view: not view.is_over, answer=peek),
    Question(key="rescue", label=N_("Where was it lost?"), fits=_is_stuck, answer=_rescue),
)


def _moment(answer: Move) -> int | None:
    return answer.moves if isinstance(answer, Rescue) else None


def _back(state: State, moves: int) -> tuple[Move, ...]:
    taken_back = state.moves - _check_moves(state, moves)
    return (Rescue(moves), Undo(taken_back)) if taken_back else (Rescue(moves),)


def _line(state: State, moves: int) -> tuple[Move, ...]:
    position = _state_after(state, moves).position
    [known_line] = known_lines(state.lines, [position])
    return known_line or best_line(position, nodes=RESCUE_NODES)


def _state_at_step(state: State, moves: int, line: Sequence[str], step: int) -> State:
    here = _state_after(state, moves)
    for text in line[:step]:
        here = play(here, read(text, here))
    move = read(line[step], here) if step < len(line) else None
    if move is None or isinstance(move, Undo | Redo | Advice | Rescue):
        return here
    return replace(here, told=Advice(move, peeked=True))


def _state_after(state: State, moves: int) -> State:
    there = back(state, state.moves - _check_moves(state, moves))
    return State(state.number, there.position, there.made, kept=there.kept, day=state.day, par=state.par)


def _check_moves(state: State, moves: int) -> int:
    if not 0 <= moves <= state.moves:
        raise IllegalMoveError(_("This deal didn't get that far."))
    return moves


RETRY: Retry[State, Move] = Retry(moment=_moment, back=_back, line=_line, shown=_state_at_step)
