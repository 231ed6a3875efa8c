"""The budget of requests for the whole bot, by rate and priority.

Discord accepts 50 requests per second from a bot unless it has agreed to more. It blocks an IP address
after 10,000 refused requests in ten minutes. Responses to interactions and edits by a token are outside
the rate limit, and do not use the budget. All other requests do, one at a time per channel. Each process
has the share of its shards.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum

import aiohttp
import structlog

from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind

log = structlog.get_logger(__name__)

LIMIT = 50
"""Requests per second that Discord accepts from a bot by default."""

USED = 0.8
"""Share of the limit that is used, because requests that are sent evenly may arrive together."""

BURST = 5
"""Number of requests that may be sent without a pause."""

TOO_MANY = 429
"""HTTP status of a request beyond a rate limit."""

REFUSED = frozenset({401, 403, TOO_MANY})
"""HTTP statuses that count towards a block of the IP address."""

COUNTED_SECONDS = 10 * 60
RINGS_AT_ONCE = 4
CROWDED = 20
LONGEST_WAIT_SECONDS = 5.0
"""While ``CROWDED`` requests wait, tables' automatic actions are delayed, by so many seconds at most."""


class Priority(IntEnum):
    """The urgency of a request. The lowest value goes first."""

    CLICK = 0
    TURN = 1
    UPKEEP = 2


MOST_REFUSED = {Priority.CLICK: 4_000, Priority.TURN: 4_000, Priority.UPKEEP: 1_000}
"""Numbers of refused requests in ten minutes, from which on no request of the priority is made."""


class HeldBackError(OSError):
    """A request that is not made, because too many were refused in the last ten minutes."""


@dataclass(slots=True, eq=False)
class PrioritizedWork:
    """Work that makes requests, with their priority."""

    priority: Priority

    def hurry(self, priority: Priority) -> None:
        """Raise the priority to at least this one, for waiting requests as well."""
        self.priority = min(self.priority, priority)


@dataclass(slots=True, eq=False)
class _Waiting:
    work: PrioritizedWork
    channel_id: int
    turn: asyncio.Future[None]


_work: ContextVar[PrioritizedWork | None] = ContextVar("work", default=None)


@contextmanager
def on(work: PrioritizedWork) -> Iterator[None]:
    """Give the requests inside the block the priority of some work. The default is ``CLICK``."""
    before = _work.set(work)
    try:
        yield
    finally:
        _work.reset(before)


