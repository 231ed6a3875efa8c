"""What a game gives to be played by the bot: what a seat remembers, and how it chooses a move.

An opponent knows what a person in its seat was shown: the views of that seat, one after the other.
The game folds them into a memory; of this, and of a lot, the next move is made, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from hashlib import blake2b, shake_128
from struct import unpack
from typing import Any, Generic, TypeAlias, TypeVar

from bot.engine.immutable import frozen

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K")
M = TypeVar("M")

_WORD_BYTES = 8
_WORD_RANGE = 1 << (8 * _WORD_BYTES)


LOT_BYTES = 16


class Strength(Enum):
    """How well an opponent plays, the weakest first."""

    TADPOLE = "tadpole"
    FROGLET = "froglet"
    TOAD = "toad"


class Mover(Enum):
    """Who makes a move: a player, the clock for one whose time has run out, the table, or a frog.

    A frog may do so in place of a player who is away, or who has left the seat to it by choice. It is
    SIMPLE if it moves by the froglet's rule though it plays otherwise: no person plays any more, or no
    worker chose its move in time.
    """

    PLAYER = "player"
    CLOCK = "clock"
    TABLE = "table"
    FROG = "frog"
    SIMPLE = "simple"
    STAND_IN = "stand-in"
    HANDED_OVER = "handed over"


IN_PLACE = (Mover.STAND_IN, Mover.HANDED_OVER)
"""A frog in the place of a person."""


class Lots:
    """Lots drawn one after the other from a digest: the same ones on every machine."""

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
    """Return a lot by some numbers, from which the seed cannot be found."""
    named = " ".join(map(str, ("opponent", *numbers)))
    return blake2b(named.encode(), key=seed, digest_size=LOT_BYTES).digest()


def lot_of_seat(seed: bytes, _n: int, seat: int, moved: int) -> bytes:
    return lot_of(seed, seat, moved)


def lot_of_move(seed: bytes, n: int, _seat: int, _moved: int) -> bytes:
    return lot_of(seed, n)


@frozen
class Thinking(Generic[V, K, M]):
    """How a game's seats think. V is the game's view, K what a seat remembers, M its move.

    ``recall`` returns the memory after one more view of the same seat; the first memory is None.
    Every view of the seat is given to it, in order; the seat's own last one is what it moves from.
    ``choose`` returns a legal move of a seat that is to move. Both are pure; a memory is small,
    frozen and can be pickled. ``choose`` counts what it tries and looks at no clock. ``plan`` returns
    the move with those that are to follow it in the same turn, as far as the seat can know them; without
    one a move is planned alone. ``reason`` says to a seat that is to move, in the language spoken just
    now, why moves planned are good ones; without one a hint is the move alone.
    ``version`` goes up with every change after which another move would be chosen somewhere: so nobody
    takes the moves of a former version for false ones.
    """

    recall: Callable[[K | None, V], K]
    choose: Callable[[K, Strength, Lots], M]
    plan: Callable[[K, Strength, Lots], tuple[M, ...]] | None = None
    reason: Callable[[V, Sequence[M]], str] | None = None
    version: int = 1

    def advice(self, memory: K, lots: Lots, strength: Strength = Strength.TOAD) -> tuple[M, ...]:
        """Return a hint: what a toad would do now, and in the rest of the turn if that is planned."""
        if self.plan is None:
            return (self.choose(memory, strength, lots),)
        return self.plan(memory, strength, lots)

    def advised(self, turn: Iterable[tuple[K, bytes, M | None]]) -> bool:
        """Return whether each move of a turn, with its memory and its lot, is what hints in it say."""
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
    """Return the events that came since: ``after`` is ``before`` with some more, cut at the front."""
    for kept in range(min(len(before), len(after)), 0, -1):
        if tuple(before[len(before) - kept :]) == tuple(after[:kept]):
            return after[kept:]
    return after
