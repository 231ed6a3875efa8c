"""Pool of worker processes for long computations, which would otherwise block the event loop.

The workers start on first use and end with the bot. A long task is computed in slices. Between two
slices, a worker can run other users' tasks.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from _thread import interrupt_main
from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager
from functools import partial
from inspect import isawaitable
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from time import monotonic, process_time
from typing import Any, TypeVar

import structlog
from cachetools import LRUCache

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.engine.translation import _
from bot.engine.worker_task import Lane, Read, Task, Unfinished

log = structlog.get_logger(__name__)

T = TypeVar("T")

WORKERS, ATTEMPTS = 2, 2  # the second attempt is for a worker that was killed
LONGEST_THOUGHT = 15.0
"""CPU seconds after which a task is cancelled, summed over all its slices.

CPU time is used because on a busy machine every task takes long in wall time. All would be
cancelled, and none would finish.
"""

GRACE_SECONDS = 5.0
"""Additional CPU seconds after which a worker exits if its task could not be interrupted."""

SLICE_SECONDS = 0.3
"""CPU seconds after which a long task lets other users' tasks use its worker."""

PATIENCE = 20.0  # seconds that a user waits for an answer, including the time in the queue
PAUSE_SECONDS = 60.0
"""Seconds for which a user cannot submit another task after one took too long."""

FAR = 300.0
"""Limit for a task that ``waits_long``, in seconds of CPU time and of wall time.

The number of attempts already limits a computer player's search. Only a hung worker takes this long.
"""

MOST_KEPT = 50  # answers about whole matches
TOO_LONG = b""
"""Stored in the cache in place of an answer if computing the answer takes too long."""


