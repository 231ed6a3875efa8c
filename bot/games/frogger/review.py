"""Review of a finished Frogger match. It finds a player's missed wins and the costliest other turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from bot.engine.lots import Lots
from bot.engine.review import MissedMove, Review
from bot.engine.translation import _, ngettext
from bot.games.frogger.opponent import (
    THINKING,
    WON,
    Memory,
    Plan,
    apply_plan,
    evaluate_answers,
    rank_plans,
    recall,
    world,
    worlds,
)
from bot.games.frogger.rules import legal_moves, play
from bot.games.frogger.search_state import ACTION, Action, SearchState, readable
from bot.games.frogger.state import Move, State, read, write
from bot.games.frogger.view import view
from bot.games.frogger.words import step_words

A_WIN, AWAY = "a win", "away"
WON_COST = 1000.0
DECIDED = WON // 2
"""The limit up to which evaluations are measured in actions. A greater absolute value means a win."""

LEAST_LOSS = 2.0
"""The smallest loss, in actions, that is reported."""

_Turn: TypeAlias = list[tuple[Memory, bytes, Move]]
"""The moves of a turn.

Each item holds the player's memory before a move, the random seed that a hint would have used at this
point, and the move.
"""


def moments(
    states: Sequence[State], moves: Sequence[Move | None], seat: int, lots: Sequence[bytes]
) -> Iterator[MissedMove]:
    """Yield the turns in which a player missed a win that was visible, and the costliest other turn.

    Turns in which the player followed the hints are not reported.
    """
    memory: Memory | None = None
    worst: MissedMove | None = None
    turn: _Turn = []
    for n, (state, move) in enumerate(zip(states, (*moves, None), strict=False)):
        memory = recall(memory, view(state, seat))
        if state.turn != seat or move is None or (state.done and not turn):
            turn = []
            continue
        turn.append((memory, lots[n], move))
        if states[n + 1].turn == seat and states[n + 1].done:
            continue
        first = n + 1 - len(turn)
        moment, turn, played = _find_miss(first, states[first], turn), [], turn
        is_worse = moment and (moment.kind == A_WIN or worst is None or moment.cost > worst.cost)
        if moment is None or not is_worse or THINKING.follows_hints(played):
            continue
        if moment.kind == A_WIN:
            yield moment
        else:
            worst = moment
    if worst is not None:
        yield worst


def _find_miss(n: int, state: State, turn: _Turn) -> MissedMove | None:
    memory, lot, _move = turn[0]
    seat = memory.seat
    own_plan = _as_plan(world(memory, Lots(lot)), [move for _memory, _lot, move in turn])
    if own_plan is None:
        return None
    lots = Lots(lot)
    pond = world(memory, lots)
    ranking, samples = rank_plans(pond, worlds(memory, pond, lots))
    ways = ((plan, [readable(pond.course, action) for action in plan]) for _value, plan in ranking)
    ends = ((plan, better, _play_plan(state, better)) for plan, better in ways)
    plan, better, there = next((end for end in ends if end[2] is not None), ((), [], None))
    if there is None:
        return None
    better_moves = tuple(map(write, better))
    if there.winner == seat:
        return MissedMove(n, A_WIN, better_moves, WON_COST)
    standings = [
        [evaluate_answers(apply_plan(sample, way), seat)[0] for way in (plan, own_plan)]
        for sample in samples
    ]
    cost = _mean_loss(standings)
    if cost < LEAST_LOSS:
        return None
    undecided = _mean_loss([pair for pair in standings if max(map(abs, pair)) < DECIDED])
    return MissedMove(
        n, AWAY, better_moves, cost, (str(round(undecided)),) if undecided >= LEAST_LOSS else ()
    )


def _mean_loss(standings: Sequence[Sequence[int]]) -> float:
    """Return the mean difference between the first and second value of each pair, in actions."""
    lost = sum(better - own_value for better, own_value in standings)
    return lost / len(standings) / ACTION if standings else 0.0


def _as_plan(pond: SearchState, moves: Iterable[Move]) -> Plan | None:
    """Return the moves as actions. Return None if they win, or if a move is not possible.

    The moves are played on ``pond``, which is changed.
    """
    plan, seat = list[Action](), pond.turn
    for move in moves:
        action = next((one for one in pond.legal_moves() if readable(pond.course, one) == move), None)
        if action is None:
            return None
        pond.play(action)
        plan.append(action)
    return None if pond.winner == seat else tuple(plan)


def _play_plan(state: State, moves: Iterable[Move]) -> State | None:
    """Return the state after a plan's moves, or None if one of them is not legal.

    A plan is made without knowing the hidden cards, so a later move may turn out to be impossible.
    """
    for move in moves:
        if move not in legal_moves(state):
            return None
        state = play(state, move)
    return state


def miss_text(state: State, moment: MissedMove) -> str:
    better = ", ".join(filter(None, (step_words(read(text, state)) for text in moment.better)))
    if moment.kind == A_WIN:
        return _("You could have won on this turn: {better}.").format(better=better)
    if not moment.facts:  # one of the two turns decides the match, so the loss is not in actions
        return _("This turn cost you the most. Better: {better}.").format(better=better)
    n = int(moment.facts[0])
    return ngettext(
        "This turn cost you the most, about {n} action. Better: {better}.",
        "This turn cost you the most, about {n} actions. Better: {better}.",
        n,
    ).format(n=n, better=better)


REVIEW: Review[State, Move] = Review(moments=moments, miss_text=miss_text)
