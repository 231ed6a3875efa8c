"""The tables that are in use just now: a cache of the journal, bounded, and empty any time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from bot.sessions.table import Table

MOST_TABLES = 10_000
IDLE_SECONDS = 15 * 60
"""How many tables are kept, and how long one is that nobody uses."""

MOST_SEEN = 500
"""Of how many of them is kept what anybody has seen of them: some kilobytes each, till the next move."""


class Memory:
    """Tables by their match; those that were not used for longest go first."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._tables: OrderedDict[str, tuple[Table, int]] = OrderedDict()
        self._seen: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, match_id: str) -> Table | None:
        """Return a table, or None where it is not in memory."""
        found = self._tables.get(match_id)
        if found is None:
            return None
        self._use(found[0])
        return found[0]

    def keep(self, table: Table) -> None:
        """Have a table in memory as it stands."""
        self._use(table)
        now = self._clock()
        while len(self._tables) > MOST_TABLES or self._oldest_use() + IDLE_SECONDS < now:
            self.forget(next(iter(self._tables)))

    def in_use(self) -> list[str]:
        """Return the ids of the matches that were used in the last while."""
        earliest = self._clock() - IDLE_SECONDS
        return [match_id for match_id, (_table, used_at) in self._tables.items() if used_at >= earliest]

    def forget(self, match_id: str) -> None:
        """Have a table out of memory."""
        self._tables.pop(match_id, None)
        self._seen.pop(match_id, None)

    def clear(self) -> None:
        """Have all tables out of memory."""
        self._tables.clear()
        self._seen.clear()

    def _use(self, table: Table) -> None:
        self._tables[table.match.id] = (table, self._clock())
        self._tables.move_to_end(table.match.id)
        self._seen[table.match.id] = table
        self._seen.move_to_end(table.match.id)
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)[1].forget_seen()

    def _oldest_use(self) -> int:
        return next(iter(self._tables.values()))[1]
