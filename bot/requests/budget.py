"""One budget of requests for the whole bot: how many a second, and whose comes first.

Discord takes 50 requests a second of a bot, more where it has agreed to that, and bars an address that
was refused 10,000 of them in ten minutes. What answers an interaction, or edits a message by an
interaction's token, counts for neither and does not come here. All else does, one request a channel at
a time: the budget says when. Of several processes each has the share of its shards.
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
"""How many requests a second Discord takes of a bot, unless it has agreed to more."""

USED = 0.8
"""Which part of that is asked for: requests that set out evenly may arrive together."""

BURST = 5
"""So many requests may follow each other at once."""

TOO_MANY = 429
"""Discord's answer where it was asked too much."""

REFUSED = frozenset({401, 403, TOO_MANY})
"""The answers for which Discord bars an address."""

COUNTED_SECONDS = 10 * 60
RINGS_AT_ONCE = 4
CROWDED = 20
LONGEST_WAIT_SECONDS = 5.0
"""How many waiting requests keep tables from doing what is due by itself, and for how long."""


class Priority(IntEnum):
    """What a request follows from: what comes first is made first."""

    CLICK = 0
    TURN = 1
    UPKEEP = 2


MOST_REFUSED = {Priority.CLICK: 4_000, Priority.TURN: 4_000, Priority.UPKEEP: 1_000}
"""How many refused requests in ten minutes keep a request from being made."""


class HeldBackError(OSError):
    """Too many requests were refused lately: this one is not made now."""


@dataclass(slots=True, eq=False)
class PrioritizedWork:
    """Something that takes requests, and how urgent it is."""

    priority: Priority

    def hurry(self, priority: Priority) -> None:
        """Make it at least so urgent, also where it waits."""
        self.priority = min(self.priority, priority)


@dataclass(slots=True, eq=False)
class _Waiting:
    work: PrioritizedWork
    channel_id: int
    turn: asyncio.Future[None]


_work: ContextVar[PrioritizedWork | None] = ContextVar("work", default=None)


@contextmanager
def on(work: PrioritizedWork) -> Iterator[None]:
    """Make the requests inside the block as urgent as some work; without any they follow a click."""
    before = _work.set(work)
    try:
        yield
    finally:
        _work.reset(before)


class Budget:
    """Gives each request its turn."""

    def __init__(self, limit: int | None = LIMIT, share: float = 1.0) -> None:
        """``limit``: requests a second that Discord takes, or None; ``share``: this process's part."""
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
        """Wait for a request's turn, and make it inside the block; raises HeldBackError instead."""
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
        except NOT_SENT as error:
            is_failing = error_kind(error) is ErrorKind.TROUBLE
            self._failing_since = (self._failing_since or loop.time()) if is_failing else None
            raise
        finally:
            self._free(channel_id)

    @asynccontextmanager
    async def idle(self) -> AsyncIterator[None]:
        """Wait until few requests wait; inside the block a table does what is due by itself.

        So what was due at once, after an outage, is worked off no faster than it can be shown.
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
        """Give turns to whom they are due; where time has to pass first, a timer goes on."""
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
        """Return what waits longest of the most urgent, to a channel that no request is made to."""
        free = [
            each for each in self._queue if each.channel_id not in self._busy and not each.turn.done()
        ]
        return min(free, key=lambda each: each.work.priority, default=None)

    @property
    def rate(self) -> float:
        """How many requests a second are made at most, for long; infinite where there are no limits."""
        return 1 / self._seconds if self._seconds else math.inf

    def waiting(self, priority: Priority) -> int:
        return sum(each.work.priority is priority for each in self._queue)

    # ---- refusals ------------------------------------------------------------------------------

    @property
    def refused(self) -> int:
        """How many requests Discord has refused in the last ten minutes, of those that it counts."""
        since = asyncio.get_running_loop().time() - COUNTED_SECONDS
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    @property
    def held_back(self) -> frozenset[Priority]:
        return frozenset(priority for priority, most in MOST_REFUSED.items() if self.refused >= most)

    @property
    def failing_seconds(self) -> float | None:
        """For how long Discord has failed, 0 where it is asked nothing as it refuses; None: it works."""
        if Priority.TURN in self.held_back:
            return 0.0
        since = self._failing_since
        return None if since is None else asyncio.get_running_loop().time() - since

    def answered(self, status: int) -> None:
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
    """Tell the budget of Discord's answer to each request, also to one made again."""

    async def note(_session: object, _context: object, told: aiohttp.TraceRequestEndParams) -> None:
        budget.answered(told.response.status)

    trace.on_request_end.append(note)