class BusyError(RibitError):
    """Raised when a user submits a task although the user's previous task has not been answered yet."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on your last request. Try again once it's done."))


class PausedError(RibitError):
    """Raised when a user asks again too soon after a question that took too long. See PAUSE_SECONDS."""

    def __init__(self) -> None:
        super().__init__(_("Your last question took too long. Ask the next one in a minute."))


class TooLongError(BaseException):
    """Raised inside a worker process when a task has used up its CPU time.

    It is a BaseException, so that the task's own exception handlers do not catch it.
    """


@frozen
class Part:
    """The result of one slice of a task's computation.

    Attributes:
        packed: The pickled answer or, if ``is_unfinished``, the pickled progress. TOO_LONG if the task
            was cancelled. None if the worker found no answer.
        cpu_seconds: The CPU time used in this slice.
        is_unfinished: True if the task must be continued in another slice.
    """

    packed: bytes | None
    cpu_seconds: float
    is_unfinished: bool = False


class Opponents(AbstractAsyncContextManager["Opponents"]):
    """A pool of worker processes that choose computer players' moves and answer users' questions.

    Use it as an async context manager, or call ``close`` after use.
    """

    def __init__(self, *, workers: int = WORKERS, clock: Callable[[], float] = monotonic) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        # If there are several workers, one is reserved for tasks that a match is waiting for.
        self._turns = {Lane.PLAY: Semaphore(workers), Lane.QUESTIONS: Semaphore(max(1, workers - 1))}
        self._questions: dict[Task[Any], tuple[int, asyncio.Task[bytes | None]]] = {}
        self._kept: LRUCache[Task[Any], bytes] = LRUCache(MOST_KEPT)
        self._paused_until: dict[int, float] = {}  # by user ID, in seconds of the clock
        self._clock = clock
        self._tasks = BackgroundTasks()
        self._closed = False

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Run a task in a worker process and return its answer.

        If another user is already waiting for the answer to an equal question, the same computation
        answers both. If the task's ``is_kept`` is True, its answer is cached.

        Args:
            task: The task.
            who: The ID of the user who waits for the answer.
            read: A callback that loads further arguments for the task. It is not called if the answer is
                cached.

        Returns:
            The answer. If no worker answers in time, the result of the task's ``otherwise()``.

        Raises:
            BusyError: The user is already waiting for the answer to another question.
            PausedError: The user's last question took too long.
            NoAnswerError: No worker answered in time, and ``otherwise()`` has no alternative.
        """
        packed: bytes | None = self._kept.get(task) if task.is_kept or task.is_question else None
        if packed is None:
            thinking = self._answer(task, read, who) if task.is_question else self._think(task, read)
            try:
                async with asyncio.timeout(FAR if task.waits_long else PATIENCE):
                    packed = await thinking
            except TimeoutError:
                log.warning("worker did not answer in time")
        if not packed:
            return task.otherwise()
        answer: T = pickle.loads(packed)  # noqa: S301 — a worker's own
        return answer

    async def close(self) -> None:
        """Kill the worker processes. Tasks in progress get no answer from them."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            self._tasks.start(asyncio.to_thread(_end, pool))
        await self._tasks.settle()

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _answer(self, task: Task[Any], read: Read | None, who: int) -> bytes | None:
        """Return the pickled answer to a user's question.

        Users who ask an equal question share one computation. If the users stop waiting, the computation
        continues and its answer is cached.

        Raises:
            BusyError: The user is already waiting for the answer to another question.
            PausedError: The user's last question took too long.
        """
        if task not in self._questions:
            if any(
                (question.lane, by) == (task.lane, who)
                for question, (by, _task) in self._questions.items()
            ):
                raise BusyError
            if task.lane is Lane.QUESTIONS and self._paused_until.get(who, 0.0) > self._clock():
                raise PausedError
            thinking = self._tasks.start(self._think(task, read, who))
            self._questions[task] = who, thinking
            thinking.add_done_callback(partial(self._end_question, task))
        return await asyncio.shield(self._questions[task][1])

    def _end_question(self, task: Task[Any], thinking: asyncio.Task[bytes | None]) -> None:
        del self._questions[task]
        if not thinking.cancelled():  # retrieves the exception, because no user may be waiting
            thinking.exception()

    async def _think(self, task: Task[Any], read: Read | None, who: int | None = None) -> bytes | None:
        """Run a task in a worker process.

        Return its pickled answer, or None if there was none in time.
        """
        args = () if read is None else await read()
        longest = FAR if task.waits_long else LONGEST_THOUGHT
        try:
            async with asyncio.timeout(FAR):
                for _attempt in range(ATTEMPTS):
                    packed = await self._attempt(task.lane, longest, task, *args)
                    if packed == TOO_LONG:
                        self._note_too_long(task, who)
                    elif packed is not None and task.is_kept:
                        self._kept[task] = packed
                    if packed is not None:
                        return packed
        except TimeoutError:
            log.warning("worker did not answer in time")
        return None

    def _note_too_long(self, task: Task[Any], who: int | None) -> None:
        """Record that a task takes too long, and reject the user's next questions for PAUSE_SECONDS."""
        log.warning("worker task timed out", task=type(task).__name__)
        if who is None:
            return
        self._kept[task] = TOO_LONG
        now = self._clock()
        paused = {user_id: until for user_id, until in self._paused_until.items() if until > now}
        self._paused_until = {**paused, who: now + PAUSE_SECONDS}

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        if self._closed:
            return None
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self._workers, get_context("spawn"), _begin
        )
        try:
            return await self._in_slices(pool, self._turns[lane], longest, task, given)
        except BrokenExecutor:
            if not self._closed:
                log.warning("worker process died")
        except (asyncio.CancelledError, RuntimeError):
            asking = asyncio.current_task()  # is this task cancelled, or only its future?
            if self._pool is pool or (asking is not None and asking.cancelling()):
                raise  # the error was not caused by closing the pool
        if self._pool is pool:
            self._pool = None
            self._tasks.start(asyncio.to_thread(_end, pool))
        return None

    async def _in_slices(
        self,
        pool: ProcessPoolExecutor,
        turn: Semaphore,
        longest: float,
        task: Task[Any],
        given: Sequence[Any],
    ) -> bytes | None:
        """Run a task in several slices and return its pickled answer.

        Between two slices, the worker can run other tasks.
        """
        part = await self._run_slice(pool, turn, longest, task, None, *given)
        left = longest
        while part.is_unfinished:
            left -= part.cpu_seconds
            if left <= 0:
                return TOO_LONG
            part = await self._run_slice(pool, turn, left, task, part.packed)
        return part.packed

    async def _run_slice(self, pool: ProcessPoolExecutor, turn: Semaphore, *thought: Any) -> Part:
        await turn.acquire()
        try:  # in a thread, because starting a worker would block the event loop too long
            thinking = asyncio.wrap_future(await asyncio.to_thread(pool.submit, _think, *thought))
        except BaseException:
            turn.release()
            raise

        def release_turn(thinking: asyncio.Future[Any]) -> None:
            turn.release()
            if not thinking.cancelled():  # retrieves the exception, because no task may be waiting
                thinking.exception()

        thinking.add_done_callback(release_turn)
        return await asyncio.shield(thinking)


