"""Background tasks: asyncio tasks that nobody waits for, and the pauses between tries."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from random import uniform
from typing import Any


def pauses(first: float, longest: float) -> Iterator[float]:
    """Yield how long is waited after one failure and the next: longer and longer, never the same."""
    while True:
        yield first * uniform(0.5, 1.0)  # noqa: S311 — who start together need not come together
        first = min(2 * first, longest)


class BackgroundTasks:
    """Tasks that are held on to until they are done, which the event loop does not do by itself."""

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start work, which handles its own errors."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def settle(self) -> None:
        """Wait until each has ended that is there now."""
        if self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        tasks = tuple(self._tasks)
        self.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
