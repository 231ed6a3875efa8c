"""Locations of the messages of a match, with their stored IDs and the bot's access to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import discord
import structlog

from bot.delivery.message_keys import POINTER_KEY, TABLE_KEY
from bot.delivery.message_writer import Delivery
from bot.engine.frozen import frozen
from bot.engine.translation import speaking
from bot.messages.channel_access import ChannelAccess, NoAccess, without_files
from bot.messages.components import Content
from bot.requests.answers import SILENT, UnderWay
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.components import Message
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.dm_quarantine import Quarantine, QuarantinedError
from bot.requests.message_requests import Requests
from bot.sessions.table import Table
from bot.storage.database import Database
from bot.storage.notes import Post
from bot.storage.players import PlayerRecord

log = structlog.get_logger(__name__)

_TAKES_NO_DM = (ErrorKind.NO_DMS, ErrorKind.SHUT, ErrorKind.PLACE_GONE)


@dataclass(eq=False)
class Channels:
    """Requests to Discord's channels and DMs, and the stored facts about access to them.

    Attributes:
        under_way: The interactions being answered, which go before other requests.
        clock: Returns the Unix time.
        deleting: The IDs of private messages that are being deleted.
    """

    requests: Requests
    _database: Database
    permissions: ChannelPermissions
    under_way: UnderWay
    clock: Callable[[], int]

    def __post_init__(self) -> None:
        self.posts, self.players = self._database.posts, self._database.players
        self.deleting = set[int]()
        self.quarantine = Quarantine(self._database.notes, self.clock)

    @asynccontextmanager
    async def turn(self, channel_id: int, *, is_urgent: bool) -> AsyncIterator[None]:
        """Wait for the turn of a request that counts against the budget.

        Args:
            channel_id: The channel of the request.
            is_urgent: True if a click waits for the request. Other requests also wait for pending
                answers.
        """
        async with self.requests.budget.turn(channel_id):
            if not is_urgent:
                await self.under_way.give_way()
            yield

    async def clear(self, table: Table, key: str) -> bool:
        """Delete a message in the table's channel.

        Returns:
            False if the deletion failed and should be retried. True also if there is no such message or
            the bot has no access to it.
        """
        post = await self.posts.get(table.match.id, key)
        if post is None or not self.permissions.of(table.match).shows:
            return True
        if not await self.requests.delete(post):
            return False
        await self.posts.remove(table.match.id, key)
        return True

    @asynccontextmanager
    async def dms_of(self, player: PlayerRecord) -> AsyncIterator[int]:
        """Yield the ID of a player's DM channel, to which the block sends a message.

        Raises:
            QuarantinedError: The DM channel would have to be opened first, and Discord opens none now.
        """
        async with nullcontext() if player.dm_channel_id is not None else self.quarantine.tried():
            channel_id = player.dm_channel_id
            yield channel_id or await self.requests.dm_channel(player.player_id, self.quarantine)

    async def send_dm(self, player_id: int, nonce: str, words: Callable[[], str]) -> bool:
        """Send a text to a player's DMs in their language, and record a refusal.

        Returns:
            False if the player takes no DMs. True also if the text was not sent for another reason.
        """
        player = await self.players.get(player_id)
        if player.dms_closed:
            return False
        with speaking(player.locale):
            said = words()
        try:
            async with self.dms_of(player) as channel_id:
                await self.requests.send(channel_id, nonce, content=said)
        except (QuarantinedError, *NOT_SENT) as error:
            kind = error_kind(error)
            log.info("a DM was not sent", player=player_id, error=str(error))
            if kind is ErrorKind.NO_DMS:
                await self.players.dms_closed(player_id)
            elif isinstance(error, discord.HTTPException) and kind is ErrorKind.FLAGGED:
                await self.quarantine.refused(error)
            return kind is not ErrorKind.NO_DMS
        return True

    async def refused_dm(self, table: Table, player: PlayerRecord, error: Exception) -> Delivery:
        """Record Discord's refusal of a message to a player's DMs.

        Returns:
            ``REFUSED`` if the DMs are closed and this was unknown, ``FLAGGED`` if the bot is in
            quarantine, otherwise ``HELD``.

        Raises:
            Exception: The same error, if it says nothing about the DMs.
        """
        if isinstance(error, QuarantinedError):
            return Delivery.FLAGGED
        if not isinstance(error, discord.HTTPException):
            raise error
        kind = error_kind(error)
        player_id, channel_id = player.player_id, player.dm_channel_id
        is_removed = self.permissions.of(table.match).no_access is NoAccess.REMOVED
        if kind is ErrorKind.FLAGGED:
            await self.quarantine.refused(error)
            held = Delivery.FLAGGED
        elif kind not in _TAKES_NO_DM:
            raise error
        elif is_removed and channel_id is not None:  # the cause may be the lost server
            held = Delivery.HELD
        else:
            log.info("player takes no DMs", match=table.match.id, player=player_id, code=error.code)
            is_news = await self.players.dms_closed(player_id)
            return Delivery.REFUSED if is_news else Delivery.HELD
        if channel_id is not None:
            self.permissions.refused(ChannelAccess(None, channel_id))
        return held


@frozen
class Token:
    """The token of an interaction, which can edit its answer for 15 minutes.

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

    async def edit(self, made: Message) -> discord.Message:
        shown: Any = {"view": made.view, "attachments": made.files(), "allowed_mentions": SILENT}
        if self.is_followup:
            return await self.interaction.followup.edit_message(self.message_id, **shown)
        return await self.interaction.edit_original_response(**shown)

    async def delete(self) -> None:
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


