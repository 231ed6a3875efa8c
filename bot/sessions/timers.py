"""Waiting for a time, once for each match."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from heapq import heapify, heappop, heappush

from bot.background import BackgroundTasks

AT_ONCE = 8
"""How many matches that are due together are looked at side by side; the others take turns."""

_SPARE = 100
"""How many times that count no more are kept beside those that do, before they are cleared away."""


class Timers:
    """Has one match after the other looked at when its time has come. No time is polled for."""

    def __init__(
        self,
        clock: Callable[[], int],
        ring: Callable[[str], Awaitable[None]],
        idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        """``ring`` is called with a match's id, and takes care of its own faults.

        That is inside ``idle``, which can be waited for where much was due at once.
        """
        self._clock = clock
        self._ring = ring
        self._idle = idle
        self._wakes: dict[str, float] = {}
        self._order: list[tuple[float, str]] = []
        self._free = asyncio.Semaphore(AT_ONCE)
        self._sleeps = False
        self._tasks = BackgroundTasks()
        self._watch: asyncio.Task[None] | None = None

    def set(self, match_id: str, wake: float | None) -> None:
        """Wait for this time, in seconds since 1970, and for none that was set before."""
        if wake is None:
            self._wakes.pop(match_id, None)
            return
        self._wakes[match_id] = wake
        heappush(self._order, (wake, match_id))
        if len(self._order) > 2 * len(self._wakes) + _SPARE:
            self._order = [(at, each) for each, at in self._wakes.items()]
            heapify(self._order)
        if self._watch is None:
            self._watch = self._tasks.start(self._wait())
        elif self._sleeps and self._order[0] == (wake, match_id):  # it is the next now
            self._watch.cancel()
            self._watch = self._tasks.start(self._wait())

    def waits_for(self, match_id: str) -> bool:
        """Return whether a time is waited for in a match."""
        return match_id in self._wakes

    def clear(self) -> None:
        """Wait for nothing that was set before."""
        self._wakes.clear()

    async def close(self) -> None:
        """Wait for nothing more."""
        self._wakes.clear()
        await self._tasks.close()

    async def _wait(self) -> None:
        """Ring for each match whose time has come, as long as any is waited for."""
        self._sleeps = False
        while self._order:
            wake, match_id = self._order[0]
            if self._wakes.get(match_id) != wake:  # another time was set since, or none
                heappop(self._order)
            elif (left := wake - self._clock()) > 0:
                self._sleeps = True
                await asyncio.sleep(left)  # a clock may be set back meanwhile: look again
                self._sleeps = False
            else:
                await self._free.acquire()
                if self._wakes.get(match_id) == wake:
                    del self._wakes[match_id]
                    self._tasks.start(self._ring_for(match_id))
                else:
                    self._free.release()
        self._watch = None

    async def _ring_for(self, match_id: str) -> None:
        try:
            async with self._idle():
                await self._ring(match_id)
        finally:
            self._free.release()
