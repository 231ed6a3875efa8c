"""A cooldown on what a user can ask for again and again: what Discord refuses, or what costs much."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import TTLCache

COOLDOWN_SECONDS = 5 * 60
"""How long after a refusal the same is not asked of Discord again for the same player."""

_MOST_PLAYERS = 10_000


class Cooldown:
    """Remembers for whom something was done, or refused, just now. Memory only."""

    def __init__(self, clock: Callable[[], int], seconds: int = COOLDOWN_SECONDS) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._seconds = seconds
        self._until: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, seconds, timer=clock)

    def start(self, player_id: int) -> None:
        """Take note that something was done, or refused, for a player."""
        self._until[player_id] = self._clock() + self._seconds

    def until(self, player_id: int) -> int | None:
        """Return when it can be tried again, in seconds since 1970, or None for at once.

        A clock that was set back makes nobody wait for longer.
        """
        until, now = self._until.get(player_id, 0), self._clock()
        return until if now < until <= now + self._seconds else None
