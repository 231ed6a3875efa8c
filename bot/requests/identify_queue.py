"""Introducing shards to Discord: one at a time, with a pause, however many processes start."""

from __future__ import annotations

import asyncio

import discord

from bot.background import BackgroundTasks
from bot.requests.discord_errors import NOT_SENT
from bot.requests.ports import Once

PAUSE_SECONDS = 5.0
"""For how long Discord takes no other shard of the same lane."""


class IdentifyQueue:
    """Gives each shard its turn among those of all processes.

    Discord takes shards in lanes, by their number; how many lanes a bot has it says itself.
    """

    def __init__(self, client: discord.AutoShardedClient, once: Once) -> None:
        """``once`` has something to itself among all processes."""
        self._client = client
        self._once = once
        self._lanes = 0
        self._pauses = BackgroundTasks()

    async def turn(self, shard_id: int) -> None:
        """Wait for a shard's turn; the next of its lane waits for the pause after it."""
        if not self._lanes:
            self._lanes = await self._ask_for_lanes()
        is_its_turn = asyncio.Event()
        self._pauses.start(self._pause(shard_id % self._lanes, is_its_turn))
        await is_its_turn.wait()

    def close(self) -> None:
        """Hold nobody up any more."""
        self._pauses.cancel()

    async def _pause(self, lane: int, is_its_turn: asyncio.Event) -> None:
        async with self._once(f"introduce a shard in lane {lane}"):
            is_its_turn.set()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _ask_for_lanes(self) -> int:
        try:
            return (await self._client.fetch_session_start_limits()).max_concurrency
        except (*NOT_SENT, discord.GatewayNotFound):
            return 1
