"""Matches as their seats remember them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from bot.engine.game import AnyGame


class Dealt(Protocol):
    """A state of a game with a hand for each seat."""

    @property
    def hands(self) -> tuple[Any, ...]:
        """The hands, seat by seat."""


S = TypeVar("S", bound=Dealt)
K = TypeVar("K")


def states_with_memories(
    game: AnyGame, recall: Callable[[K | None, Any], K], states: Iterable[S]
) -> list[tuple[S, tuple[K, ...]]]:
    """Return the states of a match, with each seat's memory of them."""
    found: list[tuple[S, tuple[K, ...]]] = []
    memories: tuple[K, ...] = ()
    for state in states:
        before: tuple[K | None, ...] = memories or (None,) * len(state.hands)
        memories = tuple(recall(memory, game.view(state, seat)) for seat, memory in enumerate(before))
        found.append((state, memories))
    return found
