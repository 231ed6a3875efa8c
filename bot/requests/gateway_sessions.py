"""Sessions at Discord's gateway.

discord.py retries a shard's first connection every 5 s, with a traceback each time, and ignores the
limit of session starts. This module pauses longer and respects the limit.
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
"""The first and the longest pause in seconds between two tries, in addition to discord.py's 5 s."""


class NoStartsLeftError(ConnectionError):
    """Discord allows no session start for some time, and resets the token of a bot that tries one.

    Attributes:
        seconds: The time until the limit is reset, in seconds.
    """

    def __init__(self, limits: discord.SessionStartLimits) -> None:
        self.seconds = limits.reset_after / 1000
        super().__init__(f"none of {limits.total} session starts is left for {self.seconds:.0f} s")


class _LaunchFailedError(Exception):
    """A repeated launch of a shard by discord.py. The context is the reason."""


class GatewayBot(commands.AutoShardedBot):
    """A bot that connects to the gateway with growing pauses, and within the limit of session starts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._launching = set[int]()

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard. After a failure, log one line, pause and try again."""
        if shard_id in self._launching:  # discord.py calls this from its handler of a failure
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
        """Wait for discord.py's pause between two identifies.

        Raises:
            NoStartsLeftError: Discord allows no session start at the moment.
        """
        await super().before_identify_hook(shard_id, initial=initial)
        limits = await self.fetch_session_start_limits()
        if limits.remaining < 1:
            raise NoStartsLeftError(limits)


async def _wait_after(error: BaseException | None, shard_id: int, pause: float) -> None:
    if isinstance(error, NoStartsLeftError):
        pause += error.seconds
        log.warning("no session start is left; waiting", shard=shard_id, in_seconds=round(pause, 1))
    else:
        log.warning(
            "Discord cannot be reached; trying again",
            shard=shard_id,
            error=f"{type(error).__name__}: {error}".splitlines()[0],
            in_seconds=round(pause, 1),
        )
    await asyncio.sleep(pause)
