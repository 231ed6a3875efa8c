"""A brake on what a user can ask for again and again, and Discord refuses each time."""

from __future__ import annotations

from collections.abc import Callable

BRAKE_SECONDS = 5 * 60
"""How long after a refusal the same is not asked of Discord again for the same player."""


class Cooldown:
    """Remembers for whom Discord has refused something just now. Memory only."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._until: dict[int, int] = {}

    def refused(self, player_id: int) -> None:
        """Take note that something was refused for a player."""
        now = self._clock()
        self._until = {player: until for player, until in self._until.items() if until > now}
        self._until[player_id] = now + BRAKE_SECONDS

    def until(self, player_id: int) -> int | None:
        """Return when it can be tried again, in seconds since 1970, or None for at once.

        A clock that was set back makes nobody wait for longer.
        """
        until, now = self._until.get(player_id, 0), self._clock()
        return until if now < until <= now + BRAKE_SECONDS else None
