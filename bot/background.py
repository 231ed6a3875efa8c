"""Background tasks, and delays between retries."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from random import uniform
from typing import Any


def pauses(first: float, longest: float) -> Iterator[float]:
    """Yield delays between retries. They double up to a maximum, and have random jitter.

    Args:
        first: Upper bound of the first delay, in seconds.
        longest: Upper bound of all delays, in seconds.
    """
    while True:
        yield first * uniform(0.5, 1.0)  # noqa: S311 — jitter keeps bots from retrying together
        first = min(2 * first, longest)


class BackgroundTasks:
    """A group of tasks that run in the background and that no caller awaits.

    It keeps references to running tasks, because the event loop keeps only weak references.
    """

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a background task. Its coroutine must handle its own errors."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def running(self) -> set[asyncio.Task[Any]]:
        return set(self._tasks)

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def settle(self) -> None:
        """Wait until all tasks that are currently running have ended."""
        if self._tasks:
            await asyncio.wait(self.running)

    async def close(self) -> None:
        self.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
