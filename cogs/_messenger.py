"""Messages of a match: sent, edited or deleted by what they show, and remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

import discord
import structlog

from bot.engine.words import speaking
from cogs._answers import SILENT
from cogs._ports import Players, Post, Posts
from cogs._sheets import Sheet

log = structlog.get_logger(__name__)

_TOO_OLD_TO_EDIT = 30046
"""Discord's code for too many edits of a message that is more than an hour old."""

MakeSheet = Callable[[], Sheet]
"""Builds what a message shows; called in the language of those who read it."""


class Delivery(Enum):
    """What became of a DM: it was sent, it was refused just now, or refused before and not tried."""

    SENT = "sent"
    REFUSED = "refused"
    CLOSED = "closed"


class Messenger:
    """Writes to channels and DMs. What shows a match is remembered by its spot."""

    def __init__(self, client: discord.Client, *, posts: Posts, players: Players) -> None:
        self._client = client
        self._posts = posts
        self._players = players

    async def adopt(self, match_id: str, spot: str, channel_id: int, message_id: int) -> None:
        """Take a message as the one that shows a spot; the one before it is deleted."""
        before = await self._posts.get(match_id, spot)
        await self._posts.put(match_id, spot, channel_id, message_id)
        if before is not None and before.message_id != message_id:
            await self._delete(before)

    async def show(self, match_id: str, spot: str, channel_id: int, make: MakeSheet) -> None:
        """Have a spot shown in a channel: by an edit, or by a new message where there is none."""
        sheet = make()
        tried = None
        while (post := await self._posts.get(match_id, spot)) is not None and post != tried:
            if await self._edit(post, sheet):
                return
            tried = post  # gone; but another may have been adopted in the meantime
        message = await self._channel(channel_id).send(
            view=sheet.view, files=sheet.files(), allowed_mentions=SILENT
        )
        await self._posts.put(match_id, spot, channel_id, message.id)

    async def remind(
        self,
        match_id: str,
        spot: str,
        channel_id: int,
        player_ids: Sequence[int],
        words: str,
        *,
        notifies: bool,
    ) -> None:
        """Send a line that names these players and notifies them or not, unless it is there already."""
        if await self._posts.get(match_id, spot) is not None:
            return
        users = [discord.Object(player_id) for player_id in player_ids if notifies]
        only = discord.AllowedMentions(users=users, everyone=False, roles=False)
        message = await self._channel(channel_id).send(words, allowed_mentions=only)
        await self._posts.put(match_id, spot, channel_id, message.id)

    async def clear(self, match_id: str, spot: str) -> None:
        """Delete the message that shows a spot, if there is one; what Discord fails is tried again."""
        post = await self._posts.get(match_id, spot)
        if post is not None and await self._delete(post):
            await self._posts.remove(match_id, spot)

    async def show_in_dm(
        self, match_id: str, spot: str, player_id: int, make: MakeSheet, *, asked_for: bool = False
    ) -> Delivery:
        """Have a spot shown in a player's DMs, by an edit or a new message.

        A refusal is remembered and not tried again, until the player has asked for it.
        """
        record = await self._players.get(player_id)
        if record.dms_closed and not asked_for:
            return Delivery.CLOSED
        with speaking(record.locale):
            sheet = make()
        post = await self._posts.get(match_id, spot)
        if post is not None and await self._edit(post, sheet):
            return Delivery.SENT
        try:
            channel_id = record.dm_channel_id
            if channel_id is None:
                channel_id = (await self._client.create_dm(discord.Object(player_id))).id
            message = await self._channel(channel_id).send(
                view=sheet.view, files=sheet.files(), allowed_mentions=SILENT
            )
        except discord.Forbidden as error:
            log.info("player takes no DMs", match=match_id, player=player_id, code=error.code)
            is_news = await self._players.dms_closed(player_id)
            return Delivery.REFUSED if is_news else Delivery.CLOSED
        await self._players.dms(player_id, channel_id)
        await self._posts.put(match_id, spot, channel_id, message.id)
        return Delivery.SENT

    async def _edit(self, post: Post, sheet: Sheet) -> bool:
        """Edit a message; returns False where it is gone, or too old and was taken away."""
        message = self._channel(post.channel_id).get_partial_message(post.message_id)
        try:
            await message.edit(view=sheet.view, attachments=sheet.files(), allowed_mentions=SILENT)
        except discord.NotFound:
            return False
        except discord.HTTPException as error:
            if error.code != _TOO_OLD_TO_EDIT:
                raise
            await self._delete(post)
            return False
        return True

    async def _delete(self, post: Post) -> bool:
        """Delete a message; returns whether there is nothing more to be done about it."""
        message = self._channel(post.channel_id).get_partial_message(post.message_id)
        try:
            await message.delete()
        except discord.HTTPException as error:
            log.info("message stays", message=post.message_id, status=error.status, code=error.code)
            return isinstance(error, discord.NotFound | discord.Forbidden)
        return True

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