@frozen
class Former:
    """The messages that a new table message has replaced.

    Attributes:
        table: The former table message.
        pointer: The former pointer, or None.
        token: A token that edits the former table message, or None.
    """

    table: Post
    pointer: Post | None
    token: Token | None


@dataclass(slots=True, eq=False)
class Place:
    """The location of a message of a match. Without a subclass, it is a private panel or a pointer.

    Attributes:
        find_table: Returns the newest table.
        key: The key of the message.
        on_replaced: Called with the ``Former``, ``Token`` or ``Post`` that a new message has replaced.
        pointer: The former table message for a pointer, otherwise None.
        lost_id: The ID of a message that takes no more edits or should be replaced, or None.
        lost_kind: The reason why Discord takes no more edits, or None.
        is_asked_for: True if a user waits for the message after a click on another message.
    """

    shared: Channels
    find_table: Callable[[], Table]
    key: str
    on_replaced: Callable[[Any], object]
    pointer: Post | None = None
    lost_id: int | None = None
    lost_kind: ErrorKind | None = None
    is_asked_for: bool = False

    @property
    def access(self) -> ChannelAccess:
        """The bot's access to the channel of the message."""
        return self.shared.permissions.of(self.find_table().match)

    @property
    def is_kept_here(self) -> bool:
        """True if this process edits the message, False if only the owner of the match does."""
        match = self.find_table().match
        return self.is_asked_for or match.guest or self.shared.permissions.serves(match.guild_id)

    async def post(self) -> Post | None:
        """Return the channel and ID of the message, or None if it is unknown or there is none."""
        return self.pointer

    async def claim(self, clicked: discord.Message) -> bool:
        """Return whether a click on a message may be answered by an edit of it."""
        return clicked.id not in self.shared.deleting

    async def takes_edits(self, *, by_token: bool) -> bool:
        """Return whether the bot may edit the message.

        Args:
            by_token: True for an edit by an interaction's token.
        """
        return by_token or self.access.shows

    async def takes_new(self) -> bool:
        """Return whether the bot may send a new message here."""
        return False

    @asynccontextmanager
    async def opened_channel(self) -> AsyncIterator[int]:
        """Yield the ID of the channel for a new message."""
        yield self.find_table().match.channel_id

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        """Store a new message as the message of this place.

        Args:
            channel_id: The channel of the new message.
            message_id: The ID of the new message.
            former: The token that edits the former message, or None.
        """

    async def refused(self, error: Exception, content: Content) -> Delivery | None:
        """Record that a channel may take no files, so that the content is planned without a picture.

        Returns:
            ``AGAIN``, to send the new content by the same route.

        Raises:
            Exception: The same error, if a file cannot be the reason.
        """
        access = self.access
        may_be_files = error_kind(error) in {ErrorKind.SHUT, ErrorKind.NO_FILES}
        has_files = content.picture is not None and access.attaches
        if not (may_be_files and has_files and access.guild_id is not None):
            raise error
        self.shared.permissions.mark(without_files(access))
        return Delivery.AGAIN


