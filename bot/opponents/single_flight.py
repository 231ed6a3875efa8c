"""Single flight: a person asks for one thought at a time, and equal questions are thought about once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from bot.engine.errors import RibitError
from bot.engine.words import _


class BusyError(RibitError):
    """Somebody asks for another thought before the last one is there."""

    def __init__(self) -> None:
        super().__init__(_("I'm still working on what you asked for before. Try again when it's there."))


class NoAnswerError(RibitError):
    """No worker could say in time."""

    def __init__(self) -> None:
        super().__init__(_("I couldn't work that out just now. Please try again in a moment."))


class SingleFlight:
    """Thoughts under way, by what they are about, and the people they were begun for."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[Any]] = {}
        self._people: set[Hashable] = set()

    async def ask(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        """Return what is thought; who asks about the same meanwhile gets the same thought.

        It is thought to its end, also where nobody waits for it any more: giving up makes no room for
        another. Raises BusyError for who has asked for another.
        """
        thinking = self._under_way.get(about)
        if thinking is None:
            if who in self._people:
                raise BusyError
            thinking = asyncio.create_task(self._thought(who, about, think))
            self._under_way[about] = thinking
            self._people.add(who)
        return await asyncio.shield(thinking)

    async def close(self) -> None:
        """Wait for every thought under way."""
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _thought(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await think()
        finally:
            del self._under_way[about]
            self._people.discard(who)
