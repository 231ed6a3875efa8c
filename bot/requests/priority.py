"""Makes what is no answer, one message after the other, and while nobody waits for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.requests.answers import yield_to_clicks

T = TypeVar("T")


class LowPriority:
    """A click that comes waits for one piece of this at most: a picture drawn, or a request begun."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()

    async def run(self, make: Callable[[], Awaitable[T]]) -> T:
        """Return what is made when its turn has come."""
        async with self._one:
            await yield_to_clicks(1)
            return await make()
