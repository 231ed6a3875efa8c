"""Looking back on a match that is over: every hand open, its rounds, and what is worth seeing again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.engine.values import frozen

S = TypeVar("S")
V = TypeVar("V")


@frozen
class Moment:
    """Something worth seeing again, as words to be translated that name the seat ``{name}`` and ``{n}``.

    ``is_first``: only the first such moment of a match is one.
    """

    words: str
    seat: int = 0
    n: int = 0
    is_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Lookback(Generic[S, V]):
    """What a game shows of a match that is over, and of none that lives: it tells what was hidden.

    ``opened`` is the table with every hand open. ``moments`` are those that came about between a state
    and the next. ``round`` numbers the rounds of a game that has them.
    """

    opened: Callable[[S], V]
    moments: Callable[[S, S], tuple[Moment, ...]]
    round: Callable[[S], int] = lambda _state: 0
