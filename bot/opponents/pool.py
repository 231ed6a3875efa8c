"""A pool of worker processes that think, so that the event loop does not wait for a thought.

They start on first need and end with the bot. What goes to them for a computer player is what its seat
remembers and a lot; for a game for one, what its player asks about. A person has one of them at a time.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from inspect import isawaitable, iscoroutine
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from time import process_time
from types import TracebackType
from typing import Any, Self, TypeVar

import structlog
from cachetools import LRUCache

from bot.engine.puzzle import Puzzle
from bot.engine.thinking import Strength
from bot.opponents.queue import FairQueue, Lane
from bot.opponents.single_flight import NoAnswerError, SingleFlight
from bot.opponents.tasks import (
    answered,
    found_deal,
    found_puzzle,
    planned,
    thought,
    winning_line,
)

log = structlog.get_logger(__name__)

T = TypeVar("T")

WORKERS, ATTEMPTS = 2, 2
LONGEST_THOUGHT = 15.0
"""Seconds of a processor after which a worker gives itself up: only trouble takes that long.

By the clock, a busy machine would have workers give up good thoughts, and start others instead, which
takes it longer than the thought: so no thought would ever come to its end.
"""

PATIENCE = 20.0
"""Seconds that a person waits for an answer, others before it in the queue among them."""

FAR = 300.0
"""Seconds, of either kind, after which the move of a seat that thinks is given up.

