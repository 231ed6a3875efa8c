"""A deal that was given up: how to go back to where it could be won, and how it could."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.engine.errors import IllegalMoveError
from bot.engine.game import Retry
from bot.engine.words import _
from bot.games.american_toad.lines import best_line
from bot.games.american_toad.moves import read
from bot.games.american_toad.questions import RESCUE_NODES
from bot.games.american_toad.rules import play
from bot.games.american_toad.state import Advice, Move, Redo, Rescue, State, Undo
from bot.games.american_toad.way import back


def _moment(answer: Move) -> int | None:
    return answer.moves if isinstance(answer, Rescue) else None


def _back(state: State, moves: int) -> tuple[Move, ...]:
    """Return that the player was told of the moment, which is a peek, and what is taken back."""
    taken_back = state.moves - _checked(state, moves)
    return (Rescue(moves), Undo(taken_back)) if taken_back else (Rescue(moves),)


def _line(state: State, moves: int) -> tuple[Move, ...]:
    return best_line(_then(state, moves).position, nodes=RESCUE_NODES)


def _shown(state: State, moves: int, line: Sequence[str], step: int) -> State:
    here = _then(state, moves)
    for text in line[:step]:
        here = play(here, read(text, here))
    told = read(line[step], here) if step < len(line) else None
    if told is None or isinstance(told, Undo | Redo | Advice | Rescue):
        return here
    return replace(here, told=Advice(told, peeked=True))


def _then(state: State, moves: int) -> State:
    """Return the deal as it was after so many moves, as if nothing had been asked or taken back."""
    there = back(state, state.moves - _checked(state, moves))
    return State(state.number, there.position, there.made, kept=there.kept, day=state.day, par=state.par)


def _checked(state: State, moves: int) -> int:
    if not 0 <= moves <= state.moves:
        raise IllegalMoveError(_("This deal did not get that far."))
    return moves


RETRY: Retry[State, Move] = Retry(moment=_moment, back=_back, line=_line, shown=_shown)
