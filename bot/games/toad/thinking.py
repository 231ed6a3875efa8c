"""How an opponent plays Toad: what it remembers, and its choice at each step of a turn.

None of them claims falsely, and all claim a toad at once.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.thinking import Lots, Strength, Thinking
from bot.games.toad.advice import reason
from bot.games.toad.compact import DECLARE, DRAW, END_TURN, MAXIMUS, TAKE_DISCARD, readable
from bot.games.toad.hands import completing, distance, is_toad, outs
from bot.games.toad.judging import Judge
from bot.games.toad.memory import Memory, recall
from bot.games.toad.options import Option, hand_worth, kinds_of, takes
from bot.games.toad.state import Deal, Move, Phase
from bot.games.toad.view import View

TOAD_VALUE = 100.0
MAXIMUS_VALUE = 101.0

WAVERING = 4.0
"""How many spots a tadpole may misjudge a hand by."""

SPOT = 0.2
IN_SIGHT = 8.0
UNKNOWN = 1.5
"""A froglet counts cards that complete its hand: what a spot of distance, a completing card in the
stock, and a draw are worth of them."""


Rating = Callable[[Option], float]


def choose(memory: Memory, strength: Strength, lots: Lots) -> Move:
    """Return a seat's next move."""
    phase = memory.view.phase
    if phase is Phase.DEAL:
        return Deal()
    if is_toad(hand_worth(memory)):
        return readable(DECLARE)
    if phase is Phase.CLAIM:
        return readable(END_TURN)
    rate, drawing = _WAYS[strength](memory, lots)
    options = takes(memory)
    best = max(options, key=lambda option: _value(memory, option, rate))
    can_draw = phase is Phase.TAKE and memory.view.can_draw
    if can_draw and drawing() >= _value(memory, best, rate):
        return readable(DRAW)
    return readable(best.move)


def _value(memory: Memory, option: Option, rate: Rating) -> float:
    """Return what an option is worth: a toad at once is worth all, and passing a last resort."""
    if is_toad(option.worth):
        wounded = memory.view.seats[memory.seat].lives < memory.view.full
        return MAXIMUS_VALUE if option.worth == MAXIMUS and wounded else TOAD_VALUE
    if not option.passes:
        return rate(option)
    if memory.passed.issuperset(memory.rivals):
        return TOAD_VALUE if _outlives(memory) else -TOAD_VALUE
    return rate(option) - TOAD_VALUE / 2


def _outlives(memory: Memory) -> bool:
    """Return whether the seat wins the match when all who are not safe lose a life (T13, T15)."""
    others = [
        seat for place, seat in enumerate(memory.view.seats) if place != memory.seat and not seat.out
    ]
    return memory.view.seats[memory.seat].lives > 1 and all(
        seat.lives == 1 and not seat.safe for seat in others
    )


def _tadpole(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    """Look at the distance only, and misjudge it; forget the discard pile."""

    def rate(option: Option) -> float:
        blind = option.move == TAKE_DISCARD
        return -distance(option.worth) - WAVERING * lots.fraction() - (TOAD_VALUE / 2 if blind else 0)

    return rate, lambda: -distance(hand_worth(memory)) - WAVERING * lots.fraction()


def _froglet(memory: Memory, _lots: Lots) -> tuple[Rating, Callable[[], float]]:
    """Count the cards that would complete the hand, most of all those that lie in sight."""

    def rate(option: Option) -> float:
        kinds = completing(option.worth)
        in_sight = IN_SIGHT if kinds & option.kept else 0.0
        return outs(kinds) + in_sight - SPOT * distance(option.worth)

    now = Option(DRAW, hand_worth(memory), kinds_of(memory.view.stock), 0)
    return rate, lambda: rate(now) + UNKNOWN


def _toad(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    """Weigh the own chances against the rivals', over worlds that fit."""
    judge = Judge(memory, lots)
    return judge.chance, lambda: judge.drawing(memory)


_WAYS = {Strength.TADPOLE: _tadpole, Strength.FROGLET: _froglet, Strength.TOAD: _toad}

THINKING: Thinking[View, Memory, Move] = Thinking(recall=recall, choose=choose, reason=reason)
