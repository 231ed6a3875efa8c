"""Requests for channels, threads and messages, each in its turn of the budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import discord
import structlog

from bot.messages.channel_access import ChannelAccess
from bot.requests.answers import EDIT_SECONDS, SILENT
from bot.requests.budget import Budget
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.dm_quarantine import Quarantine
from bot.storage.notes import Post

log = structlog.get_logger(__name__)

THREAD_MINUTES: Final = 10_080
"""Minutes of inactivity after which Discord archives a thread. A table is paused for as long."""


@dataclass(eq=False)
class Requests:
    """The bot's requests for channels and messages."""

    _client: discord.Client
    budget: Budget

    @asynccontextmanager
    async def _turn(self, channel_id: int) -> AsyncIterator[None]:
        async with self.budget.turn(channel_id), asyncio.timeout(EDIT_SECONDS):
            yield

    async def send(
        self, channel_id: int, nonce: str, only: discord.AllowedMentions = SILENT, **shown: Any
    ) -> int:
        """Send a message, and return its ID.

        Args:
            channel_id: The channel.
            nonce: The nonce, so that Discord does not create the same message twice.
            only: The users whom the message may notify.
            shown: Other arguments of discord.py, such as ``content``.
        """
        async with self._turn(channel_id):
            sent = await self.channel(channel_id).send(allowed_mentions=only, nonce=nonce, **shown)
        return sent.id

    async def edit_line(self, post: Post, words: str) -> None:
        """Replace the text of a message."""
        line = self.channel(post.channel_id).get_partial_message(post.message_id)
        async with self._turn(post.channel_id):
            await line.edit(content=words, allowed_mentions=SILENT)

    async def delete(self, post: Post) -> bool:
        """Delete a message.

        Returns:
            True if it was deleted, is already gone or may not be deleted. False if a retry can work.
        """
        shown = self.channel(post.channel_id).get_partial_message(post.message_id)
        try:
            async with self._turn(post.channel_id):
                await shown.delete()
        except NOT_SENT as error:
            log.info("message stays", message=post.message_id, error=str(error))
            return isinstance(error, discord.NotFound | discord.Forbidden)
        return True

    async def dm_channel(self, player_id: int, quarantine: Quarantine) -> int:
        """Return the ID of a player's DM channel.

        Raises:
            QuarantinedError: Discord opens no DMs at the moment.
        """
        async with self._turn(player_id):
            quarantine.require_none()  # it may have begun while this waited
            return (await self._client.create_dm(discord.Object(player_id))).id

    async def open_thread(self, channel: discord.TextChannel, name: str) -> int:
        """Open a public thread in a channel, and return the thread's ID."""
        kinds = discord.ChannelType
        kind = kinds.news_thread if channel.is_news() else kinds.public_thread
        async with self._turn(channel.id):
            thread = await channel.create_thread(
                name=name, type=kind, auto_archive_duration=THREAD_MINUTES
            )
        return thread.id

    async def has_lost(self, access: ChannelAccess) -> bool:
        """Ask Discord again whether a channel was deleted, because its match would end."""
        try:
            async with self._turn(access.channel_id):
                await self._client.fetch_channel(access.channel_id)
        except (*NOT_SENT, discord.InvalidData) as error:  # or discord.py does not know its type
            return error_kind(error) is ErrorKind.PLACE_GONE
        return False

    async def is_last(self, post: Post) -> bool:
        """Return whether a message is the last of its channel."""
        async with self._turn(post.channel_id):
            channel = await self._client.fetch_channel(post.channel_id)
        return getattr(channel, "last_message_id", None) == post.message_id

    async def later_than(self, post: Post, most: int) -> int:
        """Return the number of later messages in the channel, counting up to ``most``."""
        later = self.channel(post.channel_id).history(limit=most, after=discord.Object(post.message_id))
        async with self._turn(post.channel_id):
            return len([one async for one in later])

    def channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
