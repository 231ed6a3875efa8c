"""Notes in the database, again and again, that the bot is connected: what ``health`` reads.

With each beat goes some of what is kept no longer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from discord.ext import commands, tasks

from bot.engine.errors import AwayError
from bot.services.recovery import Recovery
from bot.storage import HaltedError
from bot.storage.hold import BEAT_SECONDS

log = structlog.get_logger(__name__)


class Heartbeat(commands.Cog):
    """Beats from when the bot is ready until it closes in order."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        recovery: Recovery,
        retain: Callable[[], Awaitable[None]],
    ) -> None:
        """``retain`` forgets a little of what is kept no longer, after each beat."""
        self._bot = bot
        self._recovery = recovery
        self._retain = retain

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
        try:
            await self._retain()
        except AwayError:
            log.info("nothing is forgotten just now: the database is away")
        except Exception:
            log.exception("what is kept no longer could not be forgotten")

    @_beat.before_loop
    async def _until_ready(self) -> None:
        await self._bot.wait_until_ready()

    def _is_connected(self) -> bool:
        is_cut_off = any(shard.is_closed() for shard in self._bot.shards.values())
        return self._bot.is_ready() and not self._bot.is_closed() and not is_cut_off
