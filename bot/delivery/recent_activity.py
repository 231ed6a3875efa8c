"""Who did something just now: clicked, and needs no call, or got what is not to be had twice."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import TTLCache

RECENT_SECONDS = 60
"""For so long after a click a player is taken to be looking."""

COOLDOWN_SECONDS = 5 * 60
"""How long after a refusal the same is not asked of Discord again for the same player."""

_MOST_PLAYERS = 10_000


class RecentActivity:
    """The players who did something of one kind just now. Memory only: at worst it is done once more."""

    def __init__(self, clock: Callable[[], int], seconds: float = RECENT_SECONDS) -> None:
        """``clock`` returns the seconds since 1970; ``seconds``: how long is just now."""
        self._clock = clock
        self._seconds = seconds
        self._done_at: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, seconds, timer=clock)

    def note(self, player_id: int) -> None:
        """Take note that a player did it."""
        self._done_at[player_id] = self._clock()

    def seconds_left(self, player_id: int) -> float:
        """Return for how long that is just now, or 0; a clock that is set back makes it no longer."""
        now = self._clock()
        left = self._done_at.get(player_id, now - self._seconds) + self._seconds - now
        return left if 0 < left <= self._seconds else 0.0

    def until(self, player_id: int) -> int | None:
        """Return until when that is just now, in seconds since 1970, or None."""
        left = self.seconds_left(player_id)
        return int(self._clock() + left) if left else None
