"""Who is there: a player who has just clicked sees that a turn has begun without being called."""

from __future__ import annotations

from bot.delivery.moving import now

PRESENT_SECONDS = 60
"""For so long after a click a player is taken to be looking."""


class Presence:
    """The players who clicked just now. Memory only: at worst somebody is called who is there."""

    def __init__(self, seconds: float = PRESENT_SECONDS) -> None:
        """``seconds``: for how long after a click a player is taken to be there."""
        self._seconds = seconds
        self._until: dict[int, float] = {}

    def clicked(self, player_id: int) -> None:
        """Take note of a click."""
        self._until.pop(player_id, None)
        self._until[player_id] = now() + self._seconds
        for oldest, until in list(self._until.items()):
            if until > now():
                break
            del self._until[oldest]

    def seconds_left(self, player_id: int) -> float:
        """Return for how long a player is still taken to be there; 0 for one who is not."""
        return max(0.0, self._until.get(player_id, 0.0) - now())
