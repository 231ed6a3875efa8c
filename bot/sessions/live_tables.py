"""The tables that are in use just now, one object for each match: bounded, and empty any time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.sessions.table import Table

MOST_TABLES = 10_000
IDLE_SECONDS = 15 * 60
"""How many tables are kept, and how long one is that nobody uses."""

MOST_SEEN = 500
"""Of how many of them is kept what anybody has seen of them: some kilobytes each, till the next move."""


@dataclass(slots=True, eq=False)
class LiveTable:
    """All that memory holds of a match in play: it is made and evicted whole.

    ``table`` is how the match stands by the journal, None where that is not known. What happens at it
    happens one after the other, under its ``lock``, on which ``waiting`` hold or wait. A computer player
    ``is_thinking`` of its next move.
    """

    table: Table | None = None
    used_at: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    is_thinking: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether something is going on that the object is needed for."""
        return self.waiting > 0 or self.is_thinking


class LiveTables:
    """Live tables by their match; those that were not used for longest go first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._seen: OrderedDict[str, Table] = OrderedDict()

    def get(self, match_id: str) -> Table | None:
        """Return a table, or None where it is not in memory."""
        live = self._live.get(match_id)
        if live is None or live.table is None:
            return None
        self._use(live.table)
        return live.table

    def keep(self, table: Table) -> None:
        """Have a table in memory as it stands."""
        self._use(table)
        earliest = self._clock() - IDLE_SECONDS
        while len(self._live) > MOST_TABLES or next(iter(self._live.values())).used_at < earliest:
            match_id, live = next(iter(self._live.items()))
            self.forget(match_id)
            if live.is_busy:  # it is in use after all
                self._live.move_to_end(match_id)
                live.used_at = self._clock()

    def in_use(self) -> list[str]:
        """Return the ids of the matches that were used in the last while."""
        earliest = self._clock() - IDLE_SECONDS
        return [
            match_id for match_id, live in self._live.items() if live.table and live.used_at >= earliest
        ]

    def forget(self, match_id: str) -> None:
        """Have a table out of memory; what is going on at it stays known until it is done."""
        self._seen.pop(match_id, None)
        live = self._live.get(match_id)
        if live is not None:
            live.table = None
            self._leave(match_id, live)

    def forget_player(self, player_id: int) -> None:
        """Have all tables out of memory at which a player sits or sat."""
        for match_id, live in list(self._live.items()):
            if live.table is not None and live.table.match.seat_of(player_id) is not None:
                self.forget(match_id)

    def clear(self) -> None:
        """Have all tables out of memory."""
        for match_id in list(self._live):
            self.forget(match_id)

    @asynccontextmanager
    async def locked(self, match_id: str) -> AsyncIterator[None]:
        """Have nothing else happen in a match meanwhile."""
        live = self._live.setdefault(match_id, LiveTable(used_at=self._clock()))
        live.waiting += 1
        try:
            async with live.lock:
                yield
        finally:
            live.waiting -= 1
            self._leave(match_id, live)

    def begin_thinking(self, match_id: str) -> bool:
        """Take note that a computer player of a match thinks; returns False where one does already."""
        live = self._live.setdefault(match_id, LiveTable(used_at=self._clock()))
        begins, live.is_thinking = not live.is_thinking, True
        return begins

    def end_thinking(self, match_id: str) -> None:
        """Take note that the computer player has thought."""
        live = self._live[match_id]
        live.is_thinking = False
        self._leave(match_id, live)

    def _leave(self, match_id: str, live: LiveTable) -> None:
        """Drop an object of which nothing is known and at which nothing is going on."""
        if live.table is None and not live.is_busy:
            del self._live[match_id]

    def _use(self, table: Table) -> None:
        live = self._live.setdefault(table.match.id, LiveTable())
        live.table, live.used_at = table, self._clock()
        self._live.move_to_end(table.match.id)
        self._seen[table.match.id] = table
        self._seen.move_to_end(table.match.id)
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)[1].forget_seen()
