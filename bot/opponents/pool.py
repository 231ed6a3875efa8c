"""A pool of worker processes that think, so that the event loop does not wait for a thought.

They start on first need and end with the bot. A long task is done in slices, between which the tasks
of other users have their turn.
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
from bot.engine.immutable import frozen
from bot.engine.words import _
from bot.engine.worker_task import Lane, Read, Task, Unfinished

log = structlog.get_logger(__name__)

T = TypeVar("T")

WORKERS, ATTEMPTS = 2, 2  # a worker may be killed while it thinks
LONGEST_THOUGHT = 15.0
"""CPU seconds, of all slices together, after which a question is cancelled.

By the clock, a busy machine would give up good thoughts for others, and none would come to its end.
"""

GRACE_SECONDS = 5.0
"""CPU seconds after which a worker ends that could not be interrupted."""

SLICE_SECONDS = 0.3
"""CPU seconds after which a long task gives the worker to other users' questions."""

PATIENCE = 20.0  # seconds that a person waits for an answer, others before it in the queue among them
PAUSE_SECONDS = 60.0
"""How long a user whose question took too long asks nothing else that takes a worker."""

FAR = 300.0
"""Seconds, of either kind, after which the move of a seat that thinks is given up.

What a seat tries is counted: only a worker that hangs takes that long.
"""

MOST_KEPT = 50  # of what was made from whole matches
TOO_LONG = b""
"""What is kept in place of a packed answer that takes longer than a worker has for it."""


class BusyError(RibitError):
    """Somebody asks for another thought before the last one is there."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on what you asked for before. Try again when it's there."))


class PausedError(RibitError):
    """The user's last question took too long, less than PAUSE_SECONDS ago."""

    def __init__(self) -> None:
        super().__init__(_("Your last question took longer than I have. Ask the next one in a minute."))


class TooLongError(BaseException):
    """A task has used up its CPU time. No Exception, so that no handler of the task's catches it."""


@frozen
class Part:
    """What a worker sends back: the answer of a task, packed, or its progress if it ``is_unfinished``.

    Attributes:
        packed: Pickled, TOO_LONG, or None if the worker could not say.
        cpu_seconds: CPU time that the worker has used.
    """

    packed: bytes | None
    cpu_seconds: float
    is_unfinished: bool = False


