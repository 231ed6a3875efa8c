"""Routes to a message: an interaction's token, a message in a channel or a DM, and a new one.

Nothing is asked of Discord that is known to be refused. A message that is sent carries a nonce made
from its slot and the message that it replaces: where the process ends between sending a message and
remembering it, Discord takes what the next process sends for the same one, and answers with that.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from enum import Enum
from hashlib import blake2b

import discord
import structlog

from bot.delivery.slots import POINTER_SLOT, TABLE_SLOT, Messages, Slot, Token, owner_of
from bot.engine.immutable import frozen
from bot.matches.match import Stage
from bot.messages.channel_access import ChannelAccess, NoAccess, without_files
from bot.messages.components import Content
from bot.messages.text_table import fitting
from bot.requests.answers import EDIT_SECONDS, SILENT, TAKES_NO_EDIT, UnderWay, attachment_ids
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.components import Message, message
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.message_requests import Requests
from bot.requests.spam_quarantine import Quarantine, QuarantinedError
from bot.sessions.table import Table
from bot.storage.database import Database
from bot.storage.players import PlayerRecord
from bot.storage.servers_and_notes import Post

log = structlog.get_logger(__name__)

_OLDER_SECONDS = 2
"""A message so much older than the request for it was sent by a process that has ended since."""

TAKES_NO_DM = (ErrorKind.NO_DMS, ErrorKind.SHUT, ErrorKind.PLACE_GONE)

MakeContent = Callable[[], Awaitable[Content]]


class Delivery(Enum):
    """What became of a DM."""

    SENT = "sent"
    REFUSED = "refused"  # just now
    HELD = "held"  # not tried: refused before, or not possible just now
    FLAGGED = "flagged"  # Discord lets the bot write to nobody new


MOVES_AFTER_SECONDS = 50 * 60
"""The age at which a table is posted anew with its next change."""

BURIED_BY = 12
"""How many messages after the table's put it out of sight."""

LOOKED_EVERY_SECONDS = 3 * 60
"""How seldom those messages are counted, and a table that shows all there is may stay where it is."""


@frozen
class Former:
    """What was the table's message until another took its place, and what pointed to it."""

    table: Post | None
    pointer: Post | None
    token: Token | None


