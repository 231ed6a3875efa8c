"""Who has a worker when: people take turns, and nobody's questions hold up play or are thought twice."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from bot.engine.errors import RibitError
from bot.engine.task import Lane
from bot.engine.words import _


class FairQueue:
    """Hands out workers, person by person, and one to a person in each lane.

    Questions leave a worker to play, where there are several; and the lane that has fewer workers is
    served first, so that neither waits for the other's crowd.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._most = {Lane.PLAY: workers, Lane.QUESTIONS: max(1, workers - 1)}
        self._served: dict[Lane, set[Hashable]] = {lane: set() for lane in Lane}
        self._waiting: dict[Lane, dict[Hashable, deque[asyncio.Future[None]]]] = {
            lane: {} for lane in Lane
        }

    async def acquire(self, lane: Lane, who: Hashable) -> None:
        """Wait until a worker is free for a person; it has to be released."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[lane].setdefault(who, deque()).append(called)
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():  # called in the moment of giving up
                self.release(lane, who)
            raise

    def release(self, lane: Lane, who: Hashable) -> None:
        self._served[lane].discard(who)
        self._call()

    def _call(self) -> None:
        """Serve who is next, for as long as there are workers."""
        while (found := self._next()) is not None:
            lane, who = found
            row = self._waiting[lane].pop(who)
            called = row.popleft()
            if row:  # what else this person waits for comes after everybody's first
                self._waiting[lane][who] = row
            if not called.done():
                self._served[lane].add(who)
                called.set_result(None)

    def _next(self) -> tuple[Lane, Hashable] | None:
        if sum(map(len, self._served.values())) >= self._workers:
            return None
        for lane in sorted(Lane, key=lambda lane: len(self._served[lane])):
            if len(self._served[lane]) < self._most[lane]:
                for who in self._waiting[lane]:
                    if who not in self._served[lane]:
                        return lane, who
        return None


class BusyError(RibitError):
    """Somebody asks for another thought before the last one is there."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on what you asked for before. Try again when it's there."))


class SingleFlight:
    """Thoughts under way, by what they are about, and the people they were begun for."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[Any]] = {}
        self._people: set[Hashable] = set()

    async def ask(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        """Return what is thought; who asks about the same meanwhile gets the same thought.

        It goes on where nobody waits for it any more. Raises BusyError for who waits for another.
        """
        thinking = self._under_way.get(about)
        if thinking is None:
            if who in self._people:
                raise BusyError
            thinking = asyncio.create_task(self._thought(who, about, think))
            self._under_way[about] = thinking
            self._people.add(who)
        return await asyncio.shield(thinking)

    async def close(self) -> None:
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _thought(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await think()
        finally:
            del self._under_way[about]
            self._people.discard(who)
