"""What is asked of Discord about messages, each request in its turn within the budget.

A message that an interaction of the last 15 minutes can edit is edited by its token, at once. What a
message is to show is made when its turn has come, so what was overtaken meanwhile is never sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord
import structlog

from bot.messages.channel_access import ChannelAccess, without_files
from bot.messages.components import Content
from bot.messages.text_fallback import fitting
from bot.requests.answers import EDIT_SECONDS, SILENT
from bot.requests.budget import Budget
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.components import message
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.interaction_tokens import interaction_tokens
from bot.requests.quarantine import Quarantine
from bot.storage import Post

log = structlog.get_logger(__name__)

_OLDER_SECONDS = 2
"""A message so much older than the request for it was sent by a process that has ended since."""

_TAKES_NO_EDIT = (
    ErrorKind.MESSAGE_GONE,
    ErrorKind.TOO_OLD,
    ErrorKind.ASLEEP,
    ErrorKind.LIMITED,
)

_MAYBE_THE_FILES = (ErrorKind.NO_FILES, ErrorKind.SHUT)
_MISSING_ACCESS = 50001

THREAD_MINUTES: Final = 10_080
"""After how long without a message Discord archives a thread: a week, as long as a table rests."""

T = TypeVar("T")

MakeContent = Callable[[], Awaitable[Content | None]]
"""Builds what a message shows by now; None: it shows that already."""


class Requests:
    """Sends, edits and deletes messages."""

    def __init__(
        self,
        client: discord.Client,
        *,
        budget: Budget,
        permissions: ChannelPermissions,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._client = client
        self._budget = budget
        self._permissions = permissions
        self.tokens = interaction_tokens(clock)

    async def edit(self, post: Post, make: MakeContent, access: ChannelAccess) -> ErrorKind | None:
        """Edit a message; returns why it takes no edits any more, or None where it shows it all."""
        try:
            if not await self.edit_by_token(post, make, access):
                await self._edit_in_turn(post, make, access)
        except TimeoutError:  # discord.py waits as long as Discord says
            return ErrorKind.LIMITED
        except discord.HTTPException as error:
            if error_kind(error) not in _TAKES_NO_EDIT:
                raise
            return error_kind(error)
        return None

    async def edit_by_token(self, post: Post, make: MakeContent, access: ChannelAccess) -> bool:
        """Edit a message by the token of an interaction; returns False where none can do that."""
        interaction = self.tokens.get(post.message_id)
        if interaction is None:
            return False
        content = await make()
        if content is None:
            return True
        made = message(fitting(content, access))
        try:
            async with asyncio.timeout(EDIT_SECONDS):
                await interaction.edit_original_response(
                    view=made.view, attachments=made.files(), allowed_mentions=SILENT
                )
        except discord.HTTPException as error:
            if error_kind(error) is ErrorKind.TROUBLE:
                raise
            self.tokens.pop(post.message_id, None)
            return False
        return True

    async def _edit_in_turn(self, post: Post, make: MakeContent, access: ChannelAccess) -> None:
        shown = self._channel(post.channel_id).get_partial_message(post.message_id)

        async def edit(fit: Content) -> None:
            made = message(fit)
            async with asyncio.timeout(EDIT_SECONDS):
                await shown.edit(view=made.view, attachments=made.files(), allowed_mentions=SILENT)

        await self._fit(access, make, edit)

    async def send(self, access: ChannelAccess, make: MakeContent, nonce: str) -> int | None:
        """Send a message, or one that had this nonce already; returns its id, None for nothing sent."""
        channel = self._channel(access.channel_id)
        asked_at = self._clock()

        async def send(fit: Content) -> int:
            made = message(fit)
            sent = await channel.send(
                view=made.view, files=made.files(), allowed_mentions=SILENT, nonce=nonce
            )
            return sent.id

        async def make_dated() -> Content | None:
            nonlocal asked_at
            asked_at = self._clock()
            return await make()

        message_id = await self._fit(access, make_dated, send)
        if message_id is None:
            return None
        if discord.utils.snowflake_time(message_id).timestamp() < asked_at - _OLDER_SECONDS:
            sent = Post("", access.channel_id, message_id, asked_at)
            await self.edit(sent, make, access)  # it may show older things
        return message_id

    async def send_line(
        self, channel_id: int, words: str, only: discord.AllowedMentions, nonce: str
    ) -> int:
        """Send a line that may mention these players; returns the message's id."""
        async with self._budget.turn(channel_id):
            line = await self._channel(channel_id).send(words, allowed_mentions=only, nonce=nonce)
        return line.id

    async def edit_line(self, post: Post, words: str) -> bool:
        """Have a line say something else, which notifies nobody; returns whether it does."""
        line = self._channel(post.channel_id).get_partial_message(post.message_id)
        async with self._budget.turn(post.channel_id):
            await line.edit(content=words, allowed_mentions=SILENT)
        return True

    async def delete(self, post: Post) -> bool:
        """Delete a message; returns whether there is nothing more to be done about it."""
        shown = self._channel(post.channel_id).get_partial_message(post.message_id)
        try:
            async with self._budget.turn(post.channel_id):
                await shown.delete()
        except NOT_SENT as error:
            log.info("message stays", message=post.message_id, error=str(error))
            return isinstance(error, discord.NotFound | discord.Forbidden)
        return True

    async def dm_channel(self, player_id: int, quarantine: Quarantine) -> int:
        """Return the id of the channel of a player's DMs; QuarantinedError where none is opened."""
        async with self._budget.turn(player_id):
            quarantine.require_none()  # it may have begun while this waited
            return (await self._client.create_dm(discord.Object(player_id))).id

    async def open_thread(self, channel: discord.TextChannel, name: str) -> int:
        """Open a public thread in a channel; returns its id."""
        kind = (
            discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        )
        async with self._budget.turn(channel.id):
            thread = await channel.create_thread(
                name=name, type=kind, auto_archive_duration=THREAD_MINUTES
            )
        return thread.id

    async def has_lost(self, access: ChannelAccess) -> bool:
        """Return whether a channel is no more: a match ends by that, so Discord is asked once more."""
        try:
            async with self._budget.turn(access.channel_id):
                await self._client.fetch_channel(access.channel_id)
        except NOT_SENT as error:
            return error_kind(error) is ErrorKind.PLACE_GONE
        except discord.InvalidData:  # a channel of a kind that discord.py does not know
            return False
        return False

    async def is_last(self, post: Post) -> bool:
        """Return whether no message has come after one in its channel."""
        async with self._budget.turn(post.channel_id):
            try:
                channel = await self._client.fetch_channel(post.channel_id)
            except discord.InvalidData:  # a channel of a kind that discord.py does not know
                return False
        return getattr(channel, "last_message_id", None) == post.message_id

    async def later_than(self, post: Post, most: int) -> int:
        """Return how many messages, at most so many, have come after a message."""
        later = self._channel(post.channel_id).history(limit=most, after=discord.Object(post.message_id))
        async with self._budget.turn(post.channel_id):
            return len([one async for one in later])

    async def _fit(
        self, access: ChannelAccess, make: MakeContent, request: Callable[[Content], Awaitable[T]]
    ) -> T | None:
        """Make a request with some content, or with its words where the place takes no pictures."""
        async with self._budget.turn(access.channel_id):
            content = await make()
            if content is None:
                return None
            try:
                return await request(fitting(content, access))
            except discord.HTTPException as error:
                may_be_files = error.code != _MISSING_ACCESS and error_kind(error) in _MAYBE_THE_FILES
                if (
                    content.picture is None
                    or access.guild_id is None
                    or not (access.attaches and may_be_files)
                ):
                    raise
        async with self._budget.turn(access.channel_id):
            result = await request(fitting(content, without_files(access)))
        self._permissions.refused_files(access)
        return result

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
