"""Registry of the matches in memory. It is bounded, and idle matches are evicted at any time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.sessions.table_state import Table

MOST_MATCHES = 10_000  # in memory
IDLE_SECONDS = 15 * 60  # unused matches are evicted after this time


@dataclass(slots=True, eq=False)
class LiveMatch:
    """All in-memory state of one match.

    Attributes:
        table: The cached table. It is equal to the stored one, or None if no table is cached.
        as_read: The table as loaded from the journal, or None after the update of its messages has
            begun.
        used_at: The Unix time of the last use.
        lock: A lock that is held while an event of the match is handled.
        is_thinking: True while a computer player is choosing a move.
        messages: The state of the match's messages, or None. It is set by ``AllMessages``. While its
            ``is_idle`` is False, the match is not evicted.
    """

    id: str
    table: Table | None = None
    as_read: Table | None = None
    used_at: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_thinking: bool = False
    messages: Any = None

    @property
    def is_idle(self) -> bool:
        is_busy = self.is_thinking or self.lock.locked()
        return not is_busy and (self.messages is None or self.messages.is_idle)


class LiveMatches:
    """Registry of the matches in memory, by match ID. The least recently used match is evicted first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """Create an empty registry.

        Args:
            clock: Returns the Unix time in seconds.
        """
        self._clock = clock
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(tuple(self._live.values()))

    def live_match(self, match_id: str) -> LiveMatch:
        now = self._clock()
        live = self._live.get(match_id)
        if live is None:
            live = self._live[match_id] = LiveMatch(match_id)
        self._live.move_to_end(match_id)
        live.used_at = now
        self._evict(now)
        return live

    def find(self, match_id: str) -> LiveMatch | None:
        """Return a match if it is in memory, otherwise None.

        Unlike ``live_match``, this is not counted as a use.
        """
        return self._live.get(match_id)

    def in_use(self) -> list[str]:
        earliest = self._clock() - IDLE_SECONDS
        return [live.id for live in self if live.table is not None and live.used_at >= earliest]

    def _evict(self, now: int) -> None:
        """Evict up to two idle matches.

        If all were evicted at once, the event loop would be blocked too long.
        """
        for _each in range(2):
            match_id, live = next(iter(self._live.items()))
            if len(self._live) <= MOST_MATCHES and live.used_at >= now - IDLE_SECONDS:
                return
            if live.is_idle:
                del self._live[match_id]
            else:
                live.used_at = now
                self._live.move_to_end(match_id)
