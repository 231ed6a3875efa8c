"""Who is there: a player who has just clicked sees that a turn has begun without being called."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import TTLCache

RECENT_SECONDS = 60
"""For so long after a click a player is taken to be looking."""

_MOST_PLAYERS = 10_000


class RecentActivity:
    """The players who clicked just now. Memory only: at worst somebody is called who is there."""

    def __init__(self, clock: Callable[[], int], seconds: float = RECENT_SECONDS) -> None:
        """``clock`` returns the seconds since 1970.

        ``seconds``: for how long after a click a player is taken to be there.
        """
        self._clock = clock
        self._seconds = seconds
        self._clicked: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, seconds, timer=clock)

    def clicked(self, player_id: int) -> None:
        """Take note of a click."""
        self._clicked[player_id] = self._clock()

    def seconds_left(self, player_id: int) -> float:
        """Return for how long a player is still taken to be there; 0 for one who is not."""
        now = self._clock()
        return max(0.0, self._clicked.get(player_id, now - self._seconds) + self._seconds - now)
