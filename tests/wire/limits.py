"""Discord's limits of 50 requests a second for a bot, and 5 in 5 seconds for a route and channel.

Interaction responses and requests with their tokens do not count.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

A_SECOND, A_SECONDS = 50, 1.0
A_CHANNEL, CHANNEL_SECONDS = 5, 5.0
BEAT_SECONDS = 0.02

_FREE = re.compile(r"/api/v10/(interactions|webhooks|gateway)/")
_CHANNEL = re.compile(r"/api/v10/channels/(\d+)/messages")


@dataclass
class Window:
    """A limit of requests in a number of seconds."""

    most: int
    seconds: float
    times: deque[float] = field(default_factory=deque)

    def left(self, now: float) -> int:
        """Return the number of requests that are still allowed now."""
        while self.times and self.times[0] <= now - self.seconds:
            self.times.popleft()
        return self.most - len(self.times)

    def wait(self, now: float) -> float:
        """Return the seconds until the first counted request expires."""
        return max(0.0, self.times[0] + self.seconds - now) if self.times else 0.0


class Limits:
    """Counts requests and refuses those over the limits."""

    def __init__(self) -> None:
        self.refused: Counter[str] = Counter()
        self.counted = 0
        self.free = 0
        self._all = Window(A_SECOND, A_SECONDS)
        self._stalls: deque[tuple[float, float]] = deque()
        self._channels: defaultdict[str, Window] = defaultdict(
            lambda: Window(A_CHANNEL, CHANNEL_SECONDS)
        )

    @property
    def middleware(self) -> Middleware:
        """A middleware with the limits that Discord puts before its routes."""

        @web.middleware
        async def limited(request: web.Request, handler: Handler) -> web.StreamResponse:
            if _FREE.match(request.path) or not request.path.startswith("/api/"):
                self.free += 1
                return await handler(request)
            return await self._limit_request(request, handler)

        return limited

    @asynccontextmanager
    async def measure_stalls(self) -> AsyncIterator[None]:
        """Measure the time for which this process's event loop is blocked inside the block.

        Requests that arrive meanwhile are read at once afterwards. Without this, evenly paced requests
        would be refused on a busy machine.
        """
        beating = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            beating.cancel()

    async def _beat(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(BEAT_SECONDS)
            now = time.perf_counter()
            self._stalls.append((now, now - began - BEAT_SECONDS))

    def _stalled_seconds(self, now: float) -> float:
        while self._stalls and self._stalls[0][0] <= now - A_SECONDS:
            self._stalls.popleft()
        return sum(seconds for _at, seconds in self._stalls)

    async def _limit_request(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        now, channel = time.perf_counter(), _CHANNEL.match(request.path)
        bucket = f"{request.method} {channel[1]}" if channel else None
        if self._all.left(now) + A_SECOND * self._stalled_seconds(now) <= 0:
            return self._refuse("all", self._all, now, {"X-RateLimit-Global": "true"})
        self._all.times.append(now)
        self.counted += 1
        if bucket is None:
            return await handler(request)
        window = self._channels[bucket]
        if window.left(now) <= 0:
            return self._refuse("a channel", window, now, self._rate_limit_headers(request, window, now))
        window.times.append(now)
        headers = self._rate_limit_headers(request, window, now)
        answer = await handler(request)
        answer.headers.update(headers)
        return answer

    def _refuse(
        self, kind: str, window: Window, now: float, headers: dict[str, str]
    ) -> web.StreamResponse:
        self.refused[kind] += 1
        body = {"message": "You are being rate limited.", "retry_after": window.wait(now)}
        return web.Response(
            body=json.dumps({**body, "global": kind == "all"}).encode(),
            status=429,
            headers={**headers, "Via": "1.1 google", "Content-Type": "application/json"},
        )

    @staticmethod
    def _rate_limit_headers(request: web.Request, window: Window, now: float) -> dict[str, str]:
        return {
            "X-RateLimit-Bucket": f"{request.method} messages",
            "X-RateLimit-Limit": str(window.most),
            "X-RateLimit-Remaining": str(max(0, window.left(now))),
            "X-RateLimit-Reset": str(time.time() + window.wait(now)),
            "X-RateLimit-Reset-After": str(window.wait(now)),
        }
