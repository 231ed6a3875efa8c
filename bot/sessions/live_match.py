"""Live matches: all that memory holds of those in use, an object each, bounded, and empty any time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.sessions.table import Table

MOST_MATCHES = 10_000  # in memory
IDLE_SECONDS = 15 * 60  # how long a match is kept that nobody uses


@dataclass(slots=True, eq=False)
class LiveMatch:
    """All that memory holds of a match: it is made and evicted whole.

    ``table`` is how the match stands by the journal, None where that is not known; ``as_read`` is how it
    stood when it was read, until its messages are planned. What happens at it happens one after the
    other, under its ``lock``. It is looked at when it ``wakes_at`` a time, None where no time is known,
    for which its ``timer`` waits. A computer player ``is_thinking`` of its next
    move. ``messages`` is what its messages show: whoever keeps them puts it here, and it tells by
    ``is_idle`` whether it may be evicted.
    """

    id: str
    table: Table | None = None
    as_read: Table | None = None
    used_at: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wakes_at: float | None = None
    timer: asyncio.Handle | None = None
    is_thinking: bool = False
    messages: Any = None

    @property
    def is_idle(self) -> bool:
        is_busy = self.is_thinking or self.lock.locked()
        return not is_busy and (self.messages is None or self.messages.is_idle)


class LiveMatches:
    """The matches in memory by their ids; those that were not used for longest go first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(tuple(self._live.values()))

    def of(self, match_id: str) -> LiveMatch:
        now = self._clock()
        live = self._live.get(match_id)
        if live is None:
            live = self._live[match_id] = LiveMatch(match_id)
        self._live.move_to_end(match_id)
        live.used_at = now
        self._evict(now)
        return live

    def in_use(self) -> list[str]:
        earliest = self._clock() - IDLE_SECONDS
        return [live.id for live in self if live.table is not None and live.used_at >= earliest]

    def _evict(self, now: int) -> None:
        """Drop the two unused for longest that are too many or idle: all at once would take long."""
        for _each in range(2):
            match_id, live = next(iter(self._live.items()))
            if len(self._live) <= MOST_MATCHES and live.used_at >= now - IDLE_SECONDS:
                return
            if live.is_idle:
                del self._live[match_id]
            else:
                live.used_at = now
                self._live.move_to_end(match_id)