class Budget:
    """The queue of requests, which gives each its turn."""

    def __init__(self, limit: int | None = LIMIT, share: float = 1.0) -> None:
        """Create a budget.

        Args:
            limit: Discord's limit in requests per second, or None for no limit.
            share: The share of this process, from 0 to 1.
        """
        self._burst = max(1.0, BURST * share)
        self._seconds = 0.0 if limit is None else 1 / ((limit * USED - BURST) * share)
        self._paid_until = 0.0
        self._queue: dict[_Waiting, None] = {}
        self._busy: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._rings = asyncio.Semaphore(RINGS_AT_ONCE)
        self._idle = asyncio.Event()
        self._idle.set()
        self._refused: deque[float] = deque(maxlen=max(MOST_REFUSED.values()))
        self._held_back = frozenset[Priority]()
        self._failing_since: float | None = None

    # ---- turns ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def turn(self, channel_id: int) -> AsyncIterator[None]:
        """Wait for the turn of the request that the block makes.

        Args:
            channel_id: The channel. It has one request at a time.

        Raises:
            HeldBackError: Too many requests were refused.
        """
        work = _work.get() or PrioritizedWork(Priority.CLICK)
        self._require_allowed(work)
        loop = asyncio.get_running_loop()
        waiting = _Waiting(work, channel_id, loop.create_future())
        self._queue[waiting] = None
        self._stir()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled():
                self._free(channel_id)
            raise
        finally:
            self._leave(waiting)
        try:
            self._require_allowed(work)
            yield
            self._failing_since = None
        except (HeldBackError, TimeoutError):  # of the bot's own, also if a rate limit lasts too long
            raise
        except NOT_SENT as error:
            is_failing = error_kind(error) is ErrorKind.TROUBLE
            self._failing_since = (self._failing_since or loop.time()) if is_failing else None
            raise
        finally:
            self._free(channel_id)

    @asynccontextmanager
    async def idle(self) -> AsyncIterator[None]:
        """Wait until few requests are queued. The block performs an automatic action of a table.

        So actions that are all due after an outage are not performed faster than they can be shown.
        """
        async with self._rings:
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                    await self._idle.wait()
            yield

    def _free(self, channel_id: int) -> None:
        self._busy.discard(channel_id)
        self._stir()

    def _leave(self, waiting: _Waiting) -> None:
        self._queue.pop(waiting, None)
        self._note_idle()

    def _note_idle(self) -> None:
        if len(self._queue) < CROWDED:
            self._idle.set()
        else:
            self._idle.clear()

    def _stir(self) -> None:
        """Start the requests whose turn it is, or set a timer until the rate allows the next."""
        loop = asyncio.get_running_loop()
        self._note_idle()
        while self._timer is None and (waiting := self._next()) is not None:
            early = self._paid_until - (self._burst - 1) * self._seconds - loop.time()
            if self._seconds and early > 0:
                self._timer = loop.call_later(early, self._ring)
                return
            self._paid_until = max(self._paid_until, loop.time()) + self._seconds
            self._busy.add(waiting.channel_id)
            self._leave(waiting)
            waiting.turn.set_result(None)

    def _ring(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        self._paid_until = min(self._paid_until, now + (self._burst - 1) * self._seconds)
        self._stir()

    def _next(self) -> _Waiting | None:
        """Return the longest waiting of the most urgent requests whose channels are free, or None."""
        free = [
            each for each in self._queue if each.channel_id not in self._busy and not each.turn.done()
        ]
        return min(free, key=lambda each: each.work.priority, default=None)

    @property
    def rate(self) -> float:
        """The maximum average rate in requests per second, or infinity without a limit."""
        return 1 / self._seconds if self._seconds else math.inf

    def waiting(self, priority: Priority) -> int:
        """Return the number of queued requests of a priority."""
        return sum(each.work.priority is priority for each in self._queue)

    # ---- refusals ------------------------------------------------------------------------------

    @property
    def refused(self) -> int:
        """The number of refused requests in the last ten minutes that count towards a block."""
        since = asyncio.get_running_loop().time() - COUNTED_SECONDS
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    @property
    def held_back(self) -> frozenset[Priority]:
        """The priorities of which no request is made at the moment."""
        return frozenset(priority for priority, most in MOST_REFUSED.items() if self.refused >= most)

    @property
    def failing_seconds(self) -> float | None:
        """Seconds since Discord began to fail requests, or None if it does not fail them.

        It is 0 while requests are held back because too many were refused.
        """
        if Priority.TURN in self.held_back:
            return 0.0
        since = self._failing_since
        return None if since is None else asyncio.get_running_loop().time() - since

    def answered(self, status: int) -> None:
        """Count a response if its HTTP status is a refusal."""
        if status in REFUSED:
            self._refused.append(asyncio.get_running_loop().time())

    def _require_allowed(self, work: PrioritizedWork) -> None:
        held_back = self.held_back
        if held_back != self._held_back:
            names = sorted(priority.name.lower() for priority in held_back)
            log.warning("requests are held back", of=names, refused=self.refused)
            self._held_back = held_back
        if work.priority in held_back:
            raise HeldBackError("too many requests were refused in the last ten minutes")


def listen(budget: Budget, trace: aiohttp.TraceConfig) -> None:
    """Count the responses to all requests, including those that discord.py repeats."""

    async def note(_session: object, _context: object, told: aiohttp.TraceRequestEndParams) -> None:
        budget.answered(told.response.status)

    trace.on_request_end.append(note)