def _end(pool: ProcessPoolExecutor) -> None:
    """Kill the workers of a pool. If a worker is just starting, wait until it has started.

    An idle worker holds a lock while it waits for work. If it is killed, the lock is never released, and
    a starting worker would wait for the lock forever.
    """
    workers, manager = (vars(pool)[name] for name in ("_processes", "_executor_manager_thread"))
    pool.shutdown(wait=False, cancel_futures=True)  # waits for starting workers, and prevents new ones
    for worker in workers.values():
        worker.kill()
    if manager is not None:
        manager.join()


async def run_here(task: Task[Any], *given: Any) -> bytes | None:
    """Run a whole task in this process and return its pickled answer, or None if there is none."""
    result = task.compute(*given)
    result = await result if isawaitable(result) else result
    while isinstance(result, Unfinished):
        result = task.resume(result.progress, lambda: False)
    return None if result is None else pickle.dumps(result)


def _part(task: Task[Any], progress: bytes | None, *given: Any) -> Part:
    """Compute one slice of a task.

    If ``progress`` is given, continue the earlier slice that returned it. If the task's ``compute`` is a
    coroutine function, it runs in a new event loop.
    """
    began = process_time()

    def is_over() -> bool:
        return process_time() >= began + SLICE_SECONDS

    before = () if progress is None else (pickle.loads(progress),)  # noqa: S301 — a worker's own
    result = task.resume(*before, is_over) if before else task.compute(*given)
    result = asyncio.run(_await(result)) if isawaitable(result) else result
    is_unfinished = isinstance(result, Unfinished)
    left = result.progress if isinstance(result, Unfinished) else result
    return Part(None if left is None else pickle.dumps(left), process_time() - began, is_unfinished)


async def _await(made: Awaitable[T]) -> T:
    return await made


_is_overdue = Event()
"""Set while this worker's current task has used up its CPU time."""


def _begin() -> None:
    """Initialise a worker process.

    It ignores Ctrl-C, and exits when the bot's process ends for any reason.
    """
    signal.signal(signal.SIGINT, _cancel_if_overdue)
    Thread(target=_end_with_parent, daemon=True).start()


def _cancel_if_overdue(_signal: int, _frame: object) -> None:
    if _is_overdue.is_set():
        raise TooLongError


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _think(longest: float, task: Task[Any], progress: bytes | None, *given: Any) -> Part:
    """Compute one slice of a task in a worker process.

    If it uses more than ``longest`` CPU seconds, it is cancelled and the result contains TOO_LONG.
    """
    is_over = Event()
    guard = Thread(target=_interrupt, args=(is_over, process_time() + longest), daemon=True)
    try:
        try:
            guard.start()
            return _part(task, progress, *given)
        finally:
            is_over.set()
            guard.join()  # no interruption can follow
            _is_overdue.clear()
    except TooLongError:  # raised only once, but possibly in the lines above
        is_over.set()
        _is_overdue.clear()
        return Part(TOO_LONG, longest)


def _interrupt(is_over: Event, until: float) -> None:
    """Interrupt a task that has used up its CPU time. If it does not end soon, exit the worker process.

    This runs in a second thread of the worker.

    Args:
        is_over: An event that is set when the task has ended.
        until: The limit, in CPU seconds since the process started.
    """
    if _is_used_up(is_over, until):
        _is_overdue.set()
        interrupt_main()
        if _is_used_up(is_over, until + GRACE_SECONDS):
            os._exit(1)


def _is_used_up(is_over: Event, until: float) -> bool:
    """Wait until this process's CPU time reaches ``until`` seconds, and return True.

    If the task ends first, return False.
    """
    while not is_over.wait(max(until - process_time(), 0.0)):
        if process_time() >= until:
            return True
    return False
