"""Notes in the database, again and again, that the bot is connected: what ``health`` reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from discord.ext import commands, tasks

from bot.services.recovery import Recovery
from bot.storage import HaltedError
from bot.storage.hold import BEAT_SECONDS

log = structlog.get_logger(__name__)


class Heartbeat(commands.Cog):
    """Beats from when the bot is ready until it closes in order."""

    def __init__(
        self,
        recovery: Recovery,
        is_connected: Callable[[], bool],
        until_ready: Callable[[], Awaitable[None]],
    ) -> None:
        self._recovery = recovery
        self._is_connected = is_connected
        self._until_ready = until_ready

    async def cog_load(self) -> None:
        """Begin to beat."""
        self._recovery.watch_heart(self._is_connected)
        self._beat.start()

    async def cog_unload(self) -> None:
        """Stop, and leave no note behind; a beat under way is written before it is taken away."""
        self._beat.cancel()
        await self._recovery.heart_stops()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def _beat(self) -> None:
        if not self._is_connected():
            return
        try:
            with suppress(HaltedError):  # the storage has said so
                await self._recovery.beat()
        except sqlite3.Error:
            log.exception("could not note that the bot is connected")

    @_beat.before_loop
    async def _wait(self) -> None:
        await self._until_ready()
