"""Who is there: a player who has just clicked sees that a turn has begun without being called."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

RECENT_SECONDS = 60
"""For so long after a click a player is taken to be looking."""


class RecentActivity:
    """The players who clicked just now. Memory only: at worst somebody is called who is there."""

    def __init__(self, clock: Callable[[], int], seconds: float = RECENT_SECONDS) -> None:
        """``clock`` returns the seconds since 1970.

        ``seconds``: for how long after a click a player is taken to be there.
        """
        self._clock = clock
        self._seconds = seconds
        self._until: OrderedDict[int, float] = OrderedDict()

    def clicked(self, player_id: int) -> None:
        """Take note of a click."""
        clicked_at = self._clock()
        while self._until and self._until[oldest := next(iter(self._until))] <= clicked_at:
            del self._until[oldest]
        self._until[player_id] = clicked_at + self._seconds
        self._until.move_to_end(player_id)

    def seconds_left(self, player_id: int) -> float:
        """Return for how long a player is still taken to be there; 0 for one who is not."""
        return max(0.0, self._until.get(player_id, 0.0) - self._clock())
