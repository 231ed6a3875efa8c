"""Worker processes that think, so that the event loop does not wait for a thought.

They start on first need and end with the bot. What goes to them is what a seat remembers and a lot.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import Any

from bot.engine.thinking import Strength
from bot.opponents.thought import thought

log = logging.getLogger(__name__)

WORKERS = 2
PATIENCE = 20.0
"""Seconds until a thought is given up: far more than any needs, so that only trouble is met by it."""

ATTEMPTS = 2


class Opponents:
    """Thinks for the seats that the bot plays. To be closed, or used as an async context manager."""

    def __init__(self, *, workers: int = WORKERS, patience: float = PATIENCE) -> None:
        self._workers = workers
        self._patience = patience
        self._pool: ProcessPoolExecutor | None = None
        self._complained = False
        self._closed = False

    async def choose(self, game: str, strength: Strength, memory: Any, lot: bytes) -> str:
        """Return the move of a seat that is to move, in the game's notation.

        Args:
            game: The game's key; a game that has opponents.
            strength: How well to play.
            memory: What the seat remembers, from ``recall`` over its views.
            lot: The lot of this move, from ``lot_of``.

        Where no worker can say, the froglet's rule of thumb moves, thought out here and at once.
        """
        for _attempt in range(ATTEMPTS):
            if self._closed:
                break
            pool = self._started()
            try:
                future = pool.submit(thought, game, strength, memory, lot)
                return await asyncio.wait_for(asyncio.wrap_future(future), self._patience)
            except BrokenExecutor as error:
                self._complain("a worker died", error)
                self._discard(pool)
            except TimeoutError as error:
                self._complain("a worker thought too long", error)
                self._discard(pool, stuck=True)
                break
        return thought(game, Strength.FROGLET, memory, lot)

    async def close(self) -> None:
        """End the workers; thoughts that are still wanted come from the rule of thumb."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(_end, pool)

    async def __aenter__(self) -> Opponents:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor, *, stuck: bool = False) -> None:
        """Let go of a pool that is of no use; the next thought starts a fresh one."""
        if self._pool is pool:
            self._pool = None
        if stuck:
            for process in _processes(pool):
                process.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def _complain(self, what: str, error: Exception) -> None:
        """Log the first trouble; what follows from the same cause is not worth a line each."""
        level = logging.DEBUG if self._complained else logging.WARNING
        self._complained = True
        log.log(level, "An opponent was at a loss: %s (%s)", what, type(error).__name__)