class StoredPlace(Place):
    """The location of a message whose ID is stored."""

    __slots__ = ()

    async def post(self) -> Post | None:
        return await self.shared.posts.get(self.find_table().match.id, self.key)

    async def claim(self, clicked: discord.Message) -> bool:
        """Return whether a clicked message is the stored one, and store it if none is stored."""
        post = await self.post()
        if post is None:  # the process ended before it stored the message
            match_id = self.find_table().match.id
            await self.shared.posts.put(match_id, self.key, clicked.channel.id, clicked.id)
        return post is None or post.message_id == clicked.id


class TablePlace(StoredPlace):
    """The location of a table. Where Ribit is a guest, only responses and their tokens can show it."""

    __slots__ = ()

    async def takes_edits(self, *, by_token: bool) -> bool:
        return self.access.shows or (by_token and self.find_table().match.guest)

    async def takes_new(self) -> bool:
        return self.access.sends

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        match_id, posts = self.find_table().match.id, self.shared.posts
        before, older = [await posts.get(match_id, key) for key in (TABLE_KEY, POINTER_KEY)]
        await posts.put(match_id, TABLE_KEY, channel_id, message_id, former=POINTER_KEY)
        if before is not None and before.message_id != message_id:
            self.on_replaced(Former(before, older, former))


@dataclass(slots=True, eq=False)
class HandPlace(StoredPlace):
    """The location of a hand in a player's DMs.

    After a refusal, no message is sent to the DMs until the player asks for one. After the match, a new
    message is sent only in place of a former one.

    Attributes:
        seat: The seat whose hand it is.
        is_flagged: True if a refusal was already reported as ``FLAGGED``.
    """

    seat: int = 0
    is_flagged: bool = False

    @property
    def access(self) -> ChannelAccess:
        return ChannelAccess(None, 0)

    async def record(self) -> PlayerRecord:
        return await self.shared.players.get(self.find_table().match.players[self.seat].id)

    async def takes_edits(self, *, by_token: bool) -> bool:
        record, permissions = await self.record(), self.shared.permissions
        dm = record.dm_channel_id
        is_open = not record.dms_closed and (dm is None or permissions.at(None, dm).shows)
        return self.is_asked_for or is_open

    async def takes_new(self) -> bool:
        if not await self.takes_edits(by_token=False):
            return False
        return self.is_asked_for or self.find_table().is_playing or await self.post() is not None

    @asynccontextmanager
    async def opened_channel(self) -> AsyncIterator[int]:
        async with self.shared.dms_of(await self.record()) as channel_id:
            yield channel_id

    async def adopt(self, channel_id: int, message_id: int, former: Token | None) -> None:
        match, post = self.find_table().match, await self.post()
        await self.shared.players.dms(match.players[self.seat].id, channel_id)
        await self.shared.posts.put(match.id, self.key, channel_id, message_id)
        if post is not None and self.lost_kind is ErrorKind.TOO_OLD:
            self.on_replaced(post)

    async def refused(self, error: Exception, content: Content) -> Delivery | None:
        outcome = await self.shared.refused_dm(self.find_table(), await self.record(), error)
        if outcome is Delivery.FLAGGED and self.is_flagged:
            return Delivery.HELD
        self.is_flagged |= outcome is Delivery.FLAGGED
        return outcome
