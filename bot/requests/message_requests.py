"""What is asked of Discord about channels, lines and messages, each request in its turn."""

from __future__ import annotations

from typing import Any, Final

import discord
import structlog

from bot.messages.channel_access import ChannelAccess
from bot.requests.answers import SILENT
from bot.requests.budget import Budget
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.spam_quarantine import Quarantine
from bot.storage.servers_and_notes import Post

log = structlog.get_logger(__name__)

THREAD_MINUTES: Final = 10_080
"""After how long without a message Discord archives a thread: a week, as long as a table rests."""


class Requests:
    """Sends, edits and deletes messages."""

    def __init__(self, client: discord.Client, budget: Budget) -> None:
        self._client = client
        self.budget = budget

    async def send(
        self, channel_id: int, nonce: str, only: discord.AllowedMentions = SILENT, **shown: Any
    ) -> int:
        """Send a message that may mention these players only; returns its id."""
        async with self.budget.turn(channel_id):
            sent = await self.channel(channel_id).send(allowed_mentions=only, nonce=nonce, **shown)
        return sent.id

    async def edit_line(self, post: Post, words: str) -> None:
        line = self.channel(post.channel_id).get_partial_message(post.message_id)
        async with self.budget.turn(post.channel_id):
            await line.edit(content=words, allowed_mentions=SILENT)

    async def delete(self, post: Post) -> bool:
        """Delete a message; returns whether there is nothing more to be done about it."""
        shown = self.channel(post.channel_id).get_partial_message(post.message_id)
        try:
            async with self.budget.turn(post.channel_id):
                await shown.delete()
        except NOT_SENT as error:
            log.info("message stays", message=post.message_id, error=str(error))
            return isinstance(error, discord.NotFound | discord.Forbidden)
        return True

    async def dm_channel(self, player_id: int, quarantine: Quarantine) -> int:
        """Return the id of the channel of a player's DMs; QuarantinedError where none is opened."""
        async with self.budget.turn(player_id):
            quarantine.require_none()  # it may have begun while this waited
            return (await self._client.create_dm(discord.Object(player_id))).id

    async def open_thread(self, channel: discord.TextChannel, name: str) -> int:
        kinds = discord.ChannelType
        kind = kinds.news_thread if channel.is_news() else kinds.public_thread
        async with self.budget.turn(channel.id):
            thread = await channel.create_thread(
                name=name, type=kind, auto_archive_duration=THREAD_MINUTES
            )
        return thread.id

    async def has_lost(self, access: ChannelAccess) -> bool:
        """Return whether a channel is no more: a match ends by that, so Discord is asked once more."""
        try:
            async with self.budget.turn(access.channel_id):
                await self._client.fetch_channel(access.channel_id)
        except (*NOT_SENT, discord.InvalidData) as error:  # or it is of a kind new to discord.py
            return error_kind(error) is ErrorKind.PLACE_GONE
        return False

    async def is_last(self, post: Post) -> bool:
        async with self.budget.turn(post.channel_id):
            channel = await self._client.fetch_channel(post.channel_id)
        return getattr(channel, "last_message_id", None) == post.message_id

    async def later_than(self, post: Post, most: int) -> int:
        later = self.channel(post.channel_id).history(limit=most, after=discord.Object(post.message_id))
        async with self.budget.turn(post.channel_id):
            return len([one async for one in later])

    def channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
