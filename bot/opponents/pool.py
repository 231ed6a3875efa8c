"""A pool of worker processes that think, so that the event loop does not wait for a thought.

They start on first need and end with the bot. A person has one of them at a time.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager
from functools import partial
from inspect import isawaitable
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from time import process_time
from typing import Any, TypeVar

import structlog
from cachetools import LRUCache

from bot.engine.task import Lane, Read, Task
from bot.opponents.queue import FairQueue, SingleFlight

log = structlog.get_logger(__name__)

T = TypeVar("T")

WORKERS, ATTEMPTS = 2, 2
LONGEST_THOUGHT = 15.0
"""Seconds of a processor after which a worker gives itself up: only trouble takes that long.

By the clock, a busy machine would give up good thoughts for others, and none would come to its end.
"""

PATIENCE = 20.0  # seconds that a person waits for an answer, others before it in the queue among them
FAR = 300.0
"""Seconds, of either kind, after which the move of a seat that thinks is given up.

What a seat tries is counted: only a worker that hangs takes that long.
"""

MOST_KEPT, MOST_KEPT_BYTES = 50, 16 * 2**20  # of what was made from whole matches


class Opponents(AbstractAsyncContextManager["Opponents"]):
    """Thinks for computer players. To be closed, or used as an async context manager."""

    def __init__(
        self,
        *,
        workers: int = WORKERS,
        longest: float = LONGEST_THOUGHT,
        patience: float = PATIENCE,
        far: float = FAR,
    ) -> None:
        self._workers = workers
        self._longest = longest
        self._patience = patience
        self._far = far
        self._pool: ProcessPoolExecutor | None = None
        self._free = FairQueue(workers)
        self._questions = SingleFlight()
        self._kept: LRUCache[Task[Any], bytes] = LRUCache(MOST_KEPT_BYTES, _room)
        self._complained = False
        self._closed = False

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Return what a worker makes of a task, or the task's ``otherwise`` where none can say.

        ``read`` returns what else the task is made of. The same task is read and thought once for all
        who ask meanwhile. Raises BusyError for who waits for the answer to another question.
        """
        packed: bytes | None = self._kept.get(task) if task.is_kept else None
        if packed is None:
            think = partial(self._think, task, who, read)
            is_single = task.is_question
            packed = await (self._questions.ask((task.lane, who), task, think) if is_single else think())
        if packed is None:
            return task.otherwise()
        answer: T = pickle.loads(packed)  # noqa: S301 — a worker's own
        return answer

    async def close(self) -> None:
        """End the workers; thoughts that are still wanted come from the rule of thumb."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        await self._questions.close()

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _think(self, task: Task[Any], who: int, read: Read | None) -> bytes | None:
        """Return what a worker makes of a task, packed, or None where none can say in time."""
        given = () if read is None else await read()
        seconds, longest = self._patience, self._longest
        if task.waits_long:
            seconds = longest = self._far
        try:
            async with asyncio.timeout(seconds):
                for _attempt in range(ATTEMPTS):
                    packed = await self._attempt(task.lane, who, longest, task, *given)
                    if packed is not None:
                        if task.is_kept and _room(packed) <= MOST_KEPT_BYTES:
                            self._kept[task] = packed
                        return packed
        except TimeoutError as error:
            self._complain(error)
        return None

    async def _attempt(
        self, lane: Lane, who: int, longest: float, task: Task[Any], *given: Any
    ) -> bytes | None:
        """Return what a worker thinks, or None where there is none to think."""
        if self._closed:
            return None
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self._workers, get_context("spawn"), _begin
        )
        try:
            return await self._thought(pool, lane, who, longest, task, *given)
        except BrokenExecutor as error:
            self._complain(error)
        except (asyncio.CancelledError, RuntimeError):
            asking = asyncio.current_task()  # is it that, and not what it waits for?
            if self._pool is pool or (asking is not None and asking.cancelling()):
                raise  # it is not that the pool was closed meanwhile
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)
        return None

    async def _thought(
        self, pool: ProcessPoolExecutor, lane: Lane, who: int, *thought: Any
    ) -> bytes | None:
        await self._free.acquire(lane, who)
        try:  # to start a worker takes longer than the event loop should wait
            thinking = asyncio.wrap_future(await asyncio.to_thread(pool.submit, _think, *thought))
        except BaseException:
            self._free.release(lane, who)
            raise

        def thought_out(thinking: asyncio.Future[Any]) -> None:
            self._free.release(lane, who)
            if not thinking.cancelled():  # nobody may be left who asks what became of it
                thinking.exception()

        thinking.add_done_callback(thought_out)
        return await asyncio.shield(thinking)

    def _complain(self, error: Exception) -> None:
        """Log the first trouble; what follows from the same cause is not worth a line each."""
        if not self._complained:
            log.warning("opponent's worker failed", error=type(error).__name__)
        self._complained = True


def _room(packed: bytes) -> int:
    """Return how much room something takes among what is kept: of little things so many fit at most."""
    return max(len(packed), MOST_KEPT_BYTES // MOST_KEPT)


async def packed(task: Task[Any], *given: Any) -> bytes | None:
    """Return what comes of a task, if anything, as bytes; a task that reads for itself is awaited."""
    made = task.made(*given)
    made = await made if isawaitable(made) else made
    return None if made is None else pickle.dumps(made)


def _begin() -> None:
    """Make a worker end with the bot, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _think(longest: float, task: Task[Any], *given: Any) -> bytes | None:
    is_over = Event()
    Thread(target=_give_up, args=(is_over, process_time() + longest), daemon=True).start()
    try:
        return asyncio.run(packed(task, *given))
    finally:
        is_over.set()


def _give_up(is_over: Event, until: float) -> None:
    """End the process when it has used so much of a processor, unless a thought is over before."""
    while not is_over.wait(max(until - process_time(), 0.0)):
        if process_time() >= until:
            os._exit(1)
