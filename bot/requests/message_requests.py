"""Requests for channels, threads and messages, sent within the rate limit of the request budget."""

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
from bot.storage.match_posts import Post

log = structlog.get_logger(__name__)

THREAD_MINUTES: Final = 10_080
"""Minutes of inactivity after which Discord archives a thread. A paused match is kept for as long."""


@dataclass(eq=False)
class Requests:
    """Sends, edits, deletes and reads messages, threads and channels within the rate limit."""

    _client: discord.Client
    budget: Budget

    @asynccontextmanager
    async def _turn(self, channel_id: int) -> AsyncIterator[None]:
        async with self.budget.turn(channel_id), asyncio.timeout(EDIT_SECONDS):
            yield

    async def send(
        self, channel_id: int, nonce: str, only: discord.AllowedMentions = SILENT, **shown: Any
    ) -> int:
        """Send a message to a channel, and return the message's ID.

        Args:
            channel_id: The channel's ID.
            nonce: The nonce. If a retry has the same nonce, Discord does not create a second message.
            only: The mentions that notify users. By default, none does.
            shown: Further arguments for discord.py's ``send``, such as ``content``.
        """
        async with self._turn(channel_id):
            message = await self.channel(channel_id).send(allowed_mentions=only, nonce=nonce, **shown)
        return message.id

    async def edit_line(self, post: Post, words: str) -> None:
        """Replace the text of a message, for example of a turn reminder."""
        line = self.channel(post.channel_id).get_partial_message(post.message_id)
        async with self._turn(post.channel_id):
            await line.edit(content=words, allowed_mentions=SILENT)

    async def delete(self, post: Post) -> bool:
        """Delete a message.

        Returns:
            True if the message was deleted, did not exist or may not be deleted. False if the request
            failed and should be retried later.
        """
        shown = self.channel(post.channel_id).get_partial_message(post.message_id)
        try:
            async with self._turn(post.channel_id):
                await shown.delete()
        except NOT_SENT as error:
            log.info("message not deleted", message=post.message_id, error=str(error))
            return isinstance(error, discord.NotFound | discord.Forbidden)
        return True

    async def dm_channel(self, player_id: int, quarantine: Quarantine) -> int:
        """Return the ID of the player's DM channel. Create the channel if it does not exist.

        Raises:
            QuarantinedError: Discord currently does not let the bot open DM channels.
        """
        async with self._turn(player_id):
            quarantine.require_none()  # the quarantine may have begun during the wait
            return (await self._client.create_dm(discord.Object(player_id))).id

    async def open_thread(self, channel: discord.TextChannel, name: str) -> int:
        """Create a public thread in the channel and return the thread's ID."""
        kinds = discord.ChannelType
        kind = kinds.news_thread if channel.is_news() else kinds.public_thread
        async with self._turn(channel.id):
            thread = await channel.create_thread(
                name=name, type=kind, auto_archive_duration=THREAD_MINUTES
            )
        return thread.id

    async def unarchive(self, thread_id: int) -> bool:
        """Unarchive a thread, so that its messages can be edited. Return whether Discord allowed it."""
        try:
            async with self._turn(thread_id):
                thread = await self._client.fetch_channel(thread_id)
                if isinstance(thread, discord.Thread):
                    await thread.edit(archived=False)
        except NOT_SENT as error:
            log.info("thread not unarchived", thread=thread_id, error=str(error))
            return False
        return True

    async def has_lost(self, access: ChannelAccess) -> bool:
        """Ask Discord whether a channel was deleted.

        A match ends when its channel is deleted, so a guess from the cache would not be enough.
        """
        try:
            async with self._turn(access.channel_id):
                await self._client.fetch_channel(access.channel_id)
        except (*NOT_SENT, discord.InvalidData) as error:  # InvalidData means an unknown channel type
            return error_kind(error) is ErrorKind.PLACE_GONE
        return False

    async def is_last(self, post: Post) -> bool:
        """Return whether a message is the newest one in its channel."""
        async with self._turn(post.channel_id):
            channel = await self._client.fetch_channel(post.channel_id)
        return getattr(channel, "last_message_id", None) == post.message_id

    async def later_than(self, post: Post, most: int) -> int:
        """Count the newer messages in a message's channel. Stop counting at ``most``."""
        later = self.channel(post.channel_id).history(limit=most, after=discord.Object(post.message_id))
        async with self._turn(post.channel_id):
            return len([one async for one in later])

    def channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
