"""A clock that goes on evenly, and waiting for a time by it, once for each match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext

import structlog

from bot.background import BackgroundTasks
from bot.sessions.live_match import LiveMatches

log = structlog.get_logger(__name__)

TOLERANCE_SECONDS = 30
"""How far the clock may be from what others say the time is; what they say takes a while to arrive."""

AT_ONCE = 8
"""How many matches that are due together are looked at side by side; the others take turns."""


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
        return int(self._began + self._passed())

    def told(self, true: float) -> None:
        """Take note of what the time is by somebody who knows."""
        off = self._began + self._passed() - true
        if abs(off) > TOLERANCE_SECONDS:
            self._began -= off
            log.warning("the machine's clock is wrong, and was not believed", seconds_ahead=round(off))


class Timers:
    """Has each match looked at when its time has come. No time is polled for.

    A match may leave memory meanwhile: then it is looked at when any time comes that was set for it.
    """

    def __init__(
        self,
        matches: LiveMatches,
        clock: Callable[[], int],
        ring: Callable[[str], Awaitable[None]],
        idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        """``ring`` takes a match's id, handles its own errors, and runs inside ``idle``."""
        self._matches = matches
        self._clock = clock
        self._ring = ring
        self._idle = idle
        self._handles = set[asyncio.Handle]()
        self._free = asyncio.Semaphore(AT_ONCE)
        self._tasks = BackgroundTasks()

    def set(self, match_id: str, wake: float | None) -> None:
        """Wait for this time, in seconds since 1970, and for none that was set before."""
        live = self._matches.of(match_id)
        if live.timer is not None:
            self._handles.discard(live.timer)
            live.timer.cancel()
        live.wakes_at, live.timer = wake, None if wake is None else self.wait(match_id, wake)

    def wait(self, match_id: str, wake: float) -> asyncio.Handle:
        """Wait for a time of a match that need not be in memory, unless one is set for it meanwhile."""

        def due() -> None:
            self._handles.discard(handle)
            self._tasks.start(self._look(match_id, wake))

        loop, left = asyncio.get_running_loop(), wake - self._clock()
        handle = loop.call_later(left, due) if left > 0 else loop.call_soon(due)
        self._handles.add(handle)
        return handle

    def cancel(self) -> None:
        for live in self._matches:
            live.wakes_at = live.timer = None
        while self._handles:
            self._handles.pop().cancel()

    async def close(self) -> None:
        self.cancel()
        await self._tasks.close()

    async def _look(self, match_id: str, wake: float) -> None:
        """Ring for a match, unless another time was set for it, or a clock back meanwhile."""
        async with self._free:
            live, now = self._matches.of(match_id), self._clock()
            if live.wakes_at in (None, wake) and wake > now:
                self.set(match_id, wake)
            elif live.wakes_at is None or live.wakes_at <= now:
                live.wakes_at = None
                async with self._idle():
                    await self._ring(match_id)
