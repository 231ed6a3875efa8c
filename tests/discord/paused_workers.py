"""Workers that think when the test allows it, and record the questions."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from simcord.results import InteractionResult

from bot.engine.worker_task import Lane, Task
from tests.discord.bot_harness import Thinkers, told


class Pondering(Thinkers):
    """Answer each question only after the test releases it, one at a time per user."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[str] = []
        self.done = asyncio.Event()

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        """Return the answer of a worker process, late, and count it."""
        if question := getattr(task, "question", None):
            self.thoughts.append(question)
            await self.done.wait()
        return await super()._attempt(lane, longest, task, *given)


async def settled() -> None:
    """Release all questions."""
    for _turn in range(20):
        await asyncio.sleep(0.01)


class Working(Thinkers):
    """Do no work until the test releases it, and record the requests."""

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
        """Ask all this while the workers are blocked, and return the answers afterwards."""
        self.asked.clear()
        self.goes_on.clear()
        asking = []
        for click in clicks:
            asking.append(asyncio.create_task(click))
            await settled()
        assert all(busy(one.result()) for one in asking if one.done()), "nothing is made here"
        self.goes_on.set()
        return await asyncio.gather(*asking)


def busy(result: InteractionResult) -> bool:
    """Return whether somebody was refused for asking too much at once."""
    return "still working on your last request" in told(result).text
