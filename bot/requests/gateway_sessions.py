"""Gateway connections with backoff.

If a shard's first connection fails, discord.py retries every 5 s, logs a traceback each time and ignores
the session start limit. This module waits longer between attempts and respects the limit.
"""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.background import pauses

log = structlog.get_logger(__name__)

PAUSE_SECONDS = (1.0, 60.0)
"""First and maximum pause between two attempts in seconds, in addition to discord.py's 5 s."""


class NoStartsLeftError(ConnectionError):
    """Raised when Discord allows the bot no more gateway sessions for now.

    If the bot started another session, Discord would reset its token.

    Attributes:
        seconds: Seconds until the limit is reset.
    """

    def __init__(self, limits: discord.SessionStartLimits) -> None:
        self.seconds = limits.reset_after / 1000
        super().__init__(f"none of {limits.total} session starts is left for {self.seconds:.0f} s")


class _LaunchFailedError(Exception):
    """Raised when discord.py retries a failed launch of a shard. The cause is in ``__context__``."""


class GatewayBot(commands.AutoShardedBot):
    """A bot that connects with exponential backoff and respects the gateway's session start limit."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._launching = set[int]()

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard to the gateway. After a failure, log one line, wait and try again."""
        if shard_id in self._launching:  # discord.py calls this again while it handles a failure
            raise _LaunchFailedError
        self._launching.add(shard_id)
        try:
            for pause in pauses(*PAUSE_SECONDS):
                try:
                    await super().launch_shard(gateway, shard_id, initial=initial)
                except _LaunchFailedError as failed:
                    await _wait_after(failed.__context__, shard_id, pause)
                else:
                    return
        finally:
            self._launching.discard(shard_id)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait as long as discord.py requires between two identifies, then check the session limit.

        Raises:
            NoStartsLeftError: The bot has used up its session start limit.
        """
        await super().before_identify_hook(shard_id, initial=initial)
        limits = await self.fetch_session_start_limits()
        if limits.remaining < 1:
            raise NoStartsLeftError(limits)


async def _wait_after(error: BaseException | None, shard_id: int, pause: float) -> None:
    if isinstance(error, NoStartsLeftError):
        pause += error.seconds
        log.warning("no session starts left, waiting", shard=shard_id, in_seconds=round(pause, 1))
    else:
        log.warning(
            "Discord is unreachable, retrying",
            shard=shard_id,
            error=f"{type(error).__name__}: {error}".splitlines()[0],
            in_seconds=round(pause, 1),
        )
    await asyncio.sleep(pause)
