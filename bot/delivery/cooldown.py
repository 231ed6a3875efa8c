"""A cooldown on what a user can ask for again and again, and Discord refuses each time."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import TTLCache

COOLDOWN_SECONDS = 5 * 60
"""How long after a refusal the same is not asked of Discord again for the same player."""

_MOST_PLAYERS = 10_000


class Cooldown:
    """Remembers for whom Discord has refused something just now. Memory only."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._until: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, COOLDOWN_SECONDS, timer=clock)

    def refused(self, player_id: int) -> None:
        """Take note that something was refused for a player."""
        self._until[player_id] = self._clock() + COOLDOWN_SECONDS

    def until(self, player_id: int) -> int | None:
        """Return when it can be tried again, in seconds since 1970, or None for at once.

        A clock that was set back makes nobody wait for longer.
        """
        until, now = self._until.get(player_id, 0), self._clock()
        return until if now < until <= now + COOLDOWN_SECONDS else None
