"""What was missed in a match of Frogger: wins in one turn, and the turn that gave most away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.engine.review import Moment, Review
from bot.engine.thinking import LOT_BYTES, Lots
from bot.engine.words import _, ngettext
from bot.games.frogger.rules import legal_moves, play
from bot.games.frogger.search_state import Pond, readable
from bot.games.frogger.state import Move, State, read, write
from bot.games.frogger.thinking import Memory, plans, recall, standing, world
from bot.games.frogger.view import view
from bot.games.frogger.words import step_words

A_WIN, AWAY = "a win", "away"
WON_COST = 1000.0
LEAST_LOSS = 2.0
"""By how many actions a turn has to be worse, for it to be worth a word."""


def moments(states: Sequence[State], moves: Sequence[Move | None], seat: int) -> Iterator[Moment]:
    """Yield the turns in which a seat missed a win by what it knew, and the one that gave most away."""
    memory: Memory | None = None
    worst: Moment | None = None
    begun: tuple[int, Pond] | None = None
    for n, (state, move) in enumerate(zip(states, (*moves, None), strict=False)):
        memory = recall(memory, view(state, seat))
        is_own = state.turn == seat and move is not None
        if is_own and not state.done and begun is None:
            begun = n, world(memory, Lots(n.to_bytes(LOT_BYTES, "big")))
        goes_on = is_own and states[n + 1].turn == seat and states[n + 1].done > 0
        if begun is None or goes_on:
            continue
        first, pond = begun
        moment = _missed(first, states[first], pond, moves[first : n + 1])
        begun = None
        if moment is not None and moment.kind == A_WIN:
            yield moment
        elif moment is not None and (worst is None or moment.cost > worst.cost):
            worst = moment
    if worst is not None:
        yield worst


def _missed(n: int, state: State, pond: Pond, moves: Sequence[Move | None]) -> Moment | None:
    seat = pond.turn
    found = plans(pond)
    made = pond.copy()
    for move in moves:
        action = next((one for one in made.legal_moves() if readable(made.course, one) == move), None)
        if action is None:  # given up, timed out, or a card that in this world was not there
            return None
        made.play(action)
    if made.winner == seat:
        return None
    ways = ((value, [readable(pond.course, action) for action in plan]) for value, plan, _after in found)
    ends = ((value, better, _played(state, better)) for value, better in ways)
    value, better, there = next((end for end in ends if end[2] is not None), (0.0, [], None))
    if there is None:
        return None
    written = tuple(map(write, better))
    if there.winner == seat:
        return Moment(n, A_WIN, written, WON_COST)
    cost = value - standing(made, seat)
    return Moment(n, AWAY, written, cost, (str(round(cost)),)) if cost >= LEAST_LOSS else None


def _played(state: State, moves: Iterable[Move]) -> State | None:
    """Return the state after moves; None where a plan had hoped for cards that were not there."""
    for move in moves:
        if move not in legal_moves(state):
            return None
        state = play(state, move)
    return state


def told(state: State, moment: Moment) -> str:
    better = ", ".join(filter(None, (step_words(read(text, state)) for text in moment.better)))
    if moment.kind == A_WIN:
        return _("You could have won in this turn: {better}.").format(better=better)
    n = int(moment.facts[0])
    return ngettext(
        "This turn gave most away, about {n} action. Better: {better}.",
        "This turn gave most away, about {n} actions. Better: {better}.",
        n,
    ).format(n=n, better=better)


REVIEW: Review[State, Move] = Review(moments=moments, told=told)
