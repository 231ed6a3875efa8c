"""The contract of a computer player, which remembers views and chooses moves.

A computer player knows what a person in its seat was shown, that is, the views of its seat in order. The
game folds these views into a memory. The next move depends only on the memory and a random seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from hashlib import blake2b, shake_128
from struct import unpack
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.frozen import frozen

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K")
M = TypeVar("M")

_WORD_BYTES = 8
_WORD_RANGE = 1 << (8 * _WORD_BYTES)


LOT_BYTES = 16


class Strength(Enum):
    """The strength of a computer player, weakest first."""

    TADPOLE = "tadpole"
    FROGLET = "froglet"
    TOAD = "toad"


class Mover(Enum):
    """The origin of a move: a player, the clock, the table or a computer player.

    A computer player may replace an inactive player (STAND_IN), or a player who handed over the seat
    (HANDED_OVER). SIMPLE is a computer player's move by the froglet's rule instead of its own strength,
    because no person plays any more or no worker chose a move in time.
    """

    PLAYER = "player"
    CLOCK = "clock"
    TABLE = "table"
    FROG = "frog"
    SIMPLE = "simple"
    STAND_IN = "stand-in"
    HANDED_OVER = "handed over"


IN_PLACE = (Mover.STAND_IN, Mover.HANDED_OVER)
"""The origins of moves by a computer player in place of a person."""


class Lots:
    """A sequence of random numbers derived from a digest, identical on each machine."""

    def __init__(self, digest: bytes) -> None:
        self._digest = digest
        self._drawn = 0

    def _words(self, count: int) -> tuple[int, ...]:
        self._drawn += 1
        stream = shake_128(self._digest + self._drawn.to_bytes(_WORD_BYTES, "big"))
        return unpack(f">{count}Q", stream.digest(_WORD_BYTES * count))

    def below(self, limit: int) -> int:
        return self._words(1)[0] % limit

    def fraction(self) -> float:
        return self._words(1)[0] / _WORD_RANGE

    def shuffled(self, items: Sequence[T]) -> list[T]:
        words = self._words(len(items))
        return [items[place] for place in sorted(range(len(items)), key=words.__getitem__)]


def lot_of(seed: bytes, *numbers: int) -> bytes:
    """Return a random seed derived from the match seed and some numbers.

    The match seed cannot be computed from it.
    """
    named = " ".join(map(str, ("opponent", *numbers)))
    return blake2b(named.encode(), key=seed, digest_size=LOT_BYTES).digest()


def lot_of_seat(seed: bytes, _n: int, seat: int, moved: int) -> bytes:
    return lot_of(seed, seat, moved)


def lot_of_move(seed: bytes, n: int, _seat: int, _moved: int) -> bytes:
    return lot_of(seed, n)


@frozen
class Thinking(Generic[V, K, M]):
    """The computer player of a game. V is the game's view, K the memory of a seat and M its move.

    All functions are pure. A memory is small, frozen and can be pickled.

    Attributes:
        recall: Returns the memory after one more view of the seat. It is called with each view in order,
            first with None as the memory. The move is chosen from the last view.
        choose: Returns a legal move for the seat to move. It limits its search by counting, never by
            time.
        plan: Returns the move and those that follow in the same turn, as far as the seat can foresee
            them. None if only one move is planned.
        reason: Returns why planned moves are good, for the seat to move, in the current language. None
            if a hint is the move alone.
        version: Increases with each change after which some move would be chosen differently, so that
            moves of an earlier version are not reported as wrong.
    """

    recall: Callable[[K | None, V], K]
    choose: Callable[[K, Strength, Lots], M]
    plan: Callable[[K, Strength, Lots], tuple[M, ...]] | None = None
    reason: Callable[[V, Sequence[M]], str] | None = None
    version: int = 1

    def advice(self, memory: K, lots: Lots, strength: Strength = Strength.TOAD) -> tuple[M, ...]:
        """Return the best move now, and the planned rest of the turn, if any.

        Args:
            memory: The memory of the seat to move.
            lots: The random numbers for the move.
            strength: The strength of the advice.
        """
        if self.plan is None:
            return (self.choose(memory, strength, lots),)
        return self.plan(memory, strength, lots)

    def follows_hints(self, turn: Iterable[tuple[K, bytes, M | None]]) -> bool:
        """Return whether a turn follows the hints.

        Args:
            turn: The memory, the random seed and the move at each step of the turn.
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


AnyThinking: TypeAlias = Thinking[Any, Any, Any]


def fresh(before: Sequence[T], after: Sequence[T]) -> Sequence[T]:
    """Return the events that are new in ``after``.

    ``after`` is ``before`` with events appended, possibly without its oldest events.
    """
    for kept in range(min(len(before), len(after)), 0, -1):
        if tuple(before[len(before) - kept :]) == tuple(after[:kept]):
            return after[kept:]
    return after
