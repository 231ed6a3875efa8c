"""Global rate limiter for requests to Discord, with priorities.

By default, Discord accepts 50 requests per second from a bot. It blocks an IP address after 10,000
refused requests in ten minutes. All requests use this budget, one at a time per channel, except
responses to interactions and edits by an interaction token, which have no global rate limit. If the bot
runs in several processes, each gets a share of the limit in proportion to its shards.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum

import aiohttp
import structlog

from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind

log = structlog.get_logger(__name__)

LIMIT = 50
"""Discord's default rate limit in requests per second."""

USED = 0.8
"""Share of the limit that the bot uses. Requests sent at a steady rate may still arrive in bursts."""

BURST = 5
"""Maximum number of requests in a burst."""

TOO_MANY = 429
"""HTTP status of a response to a rate-limited request."""

REFUSED = frozenset({401, 403, TOO_MANY})
"""HTTP statuses that Discord counts before it blocks an IP address."""

COUNTED_SECONDS = 10 * 60
RINGS_AT_ONCE = 4
CROWDED = 20
LONGEST_WAIT_SECONDS, LOOKS = 5.0, 10
"""Maximum delay of a table's automatic action in seconds, and number of looks at the queue meanwhile.

Actions are delayed while ``CROWDED`` or more requests are queued."""


class Priority(IntEnum):
    """The priority of a request. Requests with lower values are sent first."""

    CLICK = 0
    TURN = 1
    UPKEEP = 2


MOST_REFUSED = {Priority.CLICK: 4_000, Priority.TURN: 4_000, Priority.UPKEEP: 1_000}
"""Number of refused requests in ten minutes after which requests with this priority are suspended."""


class ThrottledError(OSError):
    """Raised instead of sending a request, because Discord refused too many in the last ten minutes."""


@dataclass(slots=True, eq=False)
class PrioritizedWork:
    """A unit of work that sends requests to Discord, with its current priority."""

    priority: Priority

    def hurry(self, priority: Priority) -> None:
        """Raise the work's priority to at least the given one. This also affects its queued requests."""
        self.priority = min(self.priority, priority)


@dataclass(slots=True, eq=False)
class _Waiting:
    work: PrioritizedWork
    channel_id: int
    turn: asyncio.Future[None]


_work: ContextVar[PrioritizedWork | None] = ContextVar("work", default=None)


@contextmanager
def request_priority(work: PrioritizedWork) -> Iterator[None]:
    """While the block runs, send requests with the work's priority.

    The default priority is ``CLICK``.
    """
    before = _work.set(work)
    try:
        yield
    finally:
        _work.reset(before)


