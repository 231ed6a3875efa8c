"""Pool of worker processes for long searches, so that they never block the event loop.

The workers start on first use and end with the bot. A long task runs in slices. After each slice, it
lets the waiting tasks of other users run.
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
    """Raised when a user submits a task while still waiting for the answer to another one."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on your last request. Try again once it's done."))


class PausedError(RibitError):
    """Raised when a user asks within PAUSE_SECONDS after the last question took too long."""

    def __init__(self) -> None:
        super().__init__(_("Your last question took too long. Ask the next one in a minute."))


class TooLongError(BaseException):
    """Raised inside a worker when a task has used up its CPU time.

    It is derived from BaseException, so that the task's own exception handlers do not catch it.
    """


@frozen
class Part:
    """The result of one slice of a task.

    Attributes:
        packed: The pickled answer, or the pickled progress if the task is unfinished. TOO_LONG if the
            task was cancelled. None if the worker found no answer.
        cpu_seconds: The CPU time used in this slice.
        is_unfinished: True if another slice must continue the task.
    """

    packed: bytes | None
    cpu_seconds: float
    is_unfinished: bool = False


class Opponents(AbstractAsyncContextManager["Opponents"]):
    """Worker processes that compute computer players' moves and answers to users' questions.

    Use it as an async context manager, or call ``close``.
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
        """Run a task in a worker and return its answer.

        If an equal question is already being answered, the callers share its answer. Answers of tasks
        with ``is_kept`` are cached.

        Args:
            task: The task.
            who: The ID of the user who waits for the answer.
            read: Reads further arguments for the task. It is called only if the answer is not cached.

        Returns:
            The answer. If no worker answers in time, the result of the task's ``otherwise()``.

        Raises:
            BusyError: The user is already waiting for the answer to another question.
            PausedError: The user's last question took too long.
            NoAnswerError: No worker could answer, and the task has no alternative answer.
        """
        packed: bytes | None = self._kept.get(task) if task.is_kept or task.is_question else None
        if packed is None:
            thinking = self._answer(task, read, who) if task.is_question else self._think(task, read)
            try:
                async with asyncio.timeout(FAR if task.waits_long else PATIENCE):
                    packed = await thinking
            except TimeoutError:
                log.warning("a worker did not answer in time")
        if not packed:
            return task.otherwise()
        answer: T = pickle.loads(packed)  # noqa: S301 — a worker's own
        return answer

    async def close(self) -> None:
        """End the worker processes. The tasks in progress return no answer."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            self._tasks.start(asyncio.to_thread(_end, pool))
        await self._tasks.settle()

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _answer(self, task: Task[Any], read: Read | None, who: int) -> bytes | None:
        """Return the pickled answer to a question. All users who ask the same question share it.

        If the users stop waiting, the search continues and its answer is cached.

        Raises:
            BusyError: The user is already waiting for the answer to another question.
            PausedError: The user's last question took too long.
        """
        if task not in self._questions:
            if any((each.lane, by) == (task.lane, who) for each, (by, _task) in self._questions.items()):
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
        """Run a task in a worker and return its pickled answer, or None if no worker answers in time."""
        given = () if read is None else await read()
        longest = FAR if task.waits_long else LONGEST_THOUGHT
        try:
            async with asyncio.timeout(FAR):
                for _attempt in range(ATTEMPTS):
                    packed = await self._attempt(task.lane, longest, task, *given)
                    if packed == TOO_LONG:
                        self._note_too_long(task, who)
                    elif packed is not None and task.is_kept:
                        self._kept[task] = packed
                    if packed is not None:
                        return packed
        except TimeoutError:
            log.warning("a worker did not answer in time")
        return None

    def _note_too_long(self, task: Task[Any], who: int | None) -> None:
        """Record that a task takes too long, and block the user's questions for PAUSE_SECONDS."""
        log.warning("a task took too long", task=type(task).__name__)
        if who is None:
            return
        self._kept[task] = TOO_LONG
        now = self._clock()
        paused = {each: until for each, until in self._paused_until.items() if until > now}
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
                log.warning("a worker has died")
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
        """Run a task slice by slice and return its pickled answer.

        Other tasks can use the worker between slices.
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
    """Kill a pool's workers. If a worker is starting, wait until it has started.

    An idle worker holds a lock while it waits for work. If it is killed, the lock is never released, and
    a worker that is starting would wait for it forever.
    """
    workers, manager = (vars(pool)[name] for name in ("_processes", "_executor_manager_thread"))
    pool.shutdown(wait=False, cancel_futures=True)  # waits for starting workers, and prevents new ones
    for worker in workers.values():
        worker.kill()
    if manager is not None:
        manager.join()


async def run_here(task: Task[Any], *given: Any) -> bytes | None:
    """Run a whole task in the current event loop. Return its pickled answer, or None."""
    made = task.compute(*given)
    made = await made if isawaitable(made) else made
    while isinstance(made, Unfinished):
        made = task.resume(made.progress, lambda: False)
    return None if made is None else pickle.dumps(made)


def _part(task: Task[Any], progress: bytes | None, *given: Any) -> Part:
    """Run one slice of a task. If ``progress`` is given, continue from there.

    An awaitable result is run in a new event loop.
    """
    began = process_time()

    def is_over() -> bool:
        return process_time() >= began + SLICE_SECONDS

    before = () if progress is None else (pickle.loads(progress),)  # noqa: S301 — a worker's own
    made = task.resume(*before, is_over) if before else task.compute(*given)
    made = asyncio.run(_await(made)) if isawaitable(made) else made
    is_unfinished = isinstance(made, Unfinished)
    left = made.progress if isinstance(made, Unfinished) else made
    return Part(None if left is None else pickle.dumps(left), process_time() - began, is_unfinished)


async def _await(made: Awaitable[T]) -> T:
    return await made


_is_overdue = Event()
"""Set while this worker's current task has used up its CPU time."""


def _begin() -> None:
    """Make this worker ignore Ctrl-C, and make it exit when the bot's process ends for any reason."""
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
    """Run a slice of a task in a worker. Return TOO_LONG if it uses over ``longest`` CPU seconds."""
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
    """Interrupt the main thread when its CPU time is used up. If this has no effect, end the process.

    Args:
        is_over: Set when the task has ended.
        until: The limit, in CPU seconds of this process.
    """
    if _is_used_up(is_over, until):
        _is_overdue.set()
        interrupt_main()
        if _is_used_up(is_over, until + GRACE_SECONDS):
            os._exit(1)


def _is_used_up(is_over: Event, until: float) -> bool:
    """Wait until this process has used the given CPU time. Return False if the task ends first."""
    while not is_over.wait(max(until - process_time(), 0.0)):
        if process_time() >= until:
            return True
    return False