What a seat tries is counted: only a worker that hangs takes that long, and no slow machine changes a
match.
"""

MOST_KEPT, MOST_KEPT_BYTES = 50, 16 * 2**20  # of what was made from whole matches


class Opponents:
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
        self._kept: LRUCache[Hashable, bytes] = LRUCache(MOST_KEPT_BYTES, _room)
        self._complained = False
        self._closed = False

    async def choose(self, game: str, strength: Strength, memory: Any, lot: bytes, *, who: int) -> str:
        """Return the move of a seat that is to move, in the game's notation.

        Where no worker can say, the froglet's rule of thumb moves, thought out here and at once.

        Args:
            game: The game's key; a game that has opponents.
            strength: How well to play.
            memory: What the seat remembers, from ``recall`` over its views.
            lot: The lot of this move, from ``lot_of``.
            who: The host of the table, whose tables wait for each other.
        """
        task = (self._far, thought, game, strength, memory, lot)
        move: str | None = await self._within(self._far, Lane.PLAY, who, *task)
        return thought(game, Strength.FROGLET, memory, lot) if move is None else move

    async def advise(self, game: str, memory: Any, lot: bytes, *, who: int) -> tuple[str, ...]:
        """Return what a toad would do in a person's seat; BusyError as for ``answer``."""
        task = (planned, game, Strength.TOAD, memory, lot)
        plan: tuple[str, ...] | None = await self._ask(Lane.QUESTIONS, who, (game, lot), *task)
        return planned(game, Strength.FROGLET, memory, lot) if plan is None else plan

    async def find_deal(
        self, game: str, options: Mapping[str, int], *, who: int
    ) -> Mapping[str, int] | None:
        """Return the options of the deal that a game finds, or None where no worker can say.

        Raises BusyError for who waits for another deal.
        """
        about, task = (game, frozenset(options.items())), (found_deal, game, dict(options))
        found: Mapping[str, int] | None = await self._ask(Lane.PLAY, who, about, *task)
        return found

    async def answer(self, game: str, question: str, state: Any, *, who: int) -> str | None:
        """Return the move that answers a question, in writing, or None where no worker can say.

        Raises BusyError for who waits for the answer to another question.
        """
        task = (answered, game, question, state)
        answer: str | None = await self._ask(Lane.QUESTIONS, who, task, *task)
        return answer

    async def line(self, game: str, state: Any, moves: int, *, who: int) -> tuple[str, ...] | None:
        """Return how a match could be won, in writing, or None where no worker can say.

        Raises BusyError for who waits for the answer to another question.
        """
        task = (winning_line, game, state, moves)
        line: tuple[str, ...] | None = await self._ask(Lane.QUESTIONS, who, task, *task)
        return line

    async def puzzle(self, game: str, grade: int, number: int, *, who: int | None) -> Puzzle[Any] | None:
        """Return a puzzle, or None where no worker can say; BusyError as for ``answer``.

        One that nobody waits for (``who`` is None) takes its time until all workers are free.
        """
        found: Puzzle[Any] | None
        task = (found_puzzle, game, grade, number)
        if who is None:
            found = await self._attempt(Lane.AHEAD, 0, self._longest, *task)
        else:
            found = await self._ask(Lane.QUESTIONS, who, task, *task)
        return found

    async def whole(
        self,
        task: Callable[..., Any],
        about: Hashable,
        read: Callable[[], Awaitable[Sequence[Any]]],
        *,
        who: int,
        game: str = "",
        keeps: bool = True,
    ) -> Any:
        """Return what a worker makes of a whole match, or of all of a person's rows.

        Whoever asks for the same meanwhile gets the same, and neither is it read twice. It is kept
        packed, which takes little room. Raises NoAnswerError, and BusyError as for ``answer``.
        """

        async def made() -> bytes | None:
            packed: bytes | None = await self._think(Lane.QUESTIONS, who, _packed, task, *await read())
            if packed is not None and keeps and _room(packed) <= MOST_KEPT_BYTES:
                self._kept[task, about] = packed
            return packed

        packed = self._kept.get((task, about))
        if packed is None:
            packed = await self._questions.ask((Lane.QUESTIONS, who), (task, about), made)
        if packed is None:
            raise NoAnswerError
        return pickle.loads(packed)  # noqa: S301 — a worker's own

    async def work(self, task: Callable[..., T], *given: Any, who: int) -> T | None:
        """Return what a worker makes of a task that takes no long thought, or None where none can."""
        result: T | None = await self._think(Lane.QUESTIONS, who, task, *given)
        return result

    async def close(self) -> None:
        """End the workers; thoughts that are still wanted come from the rule of thumb."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        await self._questions.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _ask(self, lane: Lane, who: int, about: Hashable, *task: Any) -> Any:
        """Return what a worker makes of what a person asks, or None where none can say in time."""
        return await self._questions.ask((lane, who), about, partial(self._think, lane, who, *task))

    async def _think(self, lane: Lane, who: int, *task: Any) -> Any:
        """Return what a worker makes of what it is given, or None where none can say in time."""
        return await self._within(self._patience, lane, who, self._longest, *task)

    async def _within(self, seconds: float, lane: Lane, who: int, *task: Any) -> Any:
        """Return what a worker makes of a task, behind its limit of processor time, or None."""
        try:
            async with asyncio.timeout(seconds):
                for _attempt in range(ATTEMPTS):
                    result = await self._attempt(lane, who, *task)
                    if result is not None:
                        return result
        except TimeoutError as error:
            self._complain(error)
        return None

    async def _attempt(self, lane: Lane, who: int, *task: Any) -> Any:
        """Return what a worker thinks, or None where there is none to think."""
        if self._closed:
            return None
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self._workers, get_context("spawn"), _begin
        )
        try:
            return await self._thought(pool, lane, who, *task)
        except BrokenExecutor as error:
            self._complain(error)
        except (asyncio.CancelledError, RuntimeError):
            if self._pool is pool or _is_cancelled():
                raise  # it is not that the pool was closed meanwhile
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)
        return None

    async def _thought(self, pool: ProcessPoolExecutor, lane: Lane, who: int, *task: Any) -> Any:
        """Return what a worker of a pool thinks.

        The pool gets no more than it has workers, and what it has got is not cancelled: a pool that
        breaks while something cancelled waits in it leaves workers behind that never end (Python 3.11).
        """
        await self._free.acquire(lane, who)
        try:  # to start a worker takes longer than the event loop should wait
            thinking = asyncio.wrap_future(await asyncio.to_thread(pool.submit, _think, *task))
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


async def _packed(task: Callable[..., Any], *given: Any) -> bytes | None:
    """Return what comes of a task, if anything, as bytes; a task that reads for itself is awaited."""
    made = task(*given)
    made = await made if isawaitable(made) else made
    return None if made is None else pickle.dumps(made)


def _is_cancelled() -> bool:
    """Return whether it is the running task that is cancelled, and not what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _begin() -> None:
    """Make a worker end with the bot, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _think(longest: float, thinks: Callable[..., Any], *given: Any) -> Any:
    """Think in a worker, which gives itself up when it takes far too long."""
    is_over = Event()
    Thread(target=_give_up, args=(is_over, process_time() + longest), daemon=True).start()
    try:
        made = thinks(*given)
        return asyncio.run(made) if iscoroutine(made) else made
    finally:
        is_over.set()


def _give_up(is_over: Event, until: float) -> None:
    """End the process when it has used so much of a processor, unless a thought is over before."""
    while not is_over.wait(max(until - process_time(), 0.0)):
        if process_time() >= until:
            os._exit(1)
