"""Introducing a process's shards to Discord: one at a time, with a pause."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import discord

from bot.background import BackgroundTasks
from bot.requests.discord_errors import NOT_SENT

PAUSE_SECONDS = 5.0
"""For how long Discord takes no other shard of the same lane."""


class IdentifyQueue:
    """Gives each shard its turn.

    Discord takes shards in lanes, by their number; how many lanes a bot has it says itself. A shard that
    another process introduces in the same lane at that moment is tried again.
    """

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client
        self._lanes = 0
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
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
        async with self._turns[lane]:
            is_its_turn.set()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _ask_for_lanes(self) -> int:
        try:
            return (await self._client.fetch_session_start_limits()).max_concurrency
        except (*NOT_SENT, discord.GatewayNotFound):
            return 1
