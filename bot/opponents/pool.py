"""A pool of worker processes that think, so that the event loop does not wait for a thought.

They start on first need and end with the bot.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from asyncio import Semaphore
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager
from inspect import isawaitable
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from time import process_time
from typing import Any, TypeVar

import structlog
from cachetools import LRUCache

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.engine.words import _
from bot.engine.worker_task import Lane, Read, Task

log = structlog.get_logger(__name__)

T = TypeVar("T")

WORKERS, ATTEMPTS = 2, 2  # a worker may be killed while it thinks
LONGEST_THOUGHT = 15.0
"""Seconds of a processor after which a worker gives itself up: only trouble takes that long.

By the clock, a busy machine would give up good thoughts for others, and none would come to its end.
"""

PATIENCE = 20.0  # seconds that a person waits for an answer, others before it in the queue among them
FAR = 300.0
"""Seconds, of either kind, after which the move of a seat that thinks is given up.

What a seat tries is counted: only a worker that hangs takes that long.
"""

MOST_KEPT = 50  # of what was made from whole matches


class BusyError(RibitError):
    """Somebody asks for another thought before the last one is there."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on what you asked for before. Try again when it's there."))


class Opponents(AbstractAsyncContextManager["Opponents"]):
    """Thinks for computer players. To be closed, or used as an async context manager."""

    def __init__(self, *, workers: int = WORKERS) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        # Questions leave a worker to play, where there are several.
        self._turns = {Lane.PLAY: Semaphore(workers), Lane.QUESTIONS: Semaphore(max(1, workers - 1))}
        self._questions: dict[Task[Any], tuple[int, asyncio.Task[bytes | None]]] = {}
        self._kept: LRUCache[Task[Any], bytes] = LRUCache(MOST_KEPT)
        self._tasks = BackgroundTasks()
        self._closed = False

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Return what a worker makes of a task, or the task's ``otherwise`` where none can say.

        ``read`` returns what else the task is made of. The same task is read and thought once for all
        who ask meanwhile. Raises BusyError for who waits for the answer to another question.
        """
        packed: bytes | None = self._kept.get(task) if task.is_kept else None
        if packed is None:
            thinking = self._answer(task, read, who) if task.is_question else self._think(task, read)
            packed = await thinking
        if packed is None:
            return task.otherwise()
        answer: T = pickle.loads(packed)  # noqa: S301 — a worker's own
        return answer

    async def close(self) -> None:
        """End the workers; thoughts that are still wanted come from the rule of thumb."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            self._tasks.start(asyncio.to_thread(_end, pool))
        await self._tasks.settle()

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _answer(self, task: Task[Any], read: Read | None, who: int) -> bytes | None:
        """Return what is thought; who asks the same meanwhile gets the same thought.

        It goes on where nobody waits for it any more. Raises BusyError for who waits for another.
        """
        if task not in self._questions:
            if any((each.lane, by) == (task.lane, who) for each, (by, _task) in self._questions.items()):
                raise BusyError
            thinking = self._tasks.start(self._think(task, read))
            self._questions[task] = who, thinking
            thinking.add_done_callback(lambda _thought: self._questions.pop(task))
        return await asyncio.shield(self._questions[task][1])

    async def _think(self, task: Task[Any], read: Read | None) -> bytes | None:
        """Return what a worker makes of a task, packed, or None where none can say in time."""
        given = () if read is None else await read()
        seconds, longest = (FAR, FAR) if task.waits_long else (PATIENCE, LONGEST_THOUGHT)
        try:
            async with asyncio.timeout(seconds):
                for _attempt in range(ATTEMPTS):
                    packed = await self._attempt(task.lane, longest, task, *given)
                    if packed is not None:
                        if task.is_kept:
                            self._kept[task] = packed
                        return packed
        except TimeoutError:
            log.warning("a worker did not answer in time")
        return None

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        if self._closed:
            return None
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self._workers, get_context("spawn"), _begin
        )
        try:
            return await self._thought(pool, self._turns[lane], longest, task, *given)
        except BrokenExecutor:
            if not self._closed:
                log.warning("a worker has died")
        except (asyncio.CancelledError, RuntimeError):
            asking = asyncio.current_task()  # is it that, and not what it waits for?
            if self._pool is pool or (asking is not None and asking.cancelling()):
                raise  # it is not that the pool was closed meanwhile
        if self._pool is pool:
            self._pool = None
            self._tasks.start(asyncio.to_thread(_end, pool))
        return None

    async def _thought(self, pool: ProcessPoolExecutor, turn: Semaphore, *thought: Any) -> bytes | None:
        await turn.acquire()
        try:  # to start a worker takes longer than the event loop should wait
            thinking = asyncio.wrap_future(await asyncio.to_thread(pool.submit, _think, *thought))
        except BaseException:
            turn.release()
            raise

        def thought_out(thinking: asyncio.Future[Any]) -> None:
            turn.release()
            if not thinking.cancelled():  # nobody may be left who asks what became of it
                thinking.exception()

        thinking.add_done_callback(thought_out)
        return await asyncio.shield(thinking)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool, and what is thought there; no worker is killed while another starts.

    That one would wait for ever for the lock with which an idle worker waits for work.
    """
    workers, manager = (vars(pool)[name] for name in ("_processes", "_executor_manager_thread"))
    pool.shutdown(wait=False, cancel_futures=True)  # when none is starting, and so none will any more
    for worker in workers.values():
        worker.kill()
    if manager is not None:
        manager.join()


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
