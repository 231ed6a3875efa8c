"""A fair queue for workers: people take turns, and nobody's questions hold up play."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable
from enum import Enum


class Lane(Enum):
    """What a thought is for: play that cannot go on without it, a question, or one that may come."""

    PLAY = "play"
    QUESTIONS = "questions"
    AHEAD = "ahead"


class FairQueue:
    """Hands out workers, person by person, and one to a person in each lane.

    Questions leave a worker to play, where there are several; and the lane that has fewer workers is
    served first, so that neither waits for the other's crowd. What nobody waits for yet is begun where
    all workers are free, so that whoever comes meanwhile finds one, where there are several.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._most = {Lane.PLAY: workers, Lane.QUESTIONS: max(1, workers - 1), Lane.AHEAD: 1}
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
        """Let the next have the worker that a person had."""
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
        busy = sum(map(len, self._served.values()))
        if busy >= self._workers:
            return None
        lanes = sorted((Lane.PLAY, Lane.QUESTIONS), key=lambda lane: len(self._served[lane]))
        for lane in lanes if busy else (*lanes, Lane.AHEAD):
            if len(self._served[lane]) < self._most[lane]:
                for who in self._waiting[lane]:
                    if who not in self._served[lane]:
                        return lane, who
        return None
