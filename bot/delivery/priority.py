"""Makes what is no answer, one message after the other, and while nobody waits for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.delivery.answers import yield_to_clicks
from bot.messages.components import Content

LOOKS = 2
"""One to make it by, and one before it is sent: people have clicked while it was drawn."""

Seen: TypeAlias = tuple[object, Callable[[], Awaitable[Content]]]
"""What tells one state to be shown from another, and what makes its message."""


class LowPriority:
    """A click that comes waits for one piece of this at most: a picture drawn, or a request begun."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()

    async def latest(self, look: Callable[[], Awaitable[Seen | None]]) -> Content | None:
        """Return what is to be shown, made anew where that changes meanwhile.

        ``look`` is asked for the state by now. None where it has nothing to be shown.
        """
        content, made, since = None, None, asyncio.get_running_loop().time()
        async with self._one:
            for _look in range(LOOKS):
                await yield_to_clicks(1, since=since)
                seen = await look()
                if seen is None:
                    return None
                if content is None or seen[0] != made:
                    made, make = seen
                    content = await make()
        return content
