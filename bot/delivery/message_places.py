"""Places of a match's messages, with the stored message IDs and the bot's access to each channel.

Ribit is a *guest* in a server or group if it is not a member. A guest can only answer interactions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import discord

from bot.delivery.channels import Channels
from bot.delivery.message_keys import POINTER_KEY, TABLE_KEY, owner_of, seat_of
from bot.delivery.message_writer import Delivery
from bot.engine.frozen import frozen
from bot.messages.channel_access import ChannelAccess
from bot.messages.components import Content
from bot.requests.answers import SILENT
from bot.requests.layout_views import Message
from bot.sessions.table_state import Table
from bot.storage.match_posts import Post
from bot.storage.players import PlayerRecord


@frozen
class Token:
    """An interaction token. It can edit the interaction's answer for 15 minutes.

    Attributes:
        message_id: The ID of the message that the token edits.
        is_followup: True if the message is a follow-up, False if it is the original response.
    """

    interaction: discord.Interaction
    message_id: int
    is_followup: bool = False

    def seconds_left(self, now: int) -> float:
        """Return the seconds until the token expires, or 0 if it has expired.

        Args:
            now: The current Unix time.
        """
        return max(0.0, self.interaction.expires_at.timestamp() - now)

    async def edit(self, message: Message) -> discord.Message:
        changes: Any = {"view": message.view, "attachments": message.files(), "allowed_mentions": SILENT}
        if self.is_followup:
            return await self.interaction.followup.edit_message(self.message_id, **changes)
        return await self.interaction.edit_original_response(**changes)

    async def delete(self) -> None:
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


@frozen
class FormerMessages:
    """The messages that became outdated when a new table message was sent.

    Attributes:
        table: The former table message.
        pointer: The former pointer, an older table message that links to the table, or None.
        token: A token that can edit the former table message, or None.
    """

    table: Post
    pointer: Post | None
    token: Token | None


@dataclass(slots=True, eq=False)
class MessagePlace:
    """The place where one of a match's messages is shown, such as its channel or a player's DMs.

    This base class is used for private panels (ephemeral messages with a player's hand). The other
    messages have subclasses.

    Attributes:
        find_table: Returns the newest table.
        key: The message key.
        on_replaced: Called with the ``FormerMessages``, ``Token`` or ``Post`` that a new message has
            replaced.
        lost_id: The ID of a message that can no longer be edited or should be replaced, or None.
        is_asked_for: True if a user has requested the message by clicking on another message.
        token: The token of the newest interaction that has shown the message, or None.
    """

    shared: Channels
    find_table: Callable[[], Table]
    key: str
    on_replaced: Callable[[Any], object]
    lost_id: int | None = None
    is_asked_for: bool = False
    token: Token | None = None

    @property
    def access(self) -> ChannelAccess:
        """The bot's access to the message's channel."""
        return self.shared.permissions.match_access(self.find_table().match)

    @property
    def is_kept_here(self) -> bool:
        """True if this process may edit the message. Otherwise, only the match's owner process may."""
        match = self.find_table().match
        return self.is_asked_for or match.guest or self.shared.permissions.serves(match.guild_id)

    @property
    def is_panel(self) -> bool:
        """True if the message is a private panel. It has no stored ID and no route but its token."""
        return owner_of(self.key) is not None

    @property
    def token_seconds(self) -> float:
        """Seconds until the token expires, or 0 if there is no valid token."""
        return 0.0 if self.token is None else self.token.seconds_left(self.shared.clock())

    def take_token(self, token: Token) -> None:
        """Replace the interaction token with which the message is edited.

        If the new token edits another panel, report the former panel as replaced.
        """
        former, self.token = self.token, token
        if self.is_panel and former is not None and former.message_id != token.message_id:
            self.on_replaced(former)

    async def replace_message(self) -> None:
        """Stop editing the current message, so that the next update sends a new one."""
        if (post := await self.post()) is not None:
            self.lost_id = post.message_id

    async def post(self) -> Post | None:
        """Return the message's channel ID and message ID, or None if no message is stored."""
        return None

    async def claim(self, clicked: discord.Message) -> bool:
        """Return whether the bot may answer a click by editing the clicked message."""
        return clicked.id not in self.shared.deleting

    async def takes_edits(self, *, by_token: bool) -> bool:
        """Return whether the bot may currently edit the message.

        Args:
            by_token: True if the edit uses an interaction token, False if it uses the bot's access.
        """
        return by_token or self.access.shows

    async def takes_new(self) -> bool:
        """Return whether the bot may send a new message to this place."""
        return False

    @asynccontextmanager
    async def opened_channel(self) -> AsyncIterator[int]:
        """Yield the ID of the channel in which to send a new message."""
        yield self.find_table().match.channel_id

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        """Record a newly sent message as the current message at this place.

        Args:
            channel_id: The new message's channel.
            message_id: The new message's ID.
            former: A token that can edit the former message, or None.
        """

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        """Handle an error that Discord returned when the bot tried to send content.

        See ``Channels.record_refused_picture``. Places in DMs also handle closed DMs.
        """
        return self.shared.record_refused_picture(self.access, error, content)


class StoredPlace(MessagePlace):
    """A place whose message ID is stored in the database, such as that of the pointer."""

    __slots__ = ()

    async def post(self) -> Post | None:
        return await self.shared.posts.get(self.find_table().match.id, self.key)

    async def claim(self, clicked: discord.Message) -> bool:
        """Return whether the clicked message is the stored one.

        If no message is stored, store the clicked one.
        """
        post = await self.post()
        if post is None:  # the process ended before it stored the message
            match_id = self.find_table().match.id
            await self.shared.posts.store_message(match_id, self.key, clicked.channel.id, clicked.id)
        return post is None or post.message_id == clicked.id


class TablePlace(StoredPlace):
    """The place of a match's public table message.

    If Ribit is a guest, only interaction responses and their tokens can show the table.
    """

    __slots__ = ()

    async def takes_edits(self, *, by_token: bool) -> bool:
        return self.access.shows or (by_token and self.find_table().match.guest)

    async def takes_new(self) -> bool:
        return self.access.sends

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        match_id, posts = self.find_table().match.id, self.shared.posts
        former_table = await posts.get(match_id, TABLE_KEY)
        former_pointer = await posts.get(match_id, POINTER_KEY)
        await posts.store_message(match_id, TABLE_KEY, channel_id, message_id, former=POINTER_KEY)
        if former_table is not None and former_table.message_id != message_id:
            self.on_replaced(FormerMessages(former_table, former_pointer, former))


@dataclass(slots=True, eq=False)
class HandPlace(StoredPlace):
    """The place of the message in a player's DMs that shows the player's hand.

    If Discord has refused a DM, no other is sent until the player asks for one. After the match has
    ended, a new message is sent only to replace an earlier one.

    Attributes:
        is_flagged: True if ``FLAGGED`` was already reported for this hand.
        unreported: The text about a refused DM that could not be sent to the table yet, or None. It is
            a function of the player's ID.
    """

    is_flagged: bool = False
    unreported: Callable[[int], str] | None = None

    @property
    def _player_id(self) -> int:
        return self.find_table().match.players[seat_of(self.key) or 0].id

    @property
    def access(self) -> ChannelAccess:
        return ChannelAccess(None, 0)

    async def _player(self) -> PlayerRecord:
        return await self.shared.players.get(self._player_id)

    async def takes_edits(self, *, by_token: bool) -> bool:
        player = await self._player()
        channel_id, permissions = player.dm_channel_id, self.shared.permissions
        is_allowed = channel_id is None or permissions.channel_access(None, channel_id).shows
        return self.is_asked_for or (is_allowed and not player.dms_closed)

    async def takes_new(self) -> bool:
        if not await self.takes_edits(by_token=False):
            return False
        return self.is_asked_for or self.find_table().is_playing or await self.post() is not None

    @asynccontextmanager
    async def opened_channel(self) -> AsyncIterator[int]:
        async with self.shared.dms_of(await self._player()) as channel_id:
            yield channel_id

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        post, match_id = await self.post(), self.find_table().match.id
        await self.shared.posts.store_message(match_id, self.key, channel_id, message_id)
        if post is not None and post.message_id != message_id:  # it takes no more edits
            self.on_replaced(post)
        await self.shared.players.dms(self._player_id, channel_id)

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        match, player = self.find_table().match, await self._player()
        outcome = await self.shared.record_refused_dm(player, error, match)
        if outcome is Delivery.FLAGGED and self.is_flagged:
            return Delivery.HELD
        self.is_flagged |= outcome is Delivery.FLAGGED
        return outcome
