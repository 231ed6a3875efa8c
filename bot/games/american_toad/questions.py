"""What the player can ask in the middle of a deal: a hint, a peek, and whether it was lost by a move."""

from __future__ import annotations

from bot.engine.game import Question
from bot.engine.words import N_
from bot.games.american_toad.hints import hint, last_moment, peek
from bot.games.american_toad.state import Advice, AllUp, CardMove, Move, Rescue, State, TurnOn
from bot.games.american_toad.view import View, view

RESCUE_NODES = 5_000
"""Positions weighed for each of the moments that are looked at: some eight of them in a long deal."""


def _is_open(view: View) -> bool:
    """Return whether the deal goes on."""
    return not view.is_over


def _is_stuck(view: View) -> bool:
    """Return whether nothing is left to do but to take moves back (A11), or not even that."""
    return not view.won and (view.given_up or view.stuck or view.gaps_only)


def _hint(state: State) -> Move:
    return Advice(_card_move(hint(view(state, 0))))


def _peek(state: State) -> Move:
    return Advice(_card_move(peek(state)), peeked=True)


def _rescue(state: State) -> Move:
    return Rescue(last_moment(state, nodes=RESCUE_NODES))


def _card_move(move: Move | None) -> CardMove | TurnOn | AllUp | None:
    """Return a move of cards: nobody is told to take something back."""
    return move if isinstance(move, CardMove | TurnOn | AllUp) else None


QUESTIONS: tuple[Question[State, Move, View], ...] = (
    Question(key="hint", label=N_("Hint"), fits=_is_open, answer=_hint),
    Question(key="peek", label=N_("Peek"), fits=_is_open, answer=_peek),
    Question(key="rescue", label=N_("Where was it lost?"), fits=_is_stuck, answer=_rescue),
)
