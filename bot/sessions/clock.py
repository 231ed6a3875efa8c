"""A clock that goes on evenly, whatever is done to the clock of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

log = structlog.get_logger(__name__)

TOLERANCE_SECONDS = 30
"""How far the clock may be from what others say the time is; what they say takes a while to arrive."""


class DiscordClock:
    """Tells the seconds since 1970: the machine's clock once, and what has passed since then.

    Who knows the true time tells it; so a machine that was started with a wrong clock, or slept,
    gets it right.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic
    ) -> None:
        """``wall`` is the machine's clock; ``passed`` counts seconds and is set by nobody."""
        self._passed = passed
        self._began = wall() - passed()

    def __call__(self) -> int:
        """Return the seconds since 1970."""
        return int(self._began + self._passed())

    def told(self, true: float) -> None:
        """Take note of what the time is by somebody who knows."""
        off = self._began + self._passed() - true
        if abs(off) > TOLERANCE_SECONDS:
            self._began -= off
            log.warning("the machine's clock is wrong, and was not believed", seconds_ahead=round(off))
