"""Workers that record their tasks and wait until the test lets them continue."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from simcord.results import InteractionResult

from bot.engine.worker_task import Lane, Task
from tests.discord.bot_harness import Thinkers, ephemeral_reply


class Pondering(Thinkers):
    """Workers that answer questions only after the test has set the event ``done``.

    ``thoughts`` has the questions in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[str] = []
        self.done = asyncio.Event()

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        """Record the task's question if it has one, wait for ``done``, and then run the task."""
        if question := getattr(task, "question", None):
            self.thoughts.append(question)
            await self.done.wait()
        return await super()._attempt(lane, longest, task, *given)


async def wait_for_tasks() -> None:
    """Wait in real time until tasks that are ready have run."""
    for _turn in range(20):
        await asyncio.sleep(0.01)


class Working(Thinkers):
    """Workers that a test can block. ``asked`` has the names of the requested tasks' classes."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        self.asked.append(type(task).__name__)
        await self.goes_on.wait()
        return await super()._attempt(lane, longest, task, *given)

    async def held(self, *clicks: Coroutine[Any, Any, InteractionResult]) -> list[InteractionResult]:
        """Send clicks while the workers are blocked, unblock them, and return the clicks' results."""
        self.asked.clear()
        self.goes_on.clear()
        asking = []
        for click in clicks:
            asking.append(asyncio.create_task(click))
            await wait_for_tasks()
        assert all(is_busy_refusal(one.result()) for one in asking if one.done()), "nothing is made here"
        self.goes_on.set()
        return await asyncio.gather(*asking)


def is_busy_refusal(result: InteractionResult) -> bool:
    """Return whether a click was refused because the user's last request is still in progress."""
    return "still working on your last request" in ephemeral_reply(result).text