class Routes:
    """The ways to a message, of which each knows what a refusal means. Slots are remembered as posts."""

    def __init__(
        self,
        requests: Requests,
        database: Database,
        permissions: ChannelPermissions,
        under_way: UnderWay,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970; clicks that are ``under_way`` come first."""
        self.requests = requests
        self.posts = database.posts
        self._players = database.players
        self.permissions = permissions
        self.under_way = under_way
        self._clock = clock
        self.quarantine = Quarantine(database.notes, clock)

    @asynccontextmanager
    async def _turn(self, access: ChannelAccess, slot: Slot) -> AsyncIterator[Message | None]:
        """Make what a slot wants, in the turn of the request by which the block sends it.

        Where a place takes no pictures the words of it are still wanted after the block.
        """
        content = None
        try:
            async with self.requests.budget.turn(access.channel_id):
                await self.under_way.give_way()
                async with slot.sending() as content:
                    yield None if content is None else message(fitting(content, access))
        except discord.HTTPException as error:
            may_be_files = error_kind(error) in {ErrorKind.SHUT, ErrorKind.NO_FILES}
            has_files = content is not None and content.picture is not None and access.attaches
            if not (may_be_files and has_files and access.guild_id is not None):
                raise
            self.permissions.mark(without_files(access))

    async def edit_by_token(self, slot: Slot, message_id: int, access: ChannelAccess) -> bool:
        """Edit a message by an interaction's token, at once; returns False where none can do that."""
        token = slot.token
        if token is None or token.message_id != message_id or token.seconds_left(self._clock()) <= 0:
            return False
        try:
            await self.under_way.give_way()
            async with slot.sending(by=token) as content, asyncio.timeout(EDIT_SECONDS):
                if content is not None:
                    edited = await token.edit(message(fitting(content, access)))
                    slot.attached = attachment_ids(edited)
        except discord.HTTPException as error:
            if error_kind(error) is ErrorKind.TROUBLE:
                raise
            if slot.token is token:
                slot.edit_by(None)
            return False
        return True

    async def _edit(self, slot: Slot, key: str, post: Post, table: Table) -> ErrorKind | None:
        """Edit a slot's message; returns why it takes no edits any more, or None.

        While the request waited for its turn another message may have taken the place of ``post``. Not
        so of a pointer: what that says is of this message.
        """
        access = ChannelAccess(None, post.channel_id)
        if key in (TABLE_SLOT, POINTER_SLOT):
            access = self.permissions.of(table.match)
        try:
            if await self.edit_by_token(slot, post.message_id, access):
                return None
            async with self._turn(access, slot) as made:
                if made is None:
                    return None
                now = post if key == POINTER_SLOT else await self.posts.get(table.match.id, key) or post
                shown = self.requests.channel(now.channel_id).get_partial_message(now.message_id)
                async with asyncio.timeout(EDIT_SECONDS):
                    files = made.files()
                    edited = await shown.edit(view=made.view, attachments=files, allowed_mentions=SILENT)
                    slot.attached = attachment_ids(edited)
        except TimeoutError:  # discord.py waits as long as Discord says
            return ErrorKind.LIMITED
        except discord.HTTPException as error:
            if error_kind(error) not in TAKES_NO_EDIT:
                raise
            return error_kind(error)
        return None

    async def _send(self, slot: Slot, access: ChannelAccess, nonce: str) -> int | None:
        """Send a message, or one that had this nonce already; returns its id, None for nothing sent."""
        message_id, channel = None, self.requests.channel(access.channel_id)
        async with self._turn(access, slot) as made:
            if made is not None:
                asked_at = self._clock()
                sent = await channel.send(
                    view=made.view, files=made.files(), allowed_mentions=SILENT, nonce=nonce
                )
                message_id, sent_at = sent.id, sent.created_at.timestamp()
                slot.attached = None
                if slot.is_unsure or sent_at < asked_at - _OLDER_SECONDS:  # it may show older things
                    await sent.edit(view=made.view, attachments=made.files(), allowed_mentions=SILENT)
        return message_id

    # ---- in a channel --------------------------------------------------------------------------

    async def show(self, table: Table, slot: Slot, pointer: MakeContent) -> bool:
        """Show the table in its channel; returns False where no more can be done just now.

        That is an edit, or a new message where there is none to edit. Where Ribit is a guest only the
        answer to a click shows it, while its token edits that.
        """
        match, access = table.match, self.permissions.of(table.match)
        post = await self.posts.get(match.id, TABLE_SLOT)
        if not access.shows:
            return match.guest and await self.edit_by_token(slot, _id(post) or 0, access)
        if post is not None and not slot.is_lost:
            said = await self._edit(slot, TABLE_SLOT, post, table)
            if said is ErrorKind.LIMITED and not access.sends:  # the hands say so, then
                self.permissions.refused(access)
            if said is not None:
                slot.lose()
            return access.sends or said is None
        if not access.sends:
            return False
        message_id = await self._send(slot, access, nonce_of(table.match.id, TABLE_SLOT, _id(post)))
        if message_id is not None:
            await self.point(table, await self.adopt(table, message_id, slot), pointer)
        return True

    async def adopt(
        self, table: Table, message_id: int, slot: Slot, token: Token | None = None
    ) -> Former:
        """Take a message as the table's; returns what it takes the place of."""
        match = table.match
        before, older = [await self.posts.get(match.id, key) for key in (TABLE_SLOT, POINTER_SLOT)]
        former = Former(None if _id(before) == message_id else before, older, slot.token)
        slot.take(token)
        await self.posts.put(match.id, TABLE_SLOT, match.channel_id, message_id, former=POINTER_SLOT)
        return former

    async def take(self, table: Table, slot: str, message: discord.Message) -> bool:
        """Take a message for a slot's, unless another is remembered; returns whether it is that.

        No message is remembered where the process ended too soon, and none of private ones.
        """
        if owner_of(slot) is not None:
            return True
        post = await self.posts.get(table.match.id, slot)
        if post is None:
            await self.posts.put(table.match.id, slot, message.channel.id, message.id)
        return post is None or post.message_id == message.id

    async def point(self, table: Table, former: Former, pointer: MakeContent) -> None:
        """Say in the message that was the table's where the table is; an older one goes.

        Where Discord refuses that, the message stays as it was: its buttons still say where to look.
        """
        match, before, access = table.match, former.table, self.permissions.of(table.match)
        if before is None:
            return
        if former.pointer is not None and access.shows:
            await self.requests.delete(former.pointer)
        slot = Slot(wanted=await pointer(), token=former.token)
        try:
            if not access.shows:
                await self.edit_by_token(slot, before.message_id, access)
            elif await self._edit(slot, POINTER_SLOT, before, table) is not None:
                await self.clear(table, POINTER_SLOT)
        except NOT_SENT as error:
            log.info("old table stays", match=match.id, message=before.message_id, error=str(error))

    async def clear(self, table: Table, slot: str) -> bool:
        """Delete a message in the table's channel, if there; returns False where Discord failed that."""
        post = await self.posts.get(table.match.id, slot)
        if post is None or not self.permissions.of(table.match).shows:
            return True
        if not await self.requests.delete(post):
            return False
        await self.posts.remove(table.match.id, slot)
        return True

    # ---- in DMs --------------------------------------------------------------------------------

    async def show_in_dm(
        self, table: Table, key: str, slot: Slot, player_id: int, *, asked_for: bool = False
    ) -> Delivery:
        """Show a slot in a player's DMs, by an edit or a new message.

        A refusal is remembered and not tried again, until the player has asked for it. When the match
        is over nobody gets a new message because of it.
        """
        record = await self._players.get(player_id)
        post = await self.posts.get(table.match.id, key)
        dm = None if record.dm_channel_id is None else self.permissions.at(None, record.dm_channel_id)
        is_shut = record.dms_closed or (dm is not None and not dm.shows)
        if not asked_for and (is_shut or (post is None and not table.is_playing)):
            return Delivery.HELD
        try:
            old = None if post is None else await self._edit(slot, key, post, table)
            if post is not None and old is None:
                return Delivery.SENT
            async with self.dms_of(record) as channel_id:
                access = ChannelAccess(None, channel_id)
                message_id = await self._send(slot, access, nonce_of(table.match.id, key, _id(post)))
            if message_id is not None:
                await self._players.dms(player_id, channel_id)
                await self.posts.put(table.match.id, key, channel_id, message_id)
                if post is not None and old is ErrorKind.TOO_OLD:
                    await self.requests.delete(post)
        except (QuarantinedError, discord.HTTPException) as error:
            return await self.refused_dm(table, record, error)
        return Delivery.SENT

    @asynccontextmanager
    async def dms_of(self, player: PlayerRecord) -> AsyncIterator[int]:
        """Write to a player's DMs inside the block, which is given their channel's id.

        Raises QuarantinedError where they would have to be opened first, and none are just now.
        """
        async with nullcontext() if player.dm_channel_id is not None else self.quarantine.tried():
            channel_id = player.dm_channel_id
            yield channel_id or await self.requests.dm_channel(player.player_id, self.quarantine)

    async def refused_dm(
        self, table: Table, player: PlayerRecord, error: QuarantinedError | discord.HTTPException
    ) -> Delivery:
        """Take note of what it means that a message to a player's DMs was refused."""
        if isinstance(error, QuarantinedError):
            return Delivery.FLAGGED
        kind = error_kind(error)
        player_id, channel_id = player.player_id, player.dm_channel_id
        is_removed = self.permissions.of(table.match).no_access is NoAccess.REMOVED
        if kind is ErrorKind.FLAGGED:
            await self.quarantine.refused(error)
            held = Delivery.FLAGGED
        elif kind not in TAKES_NO_DM:
            raise error
        elif is_removed and channel_id is not None:  # the player may be as open as ever
            held = Delivery.HELD
        else:
            log.info("player takes no DMs", match=table.match.id, player=player_id, code=error.code)
            is_news = await self._players.dms_closed(player_id)
            return Delivery.REFUSED if is_news else Delivery.HELD
        if channel_id is not None:
            self.permissions.refused(ChannelAccess(None, channel_id))
        return held


def _id(post: Post | None) -> int | None:
    return None if post is None else post.message_id


def nonce_of(match_id: str, slot: str, follows: object) -> str:
    """Return what tells a message from any other that the bot means to send."""
    whole = repr((match_id, slot, follows))
    return blake2b(whole.encode(), digest_size=12).hexdigest()  # of at most 25 characters


async def moves_down(table: Table, messages: Messages, routes: Routes, now: int) -> bool:
    """Return whether a table, which has changed since this was asked last, is to be sent anew.

    Discord takes only a few edits of a message that is over an hour old, so a table does not get that
    old while it is played. And a table that many messages have gone over is out of sight: they are
    counted where the bot may read the channel's history. It does not ask for that permission, but most
    servers give it to everybody. (To be told of every message would cost every server's every message.)
    ``now`` is in seconds since 1970.
    """
    before, messages.seen, match = messages.seen, table.signature, table.match
    has_changed = before != messages.seen
    if before is None:  # it was shown by another process, if at all
        has_changed = match.stage.is_live and 0 <= match.shown < match.version
    if not has_changed or match.stage is Stage.STOPPED:
        return False
    post, access = await routes.posts.get(match.id, TABLE_SLOT), routes.permissions.of(match)
    if post is None or not access.sends:
        return False
    if now - discord.utils.snowflake_time(post.message_id).timestamp() >= MOVES_AFTER_SECONDS:
        return True
    if now - messages.looked_at < LOOKED_EVERY_SECONDS:
        return False
    messages.looked_at = now
    return access.counts and await routes.requests.later_than(post, BURIED_BY) >= BURIED_BY
