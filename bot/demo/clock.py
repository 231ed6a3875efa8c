"""The demo's time, which runs: SimCord's stands still until somebody moves it."""

from __future__ import annotations

from time import monotonic, time

import simcord


class RunningClock:
    """Moves SimCord's clock as time goes by, so that turns end and days change without a click.

    The demo is played today: its page counts a time down by the browser's own clock.
    """

    def __init__(self, env: simcord.Env) -> None:
        """Set the clock, which no machine can set back."""
        self._env = env
        self._offset = max(time(), env.now().timestamp()) - monotonic()
        self.move()

    def move(self) -> None:
        """Bring the clock up to now."""
        behind = self._offset + monotonic() - self._env.now().timestamp()
        self._env.backend.advance_clock(max(0.0, behind))
