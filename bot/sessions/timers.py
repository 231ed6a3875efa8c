"""Waiting for a time, once for each match."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext


class Timers:
    """Has one match after the other looked at when its time has come. No time is polled for."""

    def __init__(
        self,
        clock: Callable[[], int],
        ring: Callable[[str, int], Awaitable[None]],
        lull: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        """``ring`` is called with a match's id and the number of moves it was waited with.

        That is inside a ``lull``, which can be waited for where much was due at once.
        """
        self._clock = clock
        self._ring = ring
        self._lull = lull
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def set(self, match_id: str, n: int, wake: float | None) -> None:
        """Wait for this time, in seconds since 1970, and for none that was set before."""
        before = self._waiting.pop(match_id, None)
        if before is not None:
            before.cancel()
        if wake is None:
            return
        task = asyncio.create_task(self._wait(match_id, n, wake))
        self._waiting[match_id] = task
        self._tasks.add(task)  # the event loop itself does not hold on to a task
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait for nothing more."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self, match_id: str, n: int, wake: float) -> None:
        while (left := wake - self._clock()) > 0:  # noqa: ASYNC110 — a clock may be set back meanwhile
            await asyncio.sleep(left)
        async with self._lull():
            self._waiting.pop(match_id, None)  # what rings is not stopped any more
            await self._ring(match_id, n)