class Opponents(AbstractAsyncContextManager["Opponents"]):
    """Thinks for computer players. To be closed, or used as an async context manager."""

    def __init__(self, *, workers: int = WORKERS, clock: Callable[[], float] = monotonic) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        # Questions leave a worker to play, where there are several.
        self._turns = {Lane.PLAY: Semaphore(workers), Lane.QUESTIONS: Semaphore(max(1, workers - 1))}
        self._questions: dict[Task[Any], tuple[int, asyncio.Task[bytes | None]]] = {}
        self._kept: LRUCache[Task[Any], bytes] = LRUCache(MOST_KEPT)
        self._paused_until: dict[int, float] = {}  # by user
        self._clock = clock
        self._tasks = BackgroundTasks()
        self._closed = False

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Return what a worker makes of a task, or the task's ``otherwise`` where none can say.

        ``read`` returns what else the task is made of. The same task is read and thought once for all
        who ask meanwhile. Raises BusyError for who waits for the answer to another question.
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
        """End the workers; what is still asked gets no answer."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            self._tasks.start(asyncio.to_thread(_end, pool))
        await self._tasks.settle()

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _answer(self, task: Task[Any], read: Read | None, who: int) -> bytes | None:
        """Return the packed answer to a question; who asks the same meanwhile gets the same answer.

        The search goes on if the users give up waiting, so that its answer can be kept.

        Raises:
            BusyError: The user waits for the answer to another question.
            PausedError: The user's last question took too long.
        """
        if task not in self._questions:
            if any((each.lane, by) == (task.lane, who) for each, (by, _task) in self._questions.items()):
                raise BusyError
            if task.lane is Lane.QUESTIONS and self._paused_until.get(who, 0.0) > self._clock():
                raise PausedError
            thinking = self._tasks.start(self._think(task, read, who))
            self._questions[task] = who, thinking
            thinking.add_done_callback(partial(self._answered, task))
        return await asyncio.shield(self._questions[task][1])

    def _answered(self, task: Task[Any], thinking: asyncio.Task[bytes | None]) -> None:
        del self._questions[task]
        if not thinking.cancelled():  # no user may be waiting for it any more
            thinking.exception()

    async def _think(self, task: Task[Any], read: Read | None, who: int | None = None) -> bytes | None:
        """Return what a worker makes of a task, packed, or None where none can say in time."""
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
        """Remember that a task takes too long, and have the user who asked for it pause."""
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
            asking = asyncio.current_task()  # is it that, and not what it waits for?
            if self._pool is pool or (asking is not None and asking.cancelling()):
                raise  # it is not that the pool was closed meanwhile
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
        """Return what comes of a task; after each slice those who wait for a worker have their turn."""
        part = await self._thought(pool, turn, longest, task, None, *given)
        left = longest
        while part.is_unfinished:
            left -= part.cpu_seconds
            if left <= 0:
                return TOO_LONG
            part = await self._thought(pool, turn, left, task, part.packed)
        return part.packed

    async def _thought(self, pool: ProcessPoolExecutor, turn: Semaphore, *thought: Any) -> Part:
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
    """Return what comes of a task, if anything, as bytes, in one go; in the event loop that calls it."""
    made = task.made(*given)
    made = await made if isawaitable(made) else made
    while isinstance(made, Unfinished):
        made = task.resumed(made.progress, lambda: False)
    return None if made is None else pickle.dumps(made)


def _part(task: Task[Any], progress: bytes | None, *given: Any) -> Part:
    """Do a slice of a task, from its ``progress`` so far; what is to be awaited has an event loop."""
    began = process_time()

    def is_over() -> bool:
        return process_time() >= began + SLICE_SECONDS

    before = () if progress is None else (pickle.loads(progress),)  # noqa: S301 — a worker's own
    made = task.resumed(*before, is_over) if before else task.made(*given)
    made = asyncio.run(_awaited(made)) if isawaitable(made) else made
    is_unfinished = isinstance(made, Unfinished)
    left = made.progress if isinstance(made, Unfinished) else made
    return Part(None if left is None else pickle.dumps(left), process_time() - began, is_unfinished)


async def _awaited(made: Awaitable[T]) -> T:
    return await made


_is_overdue = Event()
"""Whether the task that this worker does has used up its CPU time."""


def _begin() -> None:
    """Make a worker end with the bot, however that ends, and leave Ctrl-C to it."""
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
    """Do a slice of a task in a worker, or cancel it after so many CPU seconds by TooLongError."""
    is_over = Event()
    guard = Thread(target=_interrupt, args=(is_over, process_time() + longest), daemon=True)
    try:
        try:
            guard.start()
            return _part(task, progress, *given)
        finally:
            is_over.set()
            guard.join()  # nothing is interrupted any more
            _is_overdue.clear()
    except TooLongError:  # there is only one, but it may have come in the middle of the lines above
        is_over.set()
        _is_overdue.clear()
        return Part(TOO_LONG, longest)


def _interrupt(is_over: Event, until: float) -> None:
    """Interrupt the main thread when it has used up its CPU time, and end a process that goes on.

    ``until`` is in CPU seconds of the process.
    """
    if _is_used_up(is_over, until):
        _is_overdue.set()
        interrupt_main()
        if _is_used_up(is_over, until + GRACE_SECONDS):
            os._exit(1)


def _is_used_up(is_over: Event, until: float) -> bool:
    """Wait until the process has used so much CPU time; return False if its task is over before."""
    while not is_over.wait(max(until - process_time(), 0.0)):
        if process_time() >= until:
            return True
    return False