class Budget:
    """A rate limiter for requests to Discord. Queued requests are sent by priority."""

    def __init__(self, limit: int | None = LIMIT, share: float = 1.0) -> None:
        """Create a rate limiter.

        Args:
            limit: Discord's limit in requests per second, or None for no limit.
            share: This process's share of the limit, from 0 to 1.
        """
        self._burst = max(1.0, BURST * share)
        self._seconds = 0.0 if limit is None else 1 / ((limit * USED - BURST) * share)
        self._paid_until = 0.0
        self._queue: dict[_Waiting, None] = {}
        self._busy: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._rings = asyncio.Semaphore(RINGS_AT_ONCE)
        self._refused: deque[float] = deque(maxlen=max(MOST_REFUSED.values()))
        self._held_back = frozenset[Priority]()
        self._failing_since: float | None = None

    # ---- turns ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def turn(self, channel_id: int) -> AsyncIterator[None]:
        """Wait until a request may be sent. The block then sends it.

        Args:
            channel_id: The request's channel. Only one request per channel is sent at a time.

        Raises:
            ThrottledError: Discord refused too many requests in the last ten minutes.
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
            self._queue.pop(waiting, None)
        try:
            self._require_allowed(work)
            yield
            self._failing_since = None
        except (ThrottledError, TimeoutError):  # raised by the bot itself, e.g. during a long rate limit
            raise
        except NOT_SENT as error:
            is_failing = error_kind(error) is ErrorKind.TROUBLE
            self._failing_since = (self._failing_since or loop.time()) if is_failing else None
            raise
        finally:
            self._free(channel_id)

    @asynccontextmanager
    async def idle(self) -> AsyncIterator[None]:
        """Wait until few requests are queued. The block then performs an automatic action at a table.

        After an outage, many automatic actions are due at once. This prevents the bot from performing
        them faster than it can show their results.
        """
        async with self._rings:
            for _look in range(LOOKS):
                if len(self._queue) < CROWDED:
                    break
                await asyncio.sleep(LONGEST_WAIT_SECONDS / LOOKS)
            yield

    def _free(self, channel_id: int) -> None:
        self._busy.discard(channel_id)
        self._stir()

    def _stir(self) -> None:
        """Start queued requests. If the rate limit is reached, set a timer for the next request."""
        loop = asyncio.get_running_loop()
        while self._timer is None and (waiting := self._next()) is not None:
            early = self._paid_until - (self._burst - 1) * self._seconds - loop.time()
            if self._seconds and early > 0:
                self._timer = loop.call_later(early, self._ring)
                return
            self._paid_until = max(self._paid_until, loop.time()) + self._seconds
            self._busy.add(waiting.channel_id)
            del self._queue[waiting]
            waiting.turn.set_result(None)

    def _ring(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        self._paid_until = min(self._paid_until, now + (self._burst - 1) * self._seconds)
        self._stir()

    def _next(self) -> _Waiting | None:
        """Return the queued request to send next, or None if no request can be sent.

        It is the oldest one with the highest priority whose channel has no other request in flight.
        """
        free = [
            request
            for request in self._queue
            if request.channel_id not in self._busy and not request.turn.done()
        ]
        return min(free, key=lambda each: each.work.priority, default=None)

    @property
    def rate(self) -> float:
        """The maximum average rate in requests per second. It is infinite if there is no limit."""
        return 1 / self._seconds if self._seconds else math.inf

    def waiting(self, priority: Priority) -> int:
        """Return the number of queued requests with this priority."""
        return sum(request.work.priority is priority for request in self._queue)

    # ---- refusals ------------------------------------------------------------------------------

    @property
    def refusal_count(self) -> int:
        """The number of refused requests in the last ten minutes that count towards an IP block."""
        since = asyncio.get_running_loop().time() - COUNTED_SECONDS
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    @property
    def held_back(self) -> frozenset[Priority]:
        """The priorities whose requests are suspended because Discord refused too many requests."""
        return frozenset(
            priority for priority, most in MOST_REFUSED.items() if self.refusal_count >= most
        )

    @property
    def failing_seconds(self) -> float | None:
        """Seconds since Discord's current outage began, or None if there is no outage.

        The value is 0 while requests are suspended because Discord refused too many.
        """
        if Priority.TURN in self.held_back:
            return 0.0
        since = self._failing_since
        return None if since is None else asyncio.get_running_loop().time() - since

    def count_response(self, status: int) -> None:
        """Count a response from Discord if its HTTP status means that the request was refused."""
        if status in REFUSED:
            self._refused.append(asyncio.get_running_loop().time())

    def _require_allowed(self, work: PrioritizedWork) -> None:
        held_back = self.held_back
        if held_back != self._held_back:
            names = sorted(priority.name.lower() for priority in held_back)
            log.warning("requests throttled", of=names, refused=self.refusal_count)
            self._held_back = held_back
        if work.priority in held_back:
            raise ThrottledError("too many requests were refused in the last ten minutes")


def listen(budget: Budget, trace: aiohttp.TraceConfig) -> None:
    """Count the refused requests of an aiohttp trace in the rate limiter.

    This includes responses that discord.py handles with a retry.
    """

    async def note(_session: object, _context: object, told: aiohttp.TraceRequestEndParams) -> None:
        budget.count_response(told.response.status)

    trace.on_request_end.append(note)
