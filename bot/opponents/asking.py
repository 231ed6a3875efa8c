"""What people ask that takes thinking: one thing at a time for each, and what is equal once."""

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


class Asking:
    """Thoughts under way for people who wait for them."""

    def __init__(self) -> None:
        self._computer_turns: dict[Hashable, asyncio.Task[Any]] = {}
        self._people: set[Hashable] = set()

    async def ask(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        """Return what is thought; who asks about the same meanwhile gets the same thought.

        It is thought to its end, also where nobody waits for it any more: giving up makes no room for
        another. Raises BusyError for who has asked for another.
        """
        thinking = self._computer_turns.get(about)
        if thinking is None:
            if who in self._people:
                raise BusyError
            thinking = asyncio.create_task(self._thought(who, about, think))
            self._computer_turns[about] = thinking
            self._people.add(who)
        return await asyncio.shield(thinking)

    async def close(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._computer_turns.values(), return_exceptions=True)

    async def _thought(self, who: Hashable, about: Hashable, think: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await think()
        finally:
            del self._computer_turns[about]
            self._people.discard(who)
