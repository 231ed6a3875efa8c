"""The interface of computer players.

A computer player knows only what a person in its seat would have seen: the seat's views, in order. The
game condenses these views into a memory. The next move depends only on the memory and a random seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.frozen import frozen
from bot.engine.lots import Lots

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K")
M = TypeVar("M")


class Strength(Enum):
    """The strength of a computer player, weakest first."""

    TADPOLE = "tadpole"
    FROGLET = "froglet"
    TOAD = "toad"


class Mover(Enum):
    """The origin of a move: a player, the clock, an automatic move (TABLE) or a computer player.

    STAND_IN is a computer player's move for an inactive player. HANDED_OVER is a computer player's move
    for a player who handed over the seat. SIMPLE is a computer player's move at froglet strength. It is
    used if no person plays any more, or if no worker process chose a move in time.
    """

    PLAYER = "player"
    CLOCK = "clock"
    TABLE = "table"
    FROG = "frog"
    SIMPLE = "simple"
    STAND_IN = "stand-in"
    HANDED_OVER = "handed over"


IN_PLACE = (Mover.STAND_IN, Mover.HANDED_OVER)
"""The origins of moves that a computer player made for a person."""


@frozen
class ComputerPlayer(Generic[V, K, M]):
    """A game's computer player. Its type parameters are the game's view, memory and move.

    All functions are pure. A memory belongs to one seat. It is small, frozen and picklable.

    Attributes:
        recall: Updates the memory with a new view. It is called for each view of the seat in order. The
            first call gets None as the memory.
        choose: Returns a legal move for the seat whose turn it is. The search is limited by a count of
            steps, never by time.
        plan: Returns the next move and the moves that should follow it in the same turn, as far as the
            seat can foresee them. None if the game plans only one move.
        reason: Explains why the planned moves are good, in the current language. None if the game's
            hints have no explanation.
        version: The version of the move choice. Increase it when some move would be chosen differently.
            Stored moves of an earlier version are then not reported as wrong.
    """

    recall: Callable[[K | None, V], K]
    choose: Callable[[K, Strength, Lots], M]
    plan: Callable[[K, Strength, Lots], tuple[M, ...]] | None = None
    reason: Callable[[V, Sequence[M]], str] | None = None
    version: int = 1

    def advice(self, memory: K, lots: Lots, strength: Strength = Strength.TOAD) -> tuple[M, ...]:
        """Return the recommended move, followed by the planned moves for the same turn.

        Args:
            memory: The memory of the seat whose turn it is.
            lots: The random number generator for this move.
            strength: The strength of the computer player that gives the advice.
        """
        if self.plan is None:
            return (self.choose(memory, strength, lots),)
        return self.plan(memory, strength, lots)

    def follows_hints(self, turn: Iterable[tuple[K, bytes, M | None]]) -> bool:
        """Return whether the moves of a turn are exactly the moves that hints would have recommended.

        Args:
            turn: The memory, the random seed and the player's move at each step of the turn.
        """
        left: tuple[M, ...] = ()
        for memory, lot, move in turn:
            left = left or self.advice(memory, Lots(lot))
            if move != left[0]:
                return False
            left = left[1:]
        return True


def seat_of(viewer: int | None) -> int:
    assert viewer is not None, "the public does not play"
    return viewer


AnyThinking: TypeAlias = ComputerPlayer[Any, Any, Any]


def new_events(before: Sequence[T], after: Sequence[T]) -> Sequence[T]:
    """Return the events in ``after`` that are not yet in ``before``.

    ``after`` is a later version of the same event list. It has new events at the end, and its oldest
    events may have been dropped.
    """
    for overlap in range(min(len(before), len(after)), 0, -1):
        if tuple(before[len(before) - overlap :]) == tuple(after[:overlap]):
            return after[overlap:]
    return after
